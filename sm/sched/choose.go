package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
	"kumiko/sm/sched/policy"
	"kumiko/sm/sched/slots"
	"kumiko/sm/sched/twolevel"
)

// keptBack returns the reason of warps outside the active set of a two-level scheduler, or outside the current
// fetch group.
func keptBack(*Planes) []reason.Info {
	return []reason.Info{{Name: "inactive", Doc: "issue slots lost with a warp ready that was not in the active set " +
		"or in the current group, unless the warps there had no instruction",
		Why: "it is not among the warps of which the scheduler chooses"}}
}

// activeSets restricts issue to the active set of a two-level scheduler.
var activeSets = feature{
	present: func(c *Config, _ *Planes) bool { return c.Choice.Policy == TwoLevel },
	reasons: keptBack,
	build: func(s *Scheduler, at *site) any {
		s.behind = at.rows[0]
		return &activeSet{Set: twolevel.New(at.config.Choice.rules(at.config.Schedulers), at.name, at.reg), sched: s,
			row: at.rows[0]}
	},
	restless: true,
}

// activeSet carries out the decisions of the active set.
type activeSet struct {
	*twolevel.Set
	sched *Scheduler
	row   reason.Reason // pending warps, and active ones due for suspension
}

func (a *activeSet) start(slot int, now wire.Cycle) bool {
	return a.Set.Start(slot, &a.sched.Sets, now)
}

func (a *activeSet) left(slot int) bool { return a.Set.Parked(slot) }

func (a *activeSet) close(now wire.Cycle) { a.Account(now) }

func (a *activeSet) head(slot int, _ *warpState, x *program.Inst) {
	t, bit := &a.sched.Sets, uint64(1)<<slot
	t.Long &^= bit
	if x != nil && x.Long {
		t.Long |= bit
		t.Blocked[a.row] |= a.Barred(t) & bit
	}
}

func (a *activeSet) issued(slot int, f *message.Fetched, x *program.Inst, _ uint32, now wire.Cycle) {
	a.Issued(slot, f.Last && !x.Inserted, now)
}

// begin suspends and activates warps.
func (a *activeSet) begin(now wire.Cycle) (again bool) {
	s, t := a.sched, &a.sched.Sets
	n := &s.notices
	a.Open(s.gates.opened, now)
	a.Account(now)
	for c, m := range a.Leaving(t, now) {
		for ; m != 0; m &= m - 1 {
			slot := bits.TrailingZeros64(m)
			if n.drained && s.at(slot).board.Reading != (program.RegSet{}) {
				continue // woken when the warp's operands have been read
			}
			if !n.room(suspendEvents) {
				break
			}
			a.Suspend(slot, twolevel.Cause(c))
			n.tellOf(regfile.WarpSuspended, s.context(slot), s.next(slot), 0, 0)
		}
	}
	if slot := a.Next(t); slot >= 0 && n.room(activateEvents) {
		a.Activate(slot, t, now)
		s.gates.activated(slot)
	}
	again = a.Left != 0 || a.Next(t) >= 0
	if at := a.Due(t, now); at != wire.Never {
		s.WakeAt(at)
	}
	t.Blocked[a.row] = (t.Live&^a.Members | a.Barred(t)) &^ t.StartPending
	return again
}

// fetchGroups restricts issue to one group of warps.
var fetchGroups = feature{
	present: func(c *Config, _ *Planes) bool { return c.Choice.Policy == FetchGroup },
	reasons: keptBack,
	build: func(s *Scheduler, at *site) any {
		s.behind = at.rows[0]
		return &fetchGroup{Narrower: s.policy.(policy.Narrower), sets: &s.Sets, row: at.rows[0]}
	},
	restless: true,
}

type fetchGroup struct {
	policy.Narrower
	sets *slots.Sets
	row  reason.Reason // warps of other groups
}

func (g *fetchGroup) begin(wire.Cycle) bool {
	t := g.sets
	t.Blocked[g.row] = t.Live &^ (g.Eligible(t) | t.StartPending)
	return false
}
