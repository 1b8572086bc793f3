package maxwell

import (
	"math/bits"

	"kumiko/components/op"
)

// latches hold, for each execution unit, operations that have read, in order.
type latches struct {
	of    []queue
	units uint64 // that have some
	// reads are notices that the scheduler has yet to get, the oldest first.
	reads [2]op.Read
	owed  int
}

// queue is a ring of operations for a unit.
type queue struct {
	ring     []op.Op
	first, n int
}

func (l *latches) init(s *Spec, units int) {
	l.of = make([]queue, units)
	for u := range l.of {
		l.of[u].ring = make([]op.Op, s.Latches)
	}
}

// room reports whether a unit has a free latch, and the scheduler a place for a notice.
func (l *latches) room(unit uint8) bool {
	return l.of[unit].n < len(l.of[unit].ring) && l.owed < len(l.reads)
}

// put puts an operation behind the others of its unit.
func (l *latches) put(o *op.Op) {
	q := &l.of[o.Unit]
	i := q.first + q.n
	if i >= len(q.ring) {
		i -= len(q.ring)
	}
	q.ring[i] = *o
	q.n++
	l.units |= 1 << o.Unit
}

// notify sends the scheduler the notices that it has room for.
func (x *SubCore) notify() {
	l := &x.latches
	for l.owed > 0 && x.Read.CanPut() {
		x.Read.Put(l.reads[0])
		l.reads[0] = l.reads[1]
		l.owed--
	}
}

// dispatch sends to each unit its next operation. It returns true if some unit has another one.
func (x *SubCore) dispatch() (again bool) {
	for m := x.latches.units; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		out := &x.Ready[u]
		if !out.CanPut() {
			continue // woken when there is room
		}
		q := &x.latches.of[u]
		*out.Slot() = q.ring[q.first]
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
