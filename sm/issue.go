package sm

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// issueCycle issues up to the scheduler's width, all from one warp. It returns how many
// slots instructions have taken and how many inserted operations, and whether the
// scheduler has a warp that might issue in the next cycle.
func (s *Scheduler) issueCycle(now wire.Cycle) (issued, inserted int, again bool) {
	slot, kind := -1, uint8(kindNone)
	s.unpaired = false
	if s.beside != 0 {
		s.issueBeside(now)
	}
	for issued+inserted < s.width {
		if s.constants != nil && s.constants.holds(now) {
			break
		}
		ready := s.ready() &^ s.beside
		if s.turns.crowded() {
			ready = s.turns.withRoom(ready, &s.warpTable)
		}
		if s.queue != nil && s.queue.room == 0 {
			ready = s.queue.without(ready, &s.warpTable)
		}
		if slot >= 0 {
			others := ready
			ready &= 1 << slot
			if s.apart && ready != 0 && s.kindAt(slot) == kind && kind != kindNone {
				ready = 0
			}
			if ready == 0 {
				s.unpaired = others != 0
				break
			}
		}
		if ready == 0 || !s.sideRoom() {
			break
		}
		if ready&^s.local != 0 && !s.Issue.CanPut() {
			if ready &= s.local; ready == 0 {
				break
			}
		}
		if s.gates.classes != nil {
			ready = s.gates.urgent(ready)
		}
		if slot = s.policy.Pick(ready); s.constants != nil && !s.hasConstant(slot, now) {
			break
		}
		if s.apart {
			kind = s.kindAt(slot)
		}
		if s.inserts != "" && s.isInserted(slot) {
			s.issueInserted(slot, now)
			inserted++
			continue
		}
		s.issueFrom(slot, now)
		if issued++; s.control != nil && !s.pairing {
			s.unpaired = s.width > 1 && ready&^(1<<slot) != 0
			break
		}
	}
	s.endWarps()
	ready := s.ready()
	return issued, inserted, ready != 0 && (ready&s.local != 0 || issued > 0)
}

// sideRoom reports whether the notes that an issue may cause can be sent.
func (s *Scheduler) sideRoom() bool {
	return s.Notes.CanPut() && s.Arrivals.CanPut() && (s.teller == nil || s.teller.room(issueEvents|insertedEvents))
}

// issueFrom issues the instruction at the head of a slot's buffer.
func (s *Scheduler) issueFrom(slot int, now wire.Cycle) {
	w := s.at(slot)
	f := w.headInst()
	x := &s.prog.info[f.PC]
	s.issuedInsts++
	active := bits.OnesCount32(f.Exec)
	s.issuedLanes += uint64(active)
	s.ignoredFlags += uint64(x.flags)
	s.steady.issued(now, active)
	s.policy.Issued(slot)
	if s.check != nil {
		s.check.Predicates(s.Name(), now, f.Warp, f.Inst, w.predicates)
		s.check.AtIssue(s.Name(), now, f.Warp, f.Inst, f.Exec, x.kind == kindNone)
	}
	tag := uint32(0)
	switch x.class {
	case ir.ClassBarrier:
		if !x.warp && (f.Exec != 0 || !f.Inst.T.Guarded) {
			s.Arrivals.Put(x.bar.arrival(f, w.cta))
			if !x.bar.stay {
				s.waitBar |= 1 << slot
			}
		}
	case ir.ClassAtomic:
		if x.bar.phase != PhaseNone && f.Access != nil {
			s.Arrivals.Put(x.bar.arrival(f, w.cta))
		}
	}
	if x.kind != kindNone && (f.Exec != 0 || !f.Inst.T.Guarded || !x.mem && !x.store) {
		tag = s.send(f, x, w, now)
	}
	if s.control != nil {
		read, write := s.queue.counts(f.Inst, x)
		s.control.issued(slot, &w.control, f.Inst, tag != 0 && read, tag != 0 && write)
		if s.pairing = x.pair; x.pair {
			w.control.ready = s.control.clock
		}
	}
	s.audience.issued(now, f, tag)
	if s.special {
		s.fresh &^= 1 << slot
		if s.active != nil {
			s.active.issued(slot, f.Last, now)
		}
		s.teller.issued(f, tag, s.waitBar>>slot&1 != 0)
	}
	s.Notes.Put(FetchNote{Warp: f.Warp, Freed: 1, Resolved: f.Redirect && !s.atUnit[x.class]})
	if f.Last {
		s.exited |= 1 << slot
		s.Arrivals.Put(Arrive{Warp: f.Warp, CTA: w.cta, Exit: true})
	}
	w.first = (w.first + 1) & 7
	w.n--
	s.update(slot)
}

// send issues an operation to the register file and returns its tag.
func (s *Scheduler) send(f *Fetched, x *instInfo, w *warpState, now wire.Cycle) uint32 {
	o := s.Issue.Slot()
	*o = op.Op{Inst: f.Inst, Access: f.Access, Issued: now, Tag: s.tags.draw(), Exec: f.Exec,
		Warp: f.Warp, Sched: uint8(s.index), Unit: s.turns.draw(x.kind)}
	w.board.issue(f.Inst, x)
	if s.queue != nil && x.kind == s.queue.kind {
		s.queue.room--
	}
	if x.wpreds != 0 {
		w.predicates = o.Tag
	}
	s.check.Issue(o)
	s.Issue.PutSlot()
	return o.Tag
}

// endWarps reports warps that have issued everything and wait for nothing more.
func (s *Scheduler) endWarps() {
	for m := s.exited; m != 0; m &= m - 1 {
		slot := bits.TrailingZeros64(m)
		if s.teller != nil && !s.teller.exit(&s.warpTable, slot) {
			continue
		}
		if !s.at(slot).board.idle() || !s.Ended.CanPut() || s.teller != nil && !s.teller.end(&s.warpTable, slot) {
			continue
		}
		s.Ended.Put(WarpEnd{Warp: s.context(slot)})
		s.exited &^= 1 << slot
		s.live &^= 1 << slot
		s.policy.Finished(slot)
	}
}
