package gpus

import (
	"cmp"
	"math"
	"slices"

	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/gpus/sample"
	"kumiko/kernel/forward"
	"kumiko/kernel/stream"
)

// byWindows is a launch of which some windows of time are simulated. Between them every warp is moved ahead in its
// stream, CTAs that would have ended make room, and those that come after them begin further on.
type byWindows struct {
	estimating
	plan  *sample.Windows
	src   stream.Source
	warm  warmer
	ctas  int // of the launch
	warps int // of each
	live  []*underWay
	debts []*debt
	dry   bool // the streams have no more

	phase  windowPhase
	until  wire.Cycle // when the phase ends
	done   uint64     // instructions that the machine had issued at the launch's begin
	before []uint64   // what each SM had issued when warps were last moved ahead
	moved  wire.Cycle // when that was
}

// debt is the instructions that each warp of the next CTA is moved ahead by.
type debt float64

// underWay is a CTA that the dispatcher has.
type underWay struct {
	*forward.CTA
	seen   bool       // on an SM
	looks  int        // in which it was not
	number int        // of those that the dispatcher has been given
	ends   bool       // it has been moved to its end
	since  wire.Cycle // it is the dispatcher's
	// Instructions of a warp, in the mean: before where the CTA was when it had been moved ahead, before where it is
	// now, and from there on.
	done, at, rest float64
	debt           *debt // of the CTA in its place, where it has all but ended
}

type windowPhase uint8

const (
	windowHead windowPhase = iota
	windowRamp
	windowUnit
	windowTail
)

// longestRamp is how long a ramp is at most.
const longestRamp = 16 * sample.Ramp

// newByWindows is nil where warps cannot be moved ahead.
func (m *Machine) newByWindows(l *launchSpec, src Source) *byWindows {
	if !forward.Possible(l.kernel) {
		return nil
	}
	now := m.core.Now()
	s := &byWindows{estimating: newEstimating(m), plan: sample.NewWindows(*m.opt.Sample, uint64(len(m.results))),
		src: src, warm: m.warmer(math.MaxInt), ctas: l.ctas(),
		warps: (l.needs().Threads + 31) / 32, until: now + sample.Ramp + sample.Window, moved: now,
		before: make([]uint64, len(m.sms))}
	s.est.Windows = true
	for i, x := range m.sms {
		s.before[i], _ = x.Instructions()
		s.done += s.before[i]
	}
	return s
}

// Next implements stream.Source. CTAs that would have ended are not simulated. The caches are in use now.
func (s *byWindows) Next() *stream.CTA {
	for {
		c := s.src.Next()
		if c == nil {
			s.dry = true
			return nil
		}
		before := s.insts
		s.of(c)
		insts := s.insts - before
		if len(s.debts) > 0 {
			each := float64(insts) / float64(len(c.Warps))
			if d := s.debts[0]; *d >= debt(each) {
				*d -= debt(each)
				s.warm.take(c)
				s.gap += float64(insts)
				s.skippedInsts += insts
				s.skipped++
				continue
			}
		}
		return s.hand(c)
	}
}

// hand is a CTA that is simulated, from where its debt puts it.
func (s *byWindows) hand(c *stream.CTA) *stream.CTA {
	out, done := forward.New(c), 0.0
	if len(s.debts) > 0 {
		next := make([]int, len(c.Warps))
		for i := range next {
			next[i] = 1
		}
		out.Locate(next)
		done = s.ahead(out, s.warm.place(), float64(*s.debts[0]))
		s.debts = s.debts[1:]
	}
	s.live = append(s.live, &underWay{CTA: out, number: s.given, since: s.m.core.Now(), done: done})
	s.given++
	return out.CTA
}

// ahead moves a CTA ahead, and returns how many instructions of a warp are left out, in the mean.
func (s *byWindows) ahead(c *forward.CTA, sm int, n float64) float64 {
	skipped := c.Ahead(uint64(n), func(warp int, from, to stream.Place) {
		s.warm.part(sm, c.Whole(), warp, from, to.Run)
	})
	s.gap += float64(skipped)
	s.skippedInsts += skipped
	return float64(skipped) / float64(len(c.Warps))
}

func (s *byWindows) chunk() wire.Cycle {
	if s.phase == windowTail {
		return chunk
	}
	return s.until - s.m.core.Now()
}

// between implements sampling.
func (s *byWindows) between() bool {
	now := s.m.core.Now()
	if s.phase == windowTail || now < s.until {
		return false
	}
	s.warm.pass() // what Next has left for a time when the machine stands
	switch s.phase {
	case windowRamp:
		if now-s.moved < longestRamp && !s.settled() {
			s.until = now + sample.Ramp/4
			return false
		}
		s.known()
		s.phase, s.until = windowUnit, now+sample.Window
		return false
	case windowHead:
		s.est.Known = s.since()
	case windowUnit:
		s.unit()
	}
	cycles := s.plan.Next(s.costs, s.remaining())
	if cycles == 0 {
		s.phase = windowTail
		return false
	}
	s.skip(cycles)
	s.phase, s.until = windowRamp, now+sample.Ramp
	return false
}

// remaining is how many cycles the launch is going to take, if the CTAs to come are as those before and instructions
// cost what they did in the last unit.
func (s *byWindows) remaining() float64 {
	if s.given+s.skipped == 0 {
		return 0
	}
	done := s.skippedInsts - s.done
	for _, x := range s.m.sms {
		n, _ := x.Instructions()
		done += n
	}
	cost := s.est.Known.Counts[0] / max(s.est.Known.Instructions, 1)
	if n := len(s.costs); n > 0 {
		cost = s.costs[n-1]
	}
	return (float64(s.insts)/float64(s.given+s.skipped)*float64(s.ctas) - float64(done)) * cost
}

// skip moves all CTAs ahead by what they would do in so many cycles.
func (s *byWindows) skip(cycles float64) {
	now := s.m.core.Now()
	var come []arrival
	for i, on := range s.residents() {
		var f sample.Flow
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
		s.before[i], _ = s.m.sms[i].Instructions()
		come = s.owe(come, on, arrivals)
	}
	slices.SortStableFunc(come, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	for _, a := range come {
		s.debts = append(s.debts, a.debt)
	}
	s.moved = now
	s.warm.pass()
}

// rates are the instructions that a warp of each CTA on an SM has executed in a cycle since warps were moved ahead. Of
// CTAs that have come since they are what the others' are in the mean, or, where all are new, what is the
// SM's for each warp.
func (s *byWindows) rates(sm int, on []*underWay, now wire.Cycle) []float64 {
	out := make([]float64, len(on))
	sum, known := 0.0, 0
	for i, c := range on {
		if c.since <= s.moved {
			out[i] = max(c.at-c.done, 0) / float64(now-s.moved)
			sum += out[i]
			known++
		}
	}
	issued, _ := s.m.sms[sm].Instructions()
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

// settled reports whether all warps have left out what they are to, and all CTAs that were moved to their end are gone:
// what is left of these is in the machine in a shorter time than it would have been.
func (s *byWindows) settled() bool {
	for _, on := range s.residents() {
		for _, c := range on {
			if c.ends || !c.Settled() {
				return false
			}
		}
	}
	return true
}

// arrival is a debt of a CTA that comes.
type arrival struct {
	at   float64
	debt *debt
}

// owe appends the debts of the CTAs that come in the place of those that have ended. Those have still to do what could
// not be left out, so that they may end more than once.
func (s *byWindows) owe(come []arrival, on []*underWay, arrivals []sample.Arrival) []arrival {
	for _, a := range arrivals {
		c := on[a.Place]
		if c.debt == nil {
			c.debt = new(debt)
			come = append(come, arrival{a.At, c.debt})
		}
		*c.debt += debt(a.Moved)
	}
	return come
}

// length is the instructions of a warp, in the mean.
func (s *byWindows) length() float64 {
	return float64(s.insts) / float64(s.given+s.skipped) / float64(s.warps)
}

// residents are the CTAs on each SM, the oldest first.
func (s *byWindows) residents() [][]*underWay {
	type place struct{ sm, next int }
	at := map[*stream.Warp]place{}
	for i, x := range s.m.sms {
		x.Streams(func(w *stream.Warp, next int) { at[w] = place{i, next} })
	}
	out := make([][]*underWay, len(s.m.sms))
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
		case c.number >= s.m.dispatcher.Granted():
			// It waits for room.
		case c.seen || c.looks > 0:
			continue // it has ended
		default:
			c.looks++ // it is on its way, or has come and ended
		}
		left = append(left, c)
	}
	clear(s.live[len(left):])
	s.live = left
	return out
}

// end implements sampling.
func (s *byWindows) end(run *launched, r *result.Kernel) error {
	if s.phase == windowHead || s.phase == windowTail && len(s.costs) == 0 {
		return nil // simulated whole
	}
	if s.phase == windowRamp {
		s.missed(0)
	}
	err := s.estimating.end(run, r)
	if err == nil {
		r.Sample.Windows = true
	}
	return err
}

// Err implements stream.Source.
func (s *byWindows) Err() error { return s.src.Err() }
