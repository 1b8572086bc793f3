package sm

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// choice is how a scheduler chooses: a policy, and what narrows the warps that it is asked
// about. Of the last two a scheduler has at most one.
type choice struct {
	policy Policy
	active *activeSet // nil: every warp is active
	narrow Narrower   // the policy, if it narrows the choice
}

// excludes are the warps that the scheduler does not choose from as of now.
func (c *choice) excludes(t *warpTable) uint64 {
	switch {
	case c.active != nil:
		return t.live&^c.active.members | c.active.barred(&t.slotSets)
	case c.narrow != nil:
		return t.live&^c.narrow.Eligible(&t.slotSets) | t.startPending
	}
	return t.startPending | t.leaving
}

// prepare computes which warps the scheduler may choose from in this cycle.
// It reports whether there is more to do in the next one. Schedulers that keep
// no warp back and have nobody to tell do not need it.
func (s *Scheduler) prepare(now wire.Cycle) (more bool) {
	changed, opened := s.gates.look()
	if changed && s.parking != nil {
		s.parking.reconsider()
	}
	if s.active != nil {
		s.active.open(opened, now)
		more = s.updateActiveSet(now)
	}
	s.outside = s.excludes(&s.warpTable)
	return s.gates.ask() || more
}

// updateActiveSet lets warps leave and enter the active set.
func (s *Scheduler) updateActiveSet(now wire.Cycle) (more bool) {
	a, listener := s.active, s.teller
	a.account(now)
	for c, m := range a.leaving(&s.slotSets, now) {
		for ; m != 0; m &= m - 1 {
			slot := bits.TrailingZeros64(m)
			if listener != nil && listener.drained && s.at(slot).board.reading != (regSet{}) {
				continue // woken by the notice that it has read its operands
			}
			if !listener.room(suspendEvents) {
				break
			}
			a.suspend(slot, cause(c))
			listener.tellOf(regfile.WarpSuspended, s.context(slot), s.next(slot), 0, 0)
		}
	}
	if slot := a.next(&s.slotSets); slot >= 0 && listener.room(activateEvents) {
		a.activate(slot, &s.slotSets, now)
		s.gates.activated(slot)
	}
	more = a.left != 0 || a.next(&s.slotSets) >= 0
	if at := a.due(&s.slotSets, now); at != wire.Never {
		s.WakeAt(at)
	}
	return more
}

// choose gives the scheduler its policy, and what that needs beside itself.
func (s *Scheduler) choose(c *Config, name string, reg *stats.Registry) {
	s.policy = c.Choice.policy()
	if c.Choice.Policy == twoLevel {
		s.active = newActiveSet(c.Choice.rules(c.Schedulers), name, reg)
	}
	s.narrow, _ = s.policy.(Narrower)
	s.special = s.active != nil || s.narrow != nil
}
