package sched

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/program"
	"kumiko/sm/sched/policy"
	"kumiko/sm/sched/twolevel"
)

// choice is how a scheduler chooses: a policy, and what narrows the warps that it is asked
// about. Of the last two a scheduler has at most one.
type choice struct {
	policy policy.Policy
	active *twolevel.Set   // nil: every warp is active
	narrow policy.Narrower // the policy, if it narrows the choice
}

// excludes are the warps that the scheduler does not choose from as of now.
func (c *choice) excludes(t *warpTable) uint64 {
	switch {
	case c.active != nil:
		return t.Live&^c.active.Members | c.active.Barred(&t.Sets)
	case c.narrow != nil:
		return t.Live&^c.narrow.Eligible(&t.Sets) | t.StartPending
	}
	return t.StartPending | t.Leaving
}

// prepare computes which warps the scheduler may choose from in this cycle.
// It reports whether there is more to do in the next one. Schedulers that keep
// no warp back and have nobody to tell do not need it.
func (s *Scheduler) prepare(now wire.Cycle) (more bool) {
	changed, opened := s.gates.look()
	if changed && s.Parking != nil {
		s.Parking.reconsider()
	}
	if s.active != nil {
		s.active.Open(opened, now)
		more = s.updateActiveSet(now)
	}
	s.Outside = s.excludes(&s.warpTable)
	return s.gates.ask() || more
}

// updateActiveSet lets warps leave and enter the active set.
func (s *Scheduler) updateActiveSet(now wire.Cycle) (more bool) {
	a, listener := s.active, s.teller
	a.Account(now)
	for c, m := range a.Leaving(&s.Sets, now) {
		for ; m != 0; m &= m - 1 {
			slot := bits.TrailingZeros64(m)
			if listener != nil && listener.drained && s.at(slot).board.Reading != (program.RegSet{}) {
				continue // woken by the notice that it has read its operands
			}
			if !listener.room(suspendEvents) {
				break
			}
			a.Suspend(slot, twolevel.Cause(c))
			listener.tellOf(regfile.WarpSuspended, s.context(slot), s.next(slot), 0, 0)
		}
	}
	if slot := a.Next(&s.Sets); slot >= 0 && listener.room(activateEvents) {
		a.Activate(slot, &s.Sets, now)
		s.gates.activated(slot)
	}
	more = a.Left != 0 || a.Next(&s.Sets) >= 0
	if at := a.Due(&s.Sets, now); at != wire.Never {
		s.WakeAt(at)
	}
	return more
}

// choose gives the scheduler its policy, and what that needs beside itself.
func (s *Scheduler) choose(c *Config, name string, reg *stats.Registry) {
	s.policy = c.Choice.policy()
	if c.Choice.Policy == TwoLevel {
		s.active = twolevel.New(c.Choice.rules(c.Schedulers), name, reg)
	}
	s.narrow, _ = s.policy.(policy.Narrower)
	s.special = s.active != nil || s.narrow != nil
}
