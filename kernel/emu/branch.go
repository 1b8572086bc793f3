package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// Of the two sides of a branch, the one that falls through runs first. paths.go has the paths.

func decodeBra(p *decoder) {
	if p.in.Target < 0 || p.in.Target > len(p.k.Insts) {
		p.fail("a branch to %d of %d instructions", p.in.Target, len(p.k.Insts))
	}
	p.out.ctl = branch
	switch p.in.Flow {
	case ir.FlowConverged, ir.FlowApart:
		p.out.a = p.source(p.src(0), ir.U32, 1)
		p.out.ctl = branchConverged
		if p.in.Flow == ir.FlowApart {
			p.out.ctl = branchApart
		}
		return
	}
	if len(p.in.Src) > 0 {
		p.out.r, p.out.rInv = p.predSource(p.src(0))
		p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
			return branch(w, in, exec&(w.preds[in.r]^in.rInv))
		}
	}
	if p.in.Flow == ir.FlowCall {
		if len(p.in.Targets) != 1 || p.in.Guard.Kind != ir.KindNone {
			p.fail("a guarded call, or one with %d places to return to", len(p.in.Targets))
		}
		p.out.ctl = call
	}
	if p.in.Flow == ir.FlowEnter {
		if !p.k.Converges || len(p.in.Targets) != 1 {
			p.fail("a call without a meeting place behind it")
		}
		p.out.ctl = enter
	}
}

// call enters a function. All lanes return from it before any of them continues.
func call(w *warp, in *inst, _ uint32) outcome {
	w.endRun(in.pc+1, in.target)
	w.stack = append(w.stack, path{pc: int32(in.src.Targets[0]), reconv: w.reconv, mask: w.mask})
	w.pc, w.reconv = in.target, -1
	if w.pc <= in.pc || w.insts >= w.limit {
		return w.looped()
	}
	return running
}

// comeBack returns from a function. The branches within it have reconverged, so the path below belongs to the call
// and continues behind it.
func comeBack(w *warp, in *inst, _ uint32) outcome {
	w.endRun(in.pc+1, in.pc+1)
	w.pop()
	w.runPC = w.pc
	if w.pc <= in.pc || w.insts >= w.limit {
		return w.looped()
	}
	return running
}

// branchConverged branches if the executing lanes are those of a mask.
func branchConverged(w *warp, in *inst, exec uint32) outcome {
	if exec != 0 && w.rows[in.a][lowest(exec)]&w.live != exec {
		exec = 0
	}
	return branch(w, in, exec)
}

// branchApart branches with all lanes of the path, unless those with a true guard are the lanes of a mask.
func branchApart(w *warp, in *inst, exec uint32) outcome {
	if w.rows[in.a][lowest(w.mask)]&w.live == exec {
		return branch(w, in, 0)
	}
	return branch(w, in, w.mask)
}

func branch(w *warp, in *inst, exec uint32) outcome {
	next := in.pc + 1
	switch exec {
	case 0:
		w.pc = next
		return running
	case w.mask:
		w.endRun(next, in.target)
		w.pc = in.target
	default:
		w.endRun(next, next)
		rest := w.mask &^ exec
		w.diverge(in.reconv)
		w.push(in.target, in.reconv, exec)
		w.push(next, in.reconv, rest)
		w.pop()
		w.runPC = w.pc
	}
	if w.pc <= in.pc || w.insts >= w.limit {
		return w.looped()
	}
	return running
}

func decodeBrx(p *decoder) {
	for _, t := range p.in.Targets {
		if t < 0 || t > len(p.k.Insts) {
			p.fail("a branch to %d of %d instructions", t, len(p.k.Insts))
		}
	}
	p.out.a = p.source(p.src(0), ir.U32, 1)
	p.out.ctl = branchIndexed
	switch p.in.Flow {
	case ir.FlowReturn:
		p.out.ctl = comeBack
	case ir.FlowAddress:
		p.out.imm = uint32(p.in.Addr.Offset)
		p.out.ctl = branchTo
	}
}

// branchIndexed executes brx.idx, PTX ISA section 9.7.12.4. An index past the end of the list is undefined there
// and an error here.
func branchIndexed(w *warp, in *inst, exec uint32) outcome {
	targets := in.src.Targets
	index := &w.rows[in.a]
	for m := exec; m != 0; m &= m - 1 {
		if l := bits.TrailingZeros32(m) & 31; index[l] >= uint32(len(targets)) {
			w.fail("thread %s: branch index %d of a list of %d", w.thread(l), index[l], len(targets))
			return failed
		}
	}
	next := in.pc + 1
	w.endRun(next, next)
	// The paths are stacked from the last target to the first, the fall-through lanes on top.
	reconv := in.reconv
	left := exec
	rest := w.mask &^ exec
	w.diverge(reconv)
	for i := len(targets) - 1; i >= 0 && left != 0; i-- {
		m := uint32(0)
		for s := left; s != 0; s &= s - 1 {
			if l := bits.TrailingZeros32(s) & 31; int(index[l]) == i {
				m |= 1 << l
			}
		}
		left &^= m
		w.push(int32(targets[i]), reconv, m)
	}
	w.push(next, reconv, rest)
	w.pop()
	w.runPC = w.pc
	if w.pc <= in.pc || w.insts >= w.limit {
		return w.looped()
	}
	return running
}

func decodeExit(p *decoder) {
	p.out.ctl = exit
	if len(p.in.Src) == 0 {
		return
	}
	p.out.r, p.out.rInv = p.predSource(p.src(0))
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		if exec &= w.preds[in.r] ^ in.rInv; exec == 0 {
			w.pc = in.pc + 1
			return running
		}
		return exit(w, in, exec)
	}
}

// exit ends the lanes of exec.
func exit(w *warp, in *inst, exec uint32) outcome {
	w.endRun(in.pc+1, in.pc+1)
	return w.leave(exec, in.pc+1)
}

// fellOff ends the lanes running past the last instruction.
func fellOff(w *warp, in *inst, exec uint32) outcome {
	w.endRun(in.pc, in.pc)
	return w.leave(exec, in.pc)
}

func (w *warp) leave(exec uint32, next int32) outcome {
	w.live &^= exec
	if w.conv.held != 0 {
		w.converged()
	}
	if w.live == 0 {
		w.mask = 0
		w.stack = w.stack[:0]
		return finished
	}
	w.mask &= w.live
	w.pc = next
	if w.mask == 0 {
		w.pop()
	}
	w.runPC = w.pc
	return running
}
