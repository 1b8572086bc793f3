package sm

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
)

// prepare computes which warps the scheduler may choose among in this cycle.
// It returns whether there is more to do in the next one. Schedulers that keep
// no warp back and have nobody to tell do not need it.
func (s *Scheduler) prepare(now wire.Cycle) (more bool) {
	s.lookAtGates()
	switch {
	case s.active != nil:
		more = s.updateActiveSet(now)
		s.outside = s.live&^s.active.members | s.active.barred(&s.slotSets)
	case s.narrow != nil:
		s.outside = s.live&^s.narrow.Eligible(&s.slotSets) | s.startPending
	default:
		s.outside = s.startPending | s.leaving
	}
	return s.askGates() || more
}

// updateActiveSet lets warps leave and enter the active set.
func (s *Scheduler) updateActiveSet(now wire.Cycle) (more bool) {
	a := s.active
	a.account(now)
	for c, m := range a.leaving(&s.slotSets, now) {
		for ; m != 0; m &= m - 1 {
			slot := bits.TrailingZeros64(m)
			if !s.drained(slot) {
				continue // woken by the notice that it has read them
			}
			if !s.teller.room(suspendEvents) {
				break
			}
			a.suspend(slot, cause(c))
			s.teller.tellOf(regfile.WarpSuspended, s.context(slot), s.next(slot), 0, 0)
		}
	}
	if slot := a.next(&s.slotSets); slot >= 0 && s.teller.room(activateEvents) {
		a.activate(slot, &s.slotSets, now)
		s.shutAt(regfile.WarpActivated, slot)
		s.teller.tell(regfile.WarpActivated, s.context(slot))
	}
	more = a.left != 0 || a.next(&s.slotSets) >= 0
	if at := a.due(&s.slotSets, now); at != wire.Never {
		s.WakeAt(at)
	}
	return more
}

// drained reports whether a warp has read its operands, if the design wants to hear of
// no suspension before.
func (s *Scheduler) drained(slot int) bool {
	return s.teller == nil || !s.teller.drained || s.at(slot).board.reading == (regSet{})
}

// unsettled tells, at the end of a Tick, whether the choice may be another one
// in the next cycle although nothing new comes in.
func (s *Scheduler) unsettled(more bool, issued int) bool {
	if s.teller != nil && s.teller.full {
		s.teller.full = false
		more = true
	}
	return more || issued > 0
}

// kept says what keeps a warp that could issue from it.
func (s *Scheduler) kept(slot int) string {
	switch {
	case s.leaving>>slot&1 != 0:
		return "its CTA is giving up its slots"
	case s.outside>>slot&1 != 0:
		return "it is not among the warps of which the scheduler chooses"
	case s.gated>>slot&1 != 0:
		for i := range s.gates {
			if g := &s.gates[i]; (g.holds&g.shut.slots)>>slot&1 != 0 {
				return "gate " + g.name + " holds it"
			}
		}
	}
	return "the register file takes no operation"
}
