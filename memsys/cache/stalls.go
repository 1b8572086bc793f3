package cache

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Reason is the reason for refusing an access: a reservation failure. Owners have further
// reasons of their own, from NumReasons on.
type Reason uint8

// Reasons.
const (
	Ready   Reason = iota
	NoLine         // no line of the set may be replaced: all wait for data, or are of protected kinds
	NoEntry        // no miss status holding register
	NoMerge        // as many accesses as one register holds wait for the line
	Full           // no room towards the memory behind
	NumReasons
)

var reasonNames = [NumReasons]string{"ready", "no_line", "no_mshr_entry", "no_mshr_merge", "miss_queue"}

// Await arranges for a component to be woken when a wait for room behind out may have ended, and returns the
// reason. Ports report room only after they were full. With room for a miss, but none for a write-back besides,
// Await wakes the component in the next cycle.
func Await[P any](now wire.Cycle, c *wire.Comp, out *wire.OutPort[P], r Reason) Reason {
	if r == Full && out.CanPut() {
		c.WakeAt(now + 1)
	}
	return r
}

// Stalls counts why the access at the head of an owner's queue waits.
type Stalls struct {
	names  []string
	reason Reason
	since  wire.Cycle

	failures, stalled []uint64 `soft:"statistics"`
}

// NewStalls returns the counts for the reasons of a core and for the owner's own reasons, by name.
func NewStalls(own ...string) Stalls {
	names := append(reasonNames[:], own...)
	return Stalls{names: names, failures: make([]uint64, len(names)), stalled: make([]uint64, len(names))}
}

// Note records the head's reason for waiting in a cycle; Ready if it does not wait. Between two
// calls the earlier reason holds.
func (s *Stalls) Note(now wire.Cycle, r Reason) {
	if r != s.reason {
		s.change(now, r)
	}
}

func (s *Stalls) change(now wire.Cycle, r Reason) {
	if s.reason != Ready {
		s.stalled[s.reason] += now - s.since
	}
	if r != Ready {
		s.failures[r]++
	}
	s.reason, s.since = r, now
}

// Head describes the wait of the access at the head.
func (s *Stalls) Head(cause req.Cause, addr uint64) string {
	return fmt.Sprintf("%s of line %#x at the head: %s", cause, addr, s.names[s.reason])
}

// Waiting describes the waits of a core: the lines outstanding from the next level,
// and its owner's head, if that is not empty.
func (c *Core[T]) Waiting(behind, head string) string {
	switch {
	case head != "":
		return fmt.Sprintf("%d lines from %s, %s", c.Used(), behind, head)
	case c.Used() > 0:
		return fmt.Sprintf("%d lines from %s", c.Used(), behind)
	}
	return ""
}

// Register registers the counts of a block under names with a prefix. In their descriptions `what` is the word for
// the waiting accesses, such as "transactions", and where the place of the wait.
func (s *Stalls) Register(r *stats.Registry, block, prefix, what, where string) {
	for i := NoLine; int(i) < len(s.names); i++ {
		n := s.names[i]
		r.Count(prefix+"reservation_failures."+n, stats.Events, what+" that had to wait "+where+": "+n, block,
			&s.failures[i])
		r.Count(prefix+"stall_cycles."+n, stats.Cycles, "cycles for which "+what+" waited "+where+": "+n, block,
			&s.stalled[i])
	}
}
