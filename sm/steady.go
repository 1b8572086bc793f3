package sm

import "kumiko/components/wire"

// steady is the span of a launch in which an SM is in its steady state: from
// the cycle in which it first holds as many CTAs as it ever does to the last
// one in which it does. Before it the SM fills, after it the SM drains.
type steady struct {
	// lanes are the thread instructions that the SM has issued before a cycle,
	// the present one; nil: not known.
	lanes    func(now wire.Cycle) uint64
	from, to mark
	open     bool // most CTAs are resident now
}

type mark struct {
	at    wire.Cycle
	lanes uint64
}

func (s *steady) reset() { s.from, s.to, s.open = mark{}, mark{}, false }

func (s *steady) mark(now wire.Cycle) mark {
	if s.lanes == nil {
		return mark{at: now}
	}
	return mark{now, s.lanes(now)}
}

// reach says that more CTAs are resident than ever before in the launch.
func (s *steady) reach(now wire.Cycle) {
	s.from = s.mark(now)
	s.to, s.open = s.from, true
}

// leave says that one of the most CTAs resident at once retires.
func (s *steady) leave(now wire.Cycle) { s.to = s.mark(now) }

// before is the number of thread instructions issued before cycle now, whether
// the scheduler has ticked in that cycle or not: the order of ticks does not
// matter.
func (s *Scheduler) before(now wire.Cycle) uint64 {
	if s.ticked == now {
		return s.lanesBefore
	}
	return s.issuedLanes
}

// Steady is the span of the launch in which the SM was in its steady state and
// the thread instructions that it issued in it; a launch that ended at cycle
// end. A launch that no CTA reached has none.
func (m *SM) Steady(end wire.Cycle) (cycles, thread uint64) {
	s := &m.Residency.steady
	if !s.open {
		return 0, 0
	}
	if m.Residency.resident == m.Residency.most { // cut short
		s.leave(end)
	}
	return s.to.at - s.from.at, s.to.lanes - s.from.lanes
}

// FollowSteady lets the SM take note of its steady state; see Steady.
func (m *SM) FollowSteady() {
	m.Residency.steady.lanes = func(now wire.Cycle) (n uint64) {
		for _, s := range m.schedulers {
			n += s.before(now)
		}
		return n
	}
}
