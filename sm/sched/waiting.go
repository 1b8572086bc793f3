package sched

import (
	"fmt"
	"math/bits"

	"kumiko/sm/reason"
)

// Waiting describes the wait of the first of the scheduler's warps.
func (s *Scheduler) Waiting() string {
	if s.Live == 0 {
		if s.account.Parked == 0 {
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
	if s.Clear>>slot&1 != 0 {
		return at + " is ready; " + s.kept(slot)
	}
	if why := s.explain(slot); why != "" {
		return at + " waits " + why
	}
	switch {
	case s.Blocked[reason.FencePending]>>slot&1 != 0:
		return fmt.Sprintf("%s waits for %d loads and %d stores", at, w.board.Loads, w.board.Stores)
	case s.prog.Info[h.PC].Inserted:
		return at + " waits for operands to be read"
	}
	return fmt.Sprintf("%s waits for registers %s", at, s.blocking(w, h.PC))
}

// kept names the reason blocking a ready warp: the first row with the warp.
func (s *Scheduler) kept(slot int) string {
	why, first := "", s.End
	for _, x := range s.own {
		if x.Reason < first && s.Blocked[x.Reason]>>slot&1 != 0 {
			why, first = x.Why, x.Reason
		}
	}
	if why == "" {
		return "the register file takes no operation"
	}
	return why
}
