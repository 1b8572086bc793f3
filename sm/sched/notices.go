package sched

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// leastNotices is the least capacity of a design's notice ports: the most events of
// one warp in one cycle. They can always be sent together.
const leastNotices = 4

// notices sends a listening register file the notices of a scheduler's warps.
type notices struct {
	list   []*subscriber    `part:"Listener"`
	events regfile.EventSet // of all listeners; 0: there are none
	// drained: warps are suspended when they have read their operands.
	drained bool
	// full: an event waits for room in a notice port. The scheduler tries again in the next cycle.
	full   bool
	exited uint64 // slots with the exit notice sent
	warps  *warpTable
	row    reason.Reason // slots with an outstanding start notice
}

// subscriber is a listening layer of the register file's design.
type subscriber struct {
	out    wire.OutPort[regfile.WarpNotice]
	events regfile.EventSet
}

// startNotices notifies a listening register file of a scheduler's warps. A warp starts once its notice has room.
var startNotices = feature{
	present: func(_ *Config, p *Planes) bool { return listens(&p.Notices) || listens(&p.inner) },
	reasons: func(*Planes) []reason.Info { return []reason.Info{{As: reason.Issued, Late: true}} },
	build: func(s *Scheduler, at *site) any {
		n, planes := &s.notices, at.links.Planes
		n.warps, n.row = &s.warpTable, at.rows[0]
		n.add(s, &planes.Notices, "Notices")
		n.add(s, &planes.inner, "InnerNotices")
		if len(n.list) == 0 {
			return nil
		}
		return n
	},
	restless: true,
}

func listens(x *regfile.Notices) bool { return len(x.Warp) > 0 && x.Events != 0 }

// add connects a layer's notice port, if the layer listens.
func (n *notices) add(s *Scheduler, x *regfile.Notices, port string) {
	if !listens(x) || x.Warp[s.index] == nil {
		return
	}
	l := &subscriber{events: x.Events}
	l.out.Init(&s.Comp, port)
	wire.Connect(&l.out, x.Warp[s.index], 1)
	n.list, n.events, n.drained = append(n.list, l), n.events|x.Events, n.drained || x.Drained
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

// room reports whether every listener has room for the notices of these events.
func (n *notices) room(events regfile.EventSet) bool {
	return n.events&events == 0 || n.roomFor(events, 1)
}

// roomFor reports whether there is room for the events of several warps.
func (n *notices) roomFor(events regfile.EventSet, warps int) bool {
	for _, l := range n.list {
		if want := warps * bits.OnesCount16(uint16(l.events&events)); want > 0 && l.out.Room(want) < want {
			n.full = true
			return false
		}
	}
	return true
}

// put sends a notice to the listeners of its event. The caller has checked for room.
func (n *notices) put(m regfile.WarpNotice) {
	for _, l := range n.list {
		if l.events.Has(m.Event) {
			l.out.Put(m)
		}
	}
}

// notify sends the notice of an event.
func (n *notices) notify(e regfile.WarpEvent, warp uint16) {
	if n.events.Has(e) {
		n.put(regfile.WarpNotice{Warp: warp, Event: e})
	}
}

// notifyOf sends the notice of an event about an instruction; f may be nil.
func (n *notices) notifyOf(e regfile.WarpEvent, warp uint16, f *message.Fetched, tag uint32, gate int) {
	if !n.events.Has(e) {
		return
	}
	m := regfile.WarpNotice{Warp: warp, Event: e, Tag: tag, Gate: uint8(gate)}
	if f != nil {
		m.Inst, m.PC, m.Exec = f.Inst, f.PC, f.Exec
		if v := n.warps.vacated; v != nil && e == regfile.WarpIssued && v[f.PC] < regfile.NumRegisters {
			m.From = v[f.PC]
		}
	}
	n.put(m)
}

// exit sends the exit notice of a warp, once: its last instruction has issued and all its operands are
// read. It returns false while the notice is outstanding.
func (n *notices) exit(warps *warpTable, slot int) bool {
	bit := uint64(1) << slot
	switch {
	case !n.events.Has(regfile.WarpExited) || n.exited&bit != 0:
		return true
	case warps.at(slot).board.Reading != (program.RegSet{}) || !n.room(exitEvents):
		return false
	}
	n.notify(regfile.WarpExited, warps.context(slot))
	n.exited |= bit
	return true
}

// toldExits returns the slots without an outstanding exit notice.
func (n *notices) toldExits() uint64 {
	if !n.events.Has(regfile.WarpExited) {
		return ^uint64(0)
	}
	return n.exited
}

// end sends the notice of a warp's end. It returns false if operands are still to be read or a notice port has no
// room.
func (n *notices) end(warps *warpTable, slot int) bool {
	if n.events == 0 {
		return true
	}
	if warps.at(slot).board.Reading != (program.RegSet{}) || !n.room(endEvents) {
		return false
	}
	n.notify(regfile.WarpFinished, warps.context(slot))
	n.exited &^= 1 << slot
	return true
}

// issued sends the notice of an issued instruction and, if its warp now waits at a
// barrier, a notice of the wait. tag is 0 for an instruction ending at issue.
func (n *notices) issued(f *message.Fetched, tag uint32, atBarrier bool) {
	n.notifyOf(regfile.WarpIssued, f.Warp, f, tag, 0)
	if atBarrier {
		n.notify(regfile.WarpAtBarrier, f.Warp)
	}
}

// settle blocks the warps with an outstanding start notice.
func (n *notices) settle(wire.Cycle) { n.warps.Blocked[n.row] = n.warps.StartPending }

// finish reports whether something has waited for room in this cycle.
func (n *notices) finish(wire.Cycle) (again bool) {
	again, n.full = n.full, false
	return again
}
