package emu

import (
	"math"

	"kumiko/kernel/ir"
)

// nan64 is the NaN of double-precision arithmetic. The ISA leaves the payload open; this is the quiet NaN with all
// other bits zero.
const nan64 = 0x7ff8000000000000

func f64(x uint64) float64 { return math.Float64frombits(x) }

// fromF64 returns the register value of an arithmetic result: every NaN is nan64.
func fromF64(r float64) uint64 {
	if r != r {
		return nan64
	}
	return math.Float64bits(r)
}

// f64Fast rounds to nearest even. The conversions keep a compiler from fusing a product with the next operation.
var f64Fast = [...]laneFn{
	opAdd:  long2(func(x, y uint64) uint64 { return fromF64(f64(x) + f64(y)) }),
	opSub:  long2(func(x, y uint64) uint64 { return fromF64(f64(x) - f64(y)) }),
	opMul:  long2(func(x, y uint64) uint64 { return fromF64(float64(f64(x) * f64(y))) }),
	opFma:  long3(func(x, y, z uint64) uint64 { return fromF64(math.FMA(f64(x), f64(y), f64(z))) }),
	opDiv:  long2(func(x, y uint64) uint64 { return fromF64(f64(x) / f64(y)) }),
	opSqrt: long1(func(x uint64) uint64 { return fromF64(math.Sqrt(f64(x))) }),
	opRcp:  long1(func(x uint64) uint64 { return fromF64(1 / f64(x)) }),
	opMin:  long2(min64),
	opMax:  long2(max64),
	opAbs:  long1(func(x uint64) uint64 { return x &^ (1 << 63) }),
	opNeg:  long1(func(x uint64) uint64 { return x ^ 1<<63 }),
}

// isNaN64 reports whether x is a NaN.
func isNaN64(x uint64) bool { return x<<1 > 0x7ff0000000000000<<1 }

// order64 maps a number to an integer with the same order, -0 before +0.
func order64(x uint64) int64 { return int64(x) ^ int64(uint64(int64(x)>>63)>>1) }

func min64(x, y uint64) uint64 {
	switch {
	case isNaN64(x) && isNaN64(y):
		return nan64
	case isNaN64(x) || !isNaN64(y) && order64(y) < order64(x):
		return y
	}
	return x
}

func max64(x, y uint64) uint64 {
	switch {
	case isNaN64(x) && isNaN64(y):
		return nan64
	case isNaN64(x) || !isNaN64(y) && order64(y) > order64(x):
		return y
	}
	return x
}

// f64Op picks the function of a double-precision operation.
func (p *decoder) f64Op(k floatKind) laneFn {
	m := &p.in.Mods
	if m.Round == ir.RoundDefault || m.Round == ir.RN || k == opMin || k == opMax || k == opAbs || k == opNeg {
		return f64Fast[k]
	}
	return p.f64General(k)
}
