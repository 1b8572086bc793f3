package sampling

import (
	"slices"

	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/kernel/stream"
)

// wavesChunk is the number of cycles between checks for retired CTAs.
const wavesChunk = 64

// waveSampler samples a launch by simulating some of its waves of CTAs.
type waveSampler struct {
	launchEstimate
	plan *WavePlan
	src  stream.Source
	warm warmer
	// queue holds the simulated CTAs that are ready. The CTAs before first have been dispatched.
	queue []*stream.CTA
	first int
	skip  int // CTAs to skip, then to simulate
	run   int
	last  bool // the plan is exhausted
	dry   bool // the streams are exhausted
	// stopped is why no more CTAs are skipped; empty: they are.
	stopped string
	held    int    // CTAs that the GPU holds
	longest uint64 // instructions of the longest CTA so far

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

// newWaveSampler returns a sampler for a plan. pool has the units of the launch's cluster. held is how many CTAs the
// GPU holds.
func newWaveSampler(g *GPU, plan *WavePlan, pool *differencePool, held int, src stream.Source) *waveSampler {
	s := &waveSampler{launchEstimate: newEstimate(g), plan: plan, src: src, run: plan.Head(),
		warm: g.shadowWarmer(held), held: held}
	s.est.Like = pool
	s.warm.src, _ = src.(stream.Releaser)
	s.marks = []mark{{retired: plan.Head() - plan.Wave(), kind: headEnds}}
	s.fill()
	return s
}

// Chunk implements Sampler.
func (s *waveSampler) Chunk() wire.Cycle { return wavesChunk }

// Next implements stream.Source. It returns the next simulated CTA that is ready.
func (s *waveSampler) Next() *stream.CTA {
	if s.first == len(s.queue) {
		return nil
	}
	c := s.queue[s.first]
	s.queue[s.first] = nil
	s.first++
	return c
}

// Release implements stream.Releaser.
func (s *waveSampler) Release(c *stream.CTA) {
	if s.warm.src != nil {
		s.warm.src.Release(c)
	}
}

// Err implements stream.Source.
func (s *waveSampler) Err() error { return s.src.Err() }

// fill queues as many simulated CTAs as the machine can accept in a chunk. The CTAs between two units are skipped
// only once the machine has accepted nearly all earlier CTAs, so that their lines do not enter the caches too soon.
func (s *waveSampler) fill() {
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
func (s *waveSampler) push() {
	c := s.src.Next()
	if c == nil {
		s.dry = true
		return
	}
	s.executed(c)
	insts, _ := c.Instructions()
	s.check(insts)
	s.give(c)
}

// give queues a CTA that is simulated.
func (s *waveSampler) give(c *stream.CTA) {
	s.queue = append(s.queue, c)
	s.given++
	s.run--
}

// muchLonger is the length of a CTA, over the mean so far, from which no more CTAs are skipped. Rare long CTAs
// decide the cycles of the waves that they are in, and units are too few to have them as often as the launch has.
// Lengths that grow in proportion along the grid are at most twice the mean so far.
const muchLonger = 4

// lengths is the reason for simulating a launch whole, or its rest.
const lengths = "a CTA has more than four times the instructions of the mean CTA before it"

// check stops skipping at a CTA that is much longer than the mean of those so far. It first waits for a wave of CTAs,
// because the mean of fewer says little.
func (s *waveSampler) check(insts uint64) {
	s.longest = max(s.longest, insts)
	if s.stopped == "" && s.executions > s.plan.Wave() && insts*uint64(s.executions) > muchLonger*s.insts {
		s.stop(lengths)
	}
}

// stop has all further CTAs simulated. The marks ahead move by the CTAs that would have been skipped.
func (s *waveSampler) stop(why string) {
	s.stopped = why
	s.plan.Stop()
	if s.skip == 0 {
		return
	}
	s.run += s.skip
	if !s.last {
		for i := s.open; i < len(s.marks); i++ {
			s.marks[i].retired += s.skip
		}
	}
	s.skip = 0
	s.warm.finish()
}

// skipOne skips a CTA.
func (s *waveSampler) skipOne() {
	c := s.src.Next()
	if c == nil {
		s.warm.finish()
		s.dry = true
		return
	}
	insts, lanes := c.Instructions()
	s.count(insts, lanes)
	if s.check(insts); s.stopped != "" {
		s.give(c)
		return
	}
	s.warm.add(c)
	s.skippedInsts += insts
	s.marks[s.open].skipped += float64(insts)
	s.skipped++
	if s.skip--; s.skip == 0 {
		s.warm.finish()
	}
}

// draw gets the next unit, or the tail, from the plan.
func (s *waveSampler) draw() {
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
func (s *waveSampler) Between() bool {
	for s.reached < len(s.marks) && s.gpu.Dispatcher.Retired() >= s.marks[s.reached].retired {
		s.reach(&s.marks[s.reached])
		s.reached++
	}
	s.fill()
	return !s.dry
}

// End implements Sampler. A launch of which nothing was skipped has been simulated completely.
func (s *waveSampler) End(at wire.Cycle, r *result.Kernel) error {
	if s.skipped == 0 {
		return nil
	}
	if err := s.launchEstimate.End(at, r); err != nil {
		return err
	}
	s.widen(r)
	return nil
}

// widen adds half of the time that the longest CTA takes to the interval of a launch with rare long CTAs. Had none been
// skipped, all later CTAs would have begun at other times and on other SMs, and that can move the end of the launch by
// as much as the longest CTA takes (Graham, Bounds on Multiprocessing Timing Anomalies, 1969). This time is estimated
// for a GPU that is full of such CTAs, at the least cost of a unit, in cycles per instruction.
func (s *waveSampler) widen(r *result.Kernel) {
	if s.stopped == "" {
		return
	}
	time := float64(s.longest) * float64(s.held) * slices.Min(s.costs)
	r.Sample.CyclesSystematic += time / 2
	r.Sample.CyclesHalf += time / 2
}

// reach accounts for the part of the launch that ends at a mark.
func (s *waveSampler) reach(x *mark) {
	switch x.kind {
	case headEnds:
		s.est.Known = s.sinceSample()
	case unitBegins, tailBegins:
		if x.skipped == 0 { // nothing has changed the machine
			s.known()
		} else {
			s.missed(x.skipped)
		}
	case unitEnds:
		s.unit()
	}
}
