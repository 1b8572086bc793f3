package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
)

// issueBeside issues the inserted operations that take no issue slot.
func (s *Scheduler) issueBeside(now wire.Cycle) {
	for m := s.Beside & s.Ready(); m != 0 && s.sideRoom(); m &= m - 1 {
		s.issueInserted(bits.TrailingZeros64(m), now)
	}
}

// issueInserted issues the inserted operation at the head of a slot's buffer: it ends
// with that, and the design hears of it.
func (s *Scheduler) issueInserted(slot int, now wire.Cycle) {
	w := s.at(slot)
	f := w.headInst()
	s.insertedOps++
	s.Fresh &^= 1 << slot
	if s.active != nil {
		s.active.Issued(slot, false, now)
	}
	if s.teller != nil && s.teller.events.Has(regfile.WarpInserted) {
		s.teller.out.Put(regfile.WarpNotice{Warp: f.Warp, Event: regfile.WarpInserted,
			PC: f.PC - uint32(len(s.prog.Kernel.Insts))})
	}
	if !s.prog.Info[f.PC].Free {
		s.policy.Issued(slot)
	}
	s.Notes.Put(message.FetchNote{Warp: f.Warp, Freed: 1})
	w.first = (w.first + 1) & 7
	w.n--
	s.update(slot)
	s.gates.shutAt(regfile.WarpInserted, slot)
}
