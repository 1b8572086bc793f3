package collector

import (
	"kumiko/components/op"
	"kumiko/components/wire"
)

// Event is something that happens to a collector.
type Event uint8

// Events of collectors. An operation without register sources is never Ready:
// it can be dispatched in the cycle after its allocation.
const (
	Allocated  Event = iota // to an operation
	Ready                   // the last operand has arrived
	Dispatched              // the operation went to its execution unit; the collector is free
)

// Observe calls f with every event of the collectors, in its cycle, by the
// goroutine that simulates them. f changes nothing and keeps no pointer.
func (x *Set) Observe(f func(now wire.Cycle, c int, e Event, o *op.Op)) { x.observe = f }

// Len is the number of collectors.
func (x *Set) Len() int { return len(x.slots) }
