package emu

import (
	"math"
	"testing"

	"kumiko/kernel/emu/internal/exact"
	"kumiko/kernel/ir"
)

// near accepts a single within ulps units in the last place of the reference. The trial has the reference as the
// bits of a double.
func near(ulps float64) func(got, want uint64) bool {
	return func(got, want uint64) bool {
		w := math.Float64frombits(want)
		g := float64(f32(uint32(got)))
		switch {
		case math.IsNaN(w):
			return got == nan32
		case w == 0:
			return got == uint64(math.Float32bits(float32(w)))
		case math.Abs(w) > math.MaxFloat32*(1+0x1p-25):
			return math.IsInf(g, int(math.Copysign(1, w)))
		}
		unit := math.Max(math.Ldexp(1, math.Ilogb(w)-23), 0x1p-149)
		return math.Abs(g-w) <= ulps*unit
	}
}

// The host's functions are the reference: they are within a unit in the last
// place of a double. What is asked for is more than the ISA's bounds.
func TestApproximationsAreRoundedAlmostCorrectly(t *testing.T) {
	one := func(name string, op ir.Op, f func(x float64) float64) trial {
		return trial{name: name, in: plain(op, ir.F32, ir.Mods{Approx: true}), src: []ir.Type{ir.F32}, dst: ir.F32,
			same: near(0.5001),
			want: func(a []uint64) uint64 { return math.Float64bits(f(float64(f32(uint32(a[0]))))) }}
	}
	checkAll(t, []trial{
		one("ex2", ir.OpEx2, math.Exp2),
		one("lg2", ir.OpLg2, log2),
		one("sin", ir.OpSin, math.Sin),
		one("cos", ir.OpCos, math.Cos),
		one("tanh", ir.OpTanh, math.Tanh),
		one("rsqrt", ir.OpRsqrt, func(x float64) float64 {
			if x == 0 {
				return math.Copysign(math.Inf(1), x)
			}
			return 1 / math.Sqrt(x)
		}),
		one("rcp", ir.OpRcp, func(x float64) float64 { return 1 / x }),
		one("sqrt", ir.OpSqrt, math.Sqrt),
	})
}

// log2 is more precise near one than the host's, which computes it by way of one half.
func log2(x float64) float64 { return math.Log(x) / math.Ln2 }

// A dense walk over the usual range of arguments.
func TestElementaryFunctionsAcrossTheirRanges(t *testing.T) {
	check := func(name string, f, ref func(x float64) float64, lo, hi float64) {
		bad := 0
		for i := range 20000 {
			x := float64(float32(lo + (hi-lo)*float64(i)/20000))
			got, want := f(x), ref(x)
			if math.Abs(got-want) > 1e-13*math.Abs(want) && bad < 5 {
				t.Errorf("%s %v is %v, want %v", name, x, got, want)
				bad++
			}
		}
	}
	check("ex2", ex2, math.Exp2, -149, 128)
	check("lg2", lg2, log2, 0.001, 3)
	check("lg2", lg2, log2, 3, 1e30)
	check("sin", sin, math.Sin, -7, 7)
	check("cos", cos, math.Cos, -7, 7)
	check("tanh", tanh, math.Tanh, -12, 12)
	check("tanh", tanh, math.Tanh, -0.01, 0.01)
}

func TestLargeArgumentsOfSineAreReducedExactly(t *testing.T) {
	for x := float32(1e6); x < math.MaxFloat32/2; x *= 1.7 {
		for _, v := range []float64{float64(x), -float64(x)} {
			if got, want := sin(v), math.Sin(v); math.Abs(got-want) > 1e-12 {
				t.Errorf("sin %v is %v, want %v", v, got, want)
			}
			if got, want := cos(v), math.Cos(v); math.Abs(got-want) > 1e-12 {
				t.Errorf("cos %v is %v, want %v", v, got, want)
			}
		}
	}
}

func TestApproximateDivisionByHugeNumbersIsZero(t *testing.T) {
	checkAll(t, []trial{{name: "div.approx", in: plain(ir.OpDiv, ir.F32, ir.Mods{Approx: true, Ftz: true}),
		src: []ir.Type{ir.F32, ir.F32}, dst: ir.F32,
		values: [][]uint64{nil, append(edges(ir.F32), 0x7e800000, 0x7e800001, 0xfe800001)},
		want: func(a []uint64) uint64 {
			f := exact.F32
			x, y := flushed(f, a[0]), flushed(f, a[1])
			if m := y &^ f.Sign(); m > 0x7e800000 && m < f.Inf() {
				if f.IsNaN(x) || f.IsInf(x) {
					return f.NaN
				}
				return (x ^ y) & f.Sign()
			}
			return flushed(f, f.Div(x, y, 'n'))
		}}})
}

func TestFullRangeDivisionIsRoundedAcrossTheRange(t *testing.T) {
	checkAll(t, []trial{{name: "div.full", in: plain(ir.OpDiv, ir.F32, ir.Mods{Approx: true, Full: true}),
		src: []ir.Type{ir.F32, ir.F32}, dst: ir.F32,
		values: [][]uint64{nil, append(edges(ir.F32), 0x7e800001, 0xfe800001)},
		want:   func(a []uint64) uint64 { return exact.F32.Div(a[0], a[1], 'n') }}})
}

func TestGrossReciprocalsHaveNoLowWord(t *testing.T) {
	f := exact.F64
	one := uint64(0x3ff0000000000000)
	cut := func(r uint64) uint64 {
		if f.IsNaN(r) {
			return r
		}
		return flushed(f, r) &^ 0xffffffff
	}
	m := ir.Mods{Approx: true, Ftz: true}
	checkAll(t, []trial{
		{name: "rcp.approx.ftz.f64", in: plain(ir.OpRcp, ir.F64, m), src: []ir.Type{ir.F64}, dst: ir.F64,
			want: func(a []uint64) uint64 { return cut(f.Div(one, flushed(f, a[0]), 'n')) }},
		{name: "rsqrt.approx.ftz.f64", in: plain(ir.OpRsqrt, ir.F64, m), src: []ir.Type{ir.F64}, dst: ir.F64,
			want: func(a []uint64) uint64 { return cut(f.Div(one, f.Sqrt(flushed(f, a[0]), 'n'), 'n')) }},
	})
}

func TestHalfPrecisionFunctionsRoundTheExactResult(t *testing.T) {
	for _, n := range numbers[2:] {
		for op, f := range map[ir.Op]func(x float64) float64{ir.OpEx2: math.Exp2, ir.OpTanh: math.Tanh} {
			tr := trial{name: op.String() + "." + n.t.String(), in: plain(op, n.t, ir.Mods{Approx: true}),
				src: []ir.Type{n.t}, dst: n.t,
				want: func(a []uint64) uint64 {
					v := f(math.Float64frombits(exact.F64.Convert(n.f, a[0], 'n')))
					return n.f.Convert(exact.F64, math.Float64bits(v), 'n')
				}}
			t.Run(tr.name, func(t *testing.T) { tr.check(t) })
		}
	}
}
