package fold

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// simplify replaces in by a simpler instruction if an operand allows it, and reports whether it did.
func simplify(in *ir.Inst, f *folder) bool {
	switch in.Op {
	case ir.OpCvt:
		return simplifyCvt(in)
	case ir.OpAdd, ir.OpSub:
		if in.Mods.CarryIn && !in.Mods.CarryOut && f.noCarry(in.Op, &in.Src[2]) {
			in.Mods.CarryIn = false
			in.Src = in.Src[:2]
			return true
		}
	}
	if in.Type.Size() != 4 || in.Type.Float() || len(in.Dst) != 1 || len(in.Src) != 2 || in.Dst[0].Kind != ir.KindReg {
		return false
	}
	m := in.Mods
	m.Part = ir.PartNone
	if m != (ir.Mods{}) || in.Mods.Part > ir.Lo {
		return false
	}
	x, y := in.Src[0], in.Src[1]
	if x.Neg || x.Abs || y.Neg || y.Abs {
		return false
	}
	if x.Kind == ir.KindImm && y.Kind == ir.KindImm {
		if v, ok := evaluate(in.Op, in.Type, uint32(x.Imm), uint32(y.Imm)); ok {
			return move(in, ir.Imm(uint64(v), 1))
		}
		return false
	}
	if x.Kind == ir.KindImm && commutes(in.Op) {
		x, y = y, x
	}
	if y.Kind != ir.KindImm {
		return false
	}
	return identity(in, x, uint32(y.Imm))
}

func commutes(op ir.Op) bool {
	switch op {
	case ir.OpAdd, ir.OpMul, ir.OpAnd, ir.OpOr, ir.OpXor:
		return true
	}
	return false
}

func move(in *ir.Inst, s ir.Operand) bool {
	in.Op, in.Type, in.SrcType, in.Mods, in.Src = ir.OpMov, ir.B32, ir.TypeNone, ir.Mods{}, []ir.Operand{s}
	return true
}

// identity simplifies x op v for special values of the constant v.
func identity(in *ir.Inst, x ir.Operand, v uint32) bool {
	switch in.Op {
	case ir.OpAdd, ir.OpSub, ir.OpOr, ir.OpXor, ir.OpShl, ir.OpShr:
		if v == 0 {
			return move(in, x)
		}
	case ir.OpAnd:
		switch v {
		case 0:
			return move(in, ir.Imm(0, 1))
		case ^uint32(0):
			return move(in, x)
		}
	case ir.OpMul:
		switch {
		case v == 0:
			return move(in, ir.Imm(0, 1))
		case v == 1:
			return move(in, x)
		case bits.OnesCount32(v) == 1 && x.Kind == ir.KindReg:
			in.Op, in.Type, in.Mods = ir.OpShl, ir.B32, ir.Mods{}
			in.Src = []ir.Operand{x, ir.Imm(uint64(bits.TrailingZeros32(v)), 1)}
			return true
		}
	}
	return false
}

func evaluate(op ir.Op, t ir.Type, x, y uint32) (uint32, bool) {
	switch op {
	case ir.OpAdd:
		return x + y, true
	case ir.OpSub:
		return x - y, true
	case ir.OpMul:
		return x * y, true
	case ir.OpAnd:
		return x & y, true
	case ir.OpOr:
		return x | y, true
	case ir.OpXor:
		return x ^ y, true
	case ir.OpShl:
		return x << y, true
	case ir.OpShr:
		if t.Signed() {
			return uint32(int32(x) >> y), true
		}
		return x >> y, true
	}
	return 0, false
}

// noCarry reports whether carry predicate o never changes the result of op. This is the case if op is an addition
// and o the carry of an addition of zero, never set, or if op is a subtraction and o the carry of a subtraction of
// zero, always set.
func (f *folder) noCarry(op ir.Op, o *ir.Operand) bool {
	if o.Kind != ir.KindPred || o.Neg {
		return false
	}
	i := f.ssa.regs + int(o.Reg)
	if i >= len(f.ssa.def) || f.ssa.def[i] < 0 {
		return false
	}
	d := &f.k.Insts[f.ssa.def[i]]
	if d.Mods.CarryIn || !d.Mods.CarryOut || len(d.Src) != 2 || d.Op != op {
		return false
	}
	return zero(&d.Src[1]) || d.Op == ir.OpAdd && zero(&d.Src[0])
}

// simplifyCvt makes a conversion between integers of 32 bits a move.
func simplifyCvt(in *ir.Inst) bool {
	t, s := in.Type, in.SrcType
	if t.Float() || s.Float() || in.Mods != (ir.Mods{}) || t.Size() != 4 || s.Size() != 4 || in.Dst[0].Words > 1 {
		return false
	}
	o := in.Src[0]
	if o.Neg || o.Abs || o.Words > 1 {
		return false
	}
	return move(in, o)
}
