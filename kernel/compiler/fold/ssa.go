package fold

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// ssa finds the registers and predicates with a single unguarded write, dominating all reads. Predicate p has index
// regs+p.
type ssa struct {
	k    *ir.Kernel
	regs int
	def  []int32 // PC of the write, or -1
	uses []int32 // number of reads
}

func newSSA(k *ir.Kernel) *ssa {
	n := k.NumRegs + k.NumPreds
	s := &ssa{k: k, regs: k.NumRegs, def: make([]int32, n), uses: make([]int32, n)}
	for i := range s.def {
		s.def[i] = -1
	}
	many := make([]bool, n)
	g := cfg.Build(k.Insts)
	reach := g.Reachable()
	for pc := range k.Insts {
		in := &k.Insts[pc]
		code.Defs(in, func(o *ir.Operand) {
			s.each(o, func(i int) {
				if s.def[i] >= 0 || code.Guarded(in) {
					many[i] = true
				}
				s.def[i] = int32(pc)
			})
		})
	}
	for pc := range k.Insts {
		code.Uses(&k.Insts[pc], func(o *ir.Operand) {
			s.each(o, func(i int) {
				s.uses[i]++
				d := int(s.def[i])
				if d < 0 || many[i] || !reach[g.BlockOf[pc]] {
					return
				}
				a, b := g.BlockOf[d], g.BlockOf[pc]
				if a == b && d >= pc || a != b && !g.Dominates(a, b) {
					many[i] = true
				}
			})
		})
	}
	for i := range many {
		if many[i] {
			s.def[i] = -1
		}
	}
	return s
}

func (s *ssa) each(o *ir.Operand, f func(int)) {
	switch o.Kind {
	case ir.KindReg:
		for i := range code.Words(o) {
			f(int(o.Reg) + i)
		}
	case ir.KindPred:
		f(s.regs + int(o.Reg))
	}
}

// definition returns the instruction with exactly the value of o as its first destination, or nil.
func (s *ssa) definition(o *ir.Operand) *ir.Inst {
	var d int32 = -1
	first := true
	s.each(o, func(i int) {
		if i >= len(s.def) || !first && s.def[i] != d {
			d = -1
			first = false
			return
		}
		if first {
			d = s.def[i]
		}
		first = false
	})
	if d < 0 {
		return nil
	}
	in := &s.k.Insts[d]
	if len(in.Dst) == 0 || in.Dst[0].Kind != o.Kind || in.Dst[0].Reg != o.Reg ||
		code.Words(&in.Dst[0]) != code.Words(o) {
		return nil
	}
	return in
}

// stable reports whether o keeps its value, so a copy of o can be replaced by o at every use of the copy.
func (s *ssa) stable(o *ir.Operand) bool {
	ok := true
	s.each(o, func(i int) { ok = ok && i < len(s.def) && s.def[i] >= 0 })
	return ok
}

// single reports whether o is read exactly once.
func (s *ssa) single(o *ir.Operand) bool {
	ok := true
	s.each(o, func(i int) { ok = ok && i < len(s.uses) && s.uses[i] == 1 })
	return ok
}
