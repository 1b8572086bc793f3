package sched

import "kumiko/components/wire"

// Steady measures the steady state of an SM in a launch: from the first cycle with the most CTAs ever resident
// in the launch to the last such cycle. Before it the SM fills, after it the SM drains.
//
// Thread instructions count up to the cycle before. So the order in which a scheduler and residency
// tick within a cycle does not matter.
type Steady struct {
	resident, most int
	from, to       mark
	open           bool // the most CTAs are or were resident

	at            wire.Cycle // of the latest issue
	lanes, before uint64     // thread instructions issued, and the part before cycle at
}

type mark struct {
	at    wire.Cycle
	lanes uint64
}

// Begin prepares for a launch. The SM is idle.
func (s *Steady) Begin() {
	s.resident, s.most, s.from, s.to, s.open = 0, 0, mark{}, mark{}, false
}

func (s *Steady) mark(now wire.Cycle) mark {
	if s.at == now {
		return mark{now, s.before}
	}
	return mark{now, s.lanes}
}

// Issued counts the thread instructions of a warp instruction.
func (s *Steady) Issued(now wire.Cycle, lanes int) {
	if s.at != now {
		s.at, s.before = now, s.lanes
	}
	s.lanes += uint64(lanes)
}

// Admitted implements Listener. The span begins anew with more CTAs than ever before in
// the launch.
func (s *Steady) Admitted(now wire.Cycle, _ uint16, _ []uint16) {
	s.resident++
	if s.resident > s.most {
		s.most = s.resident
		s.from = s.mark(now)
		s.to, s.open = s.from, true
	}
}

// Retired implements Listener. A retirement with the most CTAs resident ends the span, unless so many become
// resident again.
func (s *Steady) Retired(now wire.Cycle, _ uint16) {
	if s.resident == s.most {
		s.to = s.mark(now)
	}
	s.resident--
}

// Span returns the cycles of the steady state, and the thread instructions issued in it, for a launch
// ending at cycle end. Both are 0 for a launch without a CTA.
func (s *Steady) Span(end wire.Cycle) (cycles, thread uint64) {
	if !s.open {
		return 0, 0
	}
	if s.resident == s.most { // cut short
		s.to = s.mark(end)
	}
	return s.to.at - s.from.at, s.to.lanes - s.from.lanes
}
