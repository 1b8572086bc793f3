// Package twolevel has the active set of a two-level warp scheduler.
package twolevel

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/sm/reason"
	"kumiko/sm/sched/slots"
)

// Set is the first level of a two-level scheduler (Gebhart et al., ISCA 2011, section 3.2): the few active
// warps among which the scheduler chooses. The other warps are pending. While the scheduler has no more warps
// than places, every warp is active from its start to its end.
//
// Set only decides. The scheduler carries the decisions out, because a notice may have to wait.
type Set struct {
	Rules

	Members uint64
	Left    uint64         // left in this cycle
	granted uint64         // the instruction at the head may issue even if it is a long consumer
	last    int            // last slot to become active in turn
	moved   [64]wire.Cycle `bits:"6"` // last issue or activation
	told    wire.Cycle     // the cycle last returned by Due

	since       wire.Cycle
	warpCycles  uint64
	Activations uint64
	Suspensions [NumCauses]uint64 `soft:"statistics"`
}

// Cause is why a warp leaves the active set.
type Cause uint8

const (
	LongLatency Cause = iota
	barrierWait
	stalled
	NumCauses
)

var causeInfo = [NumCauses]struct{ name, doc string }{
	{"long_latency", "warps suspended because their next instruction uses the result of a long-latency operation or, " +
		"with sched.suspend_on=miss, because a load has missed the L1"},
	{"barrier", "warps suspended because they wait at a barrier"},
	{"stall", "warps suspended because they have not issued for sched.suspend_after cycles"},
}

// Event is the event suspending a warp that waits for memory.
type Event uint8

const (
	Use       Event = iota // the first use of a long-latency result
	Miss                   // a load miss
	MissedUse              // the first use of a long-latency result after a load of the warp has missed
)

// Rules say how many warps are active and when one leaves the active set.
type Rules struct {
	Places       int        // of a scheduler
	SuspendReady bool       // a long-latency result suspends the warp using the result even if it is there
	On           Event      // suspends a warp waiting for memory
	AtBarrier    bool       // a barrier suspends every warp waiting there
	After        wire.Cycle // 0: a warp without an issue keeps its place
}

// New returns the active set of a scheduler without warps.
func New(r Rules, name string, reg *stats.Registry) *Set {
	a := &Set{Rules: r, last: 63}
	reg.Count("sm.active.warp_cycles", stats.Cycles, "warps in the active set, summed over cycles", name, &a.warpCycles)
	reg.Count("sm.active.activations", stats.Events, "warps that entered the active set", name, &a.Activations)
	for c := range NumCauses {
		reg.Count("sm.active.suspensions."+causeInfo[c].name, stats.Events, causeInfo[c].doc, name, &a.Suspensions[c])
	}
	return a
}

// Account counts the members of the cycles before now.
func (a *Set) Account(now wire.Cycle) {
	if now < a.since {
		return // without a warp since
	}
	a.warpCycles += (now - a.since) * uint64(bits.OnesCount64(a.Members))
	a.since = now
}

// crowded reports whether there are more warps than places.
func (a *Set) crowded(s *slots.Sets) bool { return bits.OnesCount64(s.Running()) > a.Places }

// full reports whether every place is occupied.
func (a *Set) full() bool { return bits.OnesCount64(a.Members) >= a.Places }

// Leaving returns the members due for suspension as of cycle now, by cause. It
// is called at the beginning of a cycle. A warp waiting for a self-shutting gate
// keeps its place.
func (a *Set) Leaving(s *slots.Sets, now wire.Cycle) (out [NumCauses]uint64) {
	a.Left = 0
	if !a.crowded(s) {
		return out
	}
	out[LongLatency] = a.mustWait(s)
	bar := a.Members & s.Blocked[reason.AtBarrier] &^ s.Latched
	if a.AtBarrier || bar == a.Members && a.full() { // otherwise who is waited for might find no place
		out[barrierWait] = bar &^ out[LongLatency]
	}
	if a.After > 0 {
		for m := a.Members &^ (out[LongLatency] | out[barrierWait] | s.Latched); m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); now >= a.moved[i]+a.After {
				out[stalled] |= 1 << i
			}
		}
	}
	return out
}

// mustWait returns the members waiting for memory: a load has missed or, depending on On,
// the next instruction uses the result of a load. An instruction suspends its warp at most once.
func (a *Set) mustWait(s *slots.Sets) uint64 {
	if a.On == Miss {
		return a.Members & s.Missed &^ (s.Blocked[reason.AtBarrier] | s.Latched)
	}
	m := a.Members & s.Long &^ (a.granted | s.Blocked[reason.AtBarrier] | s.Latched)
	if a.On == MissedUse {
		return m & s.Blocked[reason.Memory] & s.Missed
	}
	if !a.SuspendReady {
		m &= s.Blocked[reason.Memory]
	}
	return m
}

// Barred returns the members that may not issue because they are due for suspension.
func (a *Set) Barred(s *slots.Sets) uint64 {
	if !a.crowded(s) {
		return 0
	}
	return a.mustWait(s)
}

// Due returns the cycle at which the next member will have stalled for too long. Each cycle is returned
// once. Due returns wire.Never if there is no such member, or if its cycle has been returned.
func (a *Set) Due(s *slots.Sets, now wire.Cycle) wire.Cycle {
	if a.After == 0 || !a.crowded(s) {
		return wire.Never
	}
	at := wire.Never
	for m := a.Members; m != 0; m &= m - 1 {
		at = min(at, a.moved[bits.TrailingZeros64(m)]+a.After)
	}
	if at <= now || at == a.told {
		return wire.Never
	}
	a.told = at
	return at
}

// Next returns the next pending warp to activate, in turn, or -1 if there is no free place, or no pending warp
// is new or able to issue. A warp suspended in this cycle cannot become active in the same cycle.
func (a *Set) Next(s *slots.Sets) int {
	if a.full() {
		return -1
	}
	waits := s.StartPending | s.Blocked[reason.AtBarrier]
	if a.On == Miss {
		waits |= s.Missed
	}
	m := s.Running() &^ (a.Members | a.Left | waits) & (s.Clear | s.Fresh&^s.Head)
	if m == 0 {
		return -1
	}
	if after := m &^ (2<<uint(a.last) - 1); after != 0 {
		m = after
	}
	return bits.TrailingZeros64(m)
}

// Start activates a new warp if there are places for all warps, and reports whether it did.
func (a *Set) Start(slot int, s *slots.Sets, now wire.Cycle) bool {
	if a.crowded(s) {
		return false
	}
	a.enter(slot, now)
	return true
}

// Activate makes a pending warp active. The instruction now at the head of its buffer
// does not suspend the warp again.
func (a *Set) Activate(slot int, s *slots.Sets, now wire.Cycle) {
	a.last = slot
	a.granted |= s.Head & (1 << slot)
	a.enter(slot, now)
}

func (a *Set) enter(slot int, now wire.Cycle) {
	a.Members |= 1 << slot
	a.moved[slot] = now
	a.Activations++
}

// Suspend removes a member.
func (a *Set) Suspend(slot int, why Cause) {
	a.Members &^= 1 << slot
	a.Left |= 1 << slot
	a.Suspensions[why]++
}

// Issued records an issue of a member. last: it was the warp's last instruction.
func (a *Set) Issued(slot int, last bool, now wire.Cycle) {
	a.granted &^= 1 << slot
	a.moved[slot] = now
	if last {
		a.Members &^= 1 << slot
	}
}

// Open records the opening of self-shutting gates to warps. Time behind such a gate does not count as
// a stall.
func (a *Set) Open(slots uint64, now wire.Cycle) {
	for ; slots != 0; slots &= slots - 1 {
		a.moved[bits.TrailingZeros64(slots)] = now
	}
}

// Parked removes a warp losing its slot from the active set, and reports whether the warp was active.
func (a *Set) Parked(slot int) (active bool) {
	bit := uint64(1) << slot
	active = a.Members&bit != 0
	a.Members &^= bit
	a.granted &^= bit
	return active
}
