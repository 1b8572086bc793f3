package sampled

import (
	"kumiko/components/wire"
	"kumiko/gpus/sample"
	"kumiko/kernel/stream"
)

// wavesChunk is the number of cycles between checks for retired CTAs.
const wavesChunk = 64

// waves samples a launch by simulating some of its waves of CTAs.
type waves struct {
	estimate
	plan *sample.Plan
	src  stream.Source
	warm warmer
	// queue holds the simulated CTAs that are ready. The CTAs before first have been dispatched.
	queue []*stream.CTA
	first int
	skip  int // CTAs to skip, then to simulate
	run   int
	last  bool // the plan is exhausted
	dry   bool // the streams are exhausted

	marks   []mark // in the order of being reached
	reached int
	open    int // mark of the CTAs being skipped
}

// mark is the beginning or the end of a part of the launch. It is reached when the given number of simulated CTAs
// has retired.
type mark struct {
	retired int
	kind    markKind
	skipped float64 // instructions of the CTAs skipped before the unit or the tail
}

type markKind uint8

const (
	headEnds markKind = iota
	unitBegins
	unitEnds
	tailBegins
)

// newWaves returns a sampler for a plan. pool has the units of the launch's cluster. held is how many CTAs the GPU
// holds.
func newWaves(g *GPU, plan *sample.Plan, pool *sample.Pool, held int, src stream.Source) *waves {
	s := &waves{estimate: newEstimate(g), plan: plan, src: src, run: plan.Head(), warm: g.shadowWarmer(held)}
	s.est.Like = pool
	s.warm.src, _ = src.(stream.Releaser)
	s.marks = []mark{{retired: plan.Head() - plan.Wave(), kind: headEnds}}
	s.fill()
	return s
}

// Chunk implements Sampler.
func (s *waves) Chunk() wire.Cycle { return wavesChunk }

// Next implements stream.Source. It returns the next simulated CTA that is ready.
func (s *waves) Next() *stream.CTA {
	if s.first == len(s.queue) {
		return nil
	}
	c := s.queue[s.first]
	s.queue[s.first] = nil
	s.first++
	return c
}

// Release implements stream.Releaser.
func (s *waves) Release(c *stream.CTA) {
	if s.warm.src != nil {
		s.warm.src.Release(c)
	}
}

// Err implements stream.Source.
func (s *waves) Err() error { return s.src.Err() }

// fill queues as many simulated CTAs as the machine can accept in a chunk. The CTAs between two units are skipped
// only once the machine has accepted nearly all earlier CTAs, so that their lines do not enter the caches too soon.
func (s *waves) fill() {
	s.queue = append(s.queue[:0], s.queue[s.first:]...)
	s.first = 0
	for !s.dry {
		switch {
		case s.skip > 0 && len(s.queue) > s.plan.Wave()/8 || len(s.queue) >= 2*s.plan.Wave():
			return
		case s.skip > 0:
			s.skipOne()
		case s.run > 0:
			s.push()
		case s.last:
			s.dry = true
		default:
			s.draw()
		}
	}
}

// push appends a simulated CTA to the queue.
func (s *waves) push() {
	c := s.src.Next()
	if c == nil {
		s.dry = true
		return
	}
	s.executed(c)
	s.queue = append(s.queue, c)
	s.given++
	s.run--
}

// skipOne skips a CTA.
func (s *waves) skipOne() {
	c := s.src.Next()
	if c == nil {
		s.warm.finish()
		s.dry = true
		return
	}
	insts, lanes := s.warm.add(c)
	s.insts += insts
	s.lanes += lanes
	s.skippedInsts += insts
	s.marks[s.open].skipped += float64(insts)
	s.skipped++
	if s.skip--; s.skip == 0 {
		s.warm.finish()
	}
}

// draw gets the next unit, or the tail, from the plan.
func (s *waves) draw() {
	s.skip, s.run, s.last = s.plan.Next(s.costs)
	s.open = len(s.marks)
	if s.last {
		s.marks = append(s.marks, mark{retired: s.given, kind: tailBegins})
		return
	}
	begins := s.given + s.plan.Begins()
	s.marks = append(s.marks, mark{retired: begins, kind: unitBegins},
		mark{retired: begins + s.plan.Wave(), kind: unitEnds})
}

// Between implements Sampler.
func (s *waves) Between() bool {
	for s.reached < len(s.marks) && s.gpu.Dispatcher.Retired() >= s.marks[s.reached].retired {
		s.reach(&s.marks[s.reached])
		s.reached++
	}
	s.fill()
	return !s.dry
}

// reach accounts for the part of the launch that ends at a mark.
func (s *waves) reach(x *mark) {
	switch x.kind {
	case headEnds:
		s.est.Known = s.sinceLook()
	case unitBegins, tailBegins:
		s.missed(x.skipped)
	case unitEnds:
		s.unit()
	}
}
