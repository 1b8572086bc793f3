package sm

import (
	"fmt"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

// parking is what a scheduler has for the switcher: it says what its warps wait for,
// and takes those of a CTA from their slots.
type parking struct {
	status wire.Signal[switching.Status]
	on     bool // CTAs are switched; otherwise only watched
	Park   wire.InPort[switching.Park]
	Parked wire.OutPort[switching.Parked]
	Woke   wire.OutPort[switching.Woke]
	Back   wire.InPort[switching.Context]

	away []switching.Context // of the last answer
	lost bool                // a warp without a slot has its context in shared memory alone

	dirty   uint64   // slots of which the status is to be computed anew
	stopped uint64   // of switching.Status
	touched []uint16 // contexts without slots of which something has been heard
	gated   []uint16 // contexts without slots that gates keep from issuing
	cta     int      // the CTA that gives up its slots, or nobody
}

// aside is what a scheduler keeps of a warp without a slot, beside the scoreboard. Results,
// acknowledgements and releases from barriers still come for it, and it may end so.
type aside struct {
	on      bool
	exited  bool
	barrier bool   // waits at one
	known   bool   // the next instruction was in the buffer, at pc
	asked   uint8  // gates that have been asked for it
	gated   bool   // one keeps it from issuing
	told    bool   // the switcher knows that it could issue
	pc      uint32 // of that instruction
}

// park gives the scheduler what the switcher wants of it.
func (s *Scheduler) park(spec *switching.Spec) {
	p := &parking{cta: nobody, on: spec.On(), lost: spec.ContextBytes > 0}
	s.parking, s.special = p, true
	p.status.Init(&s.Comp, switching.Status{Stopped: ^uint64(0)})
	p.stopped = ^uint64(0)
	if !p.on {
		return
	}
	p.Park.Init(&s.Comp, "Park", 4)
	p.Parked.Init(&s.Comp, "Parked")
	p.Woke.Init(&s.Comp, "Woke")
	p.Back.Init(&s.Comp, "Back", 4)
	p.away = make([]switching.Context, 0, len(s.warps))
	p.touched, p.gated = make([]uint16, 0, 2*len(s.warps)), make([]uint16, 0, len(s.warps))
}

// touch notes that something of a warp has ended.
func (s *Scheduler) touch(context uint16, slot int) {
	if slot != noSlot {
		s.parking.dirty |= 1 << slot
		return
	}
	s.parking.touched = append(s.parking.touched, context)
}

// releaseAside lets a warp without a slot go on after a barrier.
func (s *Scheduler) releaseAside(context uint16) {
	s.of(context).aside.barrier = false
	s.touch(context, noSlot)
}

// takeParks takes contexts that have come back. It begins to take a CTA's warps from
// their slots, and ends that when nothing but memory operations of them is under way.
func (s *Scheduler) takeParks() {
	p := s.parking
	for m := p.Back.Head(); m != nil; m = p.Back.Head() {
		if w := s.of(m.Warp); w.aside.on { // otherwise it has ended meanwhile
			w.predicates = m.Predicates
		}
		p.Back.Pop()
	}
	if m := p.Park.Head(); m != nil && p.cta == nobody {
		p.cta = int(m.CTA)
		p.Park.Pop()
		for set := s.live; set != 0; set &= set - 1 {
			if slot := bits.TrailingZeros64(set); s.at(slot).cta == m.CTA {
				s.leaving |= 1 << slot
			}
		}
	}
	if p.cta == nobody || !p.Parked.CanPut() {
		return
	}
	s.leaving &= s.live
	for set := s.leaving; set != 0; set &= set - 1 {
		slot := bits.TrailingZeros64(set)
		if !s.at(slot).board.settled() || (s.released|s.startPending)>>slot&1 != 0 {
			return
		}
	}
	p.away = p.away[:0]
	for set := s.leaving; set != 0; set &= set - 1 {
		s.setAside(bits.TrailingZeros64(set))
	}
	p.Parked.Put(switching.Parked{CTA: uint16(p.cta), Warps: p.away})
	s.leaving, p.cta = 0, nobody
}

// setAside takes a warp from its slot.
func (s *Scheduler) setAside(slot int) {
	bit, c, w := uint64(1)<<slot, s.context(slot), s.at(slot)
	w.aside = aside{on: true, exited: s.exited&bit != 0, barrier: s.waitBar&bit != 0}
	if w.n > 0 {
		w.aside.known, w.aside.pc = true, w.headInst().PC
	}
	s.parking.away = append(s.parking.away, switching.Context{Warp: c, Predicates: w.predicates})
	if s.parking.lost {
		w.predicates = 0
	}
	w.first, w.n = 0, 0
	w.life++
	s.update(slot) // there is nothing at the head
	s.live &^= bit
	s.exited &^= bit
	s.waitBar &^= bit
	s.fresh &^= bit
	s.policy.Finished(slot)
	s.slotOf[c] = noSlot
	s.account.parked++
	if o := s.audience.observer; o != nil {
		o.Aside(s.Now(), c, true)
	}
	s.parking.touched = append(s.parking.touched, c)
}

// takeReturned gives the warps of a CTA that had no slots theirs, as far as they have
// not ended meanwhile.
func (s *Scheduler) takeReturned(m *WarpsStart) {
	set := m.Slots
	for _, c := range m.Contexts {
		if int(c)%s.count != s.index {
			continue
		}
		slot := bits.TrailingZeros64(set)
		bit := uint64(1) << slot
		set &= set - 1
		w := s.of(c)
		if !w.aside.on {
			continue
		}
		s.seat(c, slot)
		s.lookFrom(c, slot)
		s.live |= bit
		s.fresh |= bit
		if w.aside.exited {
			s.exited |= bit
		}
		if w.aside.barrier {
			s.waitBar |= bit
		}
		w.aside = aside{}
		s.account.parked--
		s.policy.Started(slot)
		s.sortByAge(slot)
		s.update(slot)
	}
}

// sortByAge keeps the age that a warp has from its launch.
func (s *Scheduler) sortByAge(slot int) {
	if p, ok := s.policy.(Aged); ok {
		age := s.at(slot).age
		p.Resort(slot, func(other int) bool { return age > s.at(other).age })
	}
}

// tellSwitcher says, at the end of a Tick, what the warps do. It returns whether
// something is still to be said.
func (s *Scheduler) tellSwitcher() (more bool) {
	p := s.parking
	for d := p.dirty & s.live; d != 0; d &= d - 1 {
		slot := bits.TrailingZeros64(d)
		bit := uint64(1) << slot
		p.stopped &^= bit
		if (s.waitLong|s.waitBar)&bit != 0 && s.at(slot).board.settled() {
			p.stopped |= bit
		}
	}
	p.dirty = 0
	stopped := p.stopped | s.exited | ^s.live
	p.status.Set(switching.Status{Live: s.live, Stopped: stopped, Long: s.waitLong & s.live &^ s.waitBar & stopped,
		Gated: s.stoppedByGates() &^ stopped, Fresh: s.fresh})
	left := p.touched[:0]
	for _, c := range p.touched {
		if !s.settle(c) {
			left = append(left, c)
		}
	}
	p.touched = left
	return len(left) > 0
}

// stoppedByGates are the slots that wait for nothing but a gate, with nothing but memory
// operations under way.
func (s *Scheduler) stoppedByGates() (out uint64) {
	if !s.parking.on {
		return 0
	}
	for set := s.parked & s.gated & s.live; set != 0; set &= set - 1 {
		if slot := bits.TrailingZeros64(set); s.at(slot).board.settled() {
			out |= 1 << slot
		}
	}
	return out
}

// reconsider looks again at the warps without slots that gates keep from issuing.
func (s *Scheduler) reconsider() {
	p := s.parking
	for _, c := range p.gated {
		s.of(c).aside.gated = false
	}
	p.touched = append(p.touched, p.gated...)
	p.gated = p.gated[:0]
}

// shutAside is the first gate that keeps a warp without a slot from issuing, or none.
func (s *Scheduler) shutAside(context uint16, a *aside) int {
	if a.known && s.held != nil {
		for i := range s.gates {
			if s.held[a.pc]>>i&1 != 0 && s.gates[i].shut.seen.Has(int(context)) {
				return i
			}
		}
	}
	return noGate
}

// noGate is no gate.
const noGate = -1

// askAside asks, for a warp without a slot, a gate that keeps it from issuing. held: one
// does; told: nothing is left to be asked.
func (s *Scheduler) askAside(context uint16, a *aside) (held, told bool) {
	i := s.shutAside(context, a)
	switch {
	case i == noGate:
		return false, true
	case !s.gates[i].asks || a.asked>>i&1 != 0:
		return true, true
	case !s.teller.room(heldEvents):
		return true, false
	}
	a.asked |= 1 << i
	s.teller.out.Put(regfile.WarpNotice{Inst: &s.prog.Kernel.Insts[a.pc], PC: a.pc, Warp: context,
		Event: regfile.WarpHeld, Gate: uint8(i)})
	return true, true
}

// settle reports that a warp without a slot has ended, or could issue. It returns
// false if that is still to be told.
func (s *Scheduler) settle(context uint16) bool {
	w := s.of(context)
	a := &w.aside
	switch {
	case !a.on || a.told:
		return true
	case a.exited:
		if !w.board.idle() {
			return true
		}
		if !s.Ended.CanPut() || !s.teller.room(endEvents) {
			return false
		}
		s.teller.tell(regfile.WarpFinished, context)
		s.Ended.Put(WarpEnd{Warp: context})
		a.on = false
		s.account.parked--
		if o := s.audience.observer; o != nil {
			o.Aside(s.Now(), context, false)
		}
		return true
	case !s.couldIssue(w):
		return true
	}
	switch held, told := s.askAside(context, a); {
	case held && told:
		if !a.gated {
			a.gated = true
			s.parking.gated = append(s.parking.gated, context)
		}
		return true
	case held:
		return false
	case !s.parking.Woke.CanPut():
		return false
	}
	s.parking.Woke.Put(switching.Woke{CTA: w.cta})
	a.told = true
	return true
}

// couldIssue reports whether a warp without a slot could issue if it had one.
func (s *Scheduler) couldIssue(w *warpState) bool {
	a := &w.aside
	if a.barrier || !a.known {
		return !a.barrier
	}
	x := &s.prog.info[a.pc]
	if wait, _, _ := s.blocks(w, a.pc, x); wait {
		return false
	}
	return x.class != ir.ClassFence || !w.board.unfenced()
}

// waitingAside says what the first of the warps without slots waits for.
func (s *Scheduler) waitingAside() string {
	if s.account.parked == 0 {
		return ""
	}
	for i := range s.warps {
		w := &s.warps[i]
		a := &w.aside
		if !a.on {
			continue
		}
		who := fmt.Sprintf("%d warps without slots; warp %d (CTA slot %d)", s.account.parked, s.contextNumber(i), w.cta)
		switch {
		case a.exited:
			return fmt.Sprintf("%s: has ended, waits for %d results and %d stores", who, w.board.flight, w.board.stores)
		case a.barrier:
			return who + ": at a barrier"
		case s.couldIssue(w):
			if g := s.shutAside(uint16(s.contextNumber(i)), a); g != noGate {
				return who + ": gate " + s.gates[g].name + " holds it"
			}
			return who + ": could issue"
		}
		return fmt.Sprintf("%s: waits for registers %s", who, s.blocking(w, a.pc))
	}
	return ""
}
