package alloc

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// predSpiller keeps the chosen predicates in registers, as 0 and 1: each read
// gets a comparison before it, each write a selection behind it.
type predSpiller struct {
	k      *ir.Kernel
	w      *web
	home   map[*node]ir.Reg
	pinned *[]bool
}

func spillPreds(k *ir.Kernel, w *web, nodes []*node, pinned *[]bool) {
	s := &predSpiller{k: k, w: w, home: map[*node]ir.Reg{}, pinned: pinned}
	for _, n := range nodes {
		s.home[n] = ir.Reg(k.NumRegs)
		k.NumRegs++
	}
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) { s.inst(e, code.Clone(in)) })
}

// temp returns a new predicate, not to be spilled again.
func (s *predSpiller) temp() ir.Pred {
	for len(*s.pinned) <= s.k.NumPreds {
		*s.pinned = append(*s.pinned, false)
	}
	(*s.pinned)[s.k.NumPreds] = true
	s.k.NumPreds++
	return ir.Pred(s.k.NumPreds - 1)
}

// homeOf returns the register holding o, if o is a spilled predicate.
func (s *predSpiller) homeOf(o *ir.Operand) (ir.Reg, bool) {
	if o.Kind != ir.KindPred || int(o.Reg) >= len(s.w.places) || s.w.places[o.Reg].n == nil {
		return 0, false
	}
	r, ok := s.home[s.w.places[o.Reg].n]
	return r, ok
}

func (s *predSpiller) inst(e *code.Editor, in ir.Inst) {
	temps := map[ir.Reg]ir.Pred{}
	code.Uses(&in, func(o *ir.Operand) {
		r, ok := s.homeOf(o)
		if !ok {
			return
		}
		t, ok := temps[r]
		if !ok {
			t = s.temp()
			temps[r] = t
			e.Emit(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.NE},
				Dst: []ir.Operand{ir.P(t)}, Src: []ir.Operand{ir.R(r, 1), ir.Imm(0, 1)}})
		}
		o.Reg = ir.Reg(t)
	})
	var after []ir.Inst
	code.Defs(&in, func(o *ir.Operand) {
		r, ok := s.homeOf(o)
		if !ok {
			return
		}
		t := s.temp()
		after = append(after, ir.Inst{Op: ir.OpSelp, Type: ir.B32, Guard: in.Guard, Dst: []ir.Operand{ir.R(r, 1)},
			Src: []ir.Operand{ir.Imm(1, 1), ir.Imm(0, 1), ir.P(t)}})
		o.Reg = ir.Reg(t)
	})
	// the guard changes: select by a copy of it
	if in.Guard.Kind != ir.KindNone && len(after) > 0 && writes(&in, &in.Guard) {
		t := s.temp()
		e.Emit(ir.Inst{Op: ir.OpMov, Type: ir.PredType, Dst: []ir.Operand{ir.P(t)},
			Src: []ir.Operand{{Kind: ir.KindPred, Reg: in.Guard.Reg}}})
		for i := range after {
			after[i].Guard.Reg = ir.Reg(t)
		}
	}
	e.Emit(in)
	for _, a := range after {
		e.Emit(a)
	}
}
