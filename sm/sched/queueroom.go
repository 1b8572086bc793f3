package sched

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/memqueue"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// queueRoom is what a scheduler knows of its sub-core's memory queue: how much room there is.
type queueRoom struct {
	Left wire.InPort[op.Taken] // from the grants before the load/store unit
	Read wire.InPort[op.Read]  // from the queue
	Done wire.InPort[op.Done]  // from the queue: of loads without a result

	kind uint8 // of the units that execute memory instructions
	room int
}

func newQueueRoom(c *wire.Comp, spec *Config) *queueRoom {
	q := &queueRoom{kind: spec.Memory, room: spec.Queues.Entries}
	q.Left.Init(c, "Left", 2)
	q.Read.Init(c, "MemoryRead", 4)
	q.Done.Init(c, "MemoryDone", 4)
	return q
}

// takeQueue takes the messages about memory operations that have not reached the load/store unit.
func (s *Scheduler) takeQueue() {
	q := s.Queue
	for q.Left.Head() != nil {
		q.room++
		q.Left.Pop()
	}
	for m := q.Read.Head(); m != nil; m = q.Read.Head() {
		s.hasRead(m)
		q.Read.Pop()
	}
	for m := q.Done.Head(); m != nil; m = q.Done.Head() {
		if s.control != nil {
			s.of(m.Warp).control.dropped(m.Inst.Control.Write)
		}
		s.acknowledged(m.Warp)
		q.Done.Pop()
	}
}

// counts reports whether an operation raises the counters that its control word names for its
// sources and for its result: whether somebody will tell when it has read, and when it is done.
func (q *queueRoom) counts(in *ir.Inst, x *program.Inst) (read, write bool) {
	if q != nil && x.Kind == q.kind {
		return true, x.Result || memqueue.Copies(&in.T)
	}
	return in.T.NSrc > 0, x.Result
}

// without are the given warps but for those whose next instruction goes into the queue.
func (q *queueRoom) without(warps uint64, t *warpTable) uint64 {
	for m := warps &^ t.Local; m != 0; m &= m - 1 {
		if slot := bits.TrailingZeros64(m); t.kindAt(slot) == q.kind {
			warps &^= 1 << slot
		}
	}
	return warps
}

// setApart moves the warps that could issue but for the full queue to those that wait for memory.
func (q *queueRoom) setApart(t *warpTable, st *[reason.Num]uint64) {
	free := q.without(st[reason.Issued], t)
	st[reason.Memory] |= st[reason.Issued] &^ free
	st[reason.Issued] = free
}

// memoryClass reports whether the load/store unit executes a class.
func memoryClass(c ir.Class) bool { return program.FromMemory(c) || c == ir.ClassStore }
