package sampling

import (
	"cmp"
	"math"
	"slices"

	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/kernel/forward"
	"kumiko/kernel/stream"
)

// windowSampler samples a launch by simulating some windows of time. Between windows every warp is moved ahead in its
// stream. A CTA ending in the skipped time makes room for a later CTA, also moved ahead.
type windowSampler struct {
	launchEstimate
	plan    *windowPlan
	src     stream.Source
	warm    warmer
	ctas    int // CTAs of the launch
	warps   int // warps of a CTA
	live    []*liveCTA
	credits []*credit
	dry     bool // the streams are exhausted

	phase  windowPhase
	until  wire.Cycle // when the phase ends
	done   uint64     // instructions issued before the launch
	before []uint64   // issued by each SM when warps were last moved ahead
	moved  wire.Cycle // cycle of this last move
}

// credit is the number of instructions by which each warp of a future CTA is moved ahead.
type credit float64

// liveCTA is a CTA accepted by the dispatcher.
type liveCTA struct {
	*forward.CTA
	seen   bool       // it has been found on an SM
	absent int        // number of checks that found it on no SM
	number int        // in the dispatcher's order of acceptance
	ends   bool       // it was moved to its end
	since  wire.Cycle // when the dispatcher accepted it
	// done, at and rest are mean instructions of a warp: up to the place to which the CTA was last moved, up to its
	// present place, and from there to its end.
	done, at, rest float64
	credit         *credit // of the next CTA in its place; nil: none
}

type windowPhase uint8

const (
	windowHead windowPhase = iota
	windowRamp
	windowUnit
	windowTail
)

// longestRamp is the maximum length of a ramp, in cycles.
const longestRamp = 16 * Ramp

// newWindowSampler returns nil if the kernel's warps cannot be moved ahead. launch is the launch's number.
func newWindowSampler(g *GPU, spec Spec, launch int, l *Launch, src stream.Source) *windowSampler {
	if !forward.Possible(l.Kernel) {
		return nil
	}
	now := g.Core.Now()
	s := &windowSampler{launchEstimate: newEstimate(g), plan: newWindowPlan(spec, uint64(launch)), src: src,
		warm: g.warmer(math.MaxInt), ctas: l.CTAs(), warps: (l.Threads() + 31) / 32,
		until: now + Ramp + Window, moved: now, before: make([]uint64, len(g.SMs))}
	s.est.Windows = true
	for i, x := range g.SMs {
		s.before[i], _ = x.Instructions()
		s.done += s.before[i]
	}
	return s
}

// Next implements stream.Source. CTAs that would have ended by now are skipped. They warm the caches later, since
// the simulation is using the caches now.
func (s *windowSampler) Next() *stream.CTA {
	for {
		c := s.src.Next()
		if c == nil {
			s.dry = true
			return nil
		}
		before := s.insts
		s.executed(c)
		insts := s.insts - before
		if len(s.credits) > 0 {
			each := credit(float64(insts) / float64(len(c.Warps)))
			if left := s.credits[0]; *left >= each {
				*left -= each
				s.warm.add(c)
				s.gap += float64(insts)
				s.skippedInsts += insts
				s.skipped++
				continue
			}
		}
		return s.begin(c)
	}
}

// begin returns a CTA for simulation, moved ahead by the next credit.
func (s *windowSampler) begin(c *stream.CTA) *stream.CTA {
	out, done := forward.New(c), 0.0
	if len(s.credits) > 0 {
		next := make([]int, len(c.Warps))
		for i := range next {
			next[i] = 1
		}
		out.Locate(next)
		done = s.ahead(out, s.warm.place(), float64(*s.credits[0]))
		s.credits = s.credits[1:]
	}
	s.live = append(s.live, &liveCTA{CTA: out, number: s.given, since: s.gpu.Core.Now(), done: done})
	s.given++
	return out.CTA
}

// ahead moves a CTA ahead, and returns the mean number of instructions skipped by a warp.
func (s *windowSampler) ahead(c *forward.CTA, sm int, n float64) float64 {
	skipped := c.Ahead(uint64(n), func(warp int, from, to stream.Place) {
		s.warm.addWarp(sm, c.Whole(), warp, from, to.Run)
	})
	s.gap += float64(skipped)
	s.skippedInsts += skipped
	return float64(skipped) / float64(len(c.Warps))
}

// Chunk implements Sampler.
func (s *windowSampler) Chunk() wire.Cycle {
	if s.phase == windowTail {
		return 0
	}
	return s.until - s.gpu.Core.Now()
}

// Between implements Sampler.
func (s *windowSampler) Between() bool {
	now := s.gpu.Core.Now()
	if s.phase == windowTail || now < s.until {
		return false
	}
	s.warm.finish() // warms the caches by the CTAs that Next skipped meanwhile
	switch s.phase {
	case windowRamp:
		if now-s.moved < longestRamp && !s.settled() {
			s.until = now + Ramp/4
			return false
		}
		s.known()
		s.phase, s.until = windowUnit, now+Window
		return false
	case windowHead:
		s.est.Known = s.sinceSample()
	case windowUnit:
		s.unit()
	}
	cycles := s.plan.Next(s.costs, s.remaining())
	if cycles == 0 {
		s.phase = windowTail
		return false
	}
	s.leaveOut(cycles)
	s.phase, s.until = windowRamp, now+Ramp
	return false
}

// remaining estimates the cycles to the end of the launch. It assumes that future CTAs have as many instructions as
// the earlier ones, and as many cycles per instruction as the last unit.
func (s *windowSampler) remaining() float64 {
	if s.given+s.skipped == 0 {
		return 0
	}
	done := s.skippedInsts - s.done
	for _, x := range s.gpu.SMs {
		n, _ := x.Instructions()
		done += n
	}
	cost := s.est.Known.Counts[0] / max(s.est.Known.Instructions, 1)
	if n := len(s.costs); n > 0 {
		cost = s.costs[n-1]
	}
	return (float64(s.insts)/float64(s.given+s.skipped)*float64(s.ctas) - float64(done)) * cost
}

// leaveOut moves all CTAs ahead by the instructions they would execute in the given cycles.
func (s *windowSampler) leaveOut(cycles float64) {
	now := s.gpu.Core.Now()
	var come []arrival
	for i, on := range s.residents() {
		var f flow
		if !s.dry {
			f.Length = s.length()
		}
		f.Rates = s.rates(i, on, now)
		for _, c := range on {
			f.Rest = append(f.Rest, c.rest)
		}
		moved, arrivals := f.Over(cycles)
		for k, c := range on {
			c.done = c.at + s.ahead(c.CTA, i, moved[k])
			c.ends = moved[k] >= c.rest
		}
		s.before[i], _ = s.gpu.SMs[i].Instructions()
		come = s.credit(come, on, arrivals)
	}
	slices.SortStableFunc(come, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	for _, a := range come {
		s.credits = append(s.credits, a.credit)
	}
	s.moved = now
	s.warm.finish()
}

// rates returns, for each CTA on an SM, the instructions of a warp per cycle since warps were last moved ahead. A
// younger CTA gets the mean of the older ones or, if there are none, the SM's rate per warp.
func (s *windowSampler) rates(sm int, on []*liveCTA, now wire.Cycle) []float64 {
	out := make([]float64, len(on))
	sum, known := 0.0, 0
	for i, c := range on {
		if c.since <= s.moved {
			out[i] = max(c.at-c.done, 0) / float64(now-s.moved)
			sum += out[i]
			known++
		}
	}
	issued, _ := s.gpu.SMs[sm].Instructions()
	mean := float64(issued-s.before[sm]) / float64(now-s.moved) / float64(max(len(on), 1)*s.warps)
	if known > 0 {
		mean = sum / float64(known)
	}
	for i, c := range on {
		if c.since > s.moved {
			out[i] = mean
		}
	}
	return out
}

// settled reports whether all warps have passed the runs they skip, and all CTAs moved to their end are gone. The
// remainder of these CTAs occupies the machine for a shorter time than in a complete run.
func (s *windowSampler) settled() bool {
	for _, on := range s.residents() {
		for _, c := range on {
			if c.ends || !c.Settled() {
				return false
			}
		}
	}
	return true
}

// arrival is the arrival of a future CTA.
type arrival struct {
	at     float64
	credit *credit
}

// credit appends arrivals in the places of CTAs that have been moved to their end. These CTAs still execute the
// runs that cannot be skipped, and may be moved to their end again. Their credit then grows.
func (s *windowSampler) credit(come []arrival, on []*liveCTA, arrivals []shiftedArrival) []arrival {
	for _, a := range arrivals {
		c := on[a.Place]
		if c.credit == nil {
			c.credit = new(credit)
			come = append(come, arrival{a.At, c.credit})
		}
		*c.credit += credit(a.Moved)
	}
	return come
}

// length returns the mean number of instructions of a warp.
func (s *windowSampler) length() float64 {
	return float64(s.insts) / float64(s.given+s.skipped) / float64(s.warps)
}

// residents locates the live CTAs, and returns the CTAs on each SM, the oldest first. It removes finished CTAs.
func (s *windowSampler) residents() [][]*liveCTA {
	type place struct{ sm, next int }
	at := map[*stream.Warp]place{}
	for i, x := range s.gpu.SMs {
		x.Streams(func(w *stream.Warp, next int) { at[w] = place{i, next} })
	}
	out := make([][]*liveCTA, len(s.gpu.SMs))
	left := s.live[:0]
	for _, c := range s.live {
		next, sm, here := make([]int, len(c.Warps)), 0, false
		for i := range c.Warps {
			next[i] = len(c.Warps[i].Runs)
			if p, ok := at[&c.Warps[i]]; ok {
				next[i], sm, here = p.next, p.sm, true
			}
		}
		switch {
		case here:
			c.seen = true
			c.at, c.rest = c.Locate(next)
			out[sm] = append(out[sm], c)
		case c.number >= s.gpu.Dispatcher.Granted():
			// The CTA waits for a slot.
		case c.seen || c.absent > 0:
			continue // the CTA has ended
		default:
			c.absent++ // the CTA is on its way to an SM, or has begun and ended since the last check
		}
		left = append(left, c)
	}
	clear(s.live[len(left):])
	s.live = left
	return out
}

// End implements Sampler. A launch that ends in its head or before a unit was drawn was simulated completely.
func (s *windowSampler) End(at wire.Cycle, r *result.Kernel) error {
	if s.phase == windowHead || s.phase == windowTail && len(s.costs) == 0 {
		return nil
	}
	if s.phase == windowRamp {
		s.missed(0)
	}
	err := s.launchEstimate.End(at, r)
	if err == nil {
		r.Sample.Windows = true
	}
	return err
}

// Err implements stream.Source.
func (s *windowSampler) Err() error { return s.src.Err() }
