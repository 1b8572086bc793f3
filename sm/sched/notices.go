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

// notices sends a listening register file the notices of a scheduler's warps.
type notices struct {
	out    wire.OutPort[regfile.WarpNotice]
	events regfile.EventSet // 0: nobody listens
	// drained: warps are suspended when they have read their operands.
	drained bool
	// full: something that happens to a warp waits for room. It is then asked
	// again in the next cycle.
	full   bool
	exited uint64 // slots whose exit has been told
	warps  *warpTable
	row    reason.Reason // slots whose start is still to be told
}

// startNotices tells a listening register file of warps. Warps start when there is room for that.
var startNotices = feature{
	present: func(_ *Config, p *Planes) bool { return len(p.Notices.Warp) > 0 && p.Notices.Events != 0 },
	reasons: func(*Planes) []reason.Info { return []reason.Info{{As: reason.Issued, Late: true}} },
	build: func(s *Scheduler, at *site) any {
		x, n := &at.links.Planes.Notices, &s.notices
		if x.Warp[s.index] == nil {
			return nil
		}
		n.events, n.drained, n.warps, n.row = x.Events, x.Drained, &s.warpTable, at.rows[0]
		n.out.Init(&s.Comp, "Notices")
		wire.Connect(&n.out, x.Warp[s.index], 1)
		return n
	},
	restless: true,
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
func (n *notices) room(events regfile.EventSet) bool {
	want := bits.OnesCount16(uint16(n.events & events))
	if want == 0 || n.out.Room() >= want {
		return true
	}
	n.full = true
	return false
}

// tell sends the notice of an event if the listener wants it. There is room.
func (n *notices) tell(e regfile.WarpEvent, warp uint16) {
	if n.events.Has(e) {
		n.out.Put(regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// tellOf is tell for an event that has to do with an instruction; f may be nil.
func (n *notices) tellOf(e regfile.WarpEvent, warp uint16, f *message.Fetched, tag uint32, gate int) {
	if !n.events.Has(e) {
		return
	}
	m := regfile.WarpNotice{Warp: warp, Event: e, Tag: tag, Gate: uint8(gate)}
	if f != nil {
		m.Inst, m.PC, m.Exec = f.Inst, f.PC, f.Exec
	}
	n.out.Put(m)
}

// exit tells once of a warp that has issued its last instruction and reads
// nothing any more. It returns false if that is still to be told.
func (n *notices) exit(warps *warpTable, slot int) bool {
	bit := uint64(1) << slot
	switch {
	case !n.events.Has(regfile.WarpExited) || n.exited&bit != 0:
		return true
	case warps.at(slot).board.Reading != (program.RegSet{}) || !n.room(exitEvents):
		return false
	}
	n.tell(regfile.WarpExited, warps.context(slot))
	n.exited |= bit
	return true
}

// end reports the end of a warp to a listener, if nothing of it is left in the register
// file and there is room for that.
func (n *notices) end(warps *warpTable, slot int) bool {
	if n.events == 0 {
		return true
	}
	if warps.at(slot).board.Reading != (program.RegSet{}) || !n.room(endEvents) {
		return false
	}
	n.tell(regfile.WarpFinished, warps.context(slot))
	n.exited &^= 1 << slot
	return true
}

// issued tells of an instruction that has issued, and of its warp if that waits at a
// barrier now. tag is 0 for an instruction that ends at issue.
func (n *notices) issued(f *message.Fetched, tag uint32, atBarrier bool) {
	n.tellOf(regfile.WarpIssued, f.Warp, f, tag, 0)
	if atBarrier {
		n.tell(regfile.WarpAtBarrier, f.Warp)
	}
}

// settle keeps warps from issuing whose start is still to be told.
func (n *notices) settle(wire.Cycle) { n.warps.Blocked[n.row] = n.warps.StartPending }

// finish reports whether something has waited for room in this cycle.
func (n *notices) finish(wire.Cycle) (again bool) {
	again, n.full = n.full, false
	return again
}
