package gpus

import (
	"math"

	"kumiko/components/stats"
	"kumiko/gpus/result"
	"kumiko/gpus/sample"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// alike are the launches of a sampled program in groups of one kernel and shape, of which some are simulated.
type alike struct {
	m      *Machine
	groups map[shape]*group
	order  []*group
	warm   warmer
}

type shape struct {
	kernel      *ir.Kernel
	grid, block [3]int
	sharedBytes int
}

// group is launches that are alike.
type group struct {
	draws   *sample.Draws
	results []int // of each launch
	series  sample.Series
	rates   []float64 // cycles for each instruction, of those that were simulated
	pool    sample.Pool
}

func newAlike(m *Machine) *alike {
	if m.opt.Sample == nil {
		return nil
	}
	return &alike{m: m, groups: map[shape]*group{}, warm: m.warmer(0)}
}

// group is the group of a launch; of cooperative ones, and where nothing is sampled, there is none.
func (x *alike) group(l *launchSpec) *group {
	if x == nil || l.cooperative {
		return nil
	}
	s := shape{l.kernel, l.grid, l.block, l.sharedBytes}
	g := x.groups[s]
	if g == nil {
		g = &group{draws: sample.NewDraws(*x.m.opt.Sample, uint64(len(x.order)))}
		x.groups[s] = g
		x.order = append(x.order, g)
	}
	return g
}

// skips reports whether the next launch of the group is not simulated.
func (g *group) skips() bool { return g != nil && !g.draws.Next(g.rates) }

// units are those of its launches so far.
func (g *group) units() *sample.Pool {
	if g == nil {
		return nil
	}
	return &g.pool
}

// sure is how sure the launches so far are, as far as they are known.
func (m *Machine) sure() (s sample.Sure) {
	squares := 0.0
	for i := range m.results {
		r := &m.results[i]
		s.Cycles += float64(r.Cycles)
		if r.Sample != nil {
			squares += r.Sample.CyclesHalf * r.Sample.CyclesHalf
		}
	}
	s.Half = math.Sqrt(squares)
	return s
}

// simulated takes in a launch of the group that was simulated, wholly or in part.
func (x *alike) simulated(g *group, run *launched, r *result.Kernel) {
	if g == nil {
		return
	}
	if s, ok := run.sampling.(*byWaves); ok {
		g.pool.Add(&s.est, float64(r.Cycles))
	}
	insts := float64(r.WarpInstructions)
	if insts == 0 {
		insts = 1 // a launch of nothing costs what it does
	}
	u := sample.Unit{Instructions: insts, Counts: []float64{float64(r.Cycles)}}
	x.m.eachCount(func(kind, name string, _ float64) { u.Counts = append(u.Counts, float64(countsOf(r, kind)[name])) })
	g.series.Drawn = append(g.series.Drawn, len(g.results))
	g.series.Counts = append(g.series.Counts, u)
	g.rates = append(g.rates, float64(r.Cycles)/insts)
	g.add(len(x.m.results), insts)
}

func (g *group) add(at int, insts float64) {
	g.results = append(g.results, at)
	g.series.Instructions = append(g.series.Instructions, insts)
}

// skip lets a launch go by. Its result is made when all are known.
func (x *alike) skip(g *group, l *launchSpec, a *regfile.Admission, src Source) error {
	at := len(x.m.results)
	err := x.m.goBy(&x.warm, l, a, src)
	if len(x.m.results) > at {
		g.add(at, float64(x.m.results[at].WarpInstructions))
	}
	return err
}

// settle gives the launches that were not simulated their counts.
func (x *alike) settle() {
	if x == nil {
		return
	}
	for i, g := range x.order {
		if len(g.results) > len(g.series.Drawn) {
			x.fill(i+1, g)
		}
	}
}

func (x *alike) fill(number int, g *group) {
	cycles := g.series.Count(0)
	last := -1 // the last that was simulated
	for k, at := range g.results {
		r := &x.m.results[at]
		if last+1 < len(g.series.Drawn) && g.series.Drawn[last+1] == k {
			last++
			continue
		}
		like := &x.m.results[g.results[g.series.Drawn[last]]]
		r.Cycles, r.CTAsResidentMax = whole(cycles.Values[k]), like.CTAsResidentMax
		r.IssueSlots, r.WarpStates, r.Stats = map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
		r.Distributions = map[string][]stats.Bucket{}
		factor := g.series.Instructions[k] / g.series.Instructions[g.series.Drawn[last]]
		for name, list := range like.Distributions {
			for _, b := range list {
				b.Count = whole(float64(b.Count) * factor)
				r.Distributions[name] = append(r.Distributions[name], b)
			}
		}
		s := r.Sample
		s.Group, s.Units, s.GroupCyclesHalf = number, len(g.series.Drawn), cycles.Half
		s.CyclesHalf, s.Intervals = cycles.Halves[k], map[string]float64{}
	}
	i := 0
	x.m.eachCount(func(kind, name string, _ float64) {
		i++
		c := g.series.Count(i)
		for k, at := range g.results {
			r := &x.m.results[at]
			if r.Sample == nil || r.Sample.Group == 0 {
				continue
			}
			if to := countsOf(r, kind); to != nil {
				to[name] = whole(c.Values[k])
			}
			if kind == statistics && c.Halves[k] > 0 {
				r.Sample.Intervals[name] = c.Halves[k]
			}
		}
	})
	for _, at := range g.results {
		if r := &x.m.results[at]; r.Sample != nil && r.Sample.Group > 0 {
			exact(r)
		}
	}
}

// countsOf are the counts of a kind of a launch.
func countsOf(r *result.Kernel, kind string) map[string]uint64 {
	switch kind {
	case issueSlots:
		return r.IssueSlots
	case warpStates:
		return r.WarpStates
	}
	return r.Stats
}

// exact gives an estimated launch what is counted in every CTA.
func exact(r *result.Kernel) {
	for _, x := range []struct {
		name string
		n    uint64
	}{{"sm.warp_instructions", r.WarpInstructions}, {"sm.thread_instructions", r.ThreadInstructions}} {
		r.Stats[x.name] = x.n
		delete(r.Sample.Intervals, x.name)
	}
	r.SetIPC()
}
