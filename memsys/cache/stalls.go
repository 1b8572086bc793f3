package cache

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Reason is why an access cannot be taken: a reservation failure. Owners have
// reasons of their own besides, from NumReasons on.
type Reason uint8

// Reasons.
const (
	Ready   Reason = iota
	NoLine         // no line of the set may give way: all wait for data, or are of kinds that stay
	NoEntry        // no miss status holding register
	NoMerge        // as many accesses as one register holds wait for the line
	Full           // no room towards the memory behind
	NumReasons
)

var reasonNames = [NumReasons]string{"ready", "no_line", "no_mshr_entry", "no_mshr_merge", "miss_queue"}

// Await sees to it that a component is woken when a reason may have gone that has
// to do with the room behind out, and returns the reason. When there is room for a
// miss and none for a write-back besides, no port reports when there will be.
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

// NewStalls counts the reasons of a core and those of its owner, by name.
func NewStalls(own ...string) Stalls {
	names := append(reasonNames[:], own...)
	return Stalls{names: names, failures: make([]uint64, len(names)), stalled: make([]uint64, len(names))}
}

// Note records why the head waits in a cycle; Ready when it does not. Between two
// notes the reason is the one before.
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

// Head says of the access at the head, in words, why it waits.
func (s *Stalls) Head(cause req.Cause, addr uint64) string {
	return fmt.Sprintf("%s of line %#x at the head: %s", cause, addr, s.names[s.reason])
}

// Waiting reports in words what a core waits for: the lines outstanding from behind,
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

// Register registers the counts of a block under names with a prefix. what is what
// waits, such as "transactions", and at where.
func (s *Stalls) Register(r *stats.Registry, block, prefix, what, where string) {
	for i := NoLine; int(i) < len(s.names); i++ {
		n := s.names[i]
		r.Count(prefix+"reservation_failures."+n, stats.Events, what+" that had to wait "+where+": "+n, block,
			&s.failures[i])
		r.Count(prefix+"stall_cycles."+n, stats.Cycles, "cycles for which "+what+" waited "+where+": "+n, block,
			&s.stalled[i])
	}
}
