package fold

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Index replaces the widening and the left shift of a 32-bit index by one widening multiplication. Compilers
// compute array addresses with such a shift.
func Index(k *ir.Kernel) {
	s := newSSA(k)
	for pc := range k.Insts {
		in := &k.Insts[pc]
		if in.Op != ir.OpShl || in.Type.Size() != 8 || len(in.Src) != 2 || in.Src[1].Kind != ir.KindImm ||
			in.Src[1].Imm > 30 {
			continue
		}
		x := in.Src[0]
		d := s.definition(&x)
		if d == nil || d.Op != ir.OpCvt || d.Type.Size() != 8 || x.Neg || x.Abs {
			continue
		}
		if d.SrcType != ir.S32 && d.SrcType != ir.U32 || d.Src[0].Kind != ir.KindReg || !s.stable(&d.Src[0]) ||
			d.Src[0].Neg || d.Mods != (ir.Mods{}) {
			continue
		}
		c := code.Clone(*in)
		c.Op, c.Type, c.Mods = ir.OpMul, d.SrcType, ir.Mods{Part: ir.Wide}
		c.Src = []ir.Operand{d.Src[0], ir.Imm(1<<in.Src[1].Imm, 1)}
		k.Insts[pc] = c
	}
}

// Fuse joins a 32-bit multiplication and a later addition of its result in the same block into one multiply-add.
func Fuse(k *ir.Kernel) {
	s := newSSA(k)
	leader := leaders(k)
	start := make([]int, len(k.Insts))
	for pc := range k.Insts {
		if pc > 0 && !leader[pc] {
			start[pc] = start[pc-1]
		} else {
			start[pc] = pc
		}
	}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		if in.Op != ir.OpAdd || in.Type.Size() != 4 || in.Type.Float() || in.Mods != (ir.Mods{}) || len(in.Src) != 2 {
			continue
		}
		for i := range 2 {
			x, y := in.Src[i], in.Src[1-i]
			if x.Kind != ir.KindReg || x.Neg || x.Abs || y.Neg || y.Abs || !s.single(&x) {
				continue
			}
			d := s.definition(&x)
			if d == nil || d.Op != ir.OpMul || d.Type.Size() != 4 || d.Type.Float() || int(s.def[x.Reg]) < start[pc] ||
				d.Mods != (ir.Mods{Part: ir.Lo}) && d.Mods != (ir.Mods{}) || d.Src[0].Neg || d.Src[1].Neg {
				continue
			}
			if !readable(s, &d.Src[0]) || !readable(s, &d.Src[1]) {
				continue
			}
			c := code.Clone(*in)
			c.Op, c.Mods = ir.OpMad, ir.Mods{Part: ir.Lo}
			c.Src = []ir.Operand{d.Src[0], d.Src[1], y}
			if constants(&c) > 1 {
				continue
			}
			k.Insts[pc] = c
			break
		}
	}
}

func readable(s *ssa, o *ir.Operand) bool { return o.Kind != ir.KindReg || s.stable(o) }

func constants(in *ir.Inst) int {
	n := 0
	for i := range in.Src {
		if counts(in, i) {
			n++
		}
	}
	return n
}
