package sampling

import (
	"maps"
	"slices"

	"kumiko/components/stats"
	"kumiko/gpus/result"
)

// skippedRows estimates the skipped launches of a cluster.
type skippedRows struct {
	*cluster
	rows []result.Kernel // by number of a launch: its row, for the launches that have one of their own
	rest result.Kernel   // the row that all other launches share
	// factors has, for each simulated launch, the instructions of the launches in rest that are estimated from it, over
	// its own instructions.
	factors []float64
}

// estimate completes the rows of the cluster's skipped launches, and appends a row for those without one of their own.
func (x *clusterMode) estimate(group int, c *cluster, rows []result.Kernel) []result.Kernel {
	e := skippedRows{cluster: c, rows: rows, rest: c.skipped, factors: make([]float64, len(c.likes))}
	e.rest.Sample = &result.Sample{}
	cycles := c.series.Count(0)
	for _, r := range e.all() {
		e.clear(r)
		r.Sample.Group, r.Sample.Units, r.Sample.GroupCyclesHalf = group, len(c.series.Sampled), cycles.Half
	}
	e.each(func(k, like int, r *result.Kernel) { e.add(k, like, r, &cycles) })
	i := 0
	x.gpu.eachCount(func(to kind, name string, _ float64) {
		i++
		n := c.series.Count(i)
		e.each(func(k, _ int, r *result.Kernel) {
			countsOf(r, to)[name] += rounded(n.Values[k])
			if to == statistics && n.Halves[k] > 0 {
				r.Sample.Intervals[name] += n.Halves[k]
			}
		})
	})
	for like, f := range e.factors {
		if f > 0 {
			e.rest.Counts.Add(&result.Counts{Distributions: c.likes[like].scaled(f)})
		}
	}
	for _, r := range e.all() {
		r.Stats["sm.warp_instructions"], r.Stats["sm.thread_instructions"] = r.WarpInstructions, r.ThreadInstructions
		delete(r.Sample.Intervals, "sm.warp_instructions")
		delete(r.Sample.Intervals, "sm.thread_instructions")
		r.SetIPC()
	}
	if e.rest.Launches > 0 {
		rows = append(rows, e.rest)
	}
	return rows
}

// each calls f for each skipped launch of the cluster, with its place in the cluster, the place of the simulated launch
// before it among these, and its row.
func (e *skippedRows) each(f func(k, like int, r *result.Kernel)) {
	like := -1
	for k, m := range e.launches {
		switch {
		case like+1 < len(e.series.Sampled) && e.series.Sampled[like+1] == k:
			like++
		case m.number < result.MostLaunches:
			f(k, like, &e.rows[m.number])
		default:
			f(k, like, &e.rest)
		}
	}
}

// all returns the rows of the skipped launches.
func (e *skippedRows) all() (out []*result.Kernel) {
	e.each(func(_, _ int, r *result.Kernel) {
		if r != &e.rest {
			out = append(out, r)
		}
	})
	return append(out, &e.rest)
}

// clear sets the counts of a row to zero.
func (e *skippedRows) clear(r *result.Kernel) {
	r.Counts = result.Counts{IssueSlots: map[string]uint64{}, WarpStates: map[string]uint64{},
		Stats: map[string]uint64{}, Distributions: map[string][]stats.Bucket{}}
	*r.Sample = result.Sample{Intervals: map[string]float64{}}
}

// add adds what is known of a launch without its counts to its row. In a row of several launches the halves of the
// intervals add up, since all were estimated from the same simulated launches.
func (e *skippedRows) add(k, like int, r *result.Kernel, cycles *filledSeries) {
	m, l, s := &e.launches[k], &e.likes[like], r.Sample
	r.WarpInstructions += m.insts
	r.ThreadInstructions += m.lanes
	r.Cycles += rounded(cycles.Values[k])
	r.CTAsResidentMax = max(r.CTAsResidentMax, l.residentMax)
	s.WarpInstructionsSkipped += m.insts
	s.CTAsSkipped += r.Grid[0] * r.Grid[1] * r.Grid[2]
	s.CyclesHalf += cycles.Halves[k]
	s.CyclesSystematic += cycles.Systematic[k]
	factor := e.series.Instructions[k] / e.series.Instructions[e.series.Sampled[like]]
	if r == &e.rest {
		r.Launches++
		e.factors[like] += factor
		return
	}
	r.Distributions = l.scaled(factor)
}

// scaled returns the distributions with their counts times a factor.
func (l *likeness) scaled(factor float64) map[string][]stats.Bucket {
	out := maps.Clone(l.distributions)
	for name, list := range out {
		list = slices.Clone(list)
		for i := range list {
			list[i].Count = rounded(float64(list[i].Count) * factor)
		}
		out[name] = list
	}
	return out
}
