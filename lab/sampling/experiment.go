package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"
	"time"

	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
)

const (
	// runsOfCase is the number of sampled runs of a case. They share its whole run, whose time they thereby repay.
	// More would make the runs of the experiment depend on each other more.
	runsOfCase = 5
	// leastCoverage is the least share of runs whose interval must hold the whole run's cycles. The intervals are
	// stated at 95 %; of 200 independent runs 190 are then expected, with a deviation of 3.1. One deviation is left.
	leastCoverage = 0.93
	// mostHalves is the most that a run may be off, in half intervals. Student's t with two degrees of freedom, the
	// fewest of any interval, exceeds three times its 95 % quantile in 0.6 % of cases, with more in none of 200.
	mostHalves = 3
	// caseTime bounds a run of a case. It is far above the largest draw's time, so that it decides nothing.
	caseTime = 10 * time.Minute
)

// experiment measures how often the interval of a sampled run holds the cycles of the whole run, over cases drawn at
// random by a seed: programs, designs and slices.
type experiment struct {
	runs  int // sampled runs
	draws *draws
	spec  sampling.Spec
}

// outcome is what an experiment found.
type outcome struct {
	runs, inside, far, exact int
	// short cases have no launch of enough waves, and the sampling of refused ones could not be trusted.
	all, short, refused int
	worst               float64 // in half intervals
}

// passes reports whether the intervals are as good as stated.
func (o *outcome) passes() bool {
	return o.runs > 0 && float64(o.inside) >= leastCoverage*float64(o.runs) && o.far == 0 && o.exact == 0
}

// run draws cases until as many runs as wanted have been sampled. Cases that are simulated whole do not count as runs:
// their cycles are exact.
func (e *experiment) run(w io.Writer) (*outcome, error) {
	var o outcome
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "case\tcycles\tinside\tworst error\tof half intervals\thalf interval\tunits\tsimulated")
	for o.runs < e.runs {
		if o.all >= e.runs { // five times as many as without refusals
			return nil, fmt.Errorf("%d of %d cases were simulated whole, expected fewer", o.refused+o.short, o.all)
		}
		x := e.draws.next()
		if err := e.try(&x, &o, t); err != nil {
			return nil, fmt.Errorf("%s: %w", x, err)
		}
		o.all++
		if err := t.Flush(); err != nil {
			return nil, err
		}
	}
	fmt.Fprintf(w, "\n%d cases, of them %d simulated whole as too short and %d as not to be trusted\n", o.all, o.short,
		o.refused)
	fmt.Fprintf(w, "%d sampled runs: %d inside their interval (%.1f %%), %d off by more than %d half intervals "+
		"(worst %.2f), %d with an interval of 0\n", o.runs, o.inside, 100*float64(o.inside)/float64(o.runs), o.far,
		mostHalves, o.worst, o.exact)
	return &o, nil
}

// try runs a case whole and sampled.
func (e *experiment) try(x *drawn, o *outcome, w io.Writer) error {
	gpu, err := config.Load(x.gpu)
	if err != nil {
		return err
	}
	c := comparison{size: x.size, gpu: gpu, limit: caseTime}
	var whole *result.Result
	r := row{name: x.String()}
	worst, units := 0.0, 0
	for k := range runsOfCase {
		spec := e.spec
		spec.Seed = int64(k + 1)
		part, _, err := c.simulate(x.app, &spec)
		if err != nil {
			return err
		}
		s := part.Sampling()
		if s == nil && k == 0 { // what is refused does not hang on the seed
			return o.addWhole(r.name, part, w)
		}
		if s == nil {
			continue
		}
		if whole == nil {
			if whole, _, err = c.simulate(x.app, nil); err != nil {
				return err
			}
			r.cycles = whole.Total.Cycles
		}
		r.compare(part)
		units += s.Units
		r.simulated += float64(s.WarpInstructions) / float64(part.Total.WarpInstructions)
		last := len(r.errors) - 1
		if r.halves[last] == 0 {
			o.exact++
		}
		halves := r.errors[last] / math.Max(r.halves[last], math.SmallestNonzeroFloat64)
		if halves > mostHalves {
			o.far++
		}
		worst, o.worst = max(worst, halves), max(o.worst, halves)
	}
	n := len(r.errors)
	o.runs += n
	o.inside += r.inside
	most := 0.0
	for _, v := range r.errors {
		most = max(most, v)
	}
	_, err = fmt.Fprintf(w, "%s\t%d\t%d of %d\t%.2f %%\t%.2f\t%.2f %%\t%.1f\t%.3f\n", r.name, r.cycles, r.inside, n,
		100*most, worst, 100*median(r.halves), float64(units)/float64(n), r.simulated/float64(n))
	return err
}

// addWhole adds a case that was simulated whole.
func (o *outcome) addWhole(name string, r *result.Result, w io.Writer) error {
	why := ""
	for i := range r.Kernels {
		why = cmp.Or(why, r.Kernels[i].Whole)
	}
	if why != "" {
		o.refused++
	} else {
		o.short++
		why = "too few waves"
	}
	_, err := fmt.Fprintf(w, "%s\tsimulated whole: %s\n", name, why)
	return err
}

// errCoverage is the error of an experiment that shows intervals to be worse than stated.
var errCoverage = errors.New("the intervals are worse than stated")
