package policy

import (
	"math/bits"

	"kumiko/sm/reason"
	"kumiko/sm/sched/slots"
)

// fetchGroups is the two-level scheduler of Narasiman et al. (MICRO 2011, section 4.2). The slots are divided
// into groups of fixed size. Only the warps of the current group issue, round robin, until each of them waits
// for memory, waits at a barrier, or has ended. Then the next group in turn with an able warp becomes current.
// So groups reach their long waits at different times. A warp held by an asking gate of the register file also
// counts as waiting, once the design has been asked: a warp of another group may hold the awaited resource.
type fetchGroups struct {
	lrr
	size    int
	current int // number of the group
}

// NewFetchGroups returns the policy for groups of size slots.
func NewFetchGroups(size int) Narrower { return &fetchGroups{lrr: lrr{last: 63}, size: size} }

// group returns the slots of a group.
func (p *fetchGroups) group(g int) uint64 { return (1<<p.size - 1) << (g * p.size) }

// Eligible implements Narrower.
func (p *fetchGroups) Eligible(s *slots.Sets) uint64 {
	row := &s.Blocked
	able := s.Running() &^ (row[reason.Memory] | row[reason.FencePending] | row[reason.AtBarrier] | s.Asked)
	if able&p.group(p.current) == 0 && able != 0 {
		after := able &^ (1<<((p.current+1)*p.size) - 1)
		if after == 0 {
			after = able
		}
		p.current = bits.TrailingZeros64(after) / p.size
	}
	return p.group(p.current)
}
