package emu

import "slices"

// spinAfter is the number of instructions a warp executes without a wait before the search for an endless loop
// begins. It is small because a polling warp has all of them in its stream, and so in its time. The distances
// double, so the search takes only few copies of the warp's registers.
const spinAfter = 32

// spinDetector finds out whether a warp has returned to an earlier state without a store by any warp in between.
// Such a warp is in a loop that only a store of another warp can end. It compares with a snapshot, renewed at
// doubling distances (R. P. Brent, "An improved Monte Carlo factorization algorithm", BIT 20, 1980). So a cycle of
// any length is found after at most about three times the instructions leading into it.
type spinDetector struct {
	next, gap uint64 // when to take the next snapshot, and how far the one after
	valid     bool
	pc        int32
	mask      uint32
	live      uint32
	waits     uint32
	held      uint32
	version   uint64
	rows      []row
	preds     []uint32
	stack     []path
	last      int // the last row found different

	// polled: an atomic operation with a result or an ordered load has been executed since the last backward branch.
	// Its loop is the one at header, executed by the lanes of loopers; tries counts iterations with such accesses,
	// quiet those of them since memory had the version seen.
	polled  bool
	header  int32
	loopers uint32
	tries   int
	quiet   int
	seen    uint64
}

func (s *spinDetector) reset(insts uint64) {
	s.valid = false
	s.gap = spinAfter
	s.next = insts + spinAfter
}

// again reports whether the warp is in the state of the snapshot. It takes a new snapshot when one is due.
func (s *spinDetector) again(w *warp) bool {
	if w.insts >= s.next {
		s.take(w)
		return false
	}
	if !s.valid || w.pc != s.pc || w.eng.version != s.version || w.mask != s.mask || w.live != s.live ||
		w.waits != s.waits || w.conv.held != s.held {
		return false
	}
	if len(s.rows) > 0 && w.rows[s.last] != s.rows[s.last] {
		return false
	}
	for i := range s.rows {
		if w.rows[i] != s.rows[i] {
			s.last = i
			return false
		}
	}
	return slices.Equal(w.preds, s.preds) && slices.Equal(w.stack, s.stack)
}

func (s *spinDetector) take(w *warp) {
	s.valid, s.pc, s.mask, s.live, s.version = true, w.pc, w.mask, w.live, w.eng.version
	s.waits, s.held = w.waits, w.conv.held
	s.rows = append(s.rows[:0], w.rows[:w.eng.prog.lay.regs]...)
	s.preds = append(s.preds[:0], w.preds...)
	s.stack = append(s.stack[:0], w.stack...)
	s.last = 0
	s.next = w.insts + s.gap
	s.gap *= 2
}

// looped is called after a backward branch, and at the end of the turn.
func (w *warp) looped() outcome {
	if w.insts >= w.limit {
		e := w.eng
		switch lim := &e.l.Limits; {
		case lim.CutInsts > 0 && w.insts >= lim.CutInsts:
			return cut
		case e.recorded() >= lim.RecordBytes:
			w.fail("the emulation has executed %d instructions of warp %d, which has not ended, "+
				"with %d MiB of instructions recorded: a loop without end, or too low a limit (--max-record-bytes %d)",
				w.insts, w.index, e.recorded()>>20, lim.RecordBytes)
		case w.insts >= lim.WarpInsts:
			w.fail("the emulation has executed %d instructions of warp %d, which has not ended: "+
				"a loop without end, or too low a limit (--max-warp-instructions %d)", w.insts, w.index, lim.WarpInsts)
		default:
			if w.spin.tries > 0 {
				w.preempt()
			}
			return yielded
		}
		e.err = &HangError{e.err}
		return failed
	}
	if w.spin.again(w) {
		return spinning
	}
	if w.spin.polled {
		return w.polls()
	}
	return running
}
