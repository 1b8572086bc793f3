package ptx

import "kumiko/kernel/ir"

// finish expands parameter accesses and the saves around calls of recursive functions, closes the program with an
// exit and resolves branches to PCs.
func (e *emitter) finish() {
	e.settleSlots()
	pcs := make([]int, len(e.code)+1)
	var out []node
	if e.stack.Kind != ir.KindNone {
		base := ir.Operand{Kind: ir.KindSpecial, Special: ir.StackBase, Words: 1}
		out = append(out, node{in: ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{e.stack},
			Src: []ir.Operand{base}}})
	}
	for i := range e.code {
		pcs[i] = len(out)
		n := &e.code[i]
		switch {
		case n.skip && n.to.placed && n.to.at == i+1:
		case n.slot != nil:
			out = e.expand(n, out)
		case n.grow != nil && n.grow.local == 0:
		case n.grow != nil:
			n.in.Src[1] = ir.Imm(uint64(alignUp(n.grow.local, stackAlign)), 1)
			out = append(out, *n)
		default:
			out = append(out, *n)
		}
	}
	pcs[len(e.code)] = len(out)
	out, pcs = e.saveAcrossCalls(out, pcs)
	if e.open(out, pcs) {
		out = append(out, node{in: ir.Inst{Op: ir.OpExit}})
	}
	e.k.Insts = resolved(out, pcs)
}

// resolved returns the instructions of code with the targets of their branches.
func resolved(code []node, pcs []int) []ir.Inst {
	insts := make([]ir.Inst, len(code))
	for i := range code {
		n := &code[i]
		in := &insts[i]
		*in = n.in
		if n.to != nil {
			in.Target = pcs[n.to.at]
		}
		for _, l := range n.toList {
			in.Targets = append(in.Targets, pcs[l.at])
		}
	}
	return insts
}

// open reports whether control can run past the last instruction.
func (e *emitter) open(out []node, pcs []int) bool {
	if len(out) == 0 {
		return true
	}
	last := &out[len(out)-1].in
	if last.Guard.Kind != ir.KindNone || last.Op != ir.OpExit && last.Op != ir.OpBra && last.Op != ir.OpBrx {
		return true
	}
	for i := range out {
		if out[i].to != nil && pcs[out[i].to.at] == len(out) {
			return true
		}
		for _, l := range out[i].toList {
			if pcs[l.at] == len(out) {
				return true
			}
		}
	}
	return false
}
