package emu

import (
	"slices"

	"kumiko/kernel/ir"
)

// Meeting places of machine code before Volta, where instructions push places on a stack and lanes wait there in
// others: SSY and SYNC, PBK and BRK, PCNT and CONT, CAL and RET. Hardware keeps them, and the lanes of the other side
// of a divergent branch, in one stack of tokens (Coon and Lindholm, "System and method for managing divergent threads
// in a SIMD architecture", US patent 7,353,369). Here they are meeting places of paths.go without an address where a
// path ends: a path arrives in an instruction. Its kind says at which place, the innermost one of that kind, and the
// lanes are no longer waited for at the places further in.

// place is the place of a meeting: the kind of Src[0].
func (p *decoder) place() {
	o := p.src(0)
	if o.Kind != ir.KindImm || o.Imm < uint64(ir.MeetSync) || o.Imm > uint64(ir.MeetReturn) {
		p.fail("a kind of meeting place that is not one of %d", ir.MeetReturn)
	}
	if !p.k.Converges {
		p.fail("a meeting place in a kernel with reconvergence at post-dominators")
	}
	p.out.imm = uint32(o.Imm)
}

func decodeMeeting(p *decoder) {
	p.place()
	if p.in.Target < 0 || p.in.Target > len(p.k.Insts) {
		p.fail("a meeting place at %d of %d instructions", p.in.Target, len(p.k.Insts))
	}
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		w.pc = in.pc + 1
		if exec != 0 {
			w.meetingAt(in.target, ir.Meeting(in.imm), exec)
		}
		return running
	}
}

// meetingAt adds a meeting place for the lanes of exec. Those of the present path that do not execute stay together
// with them.
func (w *warp) meetingAt(pc int32, kind ir.Meeting, exec uint32) {
	w.stack = append(w.stack, path{pc: pc, reconv: -1, mask: exec, meeting: kind})
}

func decodeMeet(p *decoder) {
	p.place()
	also := ir.Imm(1, 1)
	if len(p.in.Src) > 1 {
		also = p.src(1)
	}
	p.out.r, p.out.rInv = p.predSource(also)
	p.out.ctl = func(w *warp, in *inst, exec uint32) outcome {
		if exec &= w.preds[in.r] ^ in.rInv; exec == 0 {
			w.pc = in.pc + 1
			return running
		}
		w.endRun(in.pc+1, in.pc+1)
		w.pc, w.mask = in.pc+1, w.mask&^exec
		if left := w.arrive(ir.Meeting(in.imm), exec); left != 0 {
			w.fail("lanes %s go to a meeting place, and there is none of the kind", lanes(left))
			return failed
		}
		if w.mask == 0 {
			w.pop()
		}
		w.runPC = w.pc
		if w.pc <= in.pc || w.insts >= w.limit {
			return w.looped()
		}
		return running
	}
}

// arrive takes the lanes of exec out of the places inside the innermost one of the kind. It returns those without one.
func (w *warp) arrive(kind ir.Meeting, exec uint32) uint32 {
	for i := len(w.stack) - 1; i >= 0 && exec != 0; i-- {
		p := &w.stack[i]
		if p.meeting == kind {
			exec &^= p.mask
			continue
		}
		if p.mask &^= exec; p.mask == 0 {
			w.stack = slices.Delete(w.stack, i, i+1)
		}
	}
	return exec
}

// enter calls a function, whose lanes meet behind the call.
func enter(w *warp, in *inst, exec uint32) outcome {
	w.pc = in.pc + 1
	if exec == 0 {
		return running
	}
	w.endRun(w.pc, in.target)
	if rest := w.mask &^ exec; rest != 0 {
		w.stack = append(w.stack, path{pc: w.pc, reconv: -1, mask: rest})
	}
	w.meetingAt(int32(in.src.Targets[0]), ir.MeetReturn, exec)
	w.pc, w.mask = in.target, exec
	if w.pc <= in.pc || w.insts >= w.limit {
		return w.looped()
	}
	return running
}
