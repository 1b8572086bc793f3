package emu

import "kumiko/kernel/ir"

// floatKind is a floating-point operation, available for several types.
type floatKind uint8

const (
	opAdd floatKind = iota
	opSub
	opMul
	opFma
	opMin
	opMax
	opAbs
	opNeg
	opDiv
	opSqrt
	opRcp
)

// floatOp decodes a floating-point operation of n sources, all of the
// instruction's type.
func (p *decoder) floatOp(k floatKind, n int) {
	t := p.in.Type
	if t == ir.F32 && p.in.SrcType == ir.F16 && n > 1 {
		p.singleOfHalves(k, n)
		return
	}
	p.operands(t, n)
	switch t {
	case ir.F32:
		p.out.lanes = p.f32Op(k)
	case ir.F64:
		p.out.lanes = p.f64Op(k)
	case ir.F16, ir.BF16, ir.F16x2, ir.BF16x2:
		p.out.lanes = p.halfOp(k)
	}
}

func decodeFma(p *decoder)  { p.floatOp(opFma, 3) }
func decodeSqrt(p *decoder) { p.floatOp(opSqrt, 1) }
