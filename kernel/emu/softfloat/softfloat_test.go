package softfloat

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/emu/internal/exact"
)

var formats = []struct {
	name string
	f    *Format
	ref  exact.Format
}{
	{"f16", F16, exact.F16}, {"bf16", BF16, exact.BF16}, {"f32", F32, exact.F32}, {"f64", F64, exact.F64},
}

var modes = []struct {
	m   Mode
	ref exact.Mode
}{{NearestEven, 'n'}, {Zero, 'z'}, {Down, 'm'}, {Up, 'p'}, {NearestAway, 'a'}}

// pattern draws a number of a format, often one at an edge, or with few bits set, so sums and products often are
// halfway cases, cancel, or underflow.
func pattern(t *rapid.T, f exact.Format, name string) uint64 {
	sign := f.Sign() * rapid.Uint64Range(0, 1).Draw(t, name+" sign")
	edges := []uint64{0, 1, 2, f.Inf(), f.Inf() - 1, f.Inf() + 1, f.NaN, 1 << f.Man, 1<<f.Man - 1, 1<<f.Man + 1}
	one := uint64(1<<(f.Exp-1)-1) << f.Man
	edges = append(edges, one, one-1, one+1)
	switch rapid.IntRange(0, 3).Draw(t, name+" kind") {
	case 0:
		return sign | rapid.SampledFrom(edges).Draw(t, name)
	case 1:
		return sign | rapid.Uint64Range(0, f.Inf()).Draw(t, name)
	}
	// An exponent near one, a mantissa with few bits.
	m := uint64(0)
	for range rapid.IntRange(0, 4).Draw(t, name+" bits") {
		m |= 1 << rapid.IntRange(0, f.Man-1).Draw(t, name+" bit")
	}
	e := 1<<(f.Exp-1) - 1 + rapid.IntRange(-min(f.Man+2, 1<<(f.Exp-1)-2), min(f.Man+2, 1<<(f.Exp-1)-2)).Draw(t,
		name+" exp")
	return sign | uint64(e)<<f.Man | m
}

func TestEveryOperationRoundsTheExactResultOnce(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, rapid.MakeCheck(func(t *rapid.T) {
			x, y, z := pattern(t, f.ref, "x"), pattern(t, f.ref, "y"), pattern(t, f.ref, "z")
			m := rapid.SampledFrom(modes).Draw(t, "mode")
			a, b, c := f.f.Unpack(x), f.f.Unpack(y), f.f.Unpack(z)
			for _, r := range []struct {
				name      string
				got, want uint64
			}{
				{"add", f.f.Round(Add(a, b, m.m), m.m), f.ref.Add(x, y, m.ref)},
				{"mul", f.f.Round(Mul(a, b), m.m), f.ref.Mul(x, y, m.ref)},
				{"fma", f.f.Round(FMA(a, b, c, m.m), m.m), f.ref.FMA(x, y, z, m.ref)},
				{"div", f.f.Round(Div(a, b), m.m), f.ref.Div(x, y, m.ref)},
				{"sqrt", f.f.Round(Sqrt(a), m.m), f.ref.Sqrt(x, m.ref)},
			} {
				if r.got != r.want {
					t.Fatalf("%s %c of %#x %#x %#x is %#x, want %#x", r.name, m.ref, x, y, z, r.got, r.want)
				}
			}
		}))
	}
}

func TestConversionsBetweenFormatsRoundOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.SampledFrom(formats).Draw(t, "from"), rapid.SampledFrom(formats).Draw(t, "to")
		m := rapid.SampledFrom(modes).Draw(t, "mode")
		x := pattern(t, from.ref, "x")
		got, want := to.f.Round(from.f.Unpack(x), m.m), to.ref.Convert(from.ref, x, m.ref)
		if got != want {
			t.Fatalf("%#x to %s %c is %#x, want %#x", x, to.name, m.ref, got, want)
		}
	})
}

func TestIntegersRoundOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Uint64().Draw(t, "v") >> rapid.IntRange(0, 63).Draw(t, "shift")
		if v == 0 {
			return
		}
		signed := rapid.Bool().Draw(t, "signed")
		to := rapid.SampledFrom(formats).Draw(t, "to")
		m := rapid.SampledFrom(modes).Draw(t, "mode")
		r := new(big.Rat).SetInt(new(big.Int).SetUint64(v))
		if signed {
			r.SetInt64(int64(v))
		}
		if got, want := to.f.Round(Int(v, signed), m.m), to.ref.RoundRat(r, m.ref); got != want {
			t.Fatalf("%d (signed %v) to %s %c is %#x, want %#x", v, signed, to.name, m.ref, got, want)
		}
	})
}

func TestIntegralRoundsToAnIntegerAndKeepsTheSignOfZero(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(formats).Draw(t, "format")
		m := rapid.SampledFrom(modes).Draw(t, "mode")
		x := pattern(t, f.ref, "x")
		n := Integral(f.f.Unpack(x), m.m)
		if f.ref.IsNaN(x) || f.ref.IsInf(x) {
			if got := f.f.Round(n, m.m); got != f.ref.Convert(f.ref, x, m.ref) {
				t.Fatalf("%#x became %#x", x, got)
			}
			return
		}
		want := exact.Integer(f.ref.Value(x), m.ref)
		if mag, ok := n.Magnitude(); ok != (want.BitLen() <= 64) || ok &&
			new(big.Int).Abs(want).Cmp(new(big.Int).SetUint64(mag)) != 0 {
			t.Fatalf("%#x %c is %d (%v), want %v", x, m.ref, mag, ok, want)
		}
		if n.Negative() != f.ref.Neg(x) {
			t.Fatalf("%#x lost its sign", x)
		}
	})
}

// The host's arithmetic is a second witness for single and double precision.
func TestNearestEvenAgreesWithTheHost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y, z := pattern(t, exact.F64, "x"), pattern(t, exact.F64, "y"), pattern(t, exact.F64, "z")
		got := F64.Round(FMA(F64.Unpack(x), F64.Unpack(y), F64.Unpack(z), NearestEven), NearestEven)
		want := math.FMA(math.Float64frombits(x), math.Float64frombits(y), math.Float64frombits(z))
		if math.IsNaN(want) && got == F64.NaN() {
			return
		}
		if got != math.Float64bits(want) {
			t.Fatalf("fma of %#x %#x %#x is %#x, the host has %#x", x, y, z, got, math.Float64bits(want))
		}
	})
}
