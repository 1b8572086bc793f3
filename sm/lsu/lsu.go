// Package lsu has the load/store unit of an SM, with the address path in front of the memory side.
package lsu

import (
	"fmt"

	"kumiko/components/cause"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/sm/execute"
	"kumiko/sm/memqueue"
	"kumiko/sm/message"
)

// Unit is the load/store unit: it passes memory operations from the register
// file through the address path to the SM's memory side, keeps the operations with
// outstanding data, and sends results and store acknowledgements on. An operation
// enters after the initiation interval of the one before it.
type Unit struct {
	wire.Comp

	In     wire.InPort[op.Op]                // from the register file
	ToMem  wire.OutPort[req.Access]          // to the memory side
	Reply  wire.InPort[req.Reply]            // from the memory side
	Out    []wire.OutPort[op.Result]         // to the writeback stage of each sub-core
	Stores []wire.OutPort[message.StoreNote] // to each scheduler

	part execute.Parts `soft:"constants"`
	// copies: sub-cores have memory queues, which report loads without a result to schedulers.
	copies bool
	path   addressPath
	// table holds the outstanding operations. An operation's index is its
	// number to the memory side, so a reply finds it directly.
	table []op.Result  `bits:"type"`
	free  []uint32     `bits:"log(table)"`
	since []wire.Cycle `soft:"statistics"`

	ops     uint64
	busy    uint64
	latency uint64
	loads   uint64
}

// Links has the connections of a load/store unit.
type Links struct {
	Part       execute.Parts // by scheduler, the output of its results
	Schedulers int
	Copies     bool // sub-cores have queues before the unit
}

// New builds the load/store unit of an SM, with the times of a kind of execution unit.
func New(name string, d *wire.Domain, spec Spec, u *execute.UnitSpec, links Links, reg *stats.Registry) *Unit {
	n := spec.Outstanding
	part := links.Part
	l := &Unit{part: part, copies: links.Copies, table: make([]op.Result, n), since: make([]wire.Cycle, n)}
	for i := range n {
		l.free = append(l.free, uint32(n-1-i))
	}
	l.path = newAddressPath(u)
	l.Init(name, d, l)
	l.In.Init(&l.Comp, "In", spec.Queue)
	l.ToMem.Init(&l.Comp, "ToMem")
	l.Reply.Init(&l.Comp, "Reply", 4)
	l.Out = make([]wire.OutPort[op.Result], part.Count())
	for i := range l.Out {
		l.Out[i].Init(&l.Comp, fmt.Sprintf("Out[%d]", i))
	}
	l.Stores = make([]wire.OutPort[message.StoreNote], links.Schedulers)
	for i := range l.Stores {
		l.Stores[i].Init(&l.Comp, fmt.Sprintf("Stores[%d]", i))
	}
	reg.Count("sm.lsu.operations", stats.Instructions, "warp memory instructions sent to the memory side", name, &l.ops)
	reg.Count("sm.lsu.busy", stats.Cycles,
		"cycles in which the load/store unit's input was taken (initiation intervals)", name, &l.busy)
	reg.Count("sm.lsu.load_latency", stats.Cycles,
		"from the load/store unit to the data, summed over warp loads, atomics and texture fetches", name, &l.latency)
	reg.Count("sm.lsu.loads", stats.Instructions, "warp loads, atomics and texture fetches answered", name, &l.loads)
	return l
}

// Tick receives replies and then passes an operation on.
func (l *Unit) Tick(now wire.Cycle) bool {
	for r := l.Reply.Head(); r != nil; r = l.Reply.Head() {
		if !l.reply(r, now) {
			break
		}
		l.Reply.Pop()
	}
	sent := l.path.leave(now, &l.ToMem)
	l.enter(now)
	return l.wait(now, sent)
}

// enter moves the next operation into the address path.
func (l *Unit) enter(now wire.Cycle) {
	o := l.In.Head()
	if o == nil {
		return
	}
	if len(l.free) == 0 || now < l.path.next || l.path.full(&l.ToMem) {
		l.hold(now)
		return
	}
	tag := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	l.table[tag], l.since[tag] = o.Result(), now
	*l.path.slot(now, &l.ToMem) = req.Access{Tag: tag, Inst: o.Inst, Acc: o.Access, Exec: o.Exec, Warp: o.Warp}
	l.path.taken(now, o.Inst.T.Class, &l.ToMem)
	l.busy += l.path.next - now
	l.In.Pop()
	l.ops++
}

// hold states why the next operation cannot enter.
func (l *Unit) hold(now wire.Cycle) {
	switch {
	case now < l.path.next:
		l.Holds(cause.LoadStore)
	case l.path.full(&l.ToMem) && (l.path.n == 0 || l.path.due() <= now):
		l.ToMem.Held()
	case len(l.free) == 0:
		l.Holds(cause.Memory) // the operations outstanding wait for data
	default:
		l.Holds(cause.LoadStore)
	}
}

// wait reports whether the next cycle has work not announced by a port.
// It sets the alarm for later work. A due operation not yet sent waits for
// room, which wakes the unit.
func (l *Unit) wait(now wire.Cycle, sent bool) bool {
	if l.path.n > 0 {
		if at := l.path.due(); at > now {
			l.WakeAt(at)
		} else if sent {
			return true
		}
	}
	if l.path.next > now && len(l.free) > 0 && l.In.Head() != nil {
		l.WakeAt(l.path.next)
	}
	return false
}

// reply completes an operation. It returns false if the receiver of its result or acknowledgement has
// no room.
func (l *Unit) reply(r *req.Reply, now wire.Cycle) bool {
	o := &l.table[r.Tag]
	if r.Missed {
		return l.missed(o)
	}
	if !o.Inst.T.Result() && !(l.copies && memqueue.Copies(&o.Inst.T)) {
		p := &l.Stores[o.Sched]
		if !p.CanPut() {
			return false
		}
		p.Put(message.StoreNote{Warp: o.Warp})
	} else {
		p := &l.Out[l.part[o.Sched]]
		if !p.CanPut() {
			return false
		}
		*p.Slot() = *o
		p.PutSlot()
		l.loads++
		l.latency += now - l.since[r.Tag]
	}
	l.free = append(l.free, r.Tag)
	return true
}

// missed reports an L1 miss of a load to its warp's scheduler. It returns
// false if there is no room for the report.
func (l *Unit) missed(o *op.Result) bool {
	p := &l.Stores[o.Sched]
	switch {
	case !o.Inst.T.Result(): // a prefetch: nothing waits for it
		return true
	case !p.CanPut():
		return false
	}
	p.Put(message.StoreNote{Warp: o.Warp, Missed: true})
	return true
}

// Waiting reports how many operations are outstanding.
func (l *Unit) Waiting() string {
	if len(l.free) == len(l.table) && l.In.Len() == 0 { // the address path holds outstanding ones alone
		return ""
	}
	return fmt.Sprintf("%d memory operations outstanding, %d waiting to enter", len(l.table)-len(l.free), l.In.Len())
}

// Spec configures the load/store unit.
type Spec struct {
	Queue       int `toml:"queue" unit:"operations" range:"1 to 1024" doc:"operations that may wait between the register file and the load/store unit"`
	Outstanding int `toml:"outstanding" unit:"operations" range:"1 to 65536" doc:"warp memory instructions that may be between the load/store unit and their replies"`
}
