package ptx

import "kumiko/kernel/ir"

// finish expands parameter accesses, closes the program with an exit and
// resolves branches to PCs.
func (e *emitter) finish(body *block) {
	e.settleSlots()
	pcs := make([]int, len(e.code)+1)
	var out []node
	for i := range e.code {
		pcs[i] = len(out)
		n := &e.code[i]
		switch {
		case n.skip && n.to.placed && n.to.at == i+1:
		case n.slot != nil:
			out = e.expand(n, out)
		default:
			out = append(out, *n)
		}
	}
	pcs[len(e.code)] = len(out)
	if e.open(out, pcs) {
		out = append(out, node{in: ir.Inst{Op: ir.OpExit}})
	}
	e.k.Insts = make([]ir.Inst, len(out))
	for i := range out {
		n := &out[i]
		in := &e.k.Insts[i]
		*in = n.in
		if n.to != nil {
			in.Target = pcs[n.to.at]
		}
		for _, l := range n.toList {
			in.Targets = append(in.Targets, pcs[l.at])
		}
	}
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
