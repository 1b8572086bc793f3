package sm

import (
	"kumiko/kernel/stream"
	"kumiko/sm/reason"
	"kumiko/sm/sched"
)

// Observe attaches an observer to every scheduler; nil detaches it.
func (m *SM) Observe(o sched.Observer) {
	m.observer = o
	m.observers.Observe(o)
}

// Observer returns the observer attached to every scheduler; nil: none is.
func (m *SM) Observer() sched.Observer { return m.observer }

// Listen adds a listener to the instructions issued by every scheduler.
func (m *SM) Listen(l sched.IssueListener) { m.observers.Count(l) }

// Schedulers returns the number of warp schedulers; warp context w belongs to
// scheduler w mod Schedulers.
func (m *SM) Schedulers() int { return len(m.schedulers) }

// WarpStates adds the warp-cycles spent in each state by the SM's warps
// to sum. State Issued counts all warps able to issue, chosen or not.
func (m *SM) WarpStates(sum *[reason.Num]uint64) {
	for _, s := range m.schedulers {
		s.WarpStates(sum)
	}
}

// FlushCode drops the lines of the SM's instruction cache. The caches of sub-cores are emptied at every
// launch anyway. Nothing may be in flight.
func (m *SM) FlushCode() {
	m.fetch.Flush()
	if m.l1i != nil {
		m.l1i.Flush()
	}
}

// Streams calls f for each warp of the SM with something left to fetch. next is the number of the first run of its
// stream not begun yet. It is meant for observers of the stopped machine.
func (m *SM) Streams(f func(w *stream.Warp, next int)) { m.fetch.Streams(f) }
