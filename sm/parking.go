package sm

import (
	"fmt"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
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

	dirty   uint64   // slots of which the status is to be worked out anew
	stopped uint64   // of switching.Status
	touched []uint16 // contexts without slots of which something has been heard
	cta     int      // the CTA that gives up its slots, or nobody
}

// aside is what a scheduler keeps of a warp without a slot, beside the scoreboard. Results,
// acknowledgements and releases from barriers still come for it, and it may end so.
type aside struct {
	on      bool
	exited  bool
	barrier bool   // waits at one
	known   bool   // the next instruction was in the buffer, at pc
	told    bool   // the switcher knows that it could issue
	pc      uint32 // of that instruction
}

// park gives the scheduler what the switcher wants of it.
func (s *Scheduler) park(on bool) {
	p := &parking{cta: nobody, on: on}
	s.parking, s.special = p, true
	p.status.Init(&s.Comp, switching.Status{Stopped: ^uint64(0)})
	p.stopped = ^uint64(0)
	if !on {
		return
	}
	p.Park.Init(&s.Comp, "Park", 4)
	p.Parked.Init(&s.Comp, "Parked")
	p.Woke.Init(&s.Comp, "Woke")
	p.touched = make([]uint16, 0, len(s.warps))
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

// takeParks begins to take a CTA's warps from their slots, and ends that when nothing
// but memory operations of them is under way.
func (s *Scheduler) takeParks() {
	p := s.parking
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
	p.Parked.Put(switching.Parked{CTA: uint16(p.cta), Warps: uint16(bits.OnesCount64(s.leaving))})
	for set := s.leaving; set != 0; set &= set - 1 {
		s.setAside(bits.TrailingZeros64(set))
	}
	s.leaving, p.cta = 0, nobody
}

// setAside takes a warp from its slot.
func (s *Scheduler) setAside(slot int) {
	bit, c, w := uint64(1)<<slot, s.context(slot), s.at(slot)
	w.aside = aside{on: true, exited: s.exited&bit != 0, barrier: s.waitBar&bit != 0}
	if w.n > 0 {
		w.aside.known, w.aside.pc = true, w.headInst().PC
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
	if s.observer != nil {
		s.observer.Aside(s.Now(), c, true)
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
	p.status.Set(switching.Status{Live: s.live, Stopped: stopped, Long: s.waitLong & s.live &^ s.waitBar & stopped, Fresh: s.fresh})
	left := p.touched[:0]
	for _, c := range p.touched {
		if !s.settle(c) {
			left = append(left, c)
		}
	}
	p.touched = left
	return len(left) > 0
}

// settle tells of a warp without a slot that it has ended, or could issue. It returns
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
		if !s.Ended.CanPut() {
			return false
		}
		s.Ended.Put(WarpEnd{Warp: context})
		a.on = false
		s.account.parked--
		if s.observer != nil {
			s.observer.Aside(s.Now(), context, false)
		}
		return true
	case !s.couldIssue(w):
		return true
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
	if wait, _ := w.board.blocks(x); wait {
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
			return who + ": could issue"
		}
		return fmt.Sprintf("%s: waits for registers %s", who, w.board.blocking(&s.prog.info[a.pc]))
	}
	return ""
}
