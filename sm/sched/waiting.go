package sched

import (
	"fmt"
	"math/bits"

	"kumiko/sm/reason"
)

// Waiting reports what the first of the scheduler's warps waits for.
func (s *Scheduler) Waiting() string {
	if s.Live == 0 {
		if s.Parking == nil {
			return ""
		}
		return s.Parking.waiting()
	}
	slot := bits.TrailingZeros64(s.Live)
	w := s.at(slot)
	who := fmt.Sprintf("warp %d (CTA slot %d)", s.context(slot), w.cta)
	if s.Blocked[reason.AtBarrier]>>slot&1 != 0 {
		return who + ": at a barrier"
	}
	if w.n == 0 {
		if s.Exited>>slot&1 != 0 {
			return fmt.Sprintf("%s: has ended, waits for %d results and %d stores", who, w.board.Flight, w.board.Stores)
		}
		return who + ": instruction buffer empty, waits for fetch"
	}
	h := w.headInst()
	at := fmt.Sprintf("%s: %s at line %d", who, h.Inst.Op, h.Inst.Line)
	if s.prog.Info[h.PC].Inserted {
		at = who + ": " + s.inserts
	}
	switch {
	case s.Clear>>slot&1 != 0:
		return at + " is ready; " + s.kept(slot)
	case s.control != nil && w.control.fence && s.control.clock < w.control.ready:
		return at + " waits for the fence before it"
	case s.Blocked[reason.FencePending]>>slot&1 != 0:
		return fmt.Sprintf("%s waits for %d loads and %d stores", at, w.board.Loads, w.board.Stores)
	case s.prog.Info[h.PC].Inserted:
		return at + " waits for operands to be read"
	}
	if s.control != nil {
		return at + " waits " + s.control.waiting(&w.control, h.Inst)
	}
	return fmt.Sprintf("%s waits for registers %s", at, s.blocking(w, h.PC))
}

// kept says what keeps a warp that could issue from it.
func (s *Scheduler) kept(slot int) string {
	switch {
	case s.Parking != nil && s.Parking.on && s.Blocked[s.Parking.row]>>slot&1 != 0:
		return "its CTA is giving up its slots"
	case (s.active != nil || s.narrow != nil) && s.Blocked[s.inactive]>>slot&1 != 0:
		return "it is not among the warps of which the scheduler chooses"
	}
	if g := s.gates.holding(slot); g != "" {
		return "gate " + g + " holds it"
	}
	if s.Queue != nil && s.Queue.room == 0 && s.kindAt(slot) == s.Queue.kind {
		return "the memory queue of the sub-core is full"
	}
	return "the register file takes no operation"
}
