// Package policy has the orders in which a scheduler chooses among ready warps.
package policy

import (
	"math/bits"

	"kumiko/sm/sched/slots"
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
	Eligible(s *slots.Sets) uint64
}

// Aged is a policy that goes by the age of warps.
//
// Contract: Resort follows Started of a warp that is older than its start. The warp is
// younger only than the warps for which younger reports true.
type Aged interface {
	Policy
	Resort(slot int, younger func(other int) bool)
}

// New is a policy that chooses among all warps.
func New(name string) Policy {
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
	order [64]int8 `bits:"6"` // slots, oldest first
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
