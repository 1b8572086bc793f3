package subcore

import (
	"fmt"
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// Latches hold operations with all operands read, in order by execution unit, and the Read notices for the
// scheduler.
type Latches struct {
	Ready []wire.OutPort[op.Op] // by execution unit of the SM; unconnected for units of other schedulers
	Read  wire.OutPort[op.Read]

	of    []latch `part:"Latch"`
	units uint64  // units with operations
	held  int
	// reads holds the unsent notices for the scheduler, the oldest first.
	reads  [mostNotices]op.Read `bits:"type"`
	unsent int
}

// mostNotices is the most unsent notices; beyond it, a block holds operations back.
const mostNotices = 64

// latch is the latches of a unit.
type latch struct {
	Queue
	promised int // latches reserved for operations on their way
}

// Init makes the latches of the given number of units, each latches per unit.
func (l *Latches) Init(c *wire.Comp, each, units int) {
	l.of, l.Ready = make([]latch, units), make([]wire.OutPort[op.Op], units)
	for u := range l.of {
		l.of[u].Init(each)
		l.Ready[u].Init(c, fmt.Sprintf("Ready[%d]", u)).SetOptional()
	}
	l.Read.Init(c, "Read")
}

// Room reports whether a unit has a latch neither occupied nor promised.
func (l *Latches) Room(unit uint8) bool {
	q := &l.of[unit]
	return q.promised < q.Free()
}

// Owes reports whether fewer than more further notices can be queued.
func (l *Latches) Owes(more int) bool { return l.unsent+more > len(l.reads) }

// Promise reserves a latch of a unit for an operation still to come.
func (l *Latches) Promise(unit uint8) { l.of[unit].promised++ }

// Kept puts an operation into its reserved latch.
func (l *Latches) Kept(o *op.Op) {
	l.of[o.Unit].promised--
	l.Put(o)
}

// Put puts an operation behind the others of its unit. There must be a free latch.
func (l *Latches) Put(o *op.Op) {
	l.of[o.Unit].Put(o)
	l.held++
	l.units |= 1 << o.Unit
}

// Notice queues a Read notice for the scheduler: the operation has read its operands.
func (l *Latches) Notice(o *op.Op) {
	l.reads[l.unsent] = op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp}
	l.unsent++
}

// Held returns the number of operations waiting for their units.
func (l *Latches) Held() int { return l.held }

// Tick sends notices until the port is full, and to each unit its next operation. It returns true if some unit has
// another one.
func (l *Latches) Tick() (again bool) {
	for l.unsent > 0 && l.Read.CanPut() {
		l.Read.Put(l.reads[0])
		copy(l.reads[:], l.reads[1:l.unsent])
		l.unsent--
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
