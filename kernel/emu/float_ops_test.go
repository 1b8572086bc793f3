package emu

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/emu/internal/exact"
	"kumiko/kernel/ir"
)

// number describes a floating-point type to the references.
type number struct {
	t ir.Type
	f exact.Format
}

var numbers = []number{{ir.F32, exact.F32}, {ir.F64, exact.F64}, {ir.F16, exact.F16}, {ir.BF16, exact.BF16}}

var rounds = map[ir.Round]exact.Mode{ir.RoundDefault: 'n', ir.RN: 'n', ir.RZ: 'z', ir.RM: 'm', ir.RP: 'p'}

// flushed is x with a subnormal made zero.
func flushed(f exact.Format, x uint64) uint64 {
	if x&^f.Sign() < 1<<f.Man {
		return x & f.Sign()
	}
	return x
}

// saturated clamps to [0, 1].
func saturated(f exact.Format, x uint64) uint64 {
	one := uint64(1<<(f.Exp-1)-1) << f.Man
	switch {
	case f.IsNaN(x) || f.Neg(x):
		return 0
	case x > one:
		return one
	}
	return x
}

// modified wraps a reference in flushing and saturation.
func modified(f exact.Format, m ir.Mods, op func(a []uint64) uint64) func(a []uint64) uint64 {
	return func(a []uint64) uint64 {
		if m.Ftz {
			b := make([]uint64, len(a))
			for i := range a {
				b[i] = flushed(f, a[i])
			}
			a = b
		}
		r := op(a)
		if m.Ftz {
			r = flushed(f, r)
		}
		if m.Sat {
			r = saturated(f, r)
		}
		return r
	}
}

// floatTrials are the rounded operations of a type with modifiers.
func floatTrials(n number, m ir.Mods) []trial {
	f, mode := n.f, rounds[m.Round]
	name := "." + n.t.String()
	make := func(op ir.Op, k int, ref func(a []uint64) uint64) trial {
		return trial{name: op.String() + name, in: plain(op, n.t, m), src: []ir.Type{n.t, n.t, n.t}[:k], dst: n.t,
			want: modified(f, m, ref)}
	}
	all := []trial{
		make(ir.OpAdd, 2, func(a []uint64) uint64 { return f.Add(a[0], a[1], mode) }),
		make(ir.OpSub, 2, func(a []uint64) uint64 { return f.Add(a[0], a[1]^f.Sign(), mode) }),
		make(ir.OpMul, 2, func(a []uint64) uint64 { return f.Mul(a[0], a[1], mode) }),
		make(ir.OpFma, 3, func(a []uint64) uint64 { return f.FMA(a[0], a[1], a[2], mode) }),
		make(ir.OpMad, 3, func(a []uint64) uint64 { return f.FMA(a[0], a[1], a[2], mode) }),
	}
	if n.t == ir.F32 || n.t == ir.F64 {
		one := uint64(1<<(f.Exp-1)-1) << f.Man
		if !m.Sat {
			all = append(all,
				make(ir.OpDiv, 2, func(a []uint64) uint64 { return f.Div(a[0], a[1], mode) }),
				make(ir.OpRcp, 1, func(a []uint64) uint64 { return f.Div(one, a[0], mode) }),
				make(ir.OpSqrt, 1, func(a []uint64) uint64 { return f.Sqrt(a[0], mode) }))
		}
	}
	return all
}

func TestFloatingPointArithmeticRoundsOnceInEveryDirection(t *testing.T) {
	for _, n := range numbers {
		for r := range rounds {
			if r != ir.RoundDefault && n.t != ir.F32 && n.t != ir.F64 {
				continue
			}
			checkAll(t, floatTrials(n, ir.Mods{Round: r}))
		}
	}
}

func TestSubnormalsAreFlushedWhereFtzIsWritten(t *testing.T) {
	for _, m := range []ir.Mods{{Ftz: true}, {Ftz: true, Round: ir.RZ}, {Ftz: true, Sat: true}, {Sat: true}} {
		checkAll(t, floatTrials(numbers[0], m))
	}
	checkAll(t, floatTrials(numbers[2], ir.Mods{Ftz: true}))
	checkAll(t, floatTrials(numbers[2], ir.Mods{Sat: true}))
}

// The operands of this test are difficult for fma: sums near the middle between two singles, and subnormal results.
func TestFmaOfSinglesRoundsOnceNearHalfway(t *testing.T) {
	few := func(t *rapid.T, name string, low, high int) uint32 {
		m := uint32(0)
		for range rapid.IntRange(0, 3).Draw(t, name+" bits") {
			m |= 1 << rapid.IntRange(0, 22).Draw(t, name+" bit")
		}
		if rapid.Bool().Draw(t, name+" ones") {
			m = -m & 0x7fffff
		}
		return rapid.Uint32Range(0, 1).Draw(t, name+" sign")<<31 |
			uint32(rapid.IntRange(low, high).Draw(t, name+" exp"))<<23 | m
	}
	halves := 0
	rapid.Check(t, func(t *rapid.T) {
		x, y := few(t, "x", 100, 154), few(t, "y", 100, 154)
		e := int(x>>23&255) + int(y>>23&255) - 127
		z := few(t, "z", max(e-50, 0), min(e+50, 254))
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			y = few(t, "small y", 0, 5)
			z = few(t, "small z", 0, 5)
		case 1:
			// (1 + 2^-k)(1 + 2^(k-24)) ends in 2^-24, half a unit of a single; z is less than half a unit of a
			// double.
			k := rapid.IntRange(2, 22).Draw(t, "k")
			x, y = x&^0x7fffff|1<<(23-k), y&^0x7fffff|1<<(k-1)
			z = few(t, "tiny z", max(e-90, 0), max(e-54, 0))
		}
		want := uint32(exact.F32.FMA(uint64(x), uint64(y), uint64(z), 'n'))
		var w warp
		w.eng = &engine{prog: &Program{}}
		w.rows = make([]row, 8)
		w.rows[0].fill(x)
		w.rows[1].fill(y)
		w.rows[2].fill(z)
		fmaF32(&w, &inst{a: 0, b: 1, c: 2}, w.quad(4))
		if got := w.rows[4][17]; got != want {
			t.Fatalf("fma of %#x %#x %#x is %#x, want %#x", x, y, z, got, want)
		}
		if twice := uint32(exact.F32.Convert(exact.F64, exact.F64.FMA(wide(x), wide(y), wide(z), 'n'),
			'n')); twice != want {
			halves++
		}
	})
	if halves == 0 {
		t.Error("no case was met in which rounding twice is wrong")
	}
}

// wide is a single as a double.
func wide(x uint32) uint64 { return exact.F64.Convert(exact.F32, uint64(x), 'n') }

func TestMinAndMaxPreferNumbersAndOrderZeros(t *testing.T) {
	var all []trial
	for _, n := range numbers {
		for _, m := range []ir.Mods{{}, {NaN: true}} {
			if m.NaN && n.t == ir.F64 {
				continue
			}
			for _, op := range []ir.Op{ir.OpMin, ir.OpMax} {
				all = append(all, trial{name: op.String() + "." + n.t.String(), in: plain(op, n.t, m),
					src: []ir.Type{n.t, n.t}, dst: n.t,
					want: func(a []uint64) uint64 { return extreme(n.f, a[0], a[1], op == ir.OpMax, m.NaN) }})
			}
		}
	}
	checkAll(t, all)
}

func extreme(f exact.Format, x, y uint64, larger, nan bool) uint64 {
	switch {
	case f.IsNaN(x) && f.IsNaN(y), nan && (f.IsNaN(x) || f.IsNaN(y)):
		return f.NaN
	case f.IsNaN(x):
		return y
	case f.IsNaN(y):
		return x
	}
	c := f.Value(x).Cmp(f.Value(y)) // infinities count as the number after the largest
	if c == 0 && f.Neg(x) && !f.Neg(y) {
		c = -1
	} else if c == 0 && f.Neg(y) && !f.Neg(x) {
		c = 1
	}
	if (c < 0) != larger {
		return x
	}
	return y
}

func TestSignOperationsTouchTheSignAlone(t *testing.T) {
	var all []trial
	for _, n := range numbers {
		one := func(op ir.Op, f func(x uint64) uint64) {
			all = append(all, trial{name: op.String() + "." + n.t.String(), in: plain(op, n.t, ir.Mods{}),
				src: []ir.Type{n.t}, dst: n.t,
				want: func(a []uint64) uint64 { return f(a[0]) }})
		}
		one(ir.OpAbs, func(x uint64) uint64 { return x &^ n.f.Sign() })
		one(ir.OpNeg, func(x uint64) uint64 { return x ^ n.f.Sign() })
		if n.t == ir.F32 || n.t == ir.F64 {
			all = append(all, trial{name: "copysign." + n.t.String(), in: plain(ir.OpCopysign, n.t, ir.Mods{}),
				src: []ir.Type{n.t, n.t}, dst: n.t,
				want: func(a []uint64) uint64 { return a[0]&n.f.Sign() | a[1]&^n.f.Sign() }})
		}
	}
	checkAll(t, all)
}

func TestPackedPairsAreTwoHalves(t *testing.T) {
	var all []trial
	for _, p := range []struct {
		t ir.Type
		f exact.Format
	}{{ir.F16x2, exact.F16}, {ir.BF16x2, exact.BF16}} {
		for _, m := range []ir.Mods{{}, {Relu: true}} {
			both := func(op ir.Op, k int, f func(a []uint64) uint64) {
				all = append(all, trial{name: op.String() + "." + p.t.String(), in: plain(op, p.t, m),
					src: []ir.Type{ir.B32, ir.B32, ir.B32}[:k], dst: ir.B32,
					want: func(a []uint64) (r uint64) {
						for _, s := range []int{0, 16} {
							h := make([]uint64, k)
							for i := range h {
								h[i] = a[i] >> s & 0xffff
							}
							v := f(h)
							if m.Relu && v&0x8000 != 0 {
								v = 0
							}
							r |= v << s
						}
						return r
					}})
			}
			both(ir.OpFma, 3, func(a []uint64) uint64 { return p.f.FMA(a[0], a[1], a[2], 'n') })
			both(ir.OpMax, 2, func(a []uint64) uint64 { return extreme(p.f, a[0], a[1], true, false) })
			if !m.Relu {
				both(ir.OpAdd, 2, func(a []uint64) uint64 { return p.f.Add(a[0], a[1], 'n') })
				both(ir.OpMul, 2, func(a []uint64) uint64 { return p.f.Mul(a[0], a[1], 'n') })
				both(ir.OpNeg, 1, func(a []uint64) uint64 { return a[0] ^ 0x8000 })
			}
		}
	}
	checkAll(t, all)
}

func TestTestpTellsTheKindsOfNumbersApart(t *testing.T) {
	var all []trial
	for _, n := range numbers[:2] {
		f := n.f
		for test, holds := range map[ir.Test]func(x uint64) bool{
			ir.TestFinite:     func(x uint64) bool { return !f.IsNaN(x) && !f.IsInf(x) },
			ir.TestInfinite:   f.IsInf,
			ir.TestNumber:     func(x uint64) bool { return !f.IsNaN(x) },
			ir.TestNotANumber: f.IsNaN,
			ir.TestNormal: func(x uint64) bool {
				return !f.IsNaN(x) && !f.IsInf(x) &&
					flushed(f, x)&^f.Sign() != 0
			},
			ir.TestSubnormal: func(x uint64) bool { return x&^f.Sign() != 0 && flushed(f, x)&^f.Sign() == 0 },
		} {
			all = append(all, trial{name: "testp." + n.t.String(), in: plain(ir.OpTestp, n.t, ir.Mods{Test: test}),
				src: []ir.Type{n.t},
				dst: ir.PredType, want: func(a []uint64) uint64 { return uint64(b2u(holds(a[0]))) }})
		}
	}
	checkAll(t, all)
}
