// Package code has helpers shared by the compiler's passes. They visit the operands of an instruction, and rewrite
// a program with correct branch targets.
package code

import "kumiko/kernel/ir"

// Uses calls f for every operand read by in: guard, sources, address base. f may change the operand in place.
func Uses(in *ir.Inst, f func(*ir.Operand)) {
	if in.Guard.Kind != ir.KindNone {
		f(&in.Guard)
	}
	for i := range in.Src {
		f(&in.Src[i])
	}
	if in.Addr.Base.Kind != ir.KindNone {
		f(&in.Addr.Base)
	}
	if in.Addr.Index.Kind != ir.KindNone {
		f(&in.Addr.Index)
	}
}

// Defs calls f for every operand written by in. f may change the operand in place.
func Defs(in *ir.Inst, f func(*ir.Operand)) {
	for i := range in.Dst {
		if in.Dst[i].Kind != ir.KindNone {
			f(&in.Dst[i])
		}
	}
}

// Clone copies an instruction with operand lists of its own.
func Clone(in ir.Inst) ir.Inst {
	in.Dst = append([]ir.Operand(nil), in.Dst...)
	in.Src = append([]ir.Operand(nil), in.Src...)
	in.Targets = append([]int(nil), in.Targets...)
	return in
}

// CloneKernel copies a kernel with instructions of its own.
func CloneKernel(k *ir.Kernel) *ir.Kernel {
	c := *k
	c.Insts = make([]ir.Inst, len(k.Insts))
	for i := range k.Insts {
		c.Insts[i] = Clone(k.Insts[i])
	}
	return &c
}

// Guarded reports whether some lanes may not execute in.
func Guarded(in *ir.Inst) bool { return in.Guard.Kind != ir.KindNone }

// Words returns the number of 32-bit registers of operand o, 0 if o is not a register.
func Words(o *ir.Operand) int {
	if o.Kind != ir.KindReg {
		return 0
	}
	return max(1, int(o.Words))
}

// SameReg reports whether two operands name a common register.
func SameReg(a, b *ir.Operand) bool {
	if a.Kind != ir.KindReg || b.Kind != ir.KindReg {
		return false
	}
	return a.Reg < b.Reg+ir.Reg(Words(b)) && b.Reg < a.Reg+ir.Reg(Words(a))
}

// Effects reports whether in has effects besides writing its destinations. Such an instruction must stay even if
// its results are not read.
func Effects(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpSt, ir.OpAtom, ir.OpRed, ir.OpPrefetch, ir.OpBra, ir.OpBrx, ir.OpExit, ir.OpBar, ir.OpBarWarp,
		ir.OpMbarWait, ir.OpMembar, ir.OpTrap, ir.OpPrintf, ir.OpAlloca,
		ir.OpSetmaxnreg, ir.OpBarrierSet, ir.OpBarrierWait, ir.OpBarrierLeave, ir.OpConverge,
		ir.OpMeeting, ir.OpMeet, ir.OpBarrierSave,
		ir.OpBarrierRestore, ir.OpCollective, ir.OpCollectiveEnd:
		return true
	case ir.OpLd:
		return in.Mods.Volatile
	case ir.OpShfl, ir.OpVote, ir.OpMatch, ir.OpActivemask, ir.OpRedux, ir.OpMma, ir.OpLdmatrix, ir.OpStmatrix,
		ir.OpMovmatrix:
		return true // other lanes read this lane's sources
	}
	return ReadsClock(in)
}

// ReadsClock reports whether a source of in changes from one execution to the next.
func ReadsClock(in *ir.Inst) bool {
	for i := range in.Src {
		if s := in.Src[i]; s.Kind == ir.KindSpecial && s.Special >= ir.Clock && s.Special <= ir.GlobalTimerHi {
			return true
		}
	}
	return false
}

// Convergent reports whether the result of in depends on the set of lanes executing it together. Such an
// instruction must not be moved across a branch.
func Convergent(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpShfl, ir.OpVote, ir.OpMatch, ir.OpActivemask, ir.OpRedux, ir.OpBar, ir.OpBarWarp, ir.OpMma, ir.OpLdmatrix,
		ir.OpStmatrix, ir.OpMovmatrix, ir.OpSetmaxnreg, ir.OpFirst, ir.OpBarrierSet, ir.OpBarrierWait,
		ir.OpBarrierLeave, ir.OpConverge, ir.OpMeeting, ir.OpMeet, ir.OpBarrierSave,
		ir.OpBarrierRestore, ir.OpCollective, ir.OpCollectiveEnd:
		return true
	}
	return false
}

// Pinned reports whether no instruction may be moved across in.
func Pinned(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpBra, ir.OpBrx, ir.OpExit, ir.OpTrap, ir.OpBar, ir.OpBarWarp, ir.OpMbarWait, ir.OpMembar, ir.OpPrintf,
		ir.OpSetmaxnreg, ir.OpBarrierSet, ir.OpBarrierWait, ir.OpBarrierLeave, ir.OpConverge,
		ir.OpMeeting, ir.OpMeet, ir.OpBarrierSave,
		ir.OpBarrierRestore, ir.OpCollective, ir.OpCollectiveEnd:
		return true
	case ir.OpAtom, ir.OpRed:
		if in.Mods.Atomic == ir.AtomArrive {
			return true
		}
	}
	return Convergent(in) || ReadsClock(in)
}
