package sm

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// activeSet is the first level of a two-level scheduler (Gebhart et al., ISCA
// 2011, section 3.2): the few warps among which the scheduler chooses. The
// others are pending. While the scheduler has no more warps than places, every
// one is active from its start to its end.
//
// It decides; the scheduler carries out, for a notice may have to wait.
type activeSet struct {
	activeRules

	members uint64
	left    uint64         // left in this cycle
	granted uint64         // the instruction at the head may issue even if it is a long consumer
	last    int            // slot that took a place last, in turn
	moved   [64]wire.Cycle // last issue or activation
	told    wire.Cycle     // the cycle for which the scheduler has last been woken

	since       wire.Cycle
	warpCycles  uint64
	activations uint64
	suspensions [numCauses]uint64
}

// cause is why a warp leaves the active set.
type cause uint8

const (
	longLatency cause = iota
	barrierWait
	stalled
	numCauses
)

var causeInfo = [numCauses]struct{ name, doc string }{
	{"long_latency", "warps suspended because their next instruction uses the result of a long-latency operation or, " +
		"with sched.suspend_on=miss, because a load has missed the L1"},
	{"barrier", "warps suspended because they wait at a barrier"},
	{"stall", "warps suspended because they have not issued for sched.suspend_after cycles"},
}

// activeRules say how many warps are active and when one leaves the active set.
type activeRules struct {
	places       int        // of a scheduler
	suspendReady bool       // a long-latency result suspends the warp using the result even if it is there
	atMiss       bool       // a miss suspends a warp; otherwise the first use of its result
	atBarrier    bool       // a barrier suspends every warp waiting there
	after        wire.Cycle // 0: a warp without an issue keeps its place
}

func newActiveSet(r activeRules, name string, reg *stats.Registry) *activeSet {
	a := &activeSet{activeRules: r, last: 63}
	reg.Count("sm.active.warp_cycles", stats.Cycles, "warps in the active set, summed over cycles", name, &a.warpCycles)
	reg.Count("sm.active.activations", stats.Events, "warps that entered the active set", name, &a.activations)
	for c := range numCauses {
		reg.Count("sm.active.suspensions."+causeInfo[c].name, stats.Events, causeInfo[c].doc, name, &a.suspensions[c])
	}
	return a
}

// account counts the members of the cycles before now.
func (a *activeSet) account(now wire.Cycle) {
	if now < a.since {
		return // without a warp since
	}
	a.warpCycles += (now - a.since) * uint64(bits.OnesCount64(a.members))
	a.since = now
}

// crowded reports whether there are more warps than places.
func (a *activeSet) crowded(s *slotSets) bool { return bits.OnesCount64(s.running()) > a.places }

// full reports whether every place is taken.
func (a *activeSet) full() bool { return bits.OnesCount64(a.members) >= a.places }

// leaving are the members that are to be suspended as of cycle now, by cause. It
// is asked at the beginning of a cycle. A warp that waits for a gate which shut by
// itself keeps its place.
func (a *activeSet) leaving(s *slotSets, now wire.Cycle) (out [numCauses]uint64) {
	a.left = 0
	if !a.crowded(s) {
		return out
	}
	out[longLatency] = a.mustWait(s)
	bar := a.members & s.waitBar &^ s.latched
	if a.atBarrier || bar == a.members && a.full() { // otherwise who is waited for might find no place
		out[barrierWait] = bar &^ out[longLatency]
	}
	if a.after > 0 {
		for m := a.members &^ (out[longLatency] | out[barrierWait] | s.latched); m != 0; m &= m - 1 {
			if i := bits.TrailingZeros64(m); now >= a.moved[i]+a.after {
				out[stalled] |= 1 << i
			}
		}
	}
	return out
}

// mustWait are the members that wait for memory: a load has missed or, where that
// counts, the next instruction uses the result of one. That suspends a warp once.
func (a *activeSet) mustWait(s *slotSets) uint64 {
	if a.atMiss {
		return a.members & s.missed &^ (s.waitBar | s.latched)
	}
	m := a.members & s.long &^ (a.granted | s.waitBar | s.latched)
	if !a.suspendReady {
		m &= s.waitMem
	}
	return m
}

// barred are the members that may not issue because they are to be suspended.
func (a *activeSet) barred(s *slotSets) uint64 {
	if !a.crowded(s) {
		return 0
	}
	return a.mustWait(s)
}

// due is the cycle in which the next member will have stalled for too long,
// each told once; wire.Never: there is none, or it has been told.
func (a *activeSet) due(s *slotSets, now wire.Cycle) wire.Cycle {
	if a.after == 0 || !a.crowded(s) {
		return wire.Never
	}
	at := wire.Never
	for m := a.members; m != 0; m &= m - 1 {
		at = min(at, a.moved[bits.TrailingZeros64(m)]+a.after)
	}
	if at <= now || at == a.told {
		return wire.Never
	}
	a.told = at
	return at
}

// next is the pending warp whose turn it is to become active, or -1: there is
// no place, or none that could issue and none that is new. Who left in this
// cycle cannot come back in it.
func (a *activeSet) next(s *slotSets) int {
	if a.full() {
		return -1
	}
	m := s.running() &^ (a.members | a.left | s.startPending | s.waitBar | s.missed) & (s.clear | s.fresh&^s.head)
	if m == 0 {
		return -1
	}
	if after := m &^ (2<<uint(a.last) - 1); after != 0 {
		m = after
	}
	return bits.TrailingZeros64(m)
}

// start gives a warp that has just begun a place if there is one for everybody.
func (a *activeSet) start(slot int, s *slotSets, now wire.Cycle) bool {
	if a.crowded(s) {
		return false
	}
	a.enter(slot, now)
	return true
}

// activate gives the pending warp whose turn it is a place. What it issues
// first suspends it no more.
func (a *activeSet) activate(slot int, s *slotSets, now wire.Cycle) {
	a.last = slot
	a.granted |= s.head & (1 << slot)
	a.enter(slot, now)
}

func (a *activeSet) enter(slot int, now wire.Cycle) {
	a.members |= 1 << slot
	a.moved[slot] = now
	a.activations++
}

// suspend takes a member's place away.
func (a *activeSet) suspend(slot int, why cause) {
	a.members &^= 1 << slot
	a.left |= 1 << slot
	a.suspensions[why]++
}

// issued notes that a member has issued, last: for the last time.
func (a *activeSet) issued(slot int, last bool, now wire.Cycle) {
	a.granted &^= 1 << slot
	a.moved[slot] = now
	if last {
		a.members &^= 1 << slot
	}
}

// open notes that gates which shut by themselves have been opened to warps. They have not
// stalled so long.
func (a *activeSet) open(slots uint64, now wire.Cycle) {
	for ; slots != 0; slots &= slots - 1 {
		a.moved[bits.TrailingZeros64(slots)] = now
	}
}
