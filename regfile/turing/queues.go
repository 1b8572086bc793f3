package turing

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/regfile/internal/subcore"
)

// queues hold, for each execution unit, operations of variable latency waiting to read.
type queues struct {
	of    []subcore.Queue `part:"Queue"`
	units uint64          // units with operations
	n     int             // operations
	last  int             // unit of the last allocated operation
}

func (q *queues) init(s *Spec, units int) {
	q.of = make([]subcore.Queue, units)
	for u := range q.of {
		q.of[u].Init(s.Waiting)
	}
}

// room reports whether the queue of a unit has space.
func (q *queues) room(unit uint8) bool { return q.of[unit].Free() > 0 }

func (q *queues) put(o *op.Op) {
	q.of[o.Unit].Put(o)
	q.n++
	q.units |= 1 << o.Unit
}

// serveQueues allocates the operation at the head of one queue. The units take turns.
func (x *SubCore) serveQueues(now wire.Cycle) {
	q := &x.queues
	later := q.units &^ (1<<(q.last+1) - 1)
	for _, set := range [2]uint64{later, q.units &^ later} {
		for m := set; m != 0; m &= m - 1 {
			u := bits.TrailingZeros64(m)
			c := &q.of[u]
			in := c.Head().Inst
			beside := x.spec.Collect > 0 && !in.T.Class.Memory()
			if beside && now < x.collect || !x.reserve(c.Head(), now) {
				continue
			}
			if beside {
				x.collect = now + wire.Cycle(x.spec.Collect*max(int(in.T.NSrc), 1))
			}
			if c.Pop(); c.Len() == 0 {
				q.units &^= 1 << u
			}
			q.n--
			q.last = u
			return
		}
	}
}
