package collector

import (
	"fmt"
	"math/bits"

	"kumiko/components/bypass"
	"kumiko/components/op"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// BypassSpec configures collectors that capture results from a result bus.
type BypassSpec struct {
	Entries int // results followed at once
	// Forward is the number of cycles between the announcement of a result and the arrival of its value at the
	// register file. A result is never announced before the dispatch of its operation.
	Forward int
	Units   []*op.Times // by execution unit; nil: results of the unit are not announced here
	Warps   int         // warp contexts of the SM
	Results int         // most results arriving per cycle
	Notify  bool        // Flying reports the warps with results in flight
}

// Check refuses impossible settings of a bypass.
func (s *BypassSpec) Check() error {
	switch {
	case s.Entries < 1 || s.Entries > 64:
		return spec.Errorf("bypass_entries", s.Entries, "1 to 64 results per sub-core")
	case s.Forward < 0:
		return spec.Errorf("forward", s.Forward, "no negative number")
	case s.Results < 1:
		return spec.Errorf("results", s.Results, "at least 1 per cycle")
	}
	return nil
}

// follower follows results announced before their arrival. A register has at most one such result: an operation
// about to produce a second one is held in its collector.
type follower struct {
	forward     wire.Cycle
	units       []*op.Times  `soft:"constants"`
	free        []wire.Cycle `bits:"8"` // by unit: the first cycle in which it can accept another operation
	table       []expected   `bits:"type"`
	used        uint64       // entries in use
	unannounced uint64       // entries with an unsent announcement
	next        wire.Cycle   // when the first of these is due
	alarm       wire.Cycle   // the cycle of the wake set for next
	flight      [][4]uint64  `bits:"64"` // by warp: registers with a result on its way
	flying      *flying      // nil: not needed
	waiting     uint64       // collectors with a source waiting for a result
	held        uint64       // collectors with all operands, held for a destination
	since       []wire.Cycle `soft:"statistics"` // by collector: since when it is held

	announced, captures, deferred, holds, untracked uint64
}

// expected is a result in flight.
type expected struct {
	inst    *ir.Inst
	due     wire.Cycle // of the announcement
	tag     uint32
	lanes   uint32
	warp    uint16
	sched   uint8
	arrived bool // before it was announced
}

func (x *Set) initBypass(reg *stats.Registry) error {
	s := x.spec.Bypass
	if s == nil {
		return nil
	}
	if err := s.Check(); err != nil {
		return err
	}
	b := &follower{forward: wire.Cycle(s.Forward), units: s.Units, free: make([]wire.Cycle, len(s.Units)),
		table: make([]expected, s.Entries), flight: make([][4]uint64, s.Warps), since: make([]wire.Cycle, len(x.slots))}
	if s.Notify {
		b.flying = &flying{}
		b.flying.signal.Init(&x.Comp, [8]uint64{})
	}
	x.follow = b
	x.Early = make([]wire.OutPort[op.Done], x.spec.Schedulers)
	for i := range x.Early {
		x.Early[i].Init(&x.Comp, fmt.Sprintf("Early[%d]", i))
	}
	x.Result.Init(&x.Comp, "Result", 2*s.Results)
	name := x.Name()
	reg.Count("regfile.bypass.announced", stats.Instructions,
		"results announced before they arrived at the register file", name, &b.announced)
	reg.Count("regfile.bypass.captures", stats.Accesses, "operands captured from result buses: bank reads saved", name,
		&b.captures)
	reg.Count("regfile.bypass.deferred", stats.Accesses,
		"operands read from banks after a wait for a result under way that has only some of their lanes", name,
		&b.deferred)
	reg.Count("regfile.bypass.holds", stats.Cycles,
		"from the last operand until an earlier result for the same destination has arrived, summed over instructions",
		name, &b.holds)
	reg.Count("regfile.bypass.untracked", stats.Instructions,
		"results not announced before they arrived because the bypass tracked bypass_entries others", name,
		&b.untracked)
	return nil
}

// flying is the set of warps with followed results in flight: already announced, or due to be announced before
// their arrival.
type flying struct {
	set    [8]uint64 `bits:"64"`
	signal wire.Signal[[8]uint64]
}

// note records whether a warp has any result in flight.
func (f *flying) note(warp uint16, any bool) {
	bit := uint64(1) << (warp & 63)
	if any {
		f.set[warp>>6] |= bit
	} else {
		f.set[warp>>6] &^= bit
	}
	f.signal.Set(f.set)
}

// Flying reports whether, in the cycle before, a warp had results in flight that the set follows. These are announced
// before their arrival.
func (x *Set) Flying(warp uint16) bool {
	set := x.follow.flying.signal.Get()
	return set[warp>>6]>>(warp&63)&1 != 0
}

// has reports whether a followed result for the register is in flight.
func (b *follower) has(warp uint16, r ir.RegID) bool { return b.flight[warp][r>>6]>>(r&63)&1 != 0 }

// blocks reports whether a followed result for a destination of o is in flight.
func (b *follower) blocks(o *op.Op) bool {
	t := &o.Inst.T
	for _, r := range t.Dst[:t.NDst] {
		if b.has(o.Warp, r) {
			return true
		}
	}
	return false
}

// lanes returns the lanes of the result in flight for a register.
func (b *follower) lanes(warp uint16, r ir.RegID) uint32 {
	for m := b.used; m != 0; m &= m - 1 {
		e := &b.table[bits.TrailingZeros64(m)]
		if e.warp == warp && !e.arrived && writes(e.inst, r) {
			return e.lanes
		}
	}
	panic("collector: a register has a result on its way that is in no entry")
}

func writes(in *ir.Inst, r ir.RegID) bool {
	for _, d := range in.T.Dst[:in.T.NDst] {
		if d == r {
			return true
		}
	}
	return false
}

// divert removes from need the sources of collector c with a result in flight, and makes them wait for the result.
func (x *Set) divert(c int, s *collector, need uint16) uint16 {
	b, o := x.follow, &s.o
	s.capture, s.later = 0, 0
	for m := need; m != 0; m &= m - 1 {
		i := bits.TrailingZeros16(m)
		r := o.Inst.T.Src[i]
		switch {
		case !b.has(o.Warp, r):
			continue
		case o.Exec&^b.lanes(o.Warp, r) == 0:
			s.capture |= 1 << i
		default:
			s.later |= 1 << i // the other lanes are in the bank: read the bank when all lanes are there
		}
	}
	if s.capture|s.later == 0 {
		return need
	}
	b.waiting |= 1 << c
	b.captures += uint64(bits.OnesCount16(s.capture))
	b.deferred += uint64(bits.OnesCount16(s.later))
	return need &^ (s.capture | s.later)
}

// takeResults receives the results from the result bus.
func (x *Set) takeResults(now wire.Cycle) {
	for r := x.Result.Take(); r != nil; r = x.Result.Take() {
		x.arrive(r, now)
	}
}

func (x *Set) arrive(r *bypass.Result, now wire.Cycle) {
	b := x.follow
	b.retire(r, now)
	for m := b.waiting; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if s := &x.slots[c]; s.o.Warp == r.Warp {
			x.capture(c, s, r, now)
		}
	}
	for m := b.held; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if s := &x.slots[c]; s.o.Warp == r.Warp && !b.blocks(&s.o) {
			b.held &^= 1 << c
			b.holds += now - b.since[c]
			x.offer(c, s)
		}
	}
}

// retire ends the flight of an arrived result.
func (b *follower) retire(r *bypass.Result, now wire.Cycle) {
	for m := b.used; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		e := &b.table[i]
		if e.tag != r.Tag {
			continue
		}
		for _, d := range e.inst.T.Dst[:e.inst.T.NDst] {
			b.flight[e.warp][d>>6] &^= 1 << (d & 63)
		}
		if b.flying != nil {
			b.flying.note(e.warp, b.flight[e.warp] != [4]uint64{})
		}
		if b.unannounced>>i&1 != 0 { // sooner than expected
			e.arrived, e.due, b.next = true, now, now
			return
		}
		b.used &^= 1 << i
		return
	}
	panic("collector: a result arrives that was not announced")
}

// capture passes an arrived result to the sources of collector c waiting for it: captured sources are complete, the
// others are now requested from the bank.
func (x *Set) capture(c int, s *collector, r *bypass.Result, now wire.Cycle) {
	b := x.follow
	for m := s.capture | s.later; m != 0; m &= m - 1 {
		i := uint8(bits.TrailingZeros16(m))
		if !writes(r.Inst, s.o.Inst.T.Src[i]) {
			continue
		}
		if s.later>>i&1 != 0 {
			s.later &^= 1 << i
			s.unsent |= 1 << i
			x.unsent |= 1 << c
			continue
		}
		s.capture &^= 1 << i
		s.waiting &^= 1 << i
		if x.spec.Hints != nil {
			x.captured(c, s, i)
		}
		if x.held != nil {
			x.hold(c, s, i, r.Content)
		}
	}
	if s.capture|s.later == 0 {
		b.waiting &^= 1 << c
	}
	if s.waiting == 0 {
		x.complete(c, s, now)
	}
}

// hold stores the content of a value for the source in slot and, without ReadTwice, for its repetitions.
func (x *Set) hold(c int, s *collector, slot uint8, v version.Content) {
	t := &s.o.Inst.T
	h := &x.held[c]
	h[slot] = v
	if x.spec.ReadTwice {
		return
	}
	for i := int(slot) + 1; i < int(t.NSrc); i++ {
		if t.Src[i] == t.Src[slot] {
			h[i] = v
		}
	}
}

// dispatched begins to follow the result of an operation dispatched to its unit.
func (b *follower) dispatched(o *op.Op, now wire.Cycle) {
	times := b.units[o.Unit]
	if times == nil {
		return
	}
	t := &o.Inst.T
	k := times.Of(o.Inst)
	entry := max(now+1, b.free[o.Unit])
	b.free[o.Unit] = entry + wire.Cycle(k.Initiation)
	// Predicates are read at issue, so no operation could wait for them here.
	if t.NDst == 0 || t.Elsewhere() || o.Exec == 0 || k.Latency == 0 {
		return
	}
	i := bits.TrailingZeros64(^b.used)
	if i >= len(b.table) {
		b.untracked++
		return
	}
	o.Announced = true
	due := now
	if arrival := entry + wire.Cycle(k.Latency); arrival > now+b.forward {
		due = arrival - b.forward
	}
	b.table[i] = expected{inst: o.Inst, due: due, tag: o.Tag, lanes: o.Exec, warp: o.Warp, sched: o.Sched}
	b.used |= 1 << i
	if b.unannounced == 0 || due < b.next {
		b.next = due
	}
	b.unannounced |= 1 << i
	for _, d := range t.Dst[:t.NDst] {
		b.flight[o.Warp][d>>6] |= 1 << (d & 63)
	}
	if b.flying != nil {
		b.flying.note(o.Warp, true)
	}
}

// announce sends the due announcements to the schedulers.
func (x *Set) announce(now wire.Cycle) {
	b := x.follow
	if now < b.next {
		x.alarm()
		return
	}
	b.next = wire.Never
	for m := b.unannounced; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		e := &b.table[i]
		if e.due > now {
			b.next = min(b.next, e.due)
			continue
		}
		out := &x.Early[int(e.sched)-x.spec.First]
		if !out.CanPut() {
			b.next = min(b.next, now+1) // woken when there is room
			continue
		}
		out.Put(op.Done{Inst: e.inst, Tag: e.tag, Warp: e.warp})
		b.announced++
		b.unannounced &^= 1 << i
		if e.arrived {
			b.used &^= 1 << i
		}
	}
	if b.unannounced != 0 {
		x.alarm()
	}
}

// alarm wakes the set for the next announcement.
func (x *Set) alarm() {
	if b := x.follow; b.alarm != b.next {
		b.alarm = b.next
		x.WakeAt(b.next)
	}
}
