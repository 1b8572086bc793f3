package sched

import (
	"fmt"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/switching"
)

// ctaSwitch is a scheduler's side of the switcher: it reports the waits of the warps, and
// keeps warps without slots until they end or get slots again.
type ctaSwitch struct {
	sched     *Scheduler
	warps     *warpTable
	gates     *gateSet
	account   *reason.Account
	observers *Observers
	ended     *wire.OutPort[message.WarpEnd] // the scheduler's

	Status      wire.Signal[switching.Status]
	on          bool // CTAs are switched; otherwise only watched
	Deschedule  wire.InPort[switching.Deschedule]
	Descheduled wire.OutPort[switching.Descheduled]
	Woke        wire.OutPort[switching.Woke]
	Back        wire.InPort[switching.Context]

	row     reason.Reason       // slots of the leaving CTA
	away    []switching.Context `bits:"type" room:"cap"` // of the last answer
	lost    bool                // a warp without a slot has its context in shared memory alone
	drained bool                // a CTA that only waits for stores gives up its slots

	stopped uint64   // of switching.Status
	gated   []uint16 `bits:"9" room:"cap"` // contexts without slots, held by gates
	cta     int      // the leaving CTA, or noCTA
}

// noCTA is no CTA.
const noCTA = -1

// ctaWatching reports the waits of a scheduler's warps to the switcher.
var ctaWatching = feature{
	present: func(c *Config, _ *Planes) bool { return c.Switch.Present() },
	build: func(s *Scheduler, _ *site) any {
		p := &ctaSwitch{sched: s, warps: &s.warpTable, gates: &s.gates, account: &s.account, observers: s.observers,
			ended: &s.Ended,
			cta:   noCTA, stopped: ^uint64(0)}
		p.Status.Init(&s.Comp, switching.Status{Stopped: p.stopped})
		s.Switch, s.sorted = p, true
		return p
	},
	restless: true,
}

// ctaSwitching removes CTAs from their slots and returns them to others.
var ctaSwitching = feature{
	present: func(c *Config, _ *Planes) bool { return c.Switch.On() },
	reasons: func(*Planes) []reason.Info {
		return []reason.Info{{Name: "switch",
			Doc: "issue slots lost with a warp ready whose CTA was giving up its slots",
			Why: "its CTA is giving up its slots"}}
	},
	build: func(s *Scheduler, at *site) any {
		p := s.Switch
		p.on, p.lost, p.row = true, at.config.Switch.ContextBytes > 0, at.rows[0]
		p.drained = at.config.Switch.Drained
		p.Deschedule.Init(&s.Comp, "Deschedule", 4)
		p.Descheduled.Init(&s.Comp, "Descheduled")
		p.Woke.Init(&s.Comp, "Woke")
		p.Back.Init(&s.Comp, "Back", 4)
		p.away = make([]switching.Context, 0, len(s.warps))
		s.touched, p.gated = make([]uint16, 0, 2*len(s.warps)), make([]uint16, 0, len(s.warps))
		return &ctaSwitcher{p}
	},
}

// ctaSwitcher carries out the switcher's orders.
type ctaSwitcher struct{ ctaSwitch *ctaSwitch }

func (x *ctaSwitcher) settle(now wire.Cycle) {
	if p := x.ctaSwitch; p.takeOrders() {
		p.sched.vacate(now)
	}
}

// begin reconsiders the gated warps without slots after a change of a gate.
func (x *ctaSwitcher) begin(wire.Cycle) bool {
	if x.ctaSwitch.gates.changed {
		x.ctaSwitch.reconsider()
	}
	return false
}

// release releases a warp without a slot from a barrier.
func (p *ctaSwitch) release(context uint16) {
	p.warps.warpOf(context).pending.barrier = false
	p.warps.touched = append(p.warps.touched, context)
}

// takeOrders receives returned contexts, and begins to remove a CTA's warps from their slots. It reports whether
// these slots can be vacated now, with only memory operations of their warps in flight.
func (p *ctaSwitch) takeOrders() (vacate bool) {
	t := p.warps
	for m := p.Back.Take(); m != nil; m = p.Back.Take() {
		if w := t.warpOf(m.Warp); w.pending.on { // otherwise it has ended meanwhile
			w.predicates = m.Predicates
		}
	}
	if m := p.Deschedule.Head(); m != nil && p.cta == noCTA {
		p.cta = int(m.CTA)
		p.Deschedule.Pop()
		for set := t.Live; set != 0; set &= set - 1 {
			if slot := bits.TrailingZeros64(set); t.at(slot).cta == m.CTA {
				t.Blocked[p.row] |= 1 << slot
			}
		}
	}
	if p.cta == noCTA || !p.Descheduled.CanPut() {
		return false
	}
	t.Blocked[p.row] &= t.Live
	if !p.settled() || !p.gates.notices.roomFor(suspendEvents, bits.OnesCount64(t.Blocked[p.row])) {
		return false
	}
	p.away = p.away[:0]
	return true
}

// settled reports whether the leaving warps have only memory operations in flight, and no notice to the
// register file outstanding.
func (p *ctaSwitch) settled() bool {
	t := p.warps
	wait := t.Freed | t.StartPending | t.Latched | t.Exited&^p.gates.notices.toldExits()
	for set := t.Blocked[p.row]; set != 0; set &= set - 1 {
		slot := bits.TrailingZeros64(set)
		if !t.at(slot).board.Settled() || wait>>slot&1 != 0 {
			return false
		}
	}
	return true
}

// setPending saves the state of a warp about to lose its slot.
func (p *ctaSwitch) setPending(slot int, now wire.Cycle) {
	t := p.warps
	bit, c, w := uint64(1)<<slot, t.context(slot), t.at(slot)
	if active := p.sched.parts.left(slot); active && t.Exited&bit == 0 {
		p.gates.notices.notifyOf(regfile.WarpSuspended, c, t.next(slot), 0, 0)
	}
	p.gates.notices.exited &^= bit
	w.pending = pendingWarp{on: true, exited: t.Exited&bit != 0, barrier: t.Blocked[reason.AtBarrier]&bit != 0}
	if w.n > 0 {
		w.pending.known, w.pending.pc = true, w.headInst().PC
	}
	p.away = append(p.away, switching.Context{Warp: c, Predicates: w.predicates,
		Awaited: intervals.Set(w.board.Pending)})
	if p.lost {
		w.predicates = 0
	}
	p.account.Pending++
	if o := p.observers.observer; o != nil {
		o.Pending(now, c, true)
	}
	t.touched = append(t.touched, c)
}

// vacated reports to the switcher: the CTA has given up its slots.
func (p *ctaSwitch) vacated() {
	p.Descheduled.Put(switching.Descheduled{CTA: uint16(p.cta), Warps: p.away})
	p.warps.Blocked[p.row], p.cta = 0, noCTA
}

// finish reports the warps' states to the switcher at the end of a Tick. It reports whether a report is
// still outstanding.
func (p *ctaSwitch) finish(now wire.Cycle) (more bool) {
	t := p.warps
	for d := t.Dirty & t.Live; d != 0; d &= d - 1 {
		slot := bits.TrailingZeros64(d)
		bit := uint64(1) << slot
		p.stopped &^= bit
		if (t.WaitLong|t.Blocked[reason.AtBarrier])&bit != 0 && t.at(slot).board.Settled() {
			p.stopped |= bit
		}
	}
	t.Dirty = 0
	stopped, drained := p.stopped|t.Exited|^t.Live, uint64(0)
	if p.drained {
		drained = t.Exited & t.Live
	}
	p.Status.Set(switching.Status{Live: t.Live, Stopped: stopped,
		Long:  t.WaitLong & t.Live &^ t.Blocked[reason.AtBarrier] & stopped,
		Gated: p.stoppedByGates() &^ stopped, Fresh: t.Fresh, Drained: drained})
	left := t.touched[:0]
	for _, c := range t.touched {
		if !p.resolve(c, now) {
			left = append(left, c)
		}
	}
	t.touched = left
	// A gate may have opened, or an exit notice been sent, in this cycle.
	return len(left) > 0 || p.cta != noCTA && p.settled()
}

// stoppedByGates returns the slots waiting for a gate alone, with only memory operations
// in flight. Self-shutting gates do not count, because they open soon.
func (p *ctaSwitch) stoppedByGates() (out uint64) {
	if !p.on {
		return 0
	}
	t := p.warps
	for set := t.Asked & p.gates.held() & t.Live &^ t.Latched; set != 0; set &= set - 1 {
		if slot := bits.TrailingZeros64(set); t.at(slot).board.Settled() {
			out |= 1 << slot
		}
	}
	return out
}

// reconsider marks the gated warps without slots for another try.
func (p *ctaSwitch) reconsider() {
	for _, c := range p.gated {
		p.warps.warpOf(c).pending.gated = false
	}
	p.warps.touched = append(p.warps.touched, p.gated...)
	p.gated = p.gated[:0]
}

// resolve reports the end of a warp without a slot, or its ability to issue. It returns
// false while the report is outstanding.
func (p *ctaSwitch) resolve(context uint16, now wire.Cycle) bool {
	w := p.warps.warpOf(context)
	a := &w.pending
	switch {
	case !a.on || a.told:
		return true
	case a.exited:
		return !w.board.Idle() || p.end(context, a, now)
	case !p.warps.couldIssue(w):
		return true
	}
	switch held, told := p.gates.askPending(context, a); {
	case held && told:
		if !a.gated {
			a.gated = true
			p.gated = append(p.gated, context)
		}
		return true
	case held:
		return false
	case !p.Woke.CanPut():
		return false
	}
	p.Woke.Put(switching.Woke{CTA: w.cta})
	a.told = true
	return true
}

// end reports the end of a warp without a slot, and returns false if a port has no room.
func (p *ctaSwitch) end(context uint16, a *pendingWarp, now wire.Cycle) bool {
	listener := p.gates.notices
	if !p.ended.CanPut() || !listener.room(endEvents) {
		return false
	}
	listener.notify(regfile.WarpFinished, context)
	p.ended.Put(message.WarpEnd{Warp: context})
	a.on = false
	p.account.Pending--
	if o := p.observers.observer; o != nil {
		o.Pending(now, context, false)
	}
	return true
}

// waiting describes the wait of the first warp without a slot.
func (p *ctaSwitch) waiting() string {
	t := p.warps
	for i := range t.warps {
		w := &t.warps[i]
		a := &w.pending
		if !a.on {
			continue
		}
		who := fmt.Sprintf("%d warps without slots; warp %d (CTA slot %d)", p.account.Pending, t.contextNumber(i),
			w.cta)
		switch {
		case a.exited:
			return fmt.Sprintf("%s: has ended, waits for %d results and %d stores", who, w.board.Flight, w.board.Stores)
		case a.barrier:
			return who + ": at a barrier"
		case t.couldIssue(w):
			if g := p.gates.shutPending(uint16(t.contextNumber(i)), a); g != noGate {
				return who + ": gate " + p.gates.list[g].name + " holds it"
			}
			return who + ": could issue"
		}
		return fmt.Sprintf("%s: waits for registers %s", who, t.blocking(w, a.pc))
	}
	return ""
}
