package lower

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Divide expands integer division and remainder into a reciprocal estimate in
// single precision, one integer Newton step and two corrections, as assemblers
// do. A quotient by zero has all bits set; a remainder by zero is the dividend.
func Divide(k *ir.Kernel) {
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		b := &builder{k: k, e: e, guard: in.Guard}
		if in.Op != ir.OpDiv && in.Op != ir.OpRem || !b.divide(&in) {
			e.Emit(in)
		}
	})
}

func (b *builder) divide(in *ir.Inst) bool {
	if len(in.Src) != 2 || in.Src[0].Neg || in.Src[1].Neg || len(in.Dst) != 1 {
		return false
	}
	rem := in.Op == ir.OpRem
	x, y := in.Src[0], in.Src[1]
	switch in.Type {
	case ir.U32:
		b.mov(in.Dst[0], b.udiv32(x, y, rem))
	case ir.S32:
		b.mov(in.Dst[0], b.sdiv32(x, y, rem))
	case ir.U16, ir.S16:
		b.div16(in, x, y, rem)
	case ir.U64:
		if !operands(in, 2) {
			return false
		}
		b.move64(in.Dst[0], b.udiv64(x, y, rem))
	case ir.S64:
		if !operands(in, 2) {
			return false
		}
		b.move64(in.Dst[0], b.sdiv64(x, y, rem))
	default:
		return false
	}
	return true
}

func (b *builder) move64(d ir.Operand, s ir.Operand) { b.to(d, ir.OpMov, ir.B64, ir.Mods{}, s) }

// udiv32 divides by means of z, an estimate of 2^32/y from below: 2^32-1024, the fourth float below 2^32, times a
// reciprocal with an error of at most two units in its last place. After one Newton step the quotient is at most
// two too small.
func (b *builder) udiv32(x, y ir.Operand, rem bool) ir.Operand {
	f := b.cvt(ir.F32, ir.U32, ir.Mods{Round: ir.RN}, y)
	r := b.opm(ir.OpRcp, ir.F32, ir.Mods{Approx: true, Ftz: true}, f)
	s := b.opm(ir.OpMul, ir.F32, ir.Mods{Round: ir.RN}, r, u32(0x4F7FFFFC))
	z := b.cvt(ir.U32, ir.F32, ir.Mods{Round: ir.RZI}, s)
	e := b.opm(ir.OpMul, ir.U32, lowPart, z, b.op(ir.OpSub, ir.U32, u32(0), y))
	z = b.op(ir.OpAdd, ir.U32, z, b.opm(ir.OpMul, ir.U32, highPart, z, e))
	q := b.opm(ir.OpMul, ir.U32, highPart, x, z)
	m := b.op(ir.OpSub, ir.U32, x, b.opm(ir.OpMul, ir.U32, lowPart, q, y))
	for range 2 {
		p := b.test(ir.U32, ir.GE, m, y)
		less := b.op(ir.OpSub, ir.U32, m, y)
		more := b.op(ir.OpAdd, ir.U32, q, u32(1))
		m2, q2 := b.reg(1), b.reg(1)
		b.selp(m2, less, m, p)
		b.selp(q2, more, q, p)
		m, q = m2, q2
	}
	if rem {
		return m
	}
	out := b.reg(1)
	b.selp(out, u32(0xffffffff), q, b.test(ir.U32, ir.EQ, y, u32(0)))
	return out
}

// sdiv32 divides the magnitudes. A quotient has the sign of x^y, a remainder the sign of x. A quotient by zero
// keeps all bits set.
func (b *builder) sdiv32(x, y ir.Operand, rem bool) ir.Operand {
	q := b.udiv32(b.op(ir.OpAbs, ir.S32, x), b.op(ir.OpAbs, ir.S32, y), rem)
	s := x
	if !rem {
		s = b.op(ir.OpXor, ir.B32, x, y)
	}
	flip := b.test(ir.S32, ir.LT, s, u32(0))
	if !rem {
		flip = b.setp(ir.U32, ir.NE, y, u32(0), ir.BoolAnd, flip)
	}
	out := b.reg(1)
	b.selp(out, b.op(ir.OpSub, ir.U32, u32(0), q), q, flip)
	return out
}

func (b *builder) div16(in *ir.Inst, x, y ir.Operand, rem bool) {
	wide := ir.U32
	if in.Type.Signed() {
		wide = ir.S32
	}
	x, y = b.cvt(wide, in.Type, ir.Mods{}, x), b.cvt(wide, in.Type, ir.Mods{}, y)
	q := ir.Operand{}
	if in.Type.Signed() {
		q = b.sdiv32(x, y, rem)
	} else {
		q = b.udiv32(x, y, rem)
	}
	b.emit(ir.Inst{Op: ir.OpCvt, Type: ir.U16, SrcType: ir.U32, Dst: in.Dst, Src: []ir.Operand{q}})
}

// udiv64 is the same over 64 bits, with 64-bit operations, split later. The estimate starts as 2^64/y in single
// precision (24 bits). Each Newton step nearly doubles the number of correct bits, so three steps are enough. The
// estimate stays below the true reciprocal, and the quotient is at most two too small.
func (b *builder) udiv64(x, y ir.Operand, rem bool) ir.Operand {
	f := b.cvt(ir.F32, ir.U64, ir.Mods{Round: ir.RP}, y)
	r := b.opm(ir.OpRcp, ir.F32, ir.Mods{Approx: true, Ftz: true}, f)
	// 2^64 * (1 - 2^-22): below the reciprocal even if r is one unit too large.
	s := b.opm(ir.OpMul, ir.F32, ir.Mods{Round: ir.RZ}, r, u32(0x5F7FFFFC))
	z := b.cvt(ir.U64, ir.F32, ir.Mods{Round: ir.RZI}, s)
	minus := b.op(ir.OpSub, ir.U64, u64(0), y)
	for range 3 {
		e := b.opm(ir.OpMul, ir.U64, lowPart, z, minus)
		z = b.op(ir.OpAdd, ir.U64, z, b.opm(ir.OpMul, ir.U64, highPart, z, e))
	}
	q := b.opm(ir.OpMul, ir.U64, highPart, x, z)
	m := b.op(ir.OpSub, ir.U64, x, b.opm(ir.OpMul, ir.U64, lowPart, q, y))
	for range 2 {
		p := b.test(ir.U64, ir.GE, m, y)
		m = b.opm(ir.OpSelp, ir.B64, ir.Mods{}, b.op(ir.OpSub, ir.U64, m, y), m, p)
		q = b.opm(ir.OpSelp, ir.B64, ir.Mods{}, b.op(ir.OpAdd, ir.U64, q, u64(1)), q, p)
	}
	if rem {
		return m
	}
	zero := b.test(ir.U64, ir.EQ, y, u64(0))
	return b.opm(ir.OpSelp, ir.B64, ir.Mods{}, u64(^uint64(0)), q, zero)
}

func (b *builder) sdiv64(x, y ir.Operand, rem bool) ir.Operand {
	q := b.udiv64(b.op(ir.OpAbs, ir.S64, x), b.op(ir.OpAbs, ir.S64, y), rem)
	s := x
	if !rem {
		s = b.op(ir.OpXor, ir.B64, x, y)
	}
	p := b.test(ir.S64, ir.LT, s, u64(0))
	if !rem {
		flip := b.pred()
		b.to(flip, ir.OpAnd, ir.PredType, ir.Mods{}, p, b.test(ir.U64, ir.NE, y, u64(0)))
		p = flip
	}
	return b.opm(ir.OpSelp, ir.B64, ir.Mods{}, b.op(ir.OpSub, ir.U64, u64(0), q), q, p)
}
