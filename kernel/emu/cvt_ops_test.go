package emu

import (
	"math/big"
	"testing"

	"kumiko/kernel/emu/internal/exact"
	"kumiko/kernel/ir"
)

// formatRef is the reference's format of a floating-point type.
func formatRef(t ir.Type) exact.Format {
	for _, n := range numbers {
		if n.t == t {
			return n.f
		}
	}
	panic("not a floating-point type: " + t.String())
}

var convertible = []ir.Type{ir.U8, ir.S8, ir.U16, ir.S16, ir.U32, ir.S32, ir.U64, ir.S64, ir.F16, ir.BF16, ir.F32,
	ir.F64}

// cvtWant is the reference for a conversion, as a register of 32 or 64 bits.
func cvtWant(d, s ir.Type, m ir.Mods, x uint64) uint64 {
	bits := 32
	if d.Size() == 8 {
		bits = 64
	}
	if s.Float() {
		f := formatRef(s)
		if m.Ftz && s == ir.F32 {
			x = flushed(f, x)
		}
		if !d.Float() {
			return pattern(cvtFloatInt(f, d, s, m, x), bits)
		}
		return cvtFloatFloat(f, d, m, x)
	}
	v := value(x, s)
	if !d.Float() {
		if m.Sat {
			return pattern(clamped(v, d), bits)
		}
		return pattern(value(pattern(v, 64), d), bits)
	}
	f := formatRef(d)
	r := uint64(0)
	if v.Sign() != 0 {
		r = f.RoundRat(new(big.Rat).SetInt(v), rounds[m.Round])
	}
	if m.Sat {
		r = saturated(f, r)
	}
	return r
}

// cvtFloatInt follows PTX ISA section 9.7.9.21: saturated, with NaN as in its table.
func cvtFloatInt(f exact.Format, d, s ir.Type, m ir.Mods, x uint64) *big.Int {
	huge := new(big.Int).Lsh(big.NewInt(1), 70)
	switch {
	case f.IsNaN(x) && (s == ir.F64 || d.Size() == 8):
		return value(1<<(8*d.Size()-1), d)
	case f.IsNaN(x):
		return new(big.Int)
	case f.IsInf(x) && f.Neg(x):
		return clamped(huge.Neg(huge), d)
	case f.IsInf(x):
		return clamped(huge, d)
	}
	mode := map[ir.Round]exact.Mode{ir.RNI: 'n', ir.RZI: 'z', ir.RMI: 'm', ir.RPI: 'p'}[m.Round]
	return clamped(exact.Integer(f.Value(x), mode), d)
}

func cvtFloatFloat(f exact.Format, d ir.Type, m ir.Mods, x uint64) uint64 {
	to := formatRef(d)
	var r uint64
	if mode, ok := map[ir.Round]exact.Mode{ir.RNI: 'n', ir.RZI: 'z', ir.RMI: 'm', ir.RPI: 'p'}[m.Round]; ok &&
		!f.IsNaN(x) && !f.IsInf(x) {
		if i := exact.Integer(f.Value(x), mode); i.Sign() != 0 {
			r = to.RoundRat(new(big.Rat).SetInt(i), 'n')
		} else if f.Neg(x) {
			r = to.Sign()
		}
	} else {
		r = to.Convert(f, x, rounds[m.Round])
	}
	if m.Ftz && d == ir.F32 {
		r = flushed(to, r)
	}
	if m.Relu && to.Neg(r) && !to.IsNaN(r) {
		r = 0
	}
	if m.Sat {
		r = saturated(to, r)
	}
	return r
}

// cvtTrial converts from s to d. Eight- and sixteen-bit results are compared as
// extended to 32 bits.
func cvtTrial(d, s ir.Type, m ir.Mods) trial {
	from, to := s, d
	if s.Size() < 4 {
		from = ir.B32
	}
	if d.Size() < 4 {
		to = ir.B32
	}
	values := edges(s)
	return trial{name: d.String() + " from " + s.String(), in: ir.Inst{Op: ir.OpCvt, Type: d, SrcType: s, Mods: m},
		src: []ir.Type{from}, dst: to, values: [][]uint64{values},
		want: func(a []uint64) uint64 {
			x := a[0]
			if s.Size() < 8 {
				x &= 1<<(8*s.Size()) - 1
			}
			return cvtWant(d, s, m, x)
		}}
}

func TestConversionsBetweenAllTypes(t *testing.T) {
	for _, d := range convertible {
		for _, s := range convertible {
			mods := []ir.Mods{{}}
			switch {
			case s.Float() && !d.Float():
				mods = []ir.Mods{{Round: ir.RNI}, {Round: ir.RZI}, {Round: ir.RMI}, {Round: ir.RPI}}
			case d.Float() && (!s.Float() || d.Size() < s.Size()):
				mods = []ir.Mods{{Round: ir.RN}, {Round: ir.RZ}, {Round: ir.RM}, {Round: ir.RP},
					{Round: ir.RN, Sat: true}}
			case !d.Float():
				mods = []ir.Mods{{}, {Sat: true}}
			case d == s:
				mods = []ir.Mods{{}, {Round: ir.RNI}, {Round: ir.RZI}, {Round: ir.RMI}, {Round: ir.RPI}, {Sat: true},
					{Relu: true}}
			}
			if d == ir.F32 || s == ir.F32 {
				m := mods[0]
				m.Ftz = true
				mods = append(mods, m)
			}
			for _, m := range mods {
				tr := cvtTrial(d, s, m)
				t.Run(tr.name, func(t *testing.T) { tr.check(t) })
			}
		}
	}
}

func TestConversionsOfPairsPutTheFirstSourceOnTop(t *testing.T) {
	var all []trial
	for _, p := range []struct {
		t ir.Type
		f exact.Format
	}{{ir.F16x2, exact.F16}, {ir.BF16x2, exact.BF16}} {
		all = append(all, trial{name: p.t.String(), in: ir.Inst{Op: ir.OpCvt, Type: p.t, SrcType: ir.F32,
			Mods: ir.Mods{Round: ir.RN}},
			src: []ir.Type{ir.F32, ir.F32}, dst: ir.B32,
			want: func(a []uint64) uint64 {
				return p.f.Convert(exact.F32, a[0], 'n')<<16 | p.f.Convert(exact.F32, a[1], 'n')
			}})
	}
	checkAll(t, all)
}

// A signed conversion or load into a register wider than its type is extended
// with its sign.
func TestANarrowSignedResultFillsAWideRegister(t *testing.T) {
	checkAll(t, []trial{{name: "cvt.s16.s32 into 64 bits", in: ir.Inst{Op: ir.OpCvt, Type: ir.S16, SrcType: ir.S32},
		src: []ir.Type{ir.S32}, dst: ir.S64,
		want: func(a []uint64) uint64 { return pattern(value(a[0]&0xffff, ir.S16), 64) }}})
}
