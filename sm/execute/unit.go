// Package execute has the execution pipelines of an SM and the writeback stage, which passes their
// results to the register file.
package execute

import (
	"fmt"
	"slices"

	"kumiko/components/cause"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
)

// Unit is an execution pipeline. It accepts an operation once its initiation
// interval has passed. It sends the result in time to reach the register
// file, through the writeback stage, at the end of the operation's latency.
type Unit struct {
	wire.Comp
	times op.Times `soft:"constants"` // from entry to the sending of the result
	// branchNote: redirecting branches are resolved here.
	branchNote bool
	part       Parts `soft:"constants"`

	In       wire.InPort[op.Op]              // from the register file
	Out      []wire.OutPort[op.Result]       // to the writeback stage of each sub-core
	Branches wire.OutPort[message.FetchNote] // to fetch, if branches are resolved here

	// flight holds the operations in the pipeline, the first to finish first.
	flight []flight `bits:"type"`
	first  int
	n      int
	free   wire.Cycle // first cycle in which an operation may enter

	ops  uint64
	busy uint64
}

type flight struct {
	at wire.Cycle // when the result is sent
	r  op.Result
}

// Parts maps the scheduler of an operation to the output of its result:
// a unit serving several sub-cores has one output for each.
type Parts []uint8

// Count returns the number of outputs.
func (p Parts) Count() int { return int(slices.Max(p)) + 1 }

// StagesToRegfile are the cycles from a unit's send to the arrival at the
// register file: the link to the writeback stage and the one from there.
const StagesToRegfile = 2

// Links has the kind of a unit, the cycles by which its results announce themselves
// before their values are there (see regfile), and the outputs of its results.
type Links struct {
	Kind    string
	Forward int
	Part    Parts
}

// NewUnit builds one execution unit.
func NewUnit(name string, d *wire.Domain, u UnitSpec, links Links, reg *stats.Registry) *Unit {
	kind, part := links.Kind, links.Part
	x := &Unit{part: part}
	longest := 0
	times := u.Times()
	x.times.Product = times.Product
	for c, t := range times.Class {
		x.times.Class[c] = op.Time{Latency: uint16(max(int(t.Latency)-StagesToRegfile-links.Forward, 0)),
			Initiation: t.Initiation}
		longest = max(longest, int(t.Latency))
	}
	x.flight = make([]flight, longest+2)
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", 2)
	x.Out = make([]wire.OutPort[op.Result], part.Count())
	for i := range x.Out {
		x.Out[i].Init(&x.Comp, fmt.Sprintf("Out[%d]", i))
	}
	x.Branches.Init(&x.Comp, "Branches").SetOptional()
	x.Holds(cause.Unit)
	reg.Count("sm.unit."+kind+".operations", stats.Instructions, "warp instructions executed by "+kind+" units", name,
		&x.ops)
	reg.Count("sm.unit."+kind+".busy", stats.Cycles, "cycles in which "+kind+
		" units' inputs were taken (initiation intervals)", name, &x.busy)
	return x
}

// ResolveBranches makes the unit report entering branches to fetch.
func (x *Unit) ResolveBranches() { x.branchNote = true }

// Tick accepts an operation and sends the due results.
func (x *Unit) Tick(now wire.Cycle) bool {
	x.accept(now)
	blocked := x.send(now)
	if x.n == 0 {
		if x.In.Head() != nil {
			x.WakeAt(x.free)
		}
		return false
	}
	next := x.flight[x.first].at
	if x.In.Head() != nil && x.free < next {
		next = x.free
	}
	if !blocked {
		x.WakeAt(next)
	} else if x.In.Head() != nil {
		x.WakeAt(x.free)
	}
	return false
}

func (x *Unit) accept(now wire.Cycle) {
	o := x.In.Head()
	if o == nil || now < x.free || x.n == len(x.flight) {
		return
	}
	t := x.times.Of(o.Inst)
	if x.branchNote && o.Inst.T.Class == ir.ClassBranch {
		if !x.Branches.CanPut() {
			return
		}
		x.Branches.Put(message.FetchNote{Warp: o.Warp, Resolved: true})
	}
	x.free = now + wire.Cycle(t.Initiation)
	x.ops++
	x.busy += uint64(t.Initiation)
	if o.Inst.T.Result() {
		at := now + wire.Cycle(t.Latency)
		f := x.insert(at)
		f.at = at
		o.ResultIn(&f.r)
	}
	x.In.Pop()
}

// insert makes a place for a flight with an end at cycle at. The flights are in the order of their end. Flights with
// the same end keep the order of their entry.
func (x *Unit) insert(at wire.Cycle) *flight {
	last := len(x.flight) - 1
	i := x.first + x.n
	if i > last {
		i -= last + 1
	}
	for n := x.n; n > 0; n-- {
		before := i - 1
		if before < 0 {
			before = last
		}
		if x.flight[before].at <= at {
			break
		}
		x.flight[i] = x.flight[before]
		i = before
	}
	x.n++
	return &x.flight[i]
}

// send sends the due results, one per cycle. It returns true when
// the writeback stage has no room.
func (x *Unit) send(now wire.Cycle) bool {
	if x.n == 0 {
		return false
	}
	f := &x.flight[x.first]
	if f.at > now {
		return false
	}
	out := &x.Out[x.part[f.r.Sched]]
	if !out.CanPut() {
		return true
	}
	*out.Slot() = f.r
	out.PutSlot()
	x.first++
	x.n--
	if x.first == len(x.flight) || x.n == 0 { // empty, it starts over: its first places stay in cache
		x.first = 0
	}
	return false
}

// Waiting reports how many operations the unit holds.
func (x *Unit) Waiting() string {
	if x.n == 0 && x.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d operations executing, %d waiting to enter", x.n, x.In.Len())
}
