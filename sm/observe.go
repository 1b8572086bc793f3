package sm

import (
	"kumiko/components/wire"
)

// Observer watches the schedulers of an SM, for a timeline.
//
// Contract: its methods are called by the goroutine that simulates the SM. They
// change nothing and keep no pointer.
type Observer interface {
	// Issued reports an instruction that a scheduler issues. tag is that of its
	// operation, 0 when the instruction ends at issue.
	Issued(now wire.Cycle, f *Fetched, tag uint32)
	// States tells, after every Tick of a scheduler, which of its warps are in
	// which state as of the end of the cycle (bit s: the warp of slot s, whose context
	// is contexts[s]; those of state Issued are ready), how many slots were
	// used, and the reason of those lost. Between two Ticks nothing changes.
	States(now wire.Cycle, sched int, states *[NumReasons]uint64, contexts []uint16, issued int, lost Reason)
	// Aside reports that a warp has lost its slot, or that one without a slot has ended.
	Aside(now wire.Cycle, context uint16, lost bool)
}

// Observe attaches an observer to every scheduler; nil detaches it.
func (m *SM) Observe(o Observer) {
	m.observer = o
	m.attach()
}

// attach lets the schedulers know who watches them.
func (m *SM) attach() {
	o := m.observer
	if m.live != nil {
		m.live.next = o
		o = m.live
	}
	if m.reuse != nil {
		m.reuse.next = o
		o = m.reuse
	}
	if m.windows != nil {
		m.windows.next = o
		o = m.windows
	}
	for _, s := range m.schedulers {
		s.observer = o
	}
}

// Schedulers is the number of warp schedulers; warp context w belongs to
// scheduler w mod Schedulers.
func (m *SM) Schedulers() int { return len(m.schedulers) }

// WarpStates adds the warp-cycles that the SM's warps have spent in each state
// to sum; those of state Issued are of warps that could issue, used or not.
func (m *SM) WarpStates(sum *[NumReasons]uint64) {
	for _, s := range m.schedulers {
		for r, n := range s.account.warps {
			sum[r] += n
		}
	}
}
