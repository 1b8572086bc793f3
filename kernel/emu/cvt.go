package emu

import (
	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Conversions, PTX ISA section 9.7.9.21.

func decodeCvt(p *decoder) {
	in := p.in
	if narrow(in) {
		decodeNarrow(p)
		return
	}
	if len(in.Src) == 2 {
		p.cvtPair()
		return
	}
	d, s := in.Type, in.SrcType
	p.out.a = p.source(p.src(0), s, max(s.Words(), 1))
	words := max(d.Words(), int(p.dst(0).Words), 1)
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
	if in.Mods.Relu && !d.Float() {
		p.fail("relu of type %s", d)
	}
	if !p.frequentCvt(d, s, words) {
		p.out.lanes = p.anyCvt(d, s, words)
	}
}

// frequentCvt picks a loop for a frequent conversion.
func (p *decoder) frequentCvt(d, s ir.Type, words int) bool {
	m := &p.in.Mods
	if m.Sat || m.Ftz || m.Relu {
		return false
	}
	nearest := m.Round == ir.RoundDefault || m.Round == ir.RN
	switch {
	case words == 1 && d.Size() == 4 && s.Size() >= 4 && !d.Float() && !s.Float():
		p.out.lanes = func(w *warp, in *inst, d *[4]row) { d[0] = w.rows[in.a] }
	case words == 2 && d.Size() == 8 && s == ir.S32 && !d.Float():
		p.out.lanes = func(w *warp, in *inst, d *[4]row) {
			d[0] = w.rows[in.a]
			map1(&d[1], &d[0], func(x uint32) uint32 { return uint32(int32(x) >> 31) })
		}
	case words == 2 && d.Size() == 8 && (s == ir.U32 || s == ir.B32) && !d.Float():
		p.out.lanes = func(w *warp, in *inst, d *[4]row) { d[0], d[1] = w.rows[in.a], row{} }
	case words == 1 && d == ir.F32 && s == ir.S32 && nearest:
		p.out.lanes = func(w *warp, in *inst, d *[4]row) {
			map1(&d[0], &w.rows[in.a], func(x uint32) uint32 { return fromF32(float32(int32(x))) })
		}
	case words == 1 && d == ir.F32 && s == ir.U32 && nearest:
		p.out.lanes = func(w *warp, in *inst, d *[4]row) {
			map1(&d[0], &w.rows[in.a], func(x uint32) uint32 { return fromF32(float32(x)) })
		}
	case d == ir.F64 && s == ir.F32 && !integral(m.Round):
		p.out.lanes = lane12(func(x uint32) uint64 { return fromF64(float64(f32(x))) })
	case d == ir.F32 && s == ir.F64 && nearest:
		p.out.lanes = lane21(func(x uint64) uint32 { return fromF32(float32(f64(x))) })
	default:
		return false
	}
	return true
}

// lane12 and lane21 make a laneFn of a function from one word to two, and from two to one.
func lane12(f func(x uint32) uint64) laneFn {
	return func(w *warp, in *inst, d *[4]row) {
		for i, x := range w.rows[in.a] {
			v := f(x)
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	}
}

func lane21(f func(x uint64) uint32) laneFn {
	return func(w *warp, in *inst, d *[4]row) {
		a := w.pair(in.a)
		for i := range d[0] {
			d[0][i] = f(lane64(a, i))
		}
	}
}

// integral reports whether a rounding modifier rounds to an integral value.
func integral(r ir.Round) bool { return r >= ir.RNI && r <= ir.RPI }

// formatOf returns the format of a floating-point type; nil for others.
func formatOf(t ir.Type) *softfloat.Format {
	switch t {
	case ir.F16, ir.F16x2:
		return softfloat.F16
	case ir.BF16, ir.BF16x2:
		return softfloat.BF16
	case ir.F32:
		return softfloat.F32
	case ir.F64:
		return softfloat.F64
	}
	return nil
}

// anyCvt returns the conversion between any two types.
func (p *decoder) anyCvt(d, s ir.Type, words int) laneFn {
	if d.Size() == 0 || s.Size() == 0 || d.Size() > 8 || s.Size() > 8 || d == ir.F16x2 || d == ir.BF16x2 ||
		s == ir.F16x2 || s == ir.BF16x2 {
		return nil
	}
	var f func(x uint64) uint64
	switch df, sf := formatOf(d), formatOf(s); {
	case df == nil && sf == nil:
		f = intToInt(d, s, p.in.Mods.Sat)
	case df == nil:
		f = floatToInt(d, s, p.in.Mods)
	case sf == nil:
		f = intToFloat(d, s, p.in.Mods)
	default:
		f = floatToFloat(d, s, p.in.Mods)
	}
	two := s.Words() == 2
	return func(w *warp, in *inst, d *[4]row) {
		a := w.pair(in.a)
		for i := range 32 {
			x := uint64(a[0][i])
			if two {
				x |= uint64(a[1][i]) << 32
			}
			v := f(x)
			d[0][i] = uint32(v)
			if words == 2 {
				d[1][i] = uint32(v >> 32)
			}
		}
	}
}

// bitsOf returns the value of an integer of type t, sign- or zero-extended to 64 bits.
func bitsOf(x uint64, t ir.Type) uint64 {
	s := 64 - 8*t.Size()
	if t.Signed() {
		return uint64(int64(x<<s) >> s)
	}
	return x << s >> s
}

// intToInt truncates or saturates, and extends to 64 bits by the destination's sign. The caller keeps the bits of
// the register.
func intToInt(d, s ir.Type, sat bool) func(x uint64) uint64 {
	if !sat {
		return func(x uint64) uint64 { return bitsOf(bitsOf(x, s), d) }
	}
	return func(x uint64) uint64 {
		x = bitsOf(x, s)
		neg := s.Signed() && int64(x) < 0
		if neg {
			return saturate(-x, true, d)
		}
		return saturate(x, false, d)
	}
}

// saturate returns the integer of type d nearest to a magnitude with a sign.
func saturate(mag uint64, neg bool, d ir.Type) uint64 {
	n := uint(8 * d.Size())
	if !d.Signed() {
		if neg {
			return 0
		}
		return min(mag, ^uint64(0)>>(64-n))
	}
	limit := uint64(1) << (n - 1)
	if neg {
		return -min(mag, limit)
	}
	return min(mag, limit-1)
}

// floatToInt rounds to an integral value and saturates. A NaN becomes 0, or,
// from or to 64 bits, the most negative integer's pattern.
func floatToInt(d, s ir.Type, m ir.Mods) func(x uint64) uint64 {
	f, mode := formatOf(s), softMode(m.Round)
	if m.Round == ir.RoundDefault {
		mode = softfloat.Zero
	}
	nan := uint64(0)
	if s == ir.F64 || d.Size() == 8 {
		nan = bitsOf(1<<(8*d.Size()-1), d)
	}
	return func(x uint64) uint64 {
		if m.Ftz && s == ir.F32 {
			x = uint64(flush32(uint32(x)))
		}
		n := f.Unpack(x)
		if n.IsNaN() {
			return nan
		}
		mag, ok := softfloat.Integral(n, mode).Magnitude()
		if !ok {
			mag = ^uint64(0)
		}
		return saturate(mag, n.Negative(), d)
	}
}

// intToFloat rounds an integer.
func intToFloat(d, s ir.Type, m ir.Mods) func(x uint64) uint64 {
	f, mode := formatOf(d), softMode(m.Round)
	return func(x uint64) uint64 {
		r := f.Round(softfloat.Int(bitsOf(x, s), s.Signed()), mode)
		if m.Sat {
			r = satFloat(r, f)
		}
		return r
	}
}

// floatToFloat rounds to a format or, with an integral rounding mode, to an integral value.
func floatToFloat(d, s ir.Type, m ir.Mods) func(x uint64) uint64 {
	df, sf, mode := formatOf(d), formatOf(s), softMode(m.Round)
	return func(x uint64) uint64 {
		if m.Ftz && s == ir.F32 {
			x = uint64(flush32(uint32(x)))
		}
		n := sf.Unpack(x)
		if integral(m.Round) {
			n = softfloat.Integral(n, mode)
		}
		r := df.Round(n, mode)
		if m.Ftz && d == ir.F32 {
			r = uint64(flush32(uint32(r)))
		}
		if m.Relu && !n.IsNaN() && n.Negative() {
			r = 0
		}
		if m.Sat {
			r = satFloat(r, df)
		}
		return r
	}
}

// satFloat clamps to [0, 1]; NaN becomes +0.
func satFloat(r uint64, f *softfloat.Format) uint64 {
	n := f.Unpack(r)
	one := f.Round(softfloat.Int(1, false), softfloat.NearestEven)
	switch {
	case n.IsNaN() || n.Negative():
		return 0
	case r > one:
		return one
	}
	return r
}

// cvtPair converts two singles to a packed pair of halves: the first source
// becomes the upper half.
func (p *decoder) cvtPair() {
	in := p.in
	var half ir.Type
	switch in.Type {
	case ir.F16x2:
		half = ir.F16
	case ir.BF16x2:
		half = ir.BF16
	default:
		p.fail("two sources for type %s", in.Type)
		return
	}
	if in.SrcType != ir.F32 {
		p.fail("a pair from type %s", in.SrcType)
		return
	}
	p.sources(ir.F32, 2)
	p.out.d, p.out.words = p.dest(0, 1), 1
	f := floatToFloat(half, ir.F32, in.Mods)
	p.out.lanes = lane2(func(x, y uint32) uint32 { return uint32(f(uint64(x)))<<16 | uint32(f(uint64(y))) })
}
