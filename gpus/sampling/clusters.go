package sampling

import (
	"math"
	"slices"

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

// cluster is a set of similar launches. In memory it grows by a few words with each launch, and by the counts of each
// simulated launch. Launches of less than a wave are not in it, since none of them is skipped.
type cluster struct {
	sampler  *launchDraw
	launches []member
	series   series
	rates    []float64     // cycles per instruction of the simulated launches
	likes    []likeness    // of the simulated launches
	skipped  result.Kernel // the first one that was skipped, before its estimate
	pool     differencePool
}

// member is a launch in a cluster.
type member struct {
	number       int
	insts, lanes uint64 // warp and thread instructions
}

// likeness has what skipped launches get from the simulated launch before them.
type likeness struct {
	residentMax   int
	distributions map[string][]stats.Bucket
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

// Skips implements Mode. A launch of less than a wave is not skipped. Its cycles are a chain of latencies, which cache
// misses can double, as in every eighth launch of gramschmidt_kernel3, and no other launch of the cluster shows this.
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
	if c == nil || l.CTAs() < x.held(l) {
		return
	}
	if s, ok := s.(*waveSampler); ok && r.Sampled {
		c.pool.Add(&s.est, float64(r.Cycles))
	}
	m := member{number: number, insts: r.WarpInstructions, lanes: r.ThreadInstructions}
	if skipped(r) {
		if len(c.launches) == len(c.series.Sampled) {
			c.skipped = *r
		}
		c.skipped.Complete = c.skipped.Complete && r.Complete
		c.add(m, float64(m.insts))
		return
	}
	u := unit{Instructions: max(float64(r.WarpInstructions), 1), Counts: []float64{float64(r.Cycles)}}
	x.gpu.eachCount(func(k kind, name string, _ float64) {
		u.Counts = append(u.Counts, float64(countsOf(r, k)[name]))
	})
	c.series.Sampled = append(c.series.Sampled, len(c.launches))
	c.series.Counts = append(c.series.Counts, u)
	c.rates = append(c.rates, float64(r.Cycles)/u.Instructions)
	c.likes = append(c.likes, likeness{r.CTAsResidentMax, r.Distributions})
	c.add(m, u.Instructions)
}

// skipped reports whether a launch was executed alone.
func skipped(r *result.Kernel) bool { return r.Sample != nil && r.Sample.CTAs == 0 }

func (c *cluster) add(m member, insts float64) {
	c.launches = append(c.launches, m)
	c.series.Instructions = append(c.series.Instructions, insts)
}

// Lists implements Mode. Behind the launches with rows of their own, skipped ones share a row made by Results.
func (x *clusterMode) Lists(launch int, r *result.Kernel) bool {
	return launch < result.MostLaunches || !skipped(r)
}

// Results implements Mode. Skipped launches get their estimates.
func (x *clusterMode) Results(rows []result.Kernel) []result.Kernel {
	rows = slices.Clip(rows)
	for i, c := range x.order {
		if len(c.launches) > len(c.series.Sampled) {
			rows = x.estimate(i+1, c, rows)
		}
	}
	return rows
}
