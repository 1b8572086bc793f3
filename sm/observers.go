package sm

import (
	"kumiko/sm/reason"
	"kumiko/sm/sched"
)

// Observe attaches an observer to every scheduler; nil detaches it.
func (m *SM) Observe(o sched.Observer) { m.audience.Observe(o) }

// Schedulers is the number of warp schedulers; warp context w belongs to
// scheduler w mod Schedulers.
func (m *SM) Schedulers() int { return len(m.schedulers) }

// WarpStates adds the warp-cycles that the SM's warps have spent in each state
// to sum; those of state Issued are of warps that could issue, used or not.
func (m *SM) WarpStates(sum *[reason.Num]uint64) {
	for _, s := range m.schedulers {
		s.WarpStates(sum)
	}
}
