package sm

import "kumiko/components/wire"

// steady is the span of a launch in which an SM is in its steady state: from
// the cycle in which it first holds as many CTAs as it ever does to the last
// one in which it does. Before it the SM fills, after it the SM drains.
//
// Thread instructions count up to the cycle before: whether a scheduler ticks before or
// after residency in a cycle does not matter.
type steady struct {
	resident, most int
	from, to       mark
	open           bool // most CTAs are resident now, or have been

	at            wire.Cycle // of the latest issue
	lanes, before uint64     // thread instructions issued, and those before cycle at
}

type mark struct {
	at    wire.Cycle
	lanes uint64
}

// begin prepares for a launch. The SM is idle.
func (s *steady) begin() {
	s.resident, s.most, s.from, s.to, s.open = 0, 0, mark{}, mark{}, false
}

func (s *steady) mark(now wire.Cycle) mark {
	if s.at == now {
		return mark{now, s.before}
	}
	return mark{now, s.lanes}
}

// issued counts the thread instructions of a warp instruction.
func (s *steady) issued(now wire.Cycle, lanes int) {
	if s.at != now {
		s.at, s.before = now, s.lanes
	}
	s.lanes += uint64(lanes)
}

// Admitted implements Listener. The span begins anew with more CTAs than ever before in
// the launch.
func (s *steady) Admitted(now wire.Cycle, _ uint16, _ []uint16) {
	s.resident++
	if s.resident > s.most {
		s.most = s.resident
		s.from = s.mark(now)
		s.to, s.open = s.from, true
	}
}

// Retired implements Listener. One of the most CTAs resident at once ends the span, as
// far as is known.
func (s *steady) Retired(now wire.Cycle, _ uint16) {
	if s.resident == s.most {
		s.to = s.mark(now)
	}
	s.resident--
}
