package alloc

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// vector returns the elements of a memory instruction with several whole words per lane, and nil for any other
// instruction. The hardware needs these elements in consecutive registers, aligned to their number. Elements below
// 32 bits have a register each, in any order.
func vector(in *ir.Inst) ([]ir.Operand, int) {
	v := in.Dst
	switch in.Op {
	case ir.OpLd, ir.OpTex:
	case ir.OpSt:
		v = in.Src
	default:
		return nil, 0
	}
	if len(v) < 2 || in.Type.Size() < 4 {
		return nil, 0
	}
	words := len(v) * in.Type.Words()
	if words != 2 && words != 4 {
		return nil, 0
	}
	return v, words
}

// consecutive reports whether the elements are consecutive registers, with the first properly aligned.
func consecutive(v []ir.Operand) bool {
	for i := range v {
		if v[i].Kind != ir.KindReg {
			return false
		}
		if i > 0 && int(v[i].Reg) != int(v[i-1].Reg)+code.Words(&v[i-1]) {
			return false
		}
	}
	return true
}

// alignVectors gives every vector access consecutive registers of its own and copies elements to or from them.
// Coalescing then removes the copies where it can. With all unset, vectors already in consecutive registers are
// left alone. made is called for the registers added.
func alignVectors(k *ir.Kernel, all bool, made func(words int)) {
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		v, words := vector(&in)
		if v == nil || !all && consecutive(v) {
			e.Emit(in)
			return
		}
		fresh := make([]ir.Operand, len(v))
		w := words / len(v)
		t := ir.B32
		if w == 2 {
			t = ir.B64
		}
		for i := range fresh {
			fresh[i] = ir.R(ir.Reg(k.NumRegs+i*w), w)
		}
		k.NumRegs += words
		made(words)
		mov := func(d, s ir.Operand) {
			e.Emit(ir.Inst{Op: ir.OpMov, Type: t, Guard: in.Guard, Dst: []ir.Operand{d}, Src: []ir.Operand{s}})
		}
		if in.Op == ir.OpSt {
			for i := range v {
				mov(fresh[i], v[i])
			}
			in.Src = fresh
			e.Emit(in)
			return
		}
		in.Dst = fresh
		e.Emit(in)
		for i := range v {
			if v[i].Kind == ir.KindReg {
				mov(v[i], fresh[i])
			}
		}
	})
}
