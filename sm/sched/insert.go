package sched

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/sched/slots"
)

// insertions supports operations inserted into the instruction stream by the register file's design.
var insertions = feature{
	present: func(_ *Config, p *Planes) bool { return p.Inserts != "" },
	build: func(s *Scheduler, at *site) any {
		s.inserts = at.links.Planes.Inserts
		at.reg.Count("sm.inserted_instructions", stats.Instructions,
			"operations issued that the register file's design has put into the instruction stream; they are not "+
				"among the warp instructions", at.name, &s.insertedOps)
		return &insertion{&s.Sets}
	},
	restless: true,
}

type insertion struct{ sets *slots.Sets }

func (i *insertion) head(slot int, _ *warpState, x *program.Inst) {
	i.sets.Beside &^= 1 << slot
	if x != nil && x.Free {
		i.sets.Beside |= 1 << slot
	}
}

// issueBeside issues the inserted operations that need no issue slot. They need no unit either, so of the late reasons
// (reason.Info) only gates and notices can hold them.
func (s *Scheduler) issueBeside(now wire.Cycle) {
	for m := s.Beside & s.Chosen() &^ (s.gates.held() | s.StartPending); m != 0 && s.sideRoom(); m &= m - 1 {
		s.issueInserted(bits.TrailingZeros64(m), now)
	}
}

// issueInserted issues the inserted operation at the head of a slot's buffer. The operation ends
// at issue, and the design is notified.
func (s *Scheduler) issueInserted(slot int, now wire.Cycle) {
	w := s.at(slot)
	f := w.headInst()
	s.insertedOps++
	s.Fresh &^= 1 << slot
	x := &s.prog.Info[f.PC]
	for _, h := range s.issuers {
		h.issued(slot, f, x, 0, now)
	}
	if n := &s.notices; n.events.Has(regfile.WarpInserted) {
		n.put(regfile.WarpNotice{Warp: f.Warp, Event: regfile.WarpInserted,
			PC: f.PC - uint32(len(s.prog.Kernel.Insts))})
	}
	if !x.Free {
		s.policy.Issued(slot)
	}
	s.Notes.Put(message.FetchNote{Warp: f.Warp, Freed: 1, Inserted: true})
	w.first = (w.first + 1) & 7
	w.n--
	s.update(slot, w)
	s.gates.shutAt(regfile.WarpInserted, slot)
}
