package sched

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// queueRoom tracks the free entries of the sub-core's memory queue.
type queueRoom struct {
	sched *Scheduler

	Left wire.InPort[op.Taken] // from the grants before the load/store unit
	Read wire.InPort[op.Read]  // from the queue
	Done wire.InPort[op.Done]  // from the queue: of loads without a result

	kind  uint8  // kind of the units executing memory instructions
	heads uint64 // slots with a memory instruction next
	room  int
	row   reason.Reason
}

// memoryQueues keeps memory instructions from issuing while the sub-core's memory queue is full. Their
// warps wait for memory.
var memoryQueues = feature{
	present: func(c *Config, _ *Planes) bool { return c.Queues.On() },
	reasons: func(*Planes) []reason.Info {
		return []reason.Info{{As: reason.Memory, Late: true,
			Why: "the memory queue of the sub-core is full"}}
	},
	build: func(s *Scheduler, at *site) any {
		q := &queueRoom{sched: s, kind: at.config.Memory, room: at.config.Queues.Entries, row: at.rows[0]}
		q.Left.Init(&s.Comp, "Left", 2)
		q.Read.Init(&s.Comp, "MemoryRead", 4)
		q.Done.Init(&s.Comp, "MemoryDone", 4)
		s.Queue, s.fromQueue = q, true
		return q
	},
}

// take receives the messages about memory operations before the load/store unit.
func (q *queueRoom) take() {
	s := q.sched
	for q.Left.Head() != nil {
		q.room++
		q.Left.Pop()
	}
	q.block()
	for m := q.Read.Take(); m != nil; m = q.Read.Take() {
		s.hasRead(m)
	}
	for m := q.Done.Take(); m != nil; m = q.Done.Take() {
		s.completed(s.warpOf(m.Warp), m.Inst, m.Tag, resultDone)
		s.acknowledged(m.Warp)
	}
}

func (q *queueRoom) head(slot int, _ *warpState, x *program.Inst) {
	bit := uint64(1) << (slot & 63)
	q.heads &^= bit
	if x != nil && x.Kind == q.kind {
		q.heads |= bit
	}
	q.block()
}

func (q *queueRoom) issued(_ int, _ *message.Fetched, x *program.Inst, tag uint32, _ wire.Cycle) {
	if tag != 0 && x.Kind == q.kind {
		q.room--
		q.block()
	}
}

// block blocks the instructions without room in the queue.
func (q *queueRoom) block() {
	q.sched.Blocked[q.row] = 0
	if q.room == 0 {
		q.sched.Blocked[q.row] = q.heads
	}
}

// memoryClass reports whether the load/store unit executes a class.
func memoryClass(c ir.Class) bool { return program.FromMemory(c) || c == ir.ClassStore }
