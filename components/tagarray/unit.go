package tagarray

import (
	"cmp"
	"fmt"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Action is what a look-up does besides looking.
type Action uint8

// Actions.
const (
	Probe      Action = iota // changes nothing
	Use                      // a hit becomes the most recently used line of its set
	Allocate                 // as Use; a miss takes an entry, whose sectors are then on their way
	Fill                     // sectors of a present line have come
	Invalidate               // drops the line
)

// Lookup asks for the line of an address.
type Lookup struct {
	Addr    uint64
	Tag     uint32 // the requester's own, returned in the answer
	Sectors uint8  // wanted, on their way, or arrived
	Kind    uint8  // of an allocated line
	Kinds   uint16 // kinds of lines that an allocation may replace; 0: all
	Action  Action
}

// Answer is what a look-up found.
type Answer struct {
	Evicted Evicted // by an allocation
	Tag     uint32
	Entry   int32 // -1: the line is not there and has no entry
	// Hit: every sector asked for is valid. Line: the line was there before,
	// with these sectors or others.
	Hit, Line bool
}

// UnitSpec configures a tag array as a component.
type UnitSpec struct {
	Spec
	Ports   int `toml:"ports" unit:"look-ups per cycle" doc:"look-ups that start in one cycle"`
	Latency int `toml:"latency" unit:"cycles" doc:"from a look-up to its answer"`
	Queue   int `toml:"queue" unit:"look-ups" doc:"look-ups that wait to start"`
}

// Unit is a tag array with ports: look-ups in, answers out, in order. Look-ups
// that find the ports of their cycle taken wait, and count as conflicts.
type Unit struct {
	wire.Comp
	spec UnitSpec
	tags *Array

	In  wire.InPort[Lookup]
	Out wire.OutPort[Answer]

	lookups   uint64
	hits      uint64
	conflicts uint64
}

// NewUnit builds a tag array component.
func NewUnit(name, stat string, d *wire.Domain, s UnitSpec, reg *stats.Registry) (*Unit, error) {
	err := cmp.Or(
		spec.InRange("ports", s.Ports, 1, 64),
		spec.InRange("latency", s.Latency, 1, spec.MostCycles),
		spec.InRange("queue", s.Queue, 1, spec.MostQueue),
	)
	if err != nil {
		return nil, err
	}
	tags, err := New(s.Spec)
	if err != nil {
		return nil, err
	}
	u := &Unit{spec: s, tags: tags}
	u.Init(name, d, u)
	u.In.Init(&u.Comp, "In", s.Queue)
	u.Out.Init(&u.Comp, "Out")
	reg.Count(stat+".lookups", stats.Accesses, "tag look-ups", name, &u.lookups)
	reg.Count(stat+".hits", stats.Accesses, "tag look-ups that found every sector valid", name, &u.hits)
	reg.Count(stat+".conflicts", stats.Cycles, "look-up cycles spent waiting for a tag port", name, &u.conflicts)
	return u, nil
}

// Connect joins Out to a port in which answers become visible Latency cycles
// after their look-up.
func (u *Unit) Connect(in *wire.InPort[Answer]) { wire.Connect(&u.Out, in, u.spec.Latency) }

// Tick starts as many look-ups as there are ports.
func (u *Unit) Tick(wire.Cycle) bool {
	for range u.spec.Ports {
		l := u.In.Head()
		if l == nil {
			return false
		}
		if !u.Out.CanPut() {
			return false
		}
		u.Out.Put(u.look(l))
		u.In.Pop()
	}
	waiting := u.In.Len()
	u.conflicts += uint64(waiting)
	return waiting > 0
}

func (u *Unit) look(l *Lookup) Answer {
	u.lookups++
	e := u.tags.Find(l.Addr)
	a := Answer{Tag: l.Tag, Entry: int32(e), Line: e >= 0, Hit: e >= 0 && l.Sectors&^u.tags.Valid(e) == 0}
	if a.Hit {
		u.hits++
	}
	switch {
	case l.Action == Invalidate && a.Line:
		u.tags.Invalidate(e)
	case l.Action == Fill && a.Line:
		u.tags.Fill(e, l.Sectors)
	case l.Action == Use && a.Line, l.Action == Allocate && a.Line:
		u.tags.Touch(e)
		if l.Action == Allocate {
			u.tags.Reserve(e, l.Sectors&^u.tags.Valid(e))
		}
	case l.Action == Allocate:
		u.allocate(l, &a)
	}
	return a
}

func (u *Unit) allocate(l *Lookup, a *Answer) {
	kinds := l.Kinds
	if kinds == 0 {
		kinds = AllKinds
	}
	e := u.tags.VictimAmong(l.Addr, kinds)
	if e < 0 {
		return
	}
	a.Evicted = u.tags.Replace(e, l.Addr, l.Kind)
	u.tags.Reserve(e, l.Sectors)
	a.Entry = int32(e)
}

// Waiting says how many look-ups cannot start.
func (u *Unit) Waiting() string {
	if n := u.In.Len(); n > 0 {
		return fmt.Sprintf("%d look-ups wait for a tag port or for room behind it", n)
	}
	return ""
}
