package alloc

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// spillPreds keeps the chosen predicates in registers, as 0 and 1: each read
// gets a comparison before it, each write a selection behind it.
func spillPreds(k *ir.Kernel, w *web, nodes []*node, pinned *[]bool) {
	home := map[*node]ir.Reg{}
	for _, n := range nodes {
		home[n] = ir.Reg(k.NumRegs)
		k.NumRegs++
	}
	temp := func() ir.Pred {
		for len(*pinned) <= k.NumPreds {
			*pinned = append(*pinned, false)
		}
		(*pinned)[k.NumPreds] = true
		k.NumPreds++
		return ir.Pred(k.NumPreds - 1)
	}
	at := func(o *ir.Operand) (ir.Reg, bool) {
		if o.Kind != ir.KindPred || int(o.Reg) >= len(w.places) || w.places[o.Reg].n == nil {
			return 0, false
		}
		r, ok := home[w.places[o.Reg].n]
		return r, ok
	}
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		in = code.Clone(in)
		temps := map[ir.Reg]ir.Pred{}
		code.Uses(&in, func(o *ir.Operand) {
			r, ok := at(o)
			if !ok {
				return
			}
			t, ok := temps[r]
			if !ok {
				t = temp()
				temps[r] = t
				e.Emit(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.NE},
					Dst: []ir.Operand{ir.P(t)}, Src: []ir.Operand{ir.R(r, 1), ir.Imm(0, 1)}})
			}
			o.Reg = ir.Reg(t)
		})
		var after []ir.Inst
		code.Defs(&in, func(o *ir.Operand) {
			r, ok := at(o)
			if !ok {
				return
			}
			t := temp()
			after = append(after, ir.Inst{Op: ir.OpSelp, Type: ir.B32, Guard: in.Guard, Dst: []ir.Operand{ir.R(r, 1)},
				Src: []ir.Operand{ir.Imm(1, 1), ir.Imm(0, 1), ir.P(t)}})
			o.Reg = ir.Reg(t)
		})
		keep := in.Guard.Kind != ir.KindNone && len(after) > 0 && writes(&in, &in.Guard)
		if keep { // the guard itself changes: select by a copy of it
			t := temp()
			e.Emit(ir.Inst{Op: ir.OpMov, Type: ir.PredType, Dst: []ir.Operand{ir.P(t)}, Src: []ir.Operand{{Kind: ir.KindPred, Reg: in.Guard.Reg}}})
			for i := range after {
				after[i].Guard.Reg = ir.Reg(t)
			}
		}
		e.Emit(in)
		for _, a := range after {
			e.Emit(a)
		}
	})
}
