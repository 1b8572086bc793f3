package emu

import (
	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// softMode returns the rounding direction of a modifier, including the integral forms.
func softMode(r ir.Round) softfloat.Mode {
	switch r {
	case ir.RZ, ir.RZI:
		return softfloat.Zero
	case ir.RM, ir.RMI:
		return softfloat.Down
	case ir.RP, ir.RPI:
		return softfloat.Up
	case ir.RNA:
		return softfloat.NearestAway
	}
	return softfloat.NearestEven
}

// softOp computes an operation in a format, for any rounding direction.
func softOp(k floatKind, f *softfloat.Format, mode softfloat.Mode, x, y, z uint64) uint64 {
	a := f.Unpack(x)
	switch k {
	case opAdd:
		a = softfloat.Add(a, f.Unpack(y), mode)
	case opSub:
		b := f.Unpack(y)
		a = softfloat.Add(a, b.Neg(), mode)
	case opMul:
		a = softfloat.Mul(a, f.Unpack(y))
	case opFma:
		a = softfloat.FMA(a, f.Unpack(y), f.Unpack(z), mode)
	case opDiv:
		a = softfloat.Div(a, f.Unpack(y))
	case opRcp:
		a = softfloat.Div(softfloat.Int(1, false), a)
	case opSqrt:
		a = softfloat.Sqrt(a)
	}
	return f.Round(a, mode)
}

// f32General decodes a single-precision operation with modifiers.
func (p *decoder) f32General(k floatKind) laneFn {
	m := p.in.Mods
	mode, nearest := softMode(m.Round), m.Round == ir.RoundDefault || m.Round == ir.RN
	core := func(x, y, z uint32) uint32 {
		return uint32(softOp(k, softfloat.F32, mode, uint64(x), uint64(y), uint64(z)))
	}
	if nearest {
		core = f32Nearest[k]
	}
	if m.Approx && !m.Full && k == opDiv {
		core = divApprox
	}
	f := func(x, y, z uint32) uint32 {
		if m.Ftz {
			x, y, z = flush32(x), flush32(y), flush32(z)
		}
		r := core(x, y, z)
		if m.Ftz {
			r = flush32(r)
		}
		if m.Sat {
			r = sat32(r)
		}
		return r
	}
	switch k {
	case opSqrt, opRcp:
		return lane1(func(x uint32) uint32 { return f(x, 0, 0) })
	case opFma:
		return lane3(f)
	}
	return lane2(func(x, y uint32) uint32 { return f(x, y, 0) })
}

// f32Nearest has the operations rounded to nearest even.
var f32Nearest = [...]func(x, y, z uint32) uint32{
	opAdd:  func(x, y, _ uint32) uint32 { return fromF32(f32(x) + f32(y)) },
	opSub:  func(x, y, _ uint32) uint32 { return fromF32(f32(x) - f32(y)) },
	opMul:  func(x, y, _ uint32) uint32 { return fromF32(f32(x) * f32(y)) },
	opFma:  fma32,
	opDiv:  func(x, y, _ uint32) uint32 { return fromF32(f32(x) / f32(y)) },
	opSqrt: func(x, _, _ uint32) uint32 { return fromF32(sqrt32(f32(x))) },
	opRcp:  func(x, _, _ uint32) uint32 { return fromF32(1 / f32(x)) },
}

// divApprox returns the correctly rounded quotient, except for divisors above 2^126: PTX ISA section 9.7.3.8
// defines 0, or NaN for an infinite dividend.
func divApprox(x, y, _ uint32) uint32 {
	const big = 0x7e800000 // 2^126
	if b := y &^ 0x80000000; b > big && b < 0x7f800000 {
		if x&0x7fffffff >= 0x7f800000 {
			return nan32
		}
		return (x ^ y) & 0x80000000
	}
	return fromF32(f32(x) / f32(y))
}

// sat32 clamps to [0, 1]; NaN becomes +0.
func sat32(x uint32) uint32 {
	switch {
	case isNaN32(x) || int32(x) < 0:
		return 0
	case x > 0x3f800000:
		return 0x3f800000
	}
	return x
}

// f64General decodes a double-precision operation with a rounding other than nearest even.
func (p *decoder) f64General(k floatKind) laneFn {
	mode := softMode(p.in.Mods.Round)
	f := func(x, y, z uint64) uint64 { return softOp(k, softfloat.F64, mode, x, y, z) }
	switch k {
	case opSqrt, opRcp:
		return long1(func(x uint64) uint64 { return f(x, 0, 0) })
	case opFma:
		return long3(f)
	}
	return long2(func(x, y uint64) uint64 { return f(x, y, 0) })
}
