package lower

import (
	"math"

	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// FloatDivide expands division, reciprocal and square root, rounded to nearest, into an approximation and fused
// multiply-adds. The sequences are exact if no intermediate leaves the range of normal numbers. A test of the
// operands' size sends all other operands to the operation itself. This stays as one instruction behind a branch:
// the assembler's call of a routine for the special cases.
//
// In single precision the reciprocal and the square root are exact for every mantissa, given correctly rounded
// approximations as in the emulator. Division rests on Markstein, "Computation of elementary functions on the IBM
// RISC System/6000 processor", IBM Journal of Research and Development 34 (1990): with a correctly rounded
// reciprocal and a quotient less than a unit off, one correction by the exact remainder rounds correctly. In double
// precision the Newton step rounds the reciprocal correctly unless the mantissa of the divisor is all ones. So
// every divisor with all ones in the low word goes to the whole operation, like the exceptional operands. The
// reciprocal and the square root in double precision stay whole, since no such argument covers the last few of
// their operands.
func FloatDivide(k *ir.Kernel) {
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		b := &builder{k: k, e: e}
		if !exact(&in) || !b.floatDivide(&in) {
			e.Emit(in)
		}
	})
}

// exact reports whether FloatDivide has a sequence for in.
func exact(in *ir.Inst) bool {
	if in.Mods.Approx || code.Guarded(in) || in.Mods.Round != ir.RN && in.Mods.Round != ir.RoundDefault ||
		len(in.Dst) != 1 || in.Mods.Sat {
		return false
	}
	switch in.Op {
	case ir.OpDiv:
		return in.Type == ir.F32 || in.Type == ir.F64
	case ir.OpRcp, ir.OpSqrt:
		return in.Type == ir.F32
	}
	return false
}

func (b *builder) floatDivide(in *ir.Inst) bool {
	slow, join := b.e.Label(), b.e.Label()
	p := b.ordinary(in)
	p.Neg = true
	b.e.Emit(ir.Inst{Op: ir.OpBra, Guard: p, Target: slow})
	switch in.Op {
	case ir.OpDiv:
		b.fdiv(in)
	case ir.OpRcp:
		b.frcp(in)
	case ir.OpSqrt:
		b.fsqrt(in)
	}
	b.e.Emit(ir.Inst{Op: ir.OpBra, Target: join})
	b.e.Place(slow)
	b.e.Emit(*in)
	b.e.Place(join)
	return true
}

// ordinary returns a predicate, true if the operands are in the range of exact results. Comparisons are false for
// NaN.
func (b *builder) ordinary(in *ir.Inst) (p ir.Operand) {
	t := in.Type
	lo, hi := constant(t, math.Ldexp(1, -60)), constant(t, math.Ldexp(1, 60))
	if t == ir.F64 {
		lo, hi = constant(t, math.Ldexp(1, -300)), constant(t, math.Ldexp(1, 300))
	}
	if in.Op == ir.OpSqrt || in.Op == ir.OpRcp {
		lo, hi = constant(t, math.Ldexp(1, -100)), constant(t, math.Ldexp(1, 100))
	}
	for i, s := range in.Src {
		if in.Op != ir.OpSqrt {
			s.Abs, s.Neg = true, false
		}
		if i == 0 {
			p = b.test(t, ir.GT, s, lo)
		} else {
			p = b.setp(t, ir.GT, s, lo, ir.BoolAnd, p)
		}
		p = b.setp(t, ir.LT, s, hi, ir.BoolAnd, p)
	}
	if t == ir.F64 {
		low := word(in.Src[1], 0)
		low.Neg, low.Abs = false, false
		p = b.setp(ir.U32, ir.NE, low, u32(0xffffffff), ir.BoolAnd, p)
	}
	return p
}

func constant(t ir.Type, v float64) ir.Operand {
	if t == ir.F64 {
		return ir.Imm(math.Float64bits(v), 2)
	}
	return ir.Imm(uint64(math.Float32bits(float32(v))), 1)
}

func negate(o ir.Operand) ir.Operand {
	o.Neg = !o.Neg
	return o
}

var rounded = ir.Mods{Round: ir.RN}

func (b *builder) fma(t ir.Type, x, y, z ir.Operand) ir.Operand {
	return b.opm(ir.OpFma, t, rounded, x, y, z)
}

// reciprocal approximates 1/y and refines it to half a unit: one Newton step
// for single precision, for double a cubic one and a Newton step.
func (b *builder) reciprocal(t ir.Type, y ir.Operand) ir.Operand {
	one := constant(t, 1)
	r := b.opm(ir.OpRcp, t, ir.Mods{Approx: true, Ftz: true}, y)
	e := b.fma(t, negate(y), r, one)
	if t == ir.F64 {
		r = b.fma(t, r, b.fma(t, e, e, e), r)
		e = b.fma(t, negate(y), r, one)
	}
	return b.fma(t, r, e, r)
}

func (b *builder) fdiv(in *ir.Inst) {
	t, x, y := in.Type, in.Src[0], in.Src[1]
	r := b.reciprocal(t, y)
	q := b.opm(ir.OpMul, t, rounded, x, r)
	q = b.fma(t, b.fma(t, negate(y), q, x), r, q)
	b.to(in.Dst[0], ir.OpFma, t, rounded, b.fma(t, negate(y), q, x), r, q)
}

func (b *builder) frcp(in *ir.Inst) {
	t, y := in.Type, in.Src[0]
	r := b.opm(ir.OpRcp, t, ir.Mods{Approx: true, Ftz: true}, y)
	e := b.fma(t, negate(y), r, constant(t, 1))
	b.to(in.Dst[0], ir.OpFma, t, rounded, r, e, r)
}

func (b *builder) fsqrt(in *ir.Inst) {
	t, x := in.Type, in.Src[0]
	r := b.opm(ir.OpRsqrt, t, ir.Mods{Approx: true, Ftz: true}, x)
	g := b.opm(ir.OpMul, t, rounded, x, r)
	h := b.opm(ir.OpMul, t, rounded, r, constant(t, 0.5))
	d := b.fma(t, negate(g), g, x)
	b.to(in.Dst[0], ir.OpFma, t, rounded, d, h, g)
}
