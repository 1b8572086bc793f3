// Package policy has the orders of choice among a scheduler's ready warps.
package policy

import (
	"fmt"
	"math/bits"
	"slices"

	"kumiko/sm/sched/slots"
)

// Policy chooses the next warp to issue among the ready warps of one scheduler.
// Warps are named by their slot in the scheduler, 0 to 63.
//
// Contract: Pick is called with a non-empty set and returns a member; it
// changes nothing. Issued is called for every issue, Started and Finished for every
// warp's life. The order of Started calls is the order of age.
type Policy interface {
	Pick(ready uint64) int
	Issued(slot int)
	Started(slot int)
	Finished(slot int)
}

// Narrower is a policy for only some of the warps.
//
// Contract: Eligible is called in each Tick before Pick, and Pick only with members
// of the returned set. Called again without a change of the slots, Eligible
// returns the same set.
type Narrower interface {
	Policy
	Eligible(s *slots.Sets) uint64
}

// Aged is a policy based on the age of warps.
//
// Contract: Resort follows Started for a warp older than its start, such as a returned one. younger reports
// whether the warp is younger than another.
type Aged interface {
	Policy
	Resort(slot int, younger func(other int) bool)
}

// orders has the policies that choose among all warps, by name.
var (
	orders = map[string]func() Policy{}
	names  []string // in the order of their registration
)

// Names returns the names of the policies that choose among all warps.
func Names() []string { return slices.Clone(names) }

// Register adds a policy, which the settings sched.policy and sched.inner then name. order returns the policy of one
// scheduler. Register is called by init functions. It panics if the name is empty or taken.
func Register(name string, order func() Policy) {
	if name == "" || orders[name] != nil {
		panic(fmt.Sprintf("policy: found the name %q, expected one that no other policy has", name))
	}
	orders[name] = order
	names = append(names, name)
}

func init() {
	Register("lrr", func() Policy { return &lrr{last: 63} })
	Register("greedy", func() Policy { return &greedy{lrr: lrr{last: 63}} })
	Register("gto", func() Policy { return &gto{last: -1} })
	Register("cggty", func() Policy { return &cggty{gto{last: -1}} })
	Register("oldest", func() Policy { return &oldest{} })
}

// New returns the policy of a name, choosing among all warps, or nil for an unknown name.
func New(name string) Policy {
	if order := orders[name]; order != nil {
		return order()
	}
	return nil
}

// lrr is loose round robin: the next ready warp after the last one to issue.
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

// greedy stays with the last warp to issue as long as it is ready, then picks the next ready
// warp after it.
type greedy struct {
	lrr
	stay uint64 // the slot of the last warp to issue, unless finished
}

func (p *greedy) Pick(ready uint64) int {
	if ready&p.stay != 0 {
		return p.last
	}
	return p.lrr.Pick(ready)
}
func (p *greedy) Issued(slot int)   { p.last, p.stay = slot, 1<<slot }
func (p *greedy) Finished(slot int) { p.stay &^= 1 << slot }

// oldest picks the warp with the earliest start.
type oldest struct {
	order [64]int8 `bits:"6"` // slots, oldest first
	n     int
	older [64]uint64 `soft:"decoded from order"` // by slot: the slots before it in order
}

func (p *oldest) Pick(ready uint64) int {
	for m := ready; m != 0; {
		slot := bits.TrailingZeros64(m)
		if m = ready & p.older[slot&63]; m == 0 {
			return slot
		}
	}
	panic("sm: a choice among no warps")
}

// sort computes older from order.
func (p *oldest) sort() {
	before := uint64(0)
	for _, slot := range p.order[:p.n] {
		p.older[slot] = before
		before |= 1 << slot
	}
}
func (p *oldest) Issued(int) {}
func (p *oldest) Started(slot int) {
	p.order[p.n] = int8(slot)
	p.n++
	p.sort()
}
func (p *oldest) Resort(slot int, younger func(other int) bool) {
	i := p.n - 1
	for ; i > 0 && !younger(int(p.order[i-1])); i-- {
		p.order[i] = p.order[i-1]
	}
	p.order[i] = int8(slot)
	p.sort()
}
func (p *oldest) Finished(slot int) {
	for i, s := range p.order[:p.n] {
		if int(s) == slot {
			copy(p.order[i:], p.order[i+1:p.n])
			p.n--
			p.sort()
			return
		}
	}
}

// gto is greedy-then-oldest: it stays with the last warp to issue as long as it is ready, then picks
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
