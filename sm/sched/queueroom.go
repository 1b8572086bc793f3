package sched

import (
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

	kind  uint8  // of the units that execute memory instructions
	heads uint64 // slots whose next instruction goes into the queue
	room  int
	row   reason.Reason
}

// memoryQueues keeps memory instructions from issuing while the sub-core's memory queue is full. Their
// warps wait for memory.
var memoryQueues = feature{
	present: func(c *Config, _ *Planes) bool { return c.Queues.On() },
	reasons: func(*Planes) []reason.Info { return []reason.Info{{As: reason.Memory, Late: true}} },
	build: func(s *Scheduler, at *site) {
		q := &queueRoom{kind: at.config.Memory, room: at.config.Queues.Entries, row: at.rows[0]}
		q.Left.Init(&s.Comp, "Left", 2)
		q.Read.Init(&s.Comp, "MemoryRead", 4)
		q.Done.Init(&s.Comp, "MemoryDone", 4)
		s.Queue = q
	},
}

// takeQueue takes the messages about memory operations that have not reached the load/store unit.
func (s *Scheduler) takeQueue() {
	q := s.Queue
	for q.Left.Head() != nil {
		q.room++
		q.Left.Pop()
	}
	q.block(&s.warpTable)
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

// head notes what is at the head of a slot's buffer; x is nil if nothing is.
func (q *queueRoom) head(t *warpTable, bit uint64, x *program.Inst) {
	q.heads &^= bit
	if x != nil && x.Kind == q.kind {
		q.heads |= bit
	}
	q.block(t)
}

// block keeps the instructions from issuing for which there is no room.
func (q *queueRoom) block(t *warpTable) {
	t.Blocked[q.row] = 0
	if q.room == 0 {
		t.Blocked[q.row] = q.heads
	}
}

// memoryClass reports whether the load/store unit executes a class.
func memoryClass(c ir.Class) bool { return program.FromMemory(c) || c == ir.ClassStore }
