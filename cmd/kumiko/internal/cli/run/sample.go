package run

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
)

// sampleFlags are the flags for a sampled run.
type sampleFlags struct {
	on    bool
	seed  int64
	error string
	// windows enables windows of time.
	windows bool

	half  float64 // value of error
	asked bool    // the user set error
}

func (f *sampleFlags) add(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "sample", false,
		"simulate parts of long launches and estimate the rest, with 95 % confidence intervals")
	c.Flags().Int64Var(&f.seed, "sample-seed", 1, "with --sample: draws the parts")
	c.Flags().StringVar(&f.error, "sample-error", sampling.DefaultError,
		"with --sample: draw as many parts as bring the interval of cycles to this; "+
			"without it, at most ten of a launch")
	c.Flags().BoolVar(&f.windows, "sample-windows", false, "with --sample: draw windows of time from launches of few "+
		"and long CTAs, too; good where arithmetic decides, off by more than is stated where caches thrash")
}

// check refuses conflicting flags.
func (f *sampleFlags) check(c *cobra.Command, run *runFlags) error {
	if !f.on {
		for _, name := range []string{"sample-seed", "sample-error", "sample-windows"} {
			if c.Flags().Changed(name) {
				return fmt.Errorf("--%s: found without --sample, expected with it", name)
			}
		}
		return nil
	}
	if run.record.Dir != "" {
		return errors.New("--sample: found together with --record, which has every CTA")
	}
	if run.perturb > 0 {
		return errors.New("--sample: found together with --perturb, expected one of them")
	}
	half, err := sampling.ParseError(f.error)
	if err != nil {
		return fmt.Errorf("--sample-error: %w", err)
	}
	f.half, f.asked = half, c.Flags().Changed("sample-error")
	return nil
}

// spec returns the sampling spec, or nil without --sample.
func (f *sampleFlags) spec() *sampling.Spec {
	if !f.on {
		return nil
	}
	return &sampling.Spec{Seed: f.seed, Error: f.half, Bounded: !f.asked, Windows: f.windows}
}

// sampled prints the simulated share of a run, and the confidence interval of its cycles.
func sampled(a *app.App, r *result.Result, f *sampleFlags) {
	if !f.on {
		return
	}
	refused := refusals(r)
	defer func() {
		for _, why := range slices.Sorted(maps.Keys(refused)) {
			fmt.Fprintf(a.Text(), "note: simulated whole, or from some CTA on: %d launches, since %s\n",
				refused[why], why)
		}
	}()
	s := r.Sampling()
	switch {
	case s == nil && len(refused) > 0:
		fmt.Fprintln(a.Text(), "sampled: no launch, all of them were simulated whole")
		return
	case s == nil:
		fmt.Fprintln(a.Text(), "sampled: no launch is long enough, all of them were simulated whole")
		return
	}
	fmt.Fprintf(a.Text(), "sampled: %d of %d launches, %d units; simulated %s of %s warp instructions; "+
		"cycles %d, give or take %.0f (%.2f %%) at 95 %% confidence\n",
		s.Launches, result.Launched(r.Kernels), s.Units, app.Magnitude(float64(s.WarpInstructions)),
		app.Magnitude(float64(r.Total.WarpInstructions)), r.Total.Cycles, s.CyclesHalf,
		100*s.CyclesHalf/float64(r.Total.Cycles))
	if s.Windows {
		fmt.Fprintln(a.Text(), "note: warps were moved ahead; the interval does not have in it what that changes, and "+
			"the cycles may be more than ten percent off")
	}
	if f.asked && s.CyclesHalf > f.half*float64(r.Total.Cycles) {
		fmt.Fprintf(a.Text(), "note: the interval is wider than %s; %.2f %% of it is for what skipping changes in the "+
			"machine, and more parts do not make that less\n", f.error, 100*s.CyclesSystematic/float64(r.Total.Cycles))
	}
}

// refusals counts the launches that are long enough and were simulated whole, or from some CTA on, by the reasons.
func refusals(r *result.Result) map[string]int {
	out := map[string]int{}
	for i := range r.Kernels {
		if why := r.Kernels[i].Whole; why != "" {
			out[why]++
		}
	}
	return out
}
