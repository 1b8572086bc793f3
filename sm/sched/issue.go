package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// issueCycle issues up to the scheduler's width. It returns the issue slots used by instructions and by inserted
// operations.
func (s *Scheduler) issueCycle(now wire.Cycle) (issued, inserted int) {
	s.unpaired = false
	if s.Beside != 0 {
		s.issueBeside(now)
	}
	if ready := s.Ready() &^ s.Beside; ready != 0 {
		issued, inserted = s.issueOf(ready, now)
	}
	if s.Exited != 0 {
		s.endWarps()
	}
	return issued, inserted
}

// issueOf is issueCycle with a ready warp. All instructions are from one warp.
func (s *Scheduler) issueOf(ready uint64, now wire.Cycle) (issued, inserted int) {
	kind := uint8(program.NoKind)
	for s.sideRoom() {
		if ready&^s.Local != 0 && !s.Issue.CanPut() {
			if ready &= s.Local; ready == 0 {
				break
			}
		}
		ready = s.rank(ready)
		slot := s.policy.Pick(ready)
		if s.has.admitters && !s.admit(slot, now) {
			break
		}
		if s.apart {
			kind = s.kindAt(slot)
		}
		if s.inserts != "" && s.isInserted(slot) {
			s.issueInserted(slot, now)
			inserted++
		} else {
			s.issueFrom(slot, now)
			if issued++; !s.pairing {
				s.unpaired = s.width > 1 && ready&^(1<<slot) != 0
				break
			}
		}
		if issued+inserted == s.width {
			break
		}
		if ready = s.beside(slot, kind); ready == 0 {
			break
		}
	}
	return issued, inserted
}

// beside returns the slot of the warp issuing in this cycle, if it may issue again, and otherwise the empty set. kind
// is the kind of its last unit where kinds must differ.
func (s *Scheduler) beside(slot int, kind uint8) uint64 {
	others := s.Ready() &^ s.Beside
	ready := others & (1 << slot)
	if s.apart && ready != 0 && s.kindAt(slot) == kind && kind != program.NoKind {
		ready = 0
	}
	s.unpaired = ready == 0 && others != 0
	return ready
}

// admit reports whether the instruction chosen from a slot has everything needed at issue.
func (s *Scheduler) admit(slot int, now wire.Cycle) bool {
	for _, a := range s.admitters {
		if !a.admit(slot, &s.prog.Info[s.at(slot).headInst().PC], now) {
			return false
		}
	}
	return true
}

// sideRoom reports whether there is room for all notes and notices of one issue.
func (s *Scheduler) sideRoom() bool {
	return s.Notes.CanPut() && s.Arrivals.CanPut() && s.notices.room(issueEvents|insertedEvents)
}

// issueFrom issues the instruction at the head of a slot's buffer.
func (s *Scheduler) issueFrom(slot int, now wire.Cycle) {
	w, bit := s.at(slot), uint64(1)<<(slot&63)
	f := w.headInst()
	x := &s.prog.Info[f.PC]
	s.issuedInsts++
	active := bits.OnesCount32(f.Exec)
	s.issuedLanes += uint64(active)
	s.ignoredFlags += uint64(x.Flags)
	s.steady.Issued(now, active)
	s.policy.Issued(slot)
	if s.check != nil {
		s.check.Predicates(s.Name(), now, f.Warp, f.Inst, w.predicates)
		s.check.AtIssue(s.Name(), now, f.Warp, f.Inst, f.Exec, x.Kind == program.NoKind)
	}
	tag := uint32(0)
	switch x.Class {
	case ir.ClassBarrier:
		if !x.Warp && (f.Exec != 0 || !f.Inst.T.Guarded) {
			s.Arrivals.Put(x.Bar.Arrival(f, w.cta))
			if !x.Bar.Stay {
				s.Blocked[reason.AtBarrier] |= bit
			}
		}
	case ir.ClassAtomic:
		if x.Bar.Phase != message.PhaseNone && f.Access != nil {
			s.Arrivals.Put(x.Bar.Arrival(f, w.cta))
		}
	}
	if x.Kind != program.NoKind && (f.Exec != 0 || !f.Inst.T.Guarded || !x.Mem && !x.Store) {
		tag = s.send(f, x, w, now)
	}
	if s.has.issuers {
		for _, h := range s.issuers {
			h.issued(slot, f, x, tag, now)
		}
	}
	s.observers.issued(now, f, tag)
	s.Fresh &^= bit
	if s.notices.events != 0 {
		s.notices.issued(f, tag, s.Blocked[reason.AtBarrier]&bit != 0)
	}
	s.Notes.Put(message.FetchNote{Warp: f.Warp, Freed: 1, Resolved: f.Redirect && s.atUnit>>x.Class&1 == 0})
	if f.Last {
		s.Exited |= bit
		s.Arrivals.Put(message.Arrive{Warp: f.Warp, CTA: w.cta, Exit: true})
	}
	w.first = (w.first + 1) & 7
	w.n--
	s.update(slot, w)
}

// send issues an operation to the register file and returns its tag.
func (s *Scheduler) send(f *message.Fetched, x *program.Inst, w *warpState, now wire.Cycle) uint32 {
	o := s.Issue.Slot()
	o.Inst, o.Access, o.Issued, o.Tag, o.Exec = f.Inst, f.Access, now, s.tags.draw(), f.Exec
	o.Warp, o.Sched, o.Unit, o.Announced = f.Warp, uint8(s.index), s.turns.draw(x.Kind), false
	w.board.Issue(f.Inst, x)
	if x.Wpreds != 0 {
		w.predicates = o.Tag
	}
	s.check.Issue(o)
	s.Issue.PutSlot()
	return o.Tag
}

// endWarps reports the end of exited warps with nothing outstanding.
func (s *Scheduler) endWarps() {
	for m := s.Exited; m != 0; m &= m - 1 {
		slot := bits.TrailingZeros64(m)
		if !s.notices.exit(&s.warpTable, slot) {
			continue
		}
		if !s.at(slot).board.Idle() || !s.Ended.CanPut() || !s.notices.end(&s.warpTable, slot) {
			continue
		}
		s.Ended.Put(message.WarpEnd{Warp: s.context(slot)})
		s.Exited &^= 1 << slot
		s.Live &^= 1 << slot
		s.policy.Finished(slot)
	}
}
