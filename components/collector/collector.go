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
	serve [64]uint64 // collectors that serve each unit

	Issue   []wire.InPort[op.Op]
	Request wire.OutPort[bank.Request]
	Operand wire.InPort[bank.Value]
	Lines   []wire.InPort[bank.Value] // more of the same, where a network ends at several places
	Ready   []wire.OutPort[op.Op]     // by execution unit; those that no kind serves stay unconnected
	Read    []wire.OutPort[op.Read]
	Result  wire.InPort[bypass.Result] // with a bypass
	Early   []wire.OutPort[op.Done]    // with a bypass: by scheduler

	slots []collector
	held  [][ir.NumSources]version.Content // nil unless checking

	// One bit per collector. free: not allocated. unsent: has requests to send.
	// waiting: values are to come. owing: has a Read notice to send. ready, by
	// unit: has all its operands.
	free, unsent, waiting, owing uint64
	ready                        [64]uint64
	readyUnits                   uint64    // units with a ready collector
	turn                         [64]uint8 // collector that goes first, by unit
	first                        int       // Issue port that goes first
	firstUnsent                  uint8     // collector whose requests go first: the first that found no room

	follow *follower // nil without a bypass

	Captured wire.OutPort[bank.Capture] // with Words and a bypass
	Fill     wire.OutPort[bank.Value]   // with Fills
	// One bit per collector. early: has all operands, but not been here for long
	// enough. toTell: has captured an operand of which a guest is to be told.
	early, toTell uint64

	registers []issueRegisters         // by Issue port; nil: what is issued waits in order
	Taken     []wire.OutPort[op.Taken] // with Registers: by scheduler
	blocked   []wire.Cycle             // by Issue port: since when its head finds no collector; 0: it does not wait

	ops, operands, merged, latency, dispatchWait, full uint64

	latencies stats.Histogram
	observe   func(now wire.Cycle, c int, e Event, o *op.Op) // nil: nobody
}

type collector struct {
	o        op.Op
	since    wire.Cycle // allocation, then readiness
	unsent   uint8      // sources to be requested
	waiting  uint8      // sources not there yet
	capture  uint8      // sources that wait for a result on its way
	later    uint8      // sources to be requested once a result has arrived
	captured uint8      // sources captured of which a guest is to be told
	least    wire.Cycle // earliest dispatch
}

// New builds a set of collectors. check may be nil.
func New(name string, d *wire.Domain, s Spec, check *version.Checker, reg *stats.Registry) (*Set, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n := s.Collectors()
	x := &Set{
		spec: s, check: check, slots: make([]collector, n), free: ^uint64(0) >> (64 - n),
		Issue: make([]wire.InPort[op.Op], s.Schedulers), Read: make([]wire.OutPort[op.Read], s.Schedulers),
		Ready: make([]wire.OutPort[op.Op], s.Units), blocked: make([]wire.Cycle, s.Schedulers),
	}
	if check != nil {
		x.held = make([][ir.NumSources]version.Content, n)
	}
	x.assignKinds()
	x.Init(name, d, x)
	x.initPorts()
	if err := x.initBypass(reg); err != nil {
		return nil, err
	}
	reg.Count("regfile.collector.operations", stats.Instructions, "warp instructions that passed an operand collector",
		name, &x.ops)
	reg.Count("regfile.collector.operands", stats.Accesses,
		"register operands that collectors got: read from banks or by a block before them, or captured", name,
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

func (x *Set) assignKinds() {
	c := 0
	for _, k := range x.spec.Kinds {
		for i := 0; i < k.Count; i++ {
			for u := 0; u < x.spec.Units; u++ {
				if k.Units>>u&1 != 0 {
					x.serve[u] |= 1 << c
				}
			}
			c++
		}
	}
}

func (x *Set) initPorts() {
	for i := range x.Issue {
		x.Issue[i].Init(&x.Comp, fmt.Sprintf("Issue[%d]", i), 2*x.spec.Accept)
		x.Read[i].Init(&x.Comp, fmt.Sprintf("Read[%d]", i))
	}
	x.initRegisters()
	x.Request.Init(&x.Comp, "Request")
	x.Operand.Init(&x.Comp, "Operand", x.spec.Room)
	x.Captured.Init(&x.Comp, "Captured")
	x.Fill.Init(&x.Comp, "Fill")
	x.Lines = make([]wire.InPort[bank.Value], x.spec.Lines)
	for i := range x.Lines {
		x.Lines[i].Init(&x.Comp, fmt.Sprintf("Lines[%d]", i), x.spec.Room)
	}
	for u := range x.Ready {
		x.Ready[u].Init(&x.Comp, fmt.Sprintf("Ready[%d]", u))
	}
}

// Serves reports whether some collector of the set serves the unit.
func (x *Set) Serves(unit int) bool { return x.serve[unit] != 0 }

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
	if x.toTell != 0 {
		x.tellCaptured()
	}
	if x.early != 0 {
		x.offerDelayed(now)
	}
	if x.owing != 0 {
		x.notify()
	}
	again := x.readyUnits != 0 && x.dispatch(now)
	if x.follow != nil && x.follow.owed != 0 {
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

// receive takes in the values that have arrived.
func (x *Set) receive(in *wire.InPort[bank.Value], now wire.Cycle, fill bool) {
	for v := in.Head(); v != nil; v = in.Head() {
		if fill {
			x.Fill.Put(*v) // there is room: the port holds what all collectors can wait for
		}
		c := int(v.To)
		s := &x.slots[c]
		s.waiting &^= 1 << v.Slot
		if x.held != nil {
			x.hold(c, s, v.Slot, v.Content)
		}
		if s.waiting == 0 {
			x.complete(c, s, now)
		}
		in.Pop()
	}
}

// complete makes a collector whose operands are all there ready.
func (x *Set) complete(c int, s *collector, now wire.Cycle) {
	bit := uint64(1) << c
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

// offer offers an operation with all its operands to its unit, unless an
// earlier result for one of its destinations is still on its way.
func (x *Set) offer(c int, s *collector) {
	if x.Now() < s.least {
		x.delay(c, s)
		return
	}
	if b := x.follow; b != nil && b.blocks(&s.o) {
		b.held |= 1 << c
		b.since[c] = x.Now()
		return
	}
	x.ready[s.o.Unit] |= 1 << c
	x.readyUnits |= 1 << s.o.Unit
}

// notify sends the Read notices that are owed.
func (x *Set) notify() {
	for m := x.owing; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		o := &x.slots[c].o
		out := &x.Read[int(o.Sched)-x.spec.First]
		if !out.CanPut() {
			continue // woken when there is room
		}
		out.Put(op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp})
		x.owing &^= 1 << c
	}
}

// dispatch gives each unit the next operation that is ready for it. It returns
// true if some unit has more than it could take.
func (x *Set) dispatch(now wire.Cycle) (again bool) {
	for m := x.readyUnits; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		out := &x.Ready[u]
		if !out.CanPut() {
			continue // woken when there is room
		}
		set := x.ready[u] &^ x.owing
		if set == 0 {
			continue
		}
		c := next(set, x.turn[u])
		x.turn[u] = uint8(c+1) & 63
		s := &x.slots[c]
		x.dispatchWait += now - s.since
		if x.held != nil {
			x.compare(c, s, now)
		}
		if x.follow != nil {
			x.follow.dispatched(&s.o, now)
		}
		if x.observe != nil {
			x.observe(now, c, Dispatched, &s.o)
		}
		*out.Slot() = s.o
		out.PutSlot()
		bit := uint64(1) << c
		x.free |= bit
		x.ready[u] &^= bit
		if x.ready[u] == 0 {
			x.readyUnits &^= 1 << u
		} else {
			again = true
		}
	}
	return again
}

// next is the first bit of a non-empty set from turn on, going round.
func next(set uint64, turn uint8) int {
	if later := set >> turn << turn; later != 0 {
		return bits.TrailingZeros64(later)
	}
	return bits.TrailingZeros64(set)
}

// compare shows the operands to the checker.
func (x *Set) compare(c int, s *collector, now wire.Cycle) {
	n := int(s.o.Inst.T.NSrc)
	if n == 0 {
		return
	}
	for i := 0; i < n; i++ {
		x.check.Operand(x.Name(), now, &s.o, i, &x.held[c][i])
	}
	x.check.Retire(s.o.Tag)
}

// allocate gives collectors to operations that have been issued. It returns
// true if an operation waits only for its turn.
func (x *Set) allocate(now wire.Cycle) (again bool) {
	if x.registers != nil {
		return x.allocateByUnit(now)
	}
	lost := -1
	p := x.first
	for n := len(x.Issue); n > 0; n-- {
		in := &x.Issue[p]
		for k := 0; ; k++ {
			o := in.Head()
			if o == nil {
				break
			}
			if k == x.spec.Accept {
				again = true
				break
			}
			set := x.serve[o.Unit] & x.free
			if set == 0 {
				if x.blocked[p] == 0 {
					x.mustServe(o)
					x.blocked[p] = now
				}
				if lost < 0 {
					lost = p
				}
				break
			}
			if x.blocked[p] != 0 {
				x.full += now - x.blocked[p]
				x.blocked[p] = 0
			}
			if x.take(bits.TrailingZeros64(set), o, now) {
				again = true
			}
			in.Pop()
		}
		if p++; p == len(x.Issue) {
			p = 0
		}
	}
	if lost >= 0 {
		x.first = lost
	}
	return again
}

func (x *Set) mustServe(o *op.Op) {
	if x.serve[o.Unit] == 0 {
		panic(fmt.Sprintf("collector: %s: operation %d of scheduler %d is for unit %d, which no collector here serves",
			x.Name(), o.Tag, o.Sched, o.Unit))
	}
}

// take allocates a collector. It returns true if the operation is ready at once.
func (x *Set) take(c int, o *op.Op, now wire.Cycle) bool {
	s := &x.slots[c]
	bit := uint64(1) << c
	s.o, s.since, s.least = *o, now, 0
	if x.spec.Stages > 0 {
		s.least = now + 1 + wire.Cycle(x.spec.Stages)
	}
	x.free &^= bit
	x.ops++
	if x.observe != nil {
		x.observe(now, c, Allocated, &s.o)
	}
	t := &o.Inst.T
	if t.NSrc == 0 {
		x.offer(c, s)
		return s.least == 0
	}
	need := uint8(1)<<t.NSrc - 1
	if !x.spec.ReadTwice {
		need = x.distinct(t)
	}
	s.waiting = need
	x.operands += uint64(bits.OnesCount8(need))
	x.waiting |= bit
	if x.follow != nil {
		need = x.divert(c, s, need)
	}
	if s.unsent = need; need != 0 {
		x.unsent |= bit
	}
	return false
}

// distinct has the sources that are not the same register as an earlier one.
func (x *Set) distinct(t *ir.Timing) uint8 {
	need := uint8(1)
	for i := uint8(1); i < t.NSrc; i++ {
		need |= 1 << i
		for j := uint8(0); j < i; j++ {
			if t.Src[j] == t.Src[i] {
				need &^= 1 << i
				x.merged++
				break
			}
		}
	}
	return need
}
