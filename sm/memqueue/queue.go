package memqueue

import (
	"fmt"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
	"kumiko/memsys/shared"
)

// Queue holds the memory operations of a sub-core until their grants, and transfers results.
type Queue struct {
	wire.Comp

	In     wire.InPort[op.Op]      // from the register file
	Out    wire.OutPort[op.Op]     // to the grants
	Read   wire.OutPort[op.Read]   // to the scheduler
	Back   wire.InPort[op.Result]  // from the load/store unit
	Result wire.OutPort[op.Result] // to the writeback stage
	Done   wire.OutPort[op.Done]   // to the scheduler: of loads without a result

	spec *Spec
	ring []entry `bits:"type"`
	// first and n delimit the queued operations in the ring.
	first, n int
	next     wire.Cycle // when addresses of the next operation can be ready at the earliest
	reads    []reading  `bits:"type" room:"ring"` // sources still to be read
	transfer transfer
	passes   shared.Counter `soft:"of the operation that enters, within a cycle"`

	ops, waited uint64
}

// entry is an operation in the queue.
type entry struct {
	o  op.Op
	at wire.Cycle // when it is put out
}

// reading is an operation with the cycle at which its sources are read.
type reading struct {
	at wire.Cycle
	m  op.Read
}

// transfer is the path of results to the registers.
type transfer struct {
	ring     []arrival `bits:"type"`
	first, n int
	free     wire.Cycle // the cycle from which the path is free
}

// arrival is a result with the cycle of its arrival over the path.
type arrival struct {
	at wire.Cycle
	r  op.Result
}

// Latencies of links to a scheduler: a message put at t is received at t + 1. A message about a
// grant passes the link to the grants first.
const (
	link      = 1
	linkGrant = 2
)

// NewQueue builds the queue of a sub-core.
func NewQueue(name string, d *wire.Domain, s *Spec, reg *stats.Registry) *Queue {
	q := &Queue{spec: s, ring: make([]entry, s.Entries), reads: make([]reading, 0, mostReading),
		transfer: transfer{ring: make([]arrival, mostReturning)}}
	q.Init(name, d, q)
	q.In.Init(&q.Comp, "In", s.Entries)
	q.Out.Init(&q.Comp, "Out")
	q.Read.Init(&q.Comp, "Read")
	q.Back.Init(&q.Comp, "Back", 2)
	q.Result.Init(&q.Comp, "Result")
	q.Done.Init(&q.Comp, "Done")
	reg.Count("sm.memory_queue.operations", stats.Instructions,
		"warp memory instructions that have left a sub-core's memory queue", name, &q.ops)
	reg.Count("sm.memory_queue.waiting", stats.Cycles,
		"from when a memory instruction's addresses are ready to its leaving the sub-core, summed", name, &q.waited)
	return q
}

// mostReading bounds the operations with sources still to be read, mostReturning the results on the
// path. At a bound the input waits.
const (
	mostReading   = 128
	mostReturning = 16
)

// Tick sends the due operations and results, and accepts new ones.
func (q *Queue) Tick(now wire.Cycle) bool {
	q.back(now)
	q.leave(now)
	for o := q.In.Head(); o != nil && q.n < len(q.ring) && len(q.reads) < mostReading; o = q.In.Head() {
		q.enter(o, now)
		q.In.Pop()
	}
	if q.n > 0 && q.ring[q.first].at == now {
		q.leave(now)
	}
	q.notify(now)
	return q.wait(now)
}

// enter accepts an operation, and computes the cycles at which it may leave and its sources are read.
func (q *Queue) enter(o *op.Op, now wire.Cycle) {
	t := &o.Inst.T
	p, w := q.spec.path(t), way(t)
	at := max(o.Issued+wire.Cycle(p.Leave[w])-linkGrant, q.next, now)
	q.next = at + q.every(o, p.Every[w])
	i := q.first + q.n
	if i >= len(q.ring) {
		i -= len(q.ring)
	}
	q.ring[i] = entry{*o, at}
	q.n++
	late := at + linkGrant - o.Issued - wire.Cycle(p.Leave[w]) // by how much addresses are computed later
	read := o.Issued + late - link
	if t.Result() || Copies(t) {
		read += wire.Cycle(p.Loads[w])
	} else {
		read += wire.Cycle(p.Stores[w] + q.spec.Data*int(t.NSrc-t.NAddr))
	}
	q.reads = append(q.reads, reading{max(read, now), op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp}})
}

// every returns the cycles from an operation's leaving to that of the next one: the least number for its addresses, and
// what its data and its passes take on the way between the sub-core and the load/store unit.
func (q *Queue) every(o *op.Op, least int) wire.Cycle {
	t := &o.Inst.T
	if writes(t) {
		least += q.spec.Behind * int(t.NSrc-t.NAddr)
	}
	if q.spec.Pass != 0 && o.Access != nil && passing(t) {
		p := req.Part{Inst: o.Inst, Acc: o.Access, Exec: o.Exec, Mask: o.Exec}
		least = max(least, q.spec.Pass*q.passes.Of(&p))
	}
	return wire.Cycle(least)
}

// passing reports whether an instruction takes passes over the banks of the data array: not a store to global memory,
// which leaves the SM by lines and sectors.
func passing(t *ir.Timing) bool {
	switch t.Space {
	case ir.Shared:
		return !Copies(t)
	case ir.Global, ir.Generic:
		return t.Class == ir.ClassLoad && !Copies(t)
	}
	return false
}

// writes reports whether an instruction is a store or an atomic operation.
func writes(t *ir.Timing) bool { return t.Class == ir.ClassStore || t.Class == ir.ClassAtomic }

// leave puts out the oldest operation if it is due.
func (q *Queue) leave(now wire.Cycle) {
	if q.n == 0 || q.ring[q.first].at > now || !q.Out.CanPut() {
		return
	}
	e := &q.ring[q.first]
	*q.Out.Slot() = e.o
	q.Out.PutSlot()
	q.ops++
	q.waited += now - e.at
	if q.first++; q.first == len(q.ring) {
		q.first = 0
	}
	q.n--
}

// notify reports read sources to the scheduler.
func (q *Queue) notify(now wire.Cycle) {
	for i := 0; i < len(q.reads); {
		if q.reads[i].at > now || !q.Read.CanPut() {
			i++
			continue
		}
		q.Read.Put(q.reads[i].m)
		q.reads = append(q.reads[:i], q.reads[i+1:]...)
	}
}

// back puts results onto the path to the registers, and sends arrived ones on.
func (q *Queue) back(now wire.Cycle) {
	x := &q.transfer
	for r := q.Back.Head(); r != nil && x.n < len(x.ring); r = q.Back.Head() {
		x.free = max(x.free, now) + q.taken(&r.Inst.T)
		i := x.first + x.n
		if i >= len(x.ring) {
			i -= len(x.ring)
		}
		p := q.spec.path(&r.Inst.T)
		x.ring[i] = arrival{x.free + wire.Cycle(p.Return[way(&r.Inst.T)]), *r}
		x.n++
		q.Back.Pop()
	}
	for x.n > 0 && x.ring[x.first].at <= now {
		r := &x.ring[x.first].r
		switch {
		case r.Inst.T.Result() && q.Result.CanPut():
			*q.Result.Slot() = *r
			q.Result.PutSlot()
		case !r.Inst.T.Result() && q.Done.CanPut():
			q.Done.Put(op.Done{Inst: r.Inst, Tag: r.Tag, Warp: r.Warp})
		default:
			return // woken when there is room
		}
		if x.first++; x.first == len(x.ring) {
			x.first = 0
		}
		x.n--
	}
}

// taken returns the cycles for which a result occupies the path to the registers after the last of its data has
// arrived. Data per lane arrives in lines, one per cycle, and the path has transferred the earlier lines
// meanwhile.
func (q *Queue) taken(t *ir.Timing) wire.Cycle {
	registers := int(t.NDst)
	if Copies(t) {
		registers = 1
	}
	n := max(q.spec.path(t).Width*registers, leastTransfer)
	if way(t) == 1 && t.Space != ir.Const {
		n -= min(n-1, max(int(t.Bytes)/4, 1)-1)
	}
	return wire.Cycle(n)
}

// wait sets the alarm for later events. A wait for room needs no alarm, because the port wakes the queue.
func (q *Queue) wait(now wire.Cycle) bool {
	due := wire.Never
	if q.n > 0 {
		if at := q.ring[q.first].at; at > now {
			due = at
		} else if q.Out.CanPut() {
			due = now + 1
		}
	}
	for i := range q.reads {
		due = min(due, max(q.reads[i].at, now+1))
	}
	if x := &q.transfer; x.n > 0 {
		due = min(due, max(x.ring[x.first].at, now+1))
	}
	if q.n < len(q.ring) && q.In.Head() != nil {
		due = now + 1
	}
	if due != wire.Never {
		q.WakeAt(due)
	}
	return false
}

// Waiting describes the contents of the queue.
func (q *Queue) Waiting() string {
	if q.n+q.transfer.n+len(q.reads)+q.In.Len()+q.Back.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d memory operations wait to leave the sub-core, %d results on the way to the registers",
		q.n+q.In.Len(), q.transfer.n+q.Back.Len())
}
