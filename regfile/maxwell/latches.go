package maxwell

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// latches hold, for each execution unit, operations that have read, in order.
type latches struct {
	of    []queue
	units uint64 // that have some
}

// queue is a ring of operations for a unit.
type queue struct {
	ring     []latch
	first, n int
}

// latch is an operation and when it can go.
type latch struct {
	o  op.Op
	at wire.Cycle
}

func (l *latches) init(s *Spec, units int) {
	l.of = make([]queue, units)
	for u := range l.of {
		l.of[u].ring = make([]latch, s.Latches)
	}
}

// room reports whether a unit has a free latch.
func (l *latches) room(unit uint8) bool { return l.of[unit].n < len(l.of[unit].ring) }

// put puts an operation behind the others of its unit.
func (l *latches) put(o *op.Op, at wire.Cycle) {
	q := &l.of[o.Unit]
	i := q.first + q.n
	if i >= len(q.ring) {
		i -= len(q.ring)
	}
	q.ring[i] = latch{*o, at}
	q.n++
	l.units |= 1 << o.Unit
}

// dispatch sends to each unit the operation that is due. It returns true if some unit's next
// one has yet to be.
func (x *SubCore) dispatch(now wire.Cycle) (again bool) {
	for m := x.latches.units; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		q := &x.latches.of[u]
		f := &q.ring[q.first]
		if f.at > now {
			again = true
			continue
		}
		out := &x.Ready[u]
		if !out.CanPut() {
			continue // woken when there is room
		}
		*out.Slot() = f.o
		out.PutSlot()
		if q.first++; q.first == len(q.ring) {
			q.first = 0
		}
		if q.n--; q.n == 0 {
			x.latches.units &^= 1 << u
		} else {
			again = true
		}
	}
	return again
}
