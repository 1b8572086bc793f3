package gpus

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"kumiko/components/wire"
	"kumiko/gpus/result"
	"kumiko/gpus/sample"
	"kumiko/kernel/stream"
	"kumiko/sm/reason"
)

// sampling is a launch of which parts are simulated. It stands between the launch's streams and the dispatcher, and
// looks at the machine between chunks of the simulation.
type sampling interface {
	stream.Source
	// chunk is how many cycles are simulated until the next look.
	chunk() wire.Cycle
	// between looks at the machine, and reports whether more CTAs may come when there are none.
	between() bool
	// end makes the launch's result that of the whole launch.
	end(run *launched, r *result.Kernel) error
}

// sampler is the sampling of a launch, or nil if it is to be simulated whole. like are the launches before it that are
// alike.
func (m *Machine) sampler(l *launchSpec, resident int, src Source, like *group) sampling {
	if m.opt.Sample == nil || l.cooperative {
		return nil
	}
	if m.opt.Sample.Windows && l.ctas() < sample.EnoughWaves*sample.Wave(resident*len(m.sms)) {
		if s := m.newByWindows(l, src); s != nil {
			return s
		}
	}
	if s := m.newByWaves(l, resident, src, like); s != nil {
		return s
	}
	return nil
}

// estimating is what has been counted of a sampled launch.
type estimating struct {
	m            *Machine
	given        int    // CTAs that are simulated, wholly or in part
	skipped      int    // CTAs
	insts, lanes uint64 // of all CTAs
	skippedInsts uint64
	at           sample.Unit // what the machine had counted when it was last looked at
	est          sample.Estimator
	gap          float64   // instructions since the last unit that nothing is counted for
	costs        []float64 // cycles for each instruction of the units
}

func newEstimating(m *Machine) estimating { return estimating{m: m, at: m.counted()} }

// of takes in what a CTA executed.
func (t *estimating) of(c *stream.CTA) {
	for i := range c.Warps {
		t.insts += c.Warps[i].Insts
		t.lanes += c.Warps[i].Lanes
	}
}

// since is what the machine has counted since the last look.
func (t *estimating) since() sample.Unit {
	now := t.m.counted()
	d := less(&now, &t.at)
	t.at = now
	return d
}

// missed takes what was simulated since the last look, and more instructions, for a part that is estimated.
func (t *estimating) missed(more float64) {
	d := t.since()
	t.gap += d.Instructions + more
}

// known takes what was simulated since the last look as it is.
func (t *estimating) known() {
	d := t.since()
	add(&t.est.Known, &d)
}

// unit takes what was simulated since the last look for a unit.
func (t *estimating) unit() {
	d := t.since()
	if d.Instructions == 0 || d.Counts[0] == 0 {
		t.gap += d.Instructions
		return
	}
	add(&t.est.Known, &d)
	t.est.Units = append(t.est.Units, d)
	t.est.Gaps = append(t.est.Gaps, t.gap)
	t.gap = 0
	t.costs = append(t.costs, d.Counts[0]/d.Instructions)
}

// end makes the launch's result that of the whole launch, from what was counted. There is nothing to say where no
// two units were simulated to their end.
func (t *estimating) end(run *launched, r *result.Kernel) error {
	if len(t.est.Units) < 2 {
		return fmt.Errorf("kernel %s: found %d units that could be measured, expected at least 2: the launch is too "+
			"short to be sampled", r.Name, len(t.est.Units))
	}
	now := t.m.counted()
	now.Counts[0] = float64(run.end)
	d := less(&now, &t.at)
	add(&t.est.Known, &d)
	t.est.Gaps = append(t.est.Gaps, t.gap)
	out := result.Sample{Units: len(t.est.Units), CTAs: t.given, CTAsSkipped: t.skipped,
		WarpInstructions: t.insts - t.skippedInsts, WarpInstructionsSkipped: t.skippedInsts,
		Intervals: map[string]float64{}}
	at := 0
	next := func() sample.Estimate {
		at++
		return t.est.Count(at - 1)
	}
	cycles := next()
	out.CyclesHalf = cycles.Half
	r.Cycles = whole(cycles.Value)
	t.m.eachCount(func(group, name string, _ float64) {
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
	factor := float64(t.insts) / float64(r.WarpInstructions)
	for name, list := range r.Distributions {
		for i := range list {
			list[i].Count = whole(float64(list[i].Count) * factor)
		}
		r.Distributions[name] = list
	}
	r.WarpInstructions, r.ThreadInstructions = t.insts, t.lanes
	r.Stats["sm.warp_instructions"], r.Stats["sm.thread_instructions"] = t.insts, t.lanes
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
	var slots, states [reason.Num]uint64
	for _, s := range m.sms {
		var a, b [reason.Num]uint64
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
