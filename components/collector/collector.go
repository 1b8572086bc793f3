package collector

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/bypass"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Set is a set of operand collectors.
type Set struct {
	wire.Comp
	spec  Spec
	check *version.Checker

	Issue   []wire.InPort[op.Op]
	Request wire.OutPort[bank.Request]
	Operand wire.InPort[bank.Value]
	Lines   []wire.InPort[bank.Value] // further operand ports, where the operand network ends at several places
	Ready   []wire.OutPort[op.Op]     // by execution unit; unconnected for units served by no kind
	Read    []wire.OutPort[op.Read]
	Result  wire.InPort[bypass.Result] // with a bypass
	Early   []wire.OutPort[op.Done]    // with a bypass: by scheduler
	Taken   []wire.OutPort[op.Taken]   // with Registers: by scheduler

	Captured wire.OutPort[bank.Capture] // with Hints and a bypass
	Fill     wire.OutPort[bank.Value]   // with Fills

	slots []collector                      `bits:"3*1024+128"`
	held  [][ir.NumSources]version.Content // nil unless checking

	// One bit per collector. unsent: has requests to send. waiting: values are still to arrive. owing: has a Read
	// notice to send. early: has all operands, but must stay longer (Spec.Stages).
	unsent, waiting, owing, early uint64
	firstUnsent                   uint8 // first collector to send: the first that found the port full

	allocator
	dispatcher
	follow *follower // nil without a bypass
	captures

	counts
	observe func(now wire.Cycle, c int, e Event, o *op.Op) // nil: no observer
}

type counts struct {
	ops, operands, merged, latency uint64
	latencies                      stats.Histogram
}

type collector struct {
	o        op.Op
	since    wire.Cycle // allocation, then readiness
	unsent   uint16     // sources to be requested
	waiting  uint16     // sources not there yet
	capture  uint16     // sources waiting for a result in flight
	later    uint16     // sources to be requested once a result has arrived
	captured uint16     // captured sources with an unsent notice to the block before the banks
	least    wire.Cycle // the earliest cycle in which it may be dispatched
}

// New builds a set of collectors. check may be nil.
func New(name string, d *wire.Domain, s Spec, check *version.Checker, reg *stats.Registry) (*Set, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := s.Collectors()
	x := &Set{
		spec: s, check: check, slots: make([]collector, n), allocator: newAllocator(&s),
		Issue: make([]wire.InPort[op.Op], s.Schedulers), Read: make([]wire.OutPort[op.Read], s.Schedulers),
		Ready: make([]wire.OutPort[op.Op], s.Units),
	}
	if check != nil {
		x.held = make([][ir.NumSources]version.Content, n)
	}
	x.Init(name, d, x)
	x.initPorts()
	if err := x.initBypass(reg); err != nil {
		return nil, err
	}
	reg.Count("regfile.collector.operations", stats.Instructions, "warp instructions that passed an operand collector",
		name, &x.ops)
	reg.Count("regfile.collector.operands", stats.Accesses,
		"register operands that collectors received: from banks, from a block before the banks, or captured", name,
		&x.operands)
	reg.Count("regfile.collector.merged_reads", stats.Accesses,
		"reads saved because an instruction names a register twice", name, &x.merged)
	reg.Count("regfile.collector.operand_latency", stats.Cycles,
		"from the allocation of a collector to its last operand, summed over instructions with register sources", name,
		&x.latency)
	reg.Histogram("regfile.collector.operand_latency", stats.Cycles,
		"from the allocation of a collector to its last operand, of instructions with register sources", &x.latencies)
	reg.Count("regfile.collector.dispatch_wait", stats.Cycles,
		"from the last operand until the unit accepts the instruction, summed over instructions", name, &x.dispatchWait)
	reg.Count("regfile.collector.full", stats.Cycles,
		"cycles that an issued instruction waits because no collector that serves its unit is free", name, &x.full)
	return x, nil
}

func (x *Set) initPorts() {
	for i := range x.Issue {
		x.Issue[i].Init(&x.Comp, fmt.Sprintf("Issue[%d]", i), 2*x.spec.Accept)
		x.Read[i].Init(&x.Comp, fmt.Sprintf("Read[%d]", i))
	}
	x.initRegisters()
	x.Request.Init(&x.Comp, "Request")
	x.Operand.Init(&x.Comp, "Operand", x.spec.Room)
	x.Captured.Init(&x.Comp, "Captured").SetOptional()
	x.Fill.Init(&x.Comp, "Fill").SetOptional()
	x.Lines = make([]wire.InPort[bank.Value], x.spec.Lines)
	for i := range x.Lines {
		x.Lines[i].Init(&x.Comp, fmt.Sprintf("Lines[%d]", i), x.spec.Room)
	}
	for u := range x.Ready {
		name := fmt.Sprintf("Ready[%d]", u)
		if x.Serves(u) {
			x.Ready[u].Init(&x.Comp, name)
		} else {
			x.Ready[u].Init(&x.Comp, name).SetOptional()
		}
	}
}

// Tick moves operations from stage to stage, the last stage first.
func (x *Set) Tick(now wire.Cycle) bool {
	last := len(x.Lines) - 1
	x.receive(&x.Operand, now, x.spec.Fills)
	for i := range x.Lines {
		x.receive(&x.Lines[i], now, x.spec.Fills && i != last)
	}
	if x.follow != nil {
		x.takeResults(now)
	}
	if x.captureNotices != 0 {
		x.notifyCaptured()
	}
	if x.early != 0 {
		x.offerDelayed(now)
	}
	if x.owing != 0 {
		x.notify()
	}
	again := x.units != 0 && x.dispatch(now)
	if x.follow != nil && x.follow.unannounced != 0 {
		x.announce(now)
	}
	if x.allocate(now) {
		again = true
	}
	if x.unsent != 0 && x.send() {
		again = true
	}
	return again
}

// receive accepts the arrived values of a port. fill: it also sends them to Fill.
func (x *Set) receive(in *wire.InPort[bank.Value], now wire.Cycle, fill bool) {
	for v := in.Take(); v != nil; v = in.Take() {
		if fill {
			x.Fill.Put(*v) // never full: the port holds all operands the collectors can wait for
		}
		c := int(v.To)
		s := &x.slots[c]
		s.waiting &^= 1 << (v.Slot & 15)
		if x.held != nil {
			x.hold(c, s, v.Slot, v.Content)
		}
		if s.waiting == 0 {
			x.complete(c, s, now)
		}
	}
}

// complete makes collector c ready after the arrival of its last operand.
func (x *Set) complete(c int, s *collector, now wire.Cycle) {
	bit := uint64(1) << (c & 63)
	x.waiting &^= bit
	x.latency += now - s.since
	x.latencies.Add(now - s.since)
	s.since = now
	if x.observe != nil {
		x.observe(now, c, Ready, &s.o)
	}
	if x.spec.Notice {
		x.owing |= bit
	}
	x.offer(c, s)
}

// notify sends the outstanding Read notices.
func (x *Set) notify() {
	for m := x.owing; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		o := &x.slots[c].o
		out := &x.Read[int(o.Sched)-x.spec.First]
		r := out.Offer()
		if r == nil {
			continue // woken when there is room
		}
		r.Inst, r.Tag, r.Warp = o.Inst, o.Tag, o.Warp
		out.PutSlot()
		x.owing &^= 1 << (c & 63)
	}
}

// Event is a change of a collector's state.
type Event uint8

// Events of collectors. An operation without register sources is never Ready:
// it can be dispatched in the cycle after its allocation.
const (
	Allocated  Event = iota // to an operation
	Ready                   // the last operand has arrived
	Dispatched              // the operation went to its execution unit; the collector is free
)

// Observe makes the set call f with every event of the collectors, in its cycle, on the goroutine simulating them.
// f must change nothing and keep no pointer.
func (x *Set) Observe(f func(now wire.Cycle, c int, e Event, o *op.Op)) { x.observe = f }

// Len returns the number of collectors.
func (x *Set) Len() int { return len(x.slots) }
