package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/program"
	"kumiko/sm/reason"
	"kumiko/sm/sched/policy"
	"kumiko/sm/sched/twolevel"
)

// choice is how a scheduler chooses: a policy, and what narrows the warps that it is asked
// about. Of the last two a scheduler has at most one.
type choice struct {
	policy   policy.Policy
	active   *twolevel.Set   // nil: every warp is active
	narrow   policy.Narrower // the policy, if it narrows the choice
	inactive reason.Reason   // the warps among which the scheduler does not choose
}

// kept are the reasons for which a two-level scheduler and fetch groups keep warps back.
func kept(*Planes) []reason.Info {
	return []reason.Info{{Name: "inactive", Doc: "issue slots lost with a warp ready that was not in the active set or " +
		"in the current group"}}
}

// activeSets has the active set of a two-level scheduler.
var activeSets = feature{
	present: func(c *Config, _ *Planes) bool { return c.Choice.Policy == TwoLevel },
	reasons: kept,
	build: func(s *Scheduler, at *site) {
		s.active = twolevel.New(at.config.Choice.rules(at.config.Schedulers), at.name, at.reg)
		s.inactive, s.special = at.rows[0], true
	},
}

// fetchGroups lets the warps of one group issue.
var fetchGroups = feature{
	present: func(c *Config, _ *Planes) bool { return c.Choice.Policy == FetchGroup },
	reasons: kept,
	build: func(s *Scheduler, at *site) {
		s.narrow = s.policy.(policy.Narrower)
		s.inactive, s.special = at.rows[0], true
	},
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
	switch t := &s.warpTable; {
	case s.active != nil:
		t.Blocked[s.inactive] = (t.Live&^s.active.Members | s.active.Barred(&t.Sets)) &^ t.StartPending
	case s.narrow != nil:
		t.Blocked[s.inactive] = t.Live &^ (s.narrow.Eligible(&t.Sets) | t.StartPending)
	}
	if s.teller != nil {
		s.Blocked[s.teller.row] = s.StartPending
	}
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
