package sm

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// leastNotices is the least capacity of a design's notice ports: as many as one
// cycle's events of a warp, so that they can always be sent together.
const leastNotices = 4

// teller sends a listening register file the notices of a scheduler's warps.
type teller struct {
	out    wire.OutPort[regfile.WarpNotice]
	events regfile.EventSet
	// drained: warps are suspended when they have read their operands.
	drained bool
	// full: something that happens to a warp waits for room. It is then asked
	// again in the next cycle.
	full   bool
	exited uint64 // slots whose exit has been told
}

// Events of one moment.
var (
	startEvents    = regfile.Events(regfile.WarpStarted, regfile.WarpActivated)
	issueEvents    = regfile.Events(regfile.WarpIssued, regfile.WarpAtBarrier)
	releaseEvents  = regfile.Events(regfile.WarpReleased)
	suspendEvents  = regfile.Events(regfile.WarpSuspended)
	activateEvents = regfile.Events(regfile.WarpActivated)
	heldEvents     = regfile.Events(regfile.WarpHeld)
	exitEvents     = regfile.Events(regfile.WarpExited)
	endEvents      = regfile.Events(regfile.WarpFinished)
	insertedEvents = regfile.Events(regfile.WarpInserted)
)

// room reports whether all of the events that the listener wants can be sent.
func (t *teller) room(events regfile.EventSet) bool {
	if t == nil {
		return true
	}
	n := bits.OnesCount16(uint16(t.events & events))
	if n == 0 || t.out.Room() >= n {
		return true
	}
	t.full = true
	return false
}

// tell sends the notice of an event if the listener wants it. There is room.
func (t *teller) tell(e regfile.WarpEvent, warp uint16) {
	if t != nil && t.events.Has(e) {
		t.out.Put(regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// tellOf is tell for an event that has to do with an instruction; f may be nil.
func (t *teller) tellOf(e regfile.WarpEvent, warp uint16, f *Fetched, tag uint32, gate int) {
	if t == nil || !t.events.Has(e) {
		return
	}
	n := regfile.WarpNotice{Warp: warp, Event: e, Tag: tag, Gate: uint8(gate)}
	if f != nil {
		n.Inst, n.PC, n.Exec = f.Inst, f.PC, f.Exec
	}
	t.out.Put(n)
}

// next is the instruction at the head of a slot's buffer, or nil.
func (s *Scheduler) next(slot int) *Fetched {
	if w := s.at(slot); w.n > 0 {
		return w.headInst()
	}
	return nil
}

// noticeStarts begins warps whose start can be noticed.
func (s *Scheduler) noticeStarts(now wire.Cycle) {
	for s.startPending != 0 && s.teller.room(startEvents) {
		slot := bits.TrailingZeros64(s.startPending)
		s.startPending &^= 1 << slot
		s.teller.tell(regfile.WarpStarted, s.context(slot))
		if s.active == nil || s.active.start(slot, &s.slotSets, now) {
			s.shutAt(regfile.WarpActivated, slot)
			s.teller.tell(regfile.WarpActivated, s.context(slot))
		}
	}
}

// release lets warps go on after a barrier, as far as that can be noticed.
func (s *Scheduler) release() {
	if s.parking != nil {
		s.parking.dirty |= s.released
	}
	if s.teller == nil {
		s.waitBar &^= s.released
		s.released = 0
		return
	}
	for s.released != 0 && s.teller.room(releaseEvents) {
		slot := bits.TrailingZeros64(s.released)
		s.waitBar &^= 1 << slot
		s.released &^= 1 << slot
		s.teller.tell(regfile.WarpReleased, s.context(slot))
	}
}

// noteIssue reports an issue to those whom it concerns. tag is 0 for an instruction that ends at issue.
func (s *Scheduler) noteIssue(slot int, f *Fetched, tag uint32, now wire.Cycle) {
	s.fresh &^= 1 << slot
	if s.active != nil {
		s.active.issued(slot, f.Last, now)
	}
	if s.teller == nil {
		return
	}
	s.teller.tellOf(regfile.WarpIssued, f.Warp, f, tag, 0)
	if s.waitBar>>slot&1 != 0 {
		s.teller.tell(regfile.WarpAtBarrier, f.Warp)
	}
}

// tellExit tells once of a warp that has issued its last instruction and reads
// nothing any more. It returns false if that is still to be told.
func (s *Scheduler) tellExit(slot int) bool {
	t, bit := s.teller, uint64(1)<<slot
	switch {
	case !t.events.Has(regfile.WarpExited) || t.exited&bit != 0:
		return true
	case s.at(slot).board.reading != (regSet{}) || !t.room(exitEvents):
		return false
	}
	t.tell(regfile.WarpExited, s.context(slot))
	t.exited |= bit
	return true
}

// tellEnd reports the end of a warp, if nothing of it is left in the register
// file and there is room for that.
func (s *Scheduler) tellEnd(slot int) bool {
	if s.at(slot).board.reading != (regSet{}) || !s.teller.room(endEvents) {
		return false
	}
	s.teller.tell(regfile.WarpFinished, s.context(slot))
	s.teller.exited &^= 1 << slot
	return true
}

// gateBits has, for each instruction, a bit for every gate that holds it.
type gateBits []uint8

// vacatedOf asks a design from which register on warps give theirs up before each
// instruction of a program. It is nil where they never do.
func vacatedOf(vacates func(in *ir.Inst) int, p *Program) []uint16 {
	if vacates == nil {
		return nil
	}
	out, any := make([]uint16, len(p.info)), false
	for pc := range out {
		out[pc] = regfile.NumRegisters
		if pc < len(p.Kernel.Insts) {
			out[pc] = uint16(min(vacates(&p.Kernel.Insts[pc]), regfile.NumRegisters))
		}
		any = any || out[pc] < regfile.NumRegisters
	}
	if !any {
		return nil
	}
	return out
}

// gateBitsOf asks every gate which instructions of a program it holds, inserted
// operations included. It is nil without gates.
func gateBitsOf(gates []regfile.Gate, p *Program) gateBits {
	if len(gates) == 0 {
		return nil
	}
	out := make(gateBits, len(p.info))
	for i, g := range gates {
		for pc := range out {
			in := regfile.InsertedInst()
			if pc < len(p.Kernel.Insts) {
				in = &p.Kernel.Insts[pc]
			}
			if g.Holds == nil || g.Holds(in) {
				out[pc] |= 1 << i
			}
		}
	}
	return out
}
