package gpus

import (
	"kumiko/components/wire"
	"kumiko/gpus/sample"
	"kumiko/kernel/stream"
)

// sampleChunk is how many cycles of a sampled launch are simulated between looks at what has retired.
const sampleChunk = 64

// byWaves is a launch of which some waves of CTAs are simulated.
type byWaves struct {
	estimating
	plan *sample.Plan
	src  Source
	warm warmer
	// queue has CTAs in detail that are ready, the first at first.
	queue []*stream.CTA
	first int
	skip  int // CTAs to skip, then to simulate
	run   int
	last  bool // the plan has no more
	dry   bool // the streams have no more

	marks   []milestone // in the order in which they are reached
	reached int
	open    int // mark to which the CTAs belong that are skipped now
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

// newByWaves is nil where a launch has too few waves.
func (m *Machine) newByWaves(l *launchSpec, resident int, src Source, like *group) *byWaves {
	held := resident * len(m.sms)
	plan := sample.New(*m.opt.Sample, uint64(len(m.results)), l.ctas(), held)
	if plan == nil {
		return nil
	}
	plan.Like(like.units(), m.sure())
	s := &byWaves{estimating: newEstimating(m), plan: plan, src: src, run: plan.Head(),
		warm: m.warmerInside(held)}
	s.est.Like = like.units()
	s.warm.src, _ = src.(stream.Releaser)
	s.marks = []milestone{{retired: plan.Head() - plan.Wave(), kind: headEnds}}
	s.fill()
	return s
}

func (s *byWaves) chunk() wire.Cycle { return sampleChunk }

// Next implements stream.Source: the next CTA in detail that is ready.
func (s *byWaves) Next() *stream.CTA {
	if s.first == len(s.queue) {
		return nil
	}
	c := s.queue[s.first]
	s.queue[s.first] = nil
	s.first++
	return c
}

// Release implements stream.Releaser.
func (s *byWaves) Release(c *stream.CTA) {
	if s.warm.src != nil {
		s.warm.src.Release(c)
	}
}

// Err implements stream.Source.
func (s *byWaves) Err() error { return s.src.Err() }

// fill gets CTAs in detail ready, as many as the machine can take in a chunk. Those between the units pass when the
// machine has nearly all that come before them, so that it has not yet what they leave in the caches.
func (s *byWaves) fill() {
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
func (s *byWaves) push() {
	c := s.src.Next()
	if c == nil {
		s.dry = true
		return
	}
	s.of(c)
	s.queue = append(s.queue, c)
	s.given++
	s.run--
}

// pass lets a CTA go by that is not simulated.
func (s *byWaves) pass() {
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
func (s *byWaves) draw() {
	s.skip, s.run, s.last = s.plan.Next(s.costs)
	s.open = len(s.marks)
	if s.last {
		s.marks = append(s.marks, milestone{retired: s.given, kind: tailBegins})
		return
	}
	begins := s.given + s.plan.Begins()
	s.marks = append(s.marks, milestone{retired: begins, kind: unitBegins},
		milestone{retired: begins + s.plan.Wave(), kind: unitEnds})
}

// between implements sampling.
func (s *byWaves) between() bool {
	for s.reached < len(s.marks) && s.m.dispatcher.Retired() >= s.marks[s.reached].retired {
		s.reach(&s.marks[s.reached])
		s.reached++
	}
	s.fill()
	return !s.dry
}

// reach takes in that the machine is at a mark.
func (s *byWaves) reach(x *milestone) {
	switch x.kind {
	case headEnds:
		s.est.Known = s.since()
	case unitBegins, tailBegins:
		s.missed(x.skipped)
	case unitEnds:
		s.unit()
	}
}
