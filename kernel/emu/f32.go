package emu

import (
	"math"

	"kumiko/kernel/ir"
)

// nan32 is the NaN of single-precision arithmetic, PTX ISA section 9.7.3.
const nan32 = 0x7fffffff

// fromF32 returns the register value of an arithmetic result: every NaN is nan32.
func fromF32(r float32) uint32 {
	if r != r {
		return nan32
	}
	return math.Float32bits(r)
}

func f32(x uint32) float32 { return math.Float32frombits(x) }

// The loops of the frequent operations, rounding to nearest even and keeping subnormals.
var f32Fast = [...]laneFn{
	opAdd: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return fromF32(f32(x) + f32(y)) })
	},
	opSub: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return fromF32(f32(x) - f32(y)) })
	},
	opMul: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return fromF32(f32(x) * f32(y)) })
	},
	opFma: fmaF32,
	opDiv: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return fromF32(f32(x) / f32(y)) })
	},
	opSqrt: func(w *warp, in *inst, d *[4]row) {
		map1(&d[0], &w.rows[in.a], func(x uint32) uint32 { return fromF32(sqrt32(f32(x))) })
	},
	opRcp: func(w *warp, in *inst, d *[4]row) {
		map1(&d[0], &w.rows[in.a], func(x uint32) uint32 { return fromF32(1 / f32(x)) })
	},
}

// fmaF32 computes a*b+c rounded once. The product of two singles is exact in double precision. The sum is rounded
// to double precision and then to single. The second rounding can only be wrong if the double lies halfway between
// two singles, or if the single is subnormal. These cases, and infinities, NaN and zero, go to fmaRare.
func fmaF32(w *warp, in *inst, d *[4]row) {
	a, b, c, r := &w.rows[in.a], &w.rows[in.b], &w.rows[in.c], &d[0]
	for i := range r {
		s := float64(f32(a[i]))*float64(f32(b[i])) + float64(f32(c[i]))
		q := math.Float64bits(s)
		if q&halfwayMask == halfway || (q>>52&0x7ff)-minExp32 > maxExp32-minExp32 {
			r[i] = fmaRare(s, a[i], b[i], c[i])
		} else {
			r[i] = math.Float32bits(float32(s))
		}
	}
}

const (
	// A double lies halfway between two singles if its 29 bits below the single's last one are a one and zeros.
	halfwayMask = 1<<29 - 1
	halfway     = 1 << 28
	// The biased exponents of the doubles rounding to normal singles, except the largest, which may round to
	// infinity without harm.
	minExp32 = 1023 - 126
	maxExp32 = 1023 + 127
)

// fmaRare computes fma for operands with double-precision result s.
func fmaRare(s float64, x, y, z uint32) uint32 {
	if s == 0 {
		return math.Float32bits(float32(s)) // a zero sum is exact
	}
	return fma32(x, y, z)
}

// fma32 computes fma for any operands.
func fma32(x, y, z uint32) uint32 {
	p := float64(f32(x)) * float64(f32(y))
	return fromF32(float32(sumToOdd(p, float64(f32(z)))))
}

// sumToOdd returns x + y rounded to odd: truncated, with the last bit set if inexact. A second rounding, to a
// format with at least two bits less, in any direction, gives the same as rounding the exact sum (S. Boldo and G.
// Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE
// Transactions on Computers 57(4), 2008).
func sumToOdd(x, y float64) float64 {
	s := x + y
	// The error of the sum, exactly (Knuth's TwoSum).
	t := s - x
	e := (x - (s - t)) + (y - t)
	if e == 0 || e != e {
		return s // exact, infinite or NaN
	}
	q := math.Float64bits(s)
	if q&1 == 0 {
		// s is the even one of the two doubles around the exact value. A step towards that value leads to the odd one.
		if (e > 0) == (s > 0) {
			q++
		} else {
			q--
		}
	}
	return math.Float64frombits(q)
}

// f32Op picks the function of a single-precision operation.
func (p *decoder) f32Op(k floatKind) laneFn {
	m := &p.in.Mods
	if k == opMin || k == opMax || k == opAbs || k == opNeg {
		return p.f32Sign(k)
	}
	if (m.Round == ir.RoundDefault || m.Round == ir.RN) && !m.Ftz && !m.Sat {
		return f32Fast[k]
	}
	return p.f32General(k)
}

// flush32 returns x with a subnormal replaced by a zero of its sign.
func flush32(x uint32) uint32 {
	if x&0x7f800000 == 0 {
		x &= 0x80000000
	}
	return x
}

// isNaN32 reports whether x is a NaN.
func isNaN32(x uint32) bool { return x&0x7fffffff > 0x7f800000 }

// f32Sign returns the operations without rounding.
func (p *decoder) f32Sign(k floatKind) laneFn {
	m := p.in.Mods
	switch k {
	case opAbs:
		return lane1(ftz32(m.Ftz, func(x uint32) uint32 { return x &^ 0x80000000 }))
	case opNeg:
		return lane1(ftz32(m.Ftz, func(x uint32) uint32 { return x ^ 0x80000000 }))
	}
	larger := k == opMax
	if !m.Ftz && !m.NaN {
		if larger {
			return maxF32
		}
		return minF32
	}
	return lane2(func(x, y uint32) uint32 {
		if m.Ftz {
			x, y = flush32(x), flush32(y)
		}
		if m.NaN && (isNaN32(x) || isNaN32(y)) {
			return nan32
		}
		if larger {
			return max32(x, y)
		}
		return min32(x, y)
	})
}

// ftz32 returns f with its operand flushed if ftz is set.
func ftz32(ftz bool, f func(x uint32) uint32) func(x uint32) uint32 {
	if !ftz {
		return f
	}
	return func(x uint32) uint32 { return f(flush32(x)) }
}

// min32 and max32, PTX ISA sections 9.7.3.11 and 9.7.3.12. They return the number if the other operand is a NaN; -0
// is less than +0.
func min32(x, y uint32) uint32 {
	switch {
	case isNaN32(x):
		if isNaN32(y) {
			return nan32
		}
		return y
	case isNaN32(y):
		return x
	}
	if order32(x) < order32(y) {
		return x
	}
	return y
}

func max32(x, y uint32) uint32 {
	switch {
	case isNaN32(x):
		if isNaN32(y) {
			return nan32
		}
		return y
	case isNaN32(y):
		return x
	}
	if order32(x) > order32(y) {
		return x
	}
	return y
}

// order32 maps a number to an integer with the same order, -0 before +0.
func order32(x uint32) int32 { return int32(x) ^ int32(uint32(int32(x)>>31)>>1) }

func minF32(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], min32)
}

func maxF32(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], max32)
}

// sqrt32 returns the square root of a single: the double-precision root, rounded again, which gives the same result
// (S. A. Figueroa, "When is double rounding innocuous?", ACM SIGNUM Newsletter 30(3), 1995).
func sqrt32(x float32) float32 { return float32(math.Sqrt(float64(x))) }
