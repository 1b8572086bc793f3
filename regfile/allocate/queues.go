package allocate

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// queues hold, for each execution unit, operations of variable latency that have yet to read.
type queues struct {
	of    []queue
	units uint64 // that have some
	n     int    // operations
	last  int    // unit whose operation was allocated last
}

// queue is a ring of operations.
type queue struct {
	ring     []op.Op
	first, n int
}

func (q *queues) init(s *Spec, units int) {
	q.of = make([]queue, units)
	for u := range q.of {
		q.of[u].ring = make([]op.Op, s.Waiting)
	}
}

// room reports whether the queue of a unit has room.
func (q *queues) room(unit uint8) bool { return q.of[unit].n < len(q.of[unit].ring) }

func (q *queues) put(o *op.Op) {
	x := &q.of[o.Unit]
	i := x.first + x.n
	if i >= len(x.ring) {
		i -= len(x.ring)
	}
	x.ring[i] = *o
	x.n++
	q.n++
	q.units |= 1 << o.Unit
}

// serveQueues allocates the operation at the head of one queue, of the units in turn.
func (x *SubCore) serveQueues(now wire.Cycle) {
	q := &x.queues
	later := q.units &^ (1<<(q.last+1) - 1)
	for _, set := range [2]uint64{later, q.units &^ later} {
		for m := set; m != 0; m &= m - 1 {
			u := bits.TrailingZeros64(m)
			c := &q.of[u]
			if !x.reserve(&c.ring[c.first], now) {
				continue
			}
			if c.first++; c.first == len(c.ring) {
				c.first = 0
			}
			if c.n--; c.n == 0 {
				q.units &^= 1 << u
			}
			q.n--
			q.last = u
			return
		}
	}
}
