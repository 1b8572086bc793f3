package gpus

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"kumiko/gpus/result"
	"kumiko/gpus/sample"
	"kumiko/kernel/stream"
	"kumiko/sm"
)

// sampleChunk is how many cycles of a sampled launch are simulated between looks at what has retired.
const sampleChunk = 64

// sampling is a launch of which some CTAs are simulated. It stands between the launch's streams and the
// dispatcher, and looks at the machine between chunks of the simulation.
type sampling struct {
	m    *Machine
	plan *sample.Plan
	src  Source
	warm warmer
	// queue has CTAs in detail that are ready, the first at first.
	queue  []*stream.CTA
	first  int
	queued int // in all
	skip   int // CTAs to skip, then to simulate
	run    int
	last   bool // the plan has no more
	dry    bool // the streams have no more

	skipped      int
	skippedInsts uint64
	insts, lanes uint64      // of all CTAs
	marks        []milestone // in the order in which they are reached
	reached      int
	open         int         // mark to which the CTAs belong that are skipped now
	at           sample.Unit // what the machine had counted at the last mark
	est          sample.Estimator
	gap          float64   // instructions since the last unit that nothing is counted for
	costs        []float64 // cycles for each instruction of the units
}

// milestone is where something begins or ends: when so many CTAs in detail have retired.
type milestone struct {
	retired int
	kind    milestoneKind
	skipped float64 // instructions of the CTAs that were skipped before the unit or the tail
}

type milestoneKind uint8

const (
	headEnds milestoneKind = iota
	unitBegins
	unitEnds
	tailBegins
)

// sampler is the sampling of a launch, or nil if it is to be simulated whole.
func (m *Machine) sampler(l *launchSpec, resident int, src Source) *sampling {
	if m.opt.Sample == nil || l.cooperative {
		return nil
	}
	plan := sample.New(*m.opt.Sample, uint64(len(m.results)), l.grid[0]*l.grid[1]*l.grid[2], resident*len(m.sms))
	if plan == nil {
		return nil
	}
	s := &sampling{m: m, plan: plan, src: src, run: plan.Head(),
		warm: warmer{g: m.gpu, global: m.cfg.Mem.L1.CacheGlobal, together: plan.Wave()}}
	s.marks = []milestone{{retired: plan.Head() - plan.Wave(), kind: headEnds}}
	s.at = m.counted()
	s.fill()
	return s
}

// Next implements stream.Source: the next CTA in detail that is ready.
func (s *sampling) Next() *stream.CTA {
	if s.first == len(s.queue) {
		return nil
	}
	c := s.queue[s.first]
	s.queue[s.first] = nil
	s.first++
	return c
}

// Err implements stream.Source.
func (s *sampling) Err() error { return s.src.Err() }

// fill gets CTAs in detail ready, as many as the machine can take in a chunk. Those between the units pass when the
// machine has nearly all that come before them, so that it has not yet what they leave in the caches.
func (s *sampling) fill() {
	s.queue = append(s.queue[:0], s.queue[s.first:]...)
	s.first = 0
	for !s.dry {
		switch {
		case s.skip > 0 && len(s.queue) > s.plan.Wave()/8 || len(s.queue) >= 2*s.plan.Wave():
			return
		case s.skip > 0:
			s.pass()
		case s.run > 0:
			s.push()
		case s.last:
			s.dry = true
		default:
			s.draw()
		}
	}
}

// push puts a CTA into the queue.
func (s *sampling) push() {
	c := s.src.Next()
	if c == nil {
		s.dry = true
		return
	}
	for i := range c.Warps {
		s.insts += c.Warps[i].Insts
		s.lanes += c.Warps[i].Lanes
	}
	s.queue = append(s.queue, c)
	s.queued++
	s.run--
}

// pass lets a CTA go by that is not simulated.
func (s *sampling) pass() {
	c := s.src.Next()
	if c == nil {
		s.warm.pass()
		s.dry = true
		return
	}
	insts, lanes := s.warm.take(c)
	s.insts += insts
	s.lanes += lanes
	s.skippedInsts += insts
	s.marks[s.open].skipped += float64(insts)
	s.skipped++
	if s.skip--; s.skip == 0 {
		s.warm.pass()
	}
}

// draw takes the next unit, or the tail, from the plan.
func (s *sampling) draw() {
	s.skip, s.run, s.last = s.plan.Next(s.costs)
	s.open = len(s.marks)
	if s.last {
		s.marks = append(s.marks, milestone{retired: s.queued, kind: tailBegins})
		return
	}
	begins := s.queued + s.plan.Begins()
	s.marks = append(s.marks, milestone{retired: begins, kind: unitBegins},
		milestone{retired: begins + s.plan.Wave(), kind: unitEnds})
}

// between looks at the machine between chunks, and hands out more CTAs.
func (s *sampling) between() {
	for s.reached < len(s.marks) && s.m.dispatcher.Retired() >= s.marks[s.reached].retired {
		s.reach(&s.marks[s.reached])
		s.reached++
	}
	s.fill()
	s.m.dispatcher.Hold(!s.dry)
}

// reach takes in that the machine is at a mark.
func (s *sampling) reach(x *milestone) {
	now := s.m.counted()
	d := less(&now, &s.at)
	s.at = now
	switch x.kind {
	case headEnds:
		s.est.Known = d
	case unitBegins, tailBegins:
		s.gap += d.Instructions + x.skipped
	case unitEnds:
		if d.Instructions == 0 || d.Counts[0] == 0 {
			s.gap += d.Instructions
			break
		}
		add(&s.est.Known, &d)
		s.est.Units = append(s.est.Units, d)
		s.est.Gaps = append(s.est.Gaps, s.gap)
		s.gap = 0
		s.costs = append(s.costs, d.Counts[0]/d.Instructions)
	}
}

// end makes the launch's result that of the whole launch, from what was counted. There is nothing to say where no
// unit was simulated to its end.
func (s *sampling) end(run *launched, r *result.Kernel) error {
	if len(s.est.Units) < 2 {
		return fmt.Errorf("kernel %s: found %d units that could be measured, expected at least 2: the launch is too "+
			"short to be sampled", r.Name, len(s.est.Units))
	}
	now := s.m.counted()
	now.Counts[0] = float64(run.end)
	d := less(&now, &s.at)
	add(&s.est.Known, &d)
	s.est.Gaps = append(s.est.Gaps, s.gap)
	out := result.Sample{Units: len(s.est.Units), CTAs: s.queued, CTAsSkipped: s.skipped,
		WarpInstructions: s.insts - s.skippedInsts, WarpInstructionsSkipped: s.skippedInsts,
		Intervals: map[string]float64{}}
	at := 0
	next := func() sample.Estimate {
		at++
		return s.est.Count(at - 1)
	}
	cycles := next()
	out.CyclesHalf = cycles.Half
	r.Cycles = whole(cycles.Value)
	s.m.eachCount(func(group, name string, _ float64) {
		e := next()
		switch group {
		case statistics:
			r.Stats[name] = whole(e.Value)
			if e.Half > 0 {
				out.Intervals[name] = e.Half
			}
		case issueSlots:
			r.IssueSlots[name] = whole(e.Value)
		case warpStates:
			r.WarpStates[name] = whole(e.Value)
		}
	})
	factor := float64(s.insts) / float64(r.WarpInstructions)
	for name, list := range r.Distributions {
		for i := range list {
			list[i].Count = whole(float64(list[i].Count) * factor)
		}
		r.Distributions[name] = list
	}
	r.WarpInstructions, r.ThreadInstructions = s.insts, s.lanes
	r.Stats["sm.warp_instructions"], r.Stats["sm.thread_instructions"] = s.insts, s.lanes
	r.SMs = []result.SM{}
	r.Sampled, r.Sample = true, &out
	r.SetIPC()
	return nil
}

// whole is a count as a whole number.
func whole(x float64) uint64 { return uint64(math.Round(max(x, 0))) }

// groups of counts.
const (
	statistics = "stats"
	issueSlots = "slots"
	warpStates = "states"
)

// counted is what the machine has counted so far: cycles, then what eachCount names.
func (m *Machine) counted() sample.Unit {
	u := sample.Unit{Counts: []float64{float64(m.core.Now())}}
	for _, s := range m.sms {
		n, _ := s.Instructions()
		u.Instructions += float64(n)
	}
	m.eachCount(func(_, _ string, n float64) { u.Counts = append(u.Counts, n) })
	return u
}

// eachCount calls f with every count of the machine, in the same order always.
func (m *Machine) eachCount(f func(group, name string, n float64)) {
	now := m.stats.Snapshot()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		f(statistics, name, float64(now[name]))
	}
	var slots, states [sm.NumReasons]uint64
	for _, s := range m.sms {
		var a, b [sm.NumReasons]uint64
		s.Slots(&a)
		s.WarpStates(&b)
		for i := range a {
			slots[i] += a[i]
			states[i] += b[i]
		}
	}
	for _, x := range m.Reasons() {
		f(issueSlots, x.Name, float64(slots[x.Reason]))
		if name := stateName(x); name != "" {
			f(warpStates, name, float64(states[x.Reason]))
		}
	}
}

// less is what was counted from one moment to another.
func less(now, before *sample.Unit) sample.Unit {
	out := sample.Unit{Instructions: now.Instructions - before.Instructions, Counts: slices.Clone(now.Counts)}
	for i, n := range before.Counts {
		out.Counts[i] -= n
	}
	return out
}

func add(to, more *sample.Unit) {
	to.Instructions += more.Instructions
	for i, n := range more.Counts {
		to.Counts[i] += n
	}
}
