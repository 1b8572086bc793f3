package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
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
	exited uint64        // slots whose exit has been told
	row    reason.Reason // slots whose start is still to be told
}

// startNotices tells a listening register file of warps. Warps start when there is room for that.
var startNotices = feature{
	present: func(_ *Config, p *Planes) bool { return len(p.Notices.Warp) > 0 && p.Notices.Events != 0 },
	reasons: func(*Planes) []reason.Info { return []reason.Info{{As: reason.Issued, Late: true}} },
	build: func(s *Scheduler, at *site) {
		n := &at.links.Planes.Notices
		if n.Warp[s.index] == nil {
			return
		}
		s.teller = &teller{events: n.Events, drained: n.Drained, row: at.rows[0]}
		s.teller.out.Init(&s.Comp, "Notices")
		wire.Connect(&s.teller.out, n.Warp[s.index], 1)
		s.gates.teller, s.special = s.teller, true
	},
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
func (t *teller) tellOf(e regfile.WarpEvent, warp uint16, f *message.Fetched, tag uint32, gate int) {
	if t == nil || !t.events.Has(e) {
		return
	}
	n := regfile.WarpNotice{Warp: warp, Event: e, Tag: tag, Gate: uint8(gate)}
	if f != nil {
		n.Inst, n.PC, n.Exec = f.Inst, f.PC, f.Exec
	}
	t.out.Put(n)
}

// exit tells once of a warp that has issued its last instruction and reads
// nothing any more. It returns false if that is still to be told.
func (t *teller) exit(warps *warpTable, slot int) bool {
	bit := uint64(1) << slot
	switch {
	case !t.events.Has(regfile.WarpExited) || t.exited&bit != 0:
		return true
	case warps.at(slot).board.Reading != (program.RegSet{}) || !t.room(exitEvents):
		return false
	}
	t.tell(regfile.WarpExited, warps.context(slot))
	t.exited |= bit
	return true
}

// end reports the end of a warp, if nothing of it is left in the register
// file and there is room for that.
func (t *teller) end(warps *warpTable, slot int) bool {
	if warps.at(slot).board.Reading != (program.RegSet{}) || !t.room(endEvents) {
		return false
	}
	t.tell(regfile.WarpFinished, warps.context(slot))
	t.exited &^= 1 << slot
	return true
}

// issued tells of an instruction that has issued, and of its warp if that waits at a
// barrier now. tag is 0 for an instruction that ends at issue.
func (t *teller) issued(f *message.Fetched, tag uint32, atBarrier bool) {
	if t == nil {
		return
	}
	t.tellOf(regfile.WarpIssued, f.Warp, f, tag, 0)
	if atBarrier {
		t.tell(regfile.WarpAtBarrier, f.Warp)
	}
}

// takeFull reports whether something has waited for room in this cycle.
func (t *teller) takeFull() bool {
	if t == nil || !t.full {
		return false
	}
	t.full = false
	return true
}
