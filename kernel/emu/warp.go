package emu

import (
	"math/bits"

	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/stream"
)

// outcome is the reason why a warp, or a control instruction, stopped.
type outcome uint8

const (
	running   outcome = iota // control instruction: go on
	finished                 // every lane has exited
	waiting                  // at a barrier
	suspended                // at an mbarrier
	spinning                 // in a loop only ended by another warp's store
	yielded                  // its quota of instructions is used up
	cut                      // it has executed as many instructions as anyone will look at
	failed                   // w.cta.eng.err says why
	parted                   // instruction: some of its lanes wait for lanes on other paths
)

// warp is the state of one warp.
type warp struct {
	cta   *cta
	eng   *engine
	index int
	state outcome
	rows  []row
	preds []uint32
	// all has the lanes with a thread, live the lanes not yet exited.
	all, live uint32
	// The current path, and the other ones, innermost last.
	pc, reconv int32
	mask       uint32
	stack      []path
	// waits has the lanes waiting for lanes on other paths.
	waits uint32
	meet  *meeting
	apart apart
	conv  converge
	local []byte
	// stored is the part of a thread's local memory written by a store of some lane.
	stored struct{ lo, hi uint64 }

	// The run of consecutive instructions since runPC is not yet counted.
	runPC int32
	insts uint64 // counted so far
	limit uint64 // of insts, for this turn
	lanes uint64 // lanes with a true guard

	rec    recorder
	spin   spinDetector
	wait   barrierWait
	gaveUp bool // its last turn ended in a loop that polls
	susp   suspension

	scratch [4]row
	addr    [32]uint64
	pos     *inst // the instruction being executed, where it may fail
}

// pair returns the two rows from i on.
func (w *warp) pair(i int32) *[2]row { return (*[2]row)(w.rows[i:]) }

// quad returns the four rows from i on.
func (w *warp) quad(i int32) *[4]row { return (*[4]row)(w.rows[i:]) }

// executed counts the warp's instructions, without the current one.
func (w *warp) executed() uint64 { return w.insts + uint64(w.pc-w.runPC) }

// run executes until the warp finishes, waits, or has used up its turn.
func (w *warp) run() outcome {
	code := w.eng.prog.code
	for {
		if w.pc == w.reconv {
			w.reconverge()
		}
		if w.state == failed {
			return failed
		}
		if out := w.straight(code); out != running {
			return out
		}
	}
}

// straight executes instructions up to a control instruction or a reconvergence point.
func (w *warp) straight(code []inst) outcome {
	pc, mask, all, reconv := w.pc, w.mask, w.all, w.reconv
	for {
		in := &code[pc]
		exec := mask
		if in.guarded {
			exec &= w.preds[in.guard] ^ in.guardInv
			w.lanes += uint64(bits.OnesCount32(exec))
		}
		if in.masked {
			w.rec.mask(exec)
		}
		if in.seq.first != nil {
			if exec != 0 {
				w.sequence(in, exec, exec == all)
			}
			if pc += in.seq.n; pc == reconv {
				w.pc = pc
				return running
			}
			continue
		}
		if in.pre != nil {
			w.pc = pc
			for i := range in.pre {
				p := &in.pre[i]
				p.fn(w, p, w.quad(p.d))
			}
		}
		switch in.kind {
		case kindLanes:
			if exec == all {
				in.lanes(w, in, w.quad(in.d))
			} else if exec != 0 {
				w.partial(in, exec)
			}
		case kindPred:
			if exec != 0 {
				w.setPreds(in, in.pred(w, in), exec)
			}
		case kindExec:
			if exec != 0 {
				w.pos = in
				in.exec(w, in, exec)
				if w.state != running {
					w.pc = pc
					return w.interrupted()
				}
			}
		case kindControl:
			w.pc, w.pos = pc, in
			return in.ctl(w, in, exec)
		}
		pc++
		if pc == reconv {
			w.pc = pc
			return running
		}
	}
}

// sequence executes a sequence of vector instructions. whole: no lane of the path is left out.
func (w *warp) sequence(in *inst, exec uint32, whole bool) {
	lanes := exec
	if whole {
		lanes = ^uint32(0)
	}
	vector.Run(in.seq.first, (*vector.Row)(&w.rows[0]), &w.preds[0], exec, lanes)
}

// interrupted ends the current path's turn behind an unfinished instruction.
func (w *warp) interrupted() outcome {
	if w.state == parted {
		return w.part()
	}
	return w.state
}

// partial executes a lane instruction for some of the lanes.
func (w *warp) partial(in *inst, exec uint32) {
	in.lanes(w, in, &w.scratch)
	w.merge(in, exec)
}

// merge copies the result in the scratch rows to the destination, for the lanes
// of exec.
func (w *warp) merge(in *inst, exec uint32) {
	d := w.quad(in.d)
	for i := range in.words & 7 {
		blend(&d[i&3], &w.scratch[i&3], exec)
	}
}

// endRun counts and records the instructions from runPC up to, not including,
// pc, and starts a new run at next.
func (w *warp) endRun(pc, next int32) {
	if n := pc - w.runPC; n > 0 {
		plain := w.eng.prog.plain
		w.insts += uint64(n)
		w.lanes += uint64(plain[pc]-plain[w.runPC]) * uint64(bits.OnesCount32(w.mask))
		w.eng.started[w.runPC]++
		w.eng.ended[pc]++
		w.rec.run(stream.Run{PC: uint32(w.runPC), N: uint32(n), Mask: w.mask})
	}
	w.runPC = next
}

// fail stops the launch with an error at the current instruction.
func (w *warp) fail(format string, args ...any) {
	if w.state != failed {
		w.state = failed
		w.eng.fail(w, format, args...)
	}
}

func (w *warp) lay() *layout { return &w.eng.prog.lay }
