package sm

import (
	"math/bits"

	"kumiko/components/spec"
	"kumiko/components/stats"
)

// Policy chooses, among the warps of one scheduler that could issue, the one
// that does. Warps are named by their slot in the scheduler, 0 to 63.
//
// Contract: Pick is called with a non-empty set and returns a member; it
// changes nothing. Issued is told of every issue, Started and Finished of every
// warp's life; order of Started calls is the order of age.
type Policy interface {
	Pick(ready uint64) int
	Issued(slot int)
	Started(slot int)
	Finished(slot int)
}

// Narrower is a policy that lets only some of the warps issue.
//
// Contract: Eligible is called in each Tick before Pick, and Pick only with members
// of the set that it returned. Called again without a change of the slots, it
// returns the same set.
type Narrower interface {
	Policy
	Eligible(s *slotSets) uint64
}

// Aged is a policy that goes by the age of warps.
//
// Contract: Resort follows Started of a warp that is older than its start. The warp is
// younger only than the warps for which younger reports true.
type Aged interface {
	Policy
	Resort(slot int, younger func(other int) bool)
}

// Names of policies that choose among some of the warps.
const (
	twoLevel   = "two-level"
	fetchGroup = "fetch-group"
)

// newPolicy is a policy that chooses among all warps.
func newPolicy(name string) Policy {
	switch name {
	case "lrr":
		return &lrr{last: 63}
	case "greedy":
		return &greedy{lrr: lrr{last: 63}}
	case "gto":
		return &gto{last: -1}
	case "oldest":
		return &oldest{}
	case "cggty":
		return &cggty{gto{last: -1}}
	}
	return nil
}

// Controlled reports whether instructions issue by their control words.
func (s *SchedulerSpec) Controlled() bool { return s.Dependences == byControl }

// Paired reports whether control words may let two instructions issue in a cycle.
func (s *SchedulerSpec) Paired() bool { return s.Controlled() && s.Pairs }

// limits reports whether the schedulers choose among some of their warps.
func (s *SchedulerSpec) limits() bool { return s.Policy == twoLevel || s.Policy == fetchGroup }

// policy is the policy of one scheduler.
func (s *SchedulerSpec) policy() Policy {
	switch s.Policy {
	case twoLevel:
		return newPolicy(s.Inner)
	case fetchGroup:
		return newFetchGroups(s.Group)
	}
	return newPolicy(s.Policy)
}

// check refuses policies that do not exist, and sizes that no scheduler of the
// SM could have.
func (s *SchedulerSpec) check(schedulers, warps int) error {
	if !s.limits() && newPolicy(s.Policy) == nil {
		return &spec.Error{Key: "scheduler.policy", Found: s.Policy,
			Want: "lrr, greedy, gto, cggty, oldest, two-level or fetch-group"}
	}
	switch {
	case s.Dependences != "" && s.Dependences != byScoreboard && s.Dependences != byControl:
		return &spec.Error{Key: "scheduler.dependences", Found: s.Dependences, Want: "scoreboard or control"}
	case s.Dependences == byControl && s.limits():
		return &spec.Error{Key: "scheduler.policy", Found: s.Policy,
			Want: "with dependences = control, a policy that chooses among all warps"}
	}
	if newPolicy(s.Inner) == nil && (s.Inner != "" || s.Policy == twoLevel) {
		return &spec.Error{Key: "scheduler.inner", Found: s.Inner, Want: "lrr, greedy, gto, cggty or oldest"}
	}
	if most := (warps + schedulers - 1) / schedulers * schedulers; s.Policy == twoLevel &&
		(s.Active < schedulers || s.Active > most || s.Active%schedulers != 0) {
		return spec.Errorf("scheduler.active", s.Active, "a multiple of the %d schedulers, %d to %d", schedulers,
			schedulers, most)
	}
	if o := s.SuspendOn; o != "" && o != onUse && o != onMiss {
		return &spec.Error{Key: "scheduler.suspend_on", Found: o, Want: "use or miss"}
	}
	if s.SuspendAfter < 0 || s.SuspendAfter > 1_000_000 {
		return spec.Errorf("scheduler.suspend_after", s.SuspendAfter, "0 (off) to 1000000")
	}
	if s.Policy == fetchGroup && (s.Group < 1 || s.Group > 64) {
		return spec.Errorf("scheduler.group", s.Group, "1 to 64")
	}
	return nil
}

// What suspends a warp of a two-level scheduler.
const (
	onUse  = "use"
	onMiss = "miss"
)

// HearsMisses reports whether the scheduler needs notes of loads that miss the L1.
func (s *SchedulerSpec) HearsMisses() bool { return s.Policy == twoLevel && s.SuspendOn == onMiss }

// lrr is loose round robin: the next ready warp after the one that issued last.
type lrr struct{ last int }

func (p *lrr) Pick(ready uint64) int {
	after := ready &^ (1<<(uint(p.last)+1) - 1)
	if after != 0 {
		return bits.TrailingZeros64(after)
	}
	return bits.TrailingZeros64(ready)
}
func (p *lrr) Issued(slot int) { p.last = slot }
func (p *lrr) Started(int)     {}
func (p *lrr) Finished(int)    {}

// greedy is the warp that issued last as long as it can, then the next ready
// warp after it.
type greedy struct {
	lrr
	stay uint64 // the slot of the warp that issued last, if that has not finished
}

func (p *greedy) Pick(ready uint64) int {
	if ready&p.stay != 0 {
		return p.last
	}
	return p.lrr.Pick(ready)
}
func (p *greedy) Issued(slot int)   { p.last, p.stay = slot, 1<<slot }
func (p *greedy) Finished(slot int) { p.stay &^= 1 << slot }

// oldest picks the warp that started first.
type oldest struct {
	order [64]int8 // slots, oldest first
	n     int
}

func (p *oldest) Pick(ready uint64) int {
	for _, s := range p.order[:p.n] {
		if ready>>uint(s)&1 != 0 {
			return int(s)
		}
	}
	panic("sm: a ready warp that never started")
}
func (p *oldest) Issued(int) {}
func (p *oldest) Started(slot int) {
	p.order[p.n] = int8(slot)
	p.n++
}
func (p *oldest) Resort(slot int, younger func(other int) bool) {
	i := p.n - 1
	for ; i > 0 && !younger(int(p.order[i-1])); i-- {
		p.order[i] = p.order[i-1]
	}
	p.order[i] = int8(slot)
}
func (p *oldest) Finished(slot int) {
	for i, s := range p.order[:p.n] {
		if int(s) == slot {
			copy(p.order[i:], p.order[i+1:p.n])
			p.n--
			return
		}
	}
}

// gto is greedy-then-oldest: the warp that issued last as long as it can, then
// the oldest (Rogers et al., MICRO 2012).
type gto struct {
	oldest
	last int
}

func (p *gto) Pick(ready uint64) int {
	if p.last >= 0 && ready>>uint(p.last)&1 != 0 {
		return p.last
	}
	return p.oldest.Pick(ready)
}
func (p *gto) Issued(slot int) { p.last = slot }
func (p *gto) Finished(slot int) {
	p.oldest.Finished(slot)
	if p.last == slot {
		p.last = -1
	}
}

// cggty is greedy, then youngest (Huerta et al., MICRO 2025, section 5.1.2).
type cggty struct{ gto }

func (p *cggty) Pick(ready uint64) int {
	if p.last >= 0 && ready>>uint(p.last)&1 != 0 {
		return p.last
	}
	for i := p.n - 1; i >= 0; i-- {
		if s := p.order[i]; ready>>uint(s)&1 != 0 {
			return int(s)
		}
	}
	panic("sm: a ready warp that never started")
}

// choose gives the scheduler its policy, and what that needs beside itself.
func (s *Scheduler) choose(spec *Spec, name string, reg *stats.Registry) {
	s.policy = spec.Scheduler.policy()
	if spec.Scheduler.Policy == twoLevel {
		s.active = newActiveSet(&spec.Scheduler, spec.Schedulers, name, reg)
	}
	s.narrow, _ = s.policy.(Narrower)
	s.special = s.active != nil || s.narrow != nil
}
