package sm

import (
	"fmt"
	"math/bits"
)

// Waiting reports what the first of the scheduler's warps waits for.
func (s *Scheduler) Waiting() string {
	if s.live == 0 {
		return s.waitingAside()
	}
	slot := bits.TrailingZeros64(s.live)
	w := s.at(slot)
	who := fmt.Sprintf("warp %d (CTA slot %d)", s.context(slot), w.cta)
	if s.waitBar>>slot&1 != 0 {
		return who + ": at a barrier"
	}
	if w.n == 0 {
		if s.exited>>slot&1 != 0 {
			return fmt.Sprintf("%s: has ended, waits for %d results and %d stores", who, w.board.flight, w.board.stores)
		}
		return who + ": instruction buffer empty, waits for fetch"
	}
	h := w.headInst()
	at := fmt.Sprintf("%s: %s at line %d", who, h.Inst.Op, h.Inst.Line)
	if s.prog.info[h.PC].inserted {
		at = who + ": " + s.inserts
	}
	switch {
	case s.clear>>slot&1 != 0:
		return at + " is ready; " + s.kept(slot)
	case s.waitFence>>slot&1 != 0:
		return fmt.Sprintf("%s waits for %d loads and %d stores", at, w.board.loads, w.board.stores)
	case s.prog.info[h.PC].inserted:
		return at + " waits for operands to be read"
	}
	return fmt.Sprintf("%s waits for registers %s", at, s.blocking(w, h.PC))
}

// blocking names the registers that keep an instruction from issuing.
func (s *Scheduler) blocking(w *warpState, pc uint32) string {
	out := w.board.blocking(&s.prog.info[pc])
	if out == "" && s.vacated != nil {
		return fmt.Sprintf("R%d and above, which it gives up", s.vacated[pc])
	}
	return out
}
