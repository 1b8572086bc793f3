package turing

import (
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

// SubCore is the register file of one scheduler.
type SubCore struct {
	// Its gate is closed while Allocate holds an instruction, or Control holds one waiting for space in a queue.
	subcore.Core

	spec     *Spec
	units    []unit `bits:"8"`
	control  stage
	allocate stage
	queues   queues
	collect  wire.Cycle // first cycle in which an operation beside the arithmetic may read
	ports    calendar
	window   []reading `bits:"type" room:"32"` // operations reading their operands
	cache    cache
	upper    []upperWord `soft:"checker"`
	hops     hops        `soft:"checker"`
	late     bool
	promised bool // the result of the next operation of fixed latency is in the timetable
	counters
}

// unit is an execution unit as seen by Allocate.
type unit struct {
	times *op.Times  // nil: the sub-cores share it
	timed bool       // all its operations begin and end as reserved in the timetable
	free  wire.Cycle // first cycle in which it can accept an operation
	holds *[ir.NumClasses]uint64
}

// stage holds one operation, if it is full.
type stage struct {
	o    op.Op
	full bool
}

// newSubCore builds the next sub-core of a file.
func newSubCore(f *File) *SubCore {
	env, s := f.Env, &f.spec
	x := &SubCore{spec: s, hops: s.hops(), units: make([]unit, len(env.Units)), window: make([]reading, 0, 4*maxWindow)}
	for u := range env.Units {
		if env.Units[u].Sched != regfile.Shared {
			x.units[u].times = env.Units[u].Times
			x.units[u].timed = env.Controlled && env.Units[u].Fixed
			x.units[u].holds = env.Units[u].Holds
		}
	}
	x.Init(&f.File, x)
	x.queues.init(s, len(env.Units))
	x.ports.init(s)
	x.cache.init(s)
	x.counters.register(x.Name(), env.Stats)
	x.Register("allocate", "cycles in which an instruction is held because the bank has too few free ports", env.Stats)
	return x
}

// Tick writes, reads, and moves operations on, the last stage first. Then it decides whether an operation is held
// in the next cycle.
func (x *SubCore) Tick(now wire.Cycle) bool {
	for n := x.Notices.Take(); n != nil; n = x.Notices.Take() {
		x.cache.forget(n.Warp)
	}
	x.ports.pass(now)
	again := x.Results.Tick(now)
	if len(x.upper) > 0 {
		x.compareUpper(now)
	}
	x.finish(now)
	again = x.Latches.Tick() || again
	x.leaveControl()
	if x.allocate.full && x.reserve(&x.allocate.o, now) {
		x.allocate.full = false
	}
	if x.queues.n > 0 {
		x.serveQueues(now)
	}
	if o := x.Issue.Head(); o != nil && !x.control.full {
		x.control = stage{*o, true}
		x.operations++
		x.Issue.Pop()
	}
	x.hold(now)
	return again || x.control.full || x.allocate.full || x.queues.n > 0 || len(x.window) > 0 || len(x.upper) > 0
}

// fixed reports whether an operation is of fixed latency.
func (x *SubCore) fixed(o *op.Op) bool {
	return x.units[o.Unit].times != nil && x.spec.fixedClass(o.Inst.T.Class)
}

// leaveControl moves the operation in Control on if its next stage has space.
func (x *SubCore) leaveControl() {
	c := &x.control
	switch {
	case !c.full:
	case x.fixed(&c.o):
		if !x.allocate.full {
			x.allocate, c.full = *c, false
		}
	case x.queues.room(c.o.Unit):
		x.queues.put(&c.o)
		c.full = false
	}
}

// hold closes the gate if an operation will be held in the next cycle. An instruction issued then would find
// Control taken if the scheduler has issued now, and its result would be later than its control word says.
func (x *SubCore) hold(now wire.Cycle) {
	late := false
	switch {
	case x.allocate.full:
		late = !x.fits(&x.allocate.o, now+1)
	case x.control.full && x.fixed(&x.control.o):
		late = !x.fits(&x.control.o, now+1)
	}
	if x.control.full && !x.fixed(&x.control.o) && !x.queues.room(x.control.o.Unit) {
		late = true
	}
	if late {
		x.held++
	}
	if late == x.late {
		return
	}
	x.late = late
	x.Halt(late)
}

// Waiting describes the operations and results held by the sub-core.
func (x *SubCore) Waiting() string {
	held := len(x.window) + x.queues.n
	for _, s := range []*stage{&x.control, &x.allocate} {
		if s.full {
			held++
		}
	}
	return x.Report(held)
}
