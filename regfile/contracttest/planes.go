package contracttest

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/regfile"
)

// planes serves the control planes of a design for a scheduler: it sends notices of warp events, and obeys gates.
// It also keeps an active set.
type planes struct {
	notices wire.OutPort[regfile.WarpNotice]
	events  regfile.EventSet // events requested by the design; none without a notice port
	drained bool             // warps leave the active set when they have read their operands
	gates   []regfile.Gate
	latches []*latch // by gate; nil unless self-closing
	places  int      // most active warps of this scheduler
	active  int
	entry   int // last activated warp
	suspend float64
}

// serve joins a scheduler to the planes of a design.
func (s *scheduler) serve(d regfile.Design, c *Config) {
	s.places, s.suspend = (c.Warps+c.Schedulers-1)/c.Schedulers, c.Suspend
	if c.Active > 0 {
		s.places = max(1, c.Active/c.Schedulers)
	}
	if g, ok := d.(regfile.Gater); ok {
		s.gates = g.Gates()
		for i := range s.gates {
			l := s.latchOf(&s.gates[i])
			s.latches = append(s.latches, l)
			if l == nil {
				s.gates[i].Signal(s.index).Watch(&s.Comp)
			}
		}
	}
	l, ok := d.(regfile.Listener)
	if !ok {
		return
	}
	n := l.Notices()
	if s.index < len(n.Warp) && n.Warp[s.index] != nil {
		s.events, s.drained = n.Events, n.Drained
		s.notices.Init(&s.Comp, "Notices")
		wire.Connect(&s.notices, n.Warp[s.index], 1)
	}
}

// room reports whether the notice port has space for all these events.
func (p *planes) room(list ...regfile.WarpEvent) bool {
	n := 0
	for _, e := range list {
		if p.events.Has(e) {
			n++
		}
	}
	return n == 0 || p.notices.Room(n) >= n || p.notices.CanPut() && p.notices.Room(n) >= n
}

func (p *planes) notify(e regfile.WarpEvent, n regfile.WarpNotice) {
	if p.events.Has(e) {
		n.Event = e
		p.notices.Put(n)
	}
}

// updateWarps lets warps end, start, leave the active set and enter it.
func (s *scheduler) updateWarps(now wire.Cycle) {
	for i := range s.warps {
		w := &s.warps[i]
		me := regfile.WarpNotice{Warp: w.context}
		if w.live && !w.exited && w.at == len(w.programs[0]) && w.reading == 0 && s.room(regfile.WarpExited) {
			s.notify(regfile.WarpExited, me)
			w.exited = true
		}
		if w.exited && w.flight == 0 && s.room(regfile.WarpFinished) {
			s.notify(regfile.WarpFinished, me)
			s.retire(w)
		}
		if w.live && w.active && w.leaves && !s.latched(w) && !(s.drained && w.reading > 0) &&
			w.at < len(w.programs[0]) && s.room(regfile.WarpSuspended) {
			s.notify(regfile.WarpSuspended, regfile.WarpNotice{Warp: w.context, Inst: w.programs[0][w.at].inst})
			w.active, w.leaves = false, false
			w.back = now + 1 + scatter(uint32(w.at)*31+uint32(w.context), 24)
			s.active--
		}
		s.rest(w)
		if !w.live && len(w.programs) > 0 && !s.waits(w) && s.room(regfile.WarpStarted) {
			s.notify(regfile.WarpStarted, me)
			s.check.WarpStart(now, w.context)
			s.values.Start(w.context)
			w.live, w.back, w.group = true, now, regfile.NoGroup
		}
	}
	for n := 0; n < len(s.warps) && s.active < s.places; n++ {
		s.entry = (s.entry + 1) % len(s.warps)
		w := &s.warps[s.entry]
		switch {
		case !w.live || w.active || w.at == len(w.programs[0]):
		case now < w.back:
			s.WakeAt(w.back)
		case s.room(regfile.WarpActivated):
			s.notify(regfile.WarpActivated, regfile.WarpNotice{Warp: w.context})
			s.shutAt(regfile.WarpActivated, w)
			w.active = true
			s.active++
		}
	}
}

func (s *scheduler) retire(w *warp) {
	w.programs, w.at = w.programs[1:], 0
	w.live, w.leaves, w.exited = false, false, false
	s.ended(w)
}

// held reports whether a gate keeps a warp from issuing an operation. If the gate has Asks, held sends the WarpHeld
// notice.
func (s *scheduler) held(w *warp, x *step) bool {
	for i := range s.gates {
		g := &s.gates[i]
		if !s.closedTo(i, w) || g.Holds != nil && !g.Holds(x.inst) {
			continue
		}
		if g.Asks && w.asked>>i&1 == 0 && s.room(regfile.WarpHeld) {
			w.asked |= 1 << i
			s.notify(regfile.WarpHeld, regfile.WarpNotice{Warp: w.context, Inst: x.inst, Gate: uint8(i)})
		}
		return true
	}
	return false
}

// closedTo reports whether gate i is closed to a warp.
func (s *scheduler) closedTo(i int, w *warp) bool {
	if l := s.latches[i]; l != nil {
		return l.shut[int(w.context)/s.count]
	}
	set := s.gates[i].Signal(s.index).Get()
	return set.Has(int(w.context))
}

// latched reports whether a self-closing gate is closed to a warp. The warp keeps its place until the gate opens.
func (s *scheduler) latched(w *warp) bool {
	for i, l := range s.latches {
		if l != nil && s.closedTo(i, w) {
			return true
		}
	}
	return false
}

// issued records an issue. At random, it makes the warp leave the active set.
func (s *scheduler) issued(w *warp, x *step, tag uint32) {
	w.asked = 0
	s.notify(regfile.WarpIssued, regfile.WarpNotice{Warp: w.context, Inst: x.inst, Tag: tag, Exec: x.exec})
	if w.at == len(w.programs[0]) {
		w.active = false
		s.active--
		return
	}
	w.leaves = s.suspend > 0 && float64(scatter(tag*7+uint32(w.at), 1000)) < 1000*s.suspend
}

// Waiting describes the first warp with operations left.
func (s *scheduler) Waiting() string {
	for i := range s.warps {
		if w := &s.warps[i]; len(w.programs) > 0 {
			return fmt.Sprintf("warp %d: %d programs left, at operation %d, live %v, active %v%s", w.context,
				len(w.programs), w.at, w.live, w.active, s.closed(w))
		}
	}
	return ""
}

// closed names the gate closed to a warp's next operation, if there is one.
func (s *scheduler) closed(w *warp) string {
	for i, g := range s.gates {
		if w.at < len(w.programs[0]) && s.closedTo(i, w) && (g.Holds == nil || g.Holds(w.programs[0][w.at].inst)) {
			return ", gate " + g.Reason + " is closed to it"
		}
	}
	return ""
}
