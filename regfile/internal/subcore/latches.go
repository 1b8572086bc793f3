package subcore

import (
	"fmt"
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// Latches hold, for each execution unit, operations that have read, in order, and notices for the
// scheduler that they have.
type Latches struct {
	Ready []wire.OutPort[op.Op] // by execution unit of the SM; those of other schedulers are not connected
	Read  wire.OutPort[op.Read]

	of    []latch `part:"Latch"`
	units uint64  // that have some
	held  int
	// reads are notices that the scheduler has yet to get, the oldest first.
	reads [mostNotices]op.Read `bits:"type"`
	owed  int
}

// mostNotices are as many as a block may owe before it holds operations back.
const mostNotices = 64

// latch is the latches of a unit.
type latch struct {
	Queue
	promised int // places for operations that are on their way
}

// Init makes so many latches for each of the units.
func (l *Latches) Init(c *wire.Comp, each, units int) {
	l.of, l.Ready = make([]latch, units), make([]wire.OutPort[op.Op], units)
	for u := range l.of {
		l.of[u].Init(each)
		l.Ready[u].InitOptional(c, fmt.Sprintf("Ready[%d]", u))
	}
	l.Read.Init(c, "Read")
}

// Room reports whether a unit has a free latch.
func (l *Latches) Room(unit uint8) bool {
	q := &l.of[unit]
	return q.promised < q.Free()
}

// Owes reports whether the scheduler has so many notices to get that it can be promised only so
// many more.
func (l *Latches) Owes(more int) bool { return l.owed+more > len(l.reads) }

// Promise keeps a latch of a unit for an operation that is to come.
func (l *Latches) Promise(unit uint8) { l.of[unit].promised++ }

// Kept puts an operation into the latch that was kept for it.
func (l *Latches) Kept(o *op.Op) {
	l.of[o.Unit].promised--
	l.Put(o)
}

// Put puts an operation behind the others of its unit, which has room.
func (l *Latches) Put(o *op.Op) {
	l.of[o.Unit].Put(o)
	l.held++
	l.units |= 1 << o.Unit
}

// Notice promises the scheduler a notice that an operation has read.
func (l *Latches) Notice(o *op.Op) {
	l.reads[l.owed] = op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp}
	l.owed++
}

// Held is how many operations wait for their units.
func (l *Latches) Held() int { return l.held }

// Tick sends notices as far as there is room, and to each unit its next operation. It returns true if
// some unit has another one.
func (l *Latches) Tick() (again bool) {
	for l.owed > 0 && l.Read.CanPut() {
		l.Read.Put(l.reads[0])
		copy(l.reads[:], l.reads[1:l.owed])
		l.owed--
	}
	for m := l.units; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		out := &l.Ready[u]
		if !out.CanPut() {
			continue // woken when there is room
		}
		q := &l.of[u]
		*out.Slot() = *q.Head()
		out.PutSlot()
		l.held--
		if q.Pop(); q.Len() == 0 {
			l.units &^= 1 << u
		} else {
			again = true
		}
	}
	return again
}
