package sm

import (
	"math/bits"

	"kumiko/components/spec"
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

func newPolicy(name string) (Policy, error) {
	switch name {
	case "lrr":
		return &lrr{last: 63}, nil
	case "gto":
		return &gto{last: -1}, nil
	case "oldest":
		return &oldest{}, nil
	}
	return nil, &spec.Error{Key: "scheduler.policy", Found: name, Want: "lrr, gto or oldest"}
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
