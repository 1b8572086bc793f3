package timeline

import "kumiko/components/splitmix"

// windowCycles is the length of the windows of a sampled profile. An operation belongs to the window of its issue, and
// is followed to its end, so a window may be short. The length is some ten times the wait of most operands, so the
// cycles before a window add little (near), and a run of some hundred thousand cycles has windows in all its phases.
const windowCycles = 512

// near is the number of cycles before a window whose operations are followed too. They are not counted; they are known
// as holders of the banks for which the first operations of the window wait.
const near = 64

// sampling chooses the windows of a profile: of each group of consecutive windows one, at a pseudorandom place. At a
// fixed place it might always hit the same part of a loop.
type sampling struct {
	interval uint64 // windows of a group; 1: all is recorded
	from     uint64 // first cycle of the first group
	group    uint64
	start    uint64 // first cycle of the window recorded in the group
	issues   uint64 // of all windows
}

// begin starts the first group.
func (s *sampling) begin(from uint64) { s.from, s.start = from, s.startOf(from, 0) }

// startOf returns the first cycle of the window recorded in a group.
func (s *sampling) startOf(from, group uint64) uint64 {
	return from + (group*s.interval+splitmix.Of(group)%s.interval)*windowCycles
}

// choose reports whether an operation issued in a cycle is counted, and whether it is followed. Cycles come in their
// order.
func (p *Profile) choose(now uint64) (counted, followed bool) {
	if p == nil {
		return false, true
	}
	p.issues++
	if p.interval <= 1 {
		return true, true
	}
	if now >= p.start+windowCycles {
		p.group = max(p.group+1, (now-p.from)/(p.interval*windowCycles))
		p.start = p.startOf(p.from, p.group)
		if now >= p.start+windowCycles {
			p.group++
			p.start = p.startOf(p.from, p.group)
		}
	}
	return now >= p.start, now+near >= p.start
}

// SampledShare is the part of the run that a profile has recorded.
type SampledShare struct {
	Interval     int    `json:"interval"` // one of so many windows; 1: all
	WindowCycles int    `json:"window_cycles"`
	Cycles       uint64 `json:"cycles_recorded"`
	Recorded     uint64 `json:"issues_recorded"`
	Issues       uint64 `json:"issues"` // of the SM in the cycles from From to To
}

// share returns the part of the cycles from from to to-1 that lies in recorded windows.
func (s *sampling) share(from, to uint64) SampledShare {
	out := SampledShare{Interval: int(s.interval), WindowCycles: windowCycles, Cycles: to - from, Issues: s.issues}
	if s.interval <= 1 {
		return out
	}
	out.Cycles = 0
	for g := uint64(0); from+g*s.interval*windowCycles < to; g++ {
		start := s.startOf(from, g)
		out.Cycles += min(max(to, start), start+windowCycles) - start
	}
	return out
}
