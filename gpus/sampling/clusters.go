package sampling

import (
	"math"

	"kumiko/components/stats"
	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// clusterMode is the mode of sampled programs. Similar launches form clusters. Some launches of each cluster are
// simulated. From a long simulated launch waves or windows are drawn.
type clusterMode struct {
	gpu      *GPU
	spec     Spec
	launches int     // so far
	cycles   float64 // of these
	squares  float64 // of the halves of their intervals without the systematic parts, summed
	clusters map[shape]*cluster
	order    []*cluster
}

// shape is the key of a cluster: all its launches have equal shapes.
type shape struct {
	kernel      *ir.Kernel
	grid, block [3]int
	sharedBytes int
}

// cluster is a set of similar launches.
type cluster struct {
	sampler  *launchDraw
	launches []int // their numbers
	series   series
	rates    []float64 // cycles per instruction of the simulated launches
	pool     differencePool
}

func newClusterMode(g *GPU, spec Spec) *clusterMode {
	return &clusterMode{gpu: g, spec: spec, clusters: map[shape]*cluster{}}
}

// cluster returns the cluster of a launch. Cooperative launches belong to no cluster.
func (x *clusterMode) cluster(l *Launch) *cluster {
	if l.Cooperative {
		return nil
	}
	s := shape{l.Kernel, l.Grid, l.Block, l.SharedBytes}
	c := x.clusters[s]
	if c == nil {
		c = &cluster{sampler: newLaunchDraw(x.spec, uint64(len(x.order)))}
		x.clusters[s] = c
		x.order = append(x.order, c)
	}
	return c
}

// Skips implements Mode. A launch of less than a wave is not skipped. Its cycles are a chain of latencies. Lines
// missing in the caches can double them, as in every eighth launch of gramschmidt_kernel3, and no other shows it.
func (x *clusterMode) Skips(l *Launch) bool {
	if l.CTAs() < x.held(l) {
		return false
	}
	c := x.cluster(l)
	return c != nil && !c.sampler.Next(c.rates)
}

// held returns the number of CTAs that the GPU holds at once.
func (x *clusterMode) held(l *Launch) int { return l.Resident * len(x.gpu.SMs) }

// Sampler implements Mode.
func (x *clusterMode) Sampler(l *Launch, src stream.Source) Sampler {
	if l.Cooperative {
		return nil
	}
	held := x.held(l)
	if x.spec.Windows && l.CTAs() < EnoughWaves*Wave(held) {
		if s := newWindowSampler(x.gpu, x.spec, x.launches, l, src); s != nil {
			return s
		}
	}
	if x.gpu.Residency != "" {
		return nil
	}
	plan := NewWavePlan(x.spec, uint64(x.launches), l.CTAs(), held)
	if plan == nil {
		return nil
	}
	pool := &x.cluster(l).pool
	plan.Like(pool, sureCost{Cycles: x.cycles, Half: math.Sqrt(x.squares)})
	return newWaveSampler(x.gpu, plan, pool, held, src)
}

// Done implements Mode. It looks the cluster up again, since a restored checkpoint may have replaced the clusters.
func (x *clusterMode) Done(l *Launch, s Sampler, r *result.Kernel) {
	number := x.launches
	x.launches++
	x.cycles += float64(r.Cycles)
	if r.Sample != nil {
		half := r.Sample.CyclesHalf - r.Sample.CyclesSystematic
		x.squares += half * half
	}
	if w, ok := s.(*waveSampler); ok {
		r.Whole = w.stopped
	} else if s == nil && !l.Cooperative && l.CTAs() >= LeastWaves*Wave(x.held(l)) {
		r.Whole = x.gpu.Residency
	}
	c := x.cluster(l)
	if c == nil {
		return
	}
	if s, ok := s.(*waveSampler); ok && r.Sampled {
		c.pool.Add(&s.est, float64(r.Cycles))
	}
	if r.Sample != nil && r.Sample.CTAs == 0 {
		c.add(number, float64(r.WarpInstructions))
		return
	}
	u := unit{Instructions: max(float64(r.WarpInstructions), 1), Counts: []float64{float64(r.Cycles)}}
	x.gpu.eachCount(func(k kind, name string, _ float64) {
		u.Counts = append(u.Counts, float64(countsOf(r, k)[name]))
	})
	c.series.Sampled = append(c.series.Sampled, len(c.launches))
	c.series.Counts = append(c.series.Counts, u)
	c.rates = append(c.rates, float64(r.Cycles)/u.Instructions)
	c.add(number, u.Instructions)
}

func (c *cluster) add(launch int, insts float64) {
	c.launches = append(c.launches, launch)
	c.series.Instructions = append(c.series.Instructions, insts)
}

// Lists implements Mode.
func (x *clusterMode) Lists(int) bool { return true }

// Results implements Mode. Skipped launches get their estimates.
func (x *clusterMode) Results(all []result.Kernel) []result.Kernel {
	for i, c := range x.order {
		if len(c.launches) > len(c.series.Sampled) {
			c.estimate(i+1, all)
			x.count(c, all)
		}
	}
	return all
}

// estimate sets the cycles of skipped launches, and copies the distributions of the preceding simulated launch,
// scaled.
func (c *cluster) estimate(number int, all []result.Kernel) {
	cycles := c.series.Count(0)
	drawn := 0 // simulated launches up to here
	for k, at := range c.launches {
		r := &all[at]
		if drawn < len(c.series.Sampled) && c.series.Sampled[drawn] == k {
			drawn++
			continue
		}
		last := c.series.Sampled[drawn-1]
		like := &all[c.launches[last]]
		r.Cycles, r.CTAsResidentMax = rounded(cycles.Values[k]), like.CTAsResidentMax
		r.IssueSlots, r.WarpStates, r.Stats = map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
		r.Distributions = map[string][]stats.Bucket{}
		factor := c.series.Instructions[k] / c.series.Instructions[last]
		for name, list := range like.Distributions {
			for _, b := range list {
				b.Count = rounded(float64(b.Count) * factor)
				r.Distributions[name] = append(r.Distributions[name], b)
			}
		}
		s := r.Sample
		s.Group, s.Units, s.GroupCyclesHalf = number, len(c.series.Sampled), cycles.Half
		s.CyclesHalf, s.CyclesSystematic = cycles.Halves[k], cycles.Systematic[k]
		s.Intervals = map[string]float64{}
	}
}

// count sets all counts of skipped launches except cycles. Their instructions are known from execution.
func (x *clusterMode) count(c *cluster, all []result.Kernel) {
	var skipped []int // of the cluster's launches
	for k, at := range c.launches {
		if s := all[at].Sample; s != nil && s.Group > 0 {
			skipped = append(skipped, k)
		}
	}
	i := 0
	x.gpu.eachCount(func(to kind, name string, _ float64) {
		i++
		n := c.series.Count(i)
		for _, k := range skipped {
			r := &all[c.launches[k]]
			countsOf(r, to)[name] = rounded(n.Values[k])
			if to == statistics && n.Halves[k] > 0 {
				r.Sample.Intervals[name] = n.Halves[k]
			}
		}
	})
	for _, k := range skipped {
		r := &all[c.launches[k]]
		r.Stats["sm.warp_instructions"], r.Stats["sm.thread_instructions"] = r.WarpInstructions, r.ThreadInstructions
		delete(r.Sample.Intervals, "sm.warp_instructions")
		delete(r.Sample.Intervals, "sm.thread_instructions")
		r.SetIPC()
	}
}
