// Program sampling compares sampled runs of the built-in programs with whole ones.
//
//	go run ./measure/sampling [-size study] [-seeds 5] [-limit 60] [-gpu gtx980] [-windows] [NAME ...]
//
// It prints, for each program of which some launch is long enough to be sampled: the cycles of the
// whole run; the median error of the sampled ones; in how many of them the whole run's cycles lie in the
// stated interval of 95 %; half of that interval, over the cycles; the share of warp instructions that was
// simulated; and how much faster they were, by one worker each. Programs whose whole run takes longer than
// the limit, in seconds, are named. docs/sampling.md has its tables.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/stat"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/sample"
	"kumiko/kernel/host"

	_ "kumiko/benchmarks/all"
)

func main() {
	size := flag.String("size", "study", "size of the programs")
	seeds := flag.Int("seeds", 5, "sampled runs of each program")
	limit := flag.Float64("limit", 60, "seconds that a run may take")
	gpu := flag.String("gpu", "gtx980", "GPU")
	windows := flag.Bool("windows", false, "draw windows of time, too")
	flag.Parse()
	spec := sample.Spec{Windows: *windows}
	longest := time.Duration(*limit * float64(time.Second))
	if err := run(*size, *gpu, spec, *seeds, longest, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

// row is what is found of a program.
type row struct {
	name      string
	cycles    uint64
	errors    []float64 // over the cycles
	halves    []float64
	inside    int
	simulated float64 // share of instructions
	faster    float64
}

func run(size, gpu string, spec sample.Spec, seeds int, limit time.Duration, names []string, w io.Writer) error {
	s, err := benchmarks.ParseSize(size)
	if err != nil {
		return err
	}
	if seeds < 1 {
		return fmt.Errorf("-seeds: found %d, expected at least 1", seeds)
	}
	cfg, err := config.Load(config.Request{GPU: gpu})
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "program\tcycles\tmedian error\tinside\thalf interval\tsimulated\tfaster")
	var all []row
	var long, short []string
	for _, app := range benchmarks.List() {
		if len(names) > 0 && !slices.Contains(names, app.Name) {
			continue
		}
		r, err := compare(app, s, cfg, spec, seeds, limit)
		switch {
		case errors.Is(err, gpus.ErrInterrupted):
			long = append(long, app.Name)
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", app.Name, err)
		case r == nil:
			short = append(short, app.Name)
			continue
		}
		all = append(all, *r)
		fmt.Fprintf(t, "%s\t%d\t%.2f %%\t%d of %d\t%.2f %%\t%.3f\t%.1f\n", r.name, r.cycles,
			100*median(r.errors), r.inside, seeds, 100*median(r.halves), r.simulated, r.faster)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	summary(w, all, seeds)
	fmt.Fprintf(w, "of too few waves: %v\nlonger than %v: %v\n", short, limit, long)
	return nil
}

func summary(w io.Writer, all []row, seeds int) {
	if len(all) == 0 {
		return
	}
	var errs, faster []float64
	inside := 0
	for i := range all {
		errs = append(errs, all[i].errors...)
		faster = append(faster, all[i].faster)
		inside += all[i].inside
	}
	fmt.Fprintf(w, "\n%d programs: median error %.2f %%, %d of %d runs inside their interval (%.0f %%), "+
		"geometric mean of speed %.1f\n", len(all), 100*median(errs), inside, len(all)*seeds,
		100*float64(inside)/float64(len(all)*seeds), stat.GeometricMean(faster, nil))
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

// compare runs a program whole, and with so many seeds. It returns nil if no launch is long enough.
func compare(app *benchmarks.App, size benchmarks.Size, cfg *config.Config, spec sample.Spec, seeds int,
	limit time.Duration) (*row, error) {
	spec.Seed = 1
	first, took, err := simulate(app, size, cfg, &spec, limit)
	if err != nil || first.Sampling() == nil {
		return nil, err
	}
	whole, wholly, err := simulate(app, size, cfg, nil, limit)
	if err != nil {
		return nil, err
	}
	r := &row{name: app.Name, cycles: whole.Total.Cycles}
	for seed := 1; seed <= seeds; seed++ {
		x := first
		if seed > 1 {
			spec.Seed = int64(seed)
			if x, _, err = simulate(app, size, cfg, &spec, limit); err != nil {
				return nil, err
			}
		}
		off, half := float64(x.Total.Cycles)-float64(r.cycles), x.Sampling().CyclesHalf
		if math.Abs(off) <= half {
			r.inside++
		}
		r.errors = append(r.errors, math.Abs(off)/float64(r.cycles))
		r.halves = append(r.halves, half/float64(r.cycles))
	}
	r.simulated = float64(first.Sampling().WarpInstructions) / float64(first.Total.WarpInstructions)
	r.faster = wholly.Seconds() / took.Seconds()
	return r, nil
}

func simulate(app *benchmarks.App, size benchmarks.Size, cfg *config.Config, s *sample.Spec,
	limit time.Duration) (*result.Result, time.Duration, error) {
	program, err := app.New(size)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	m, err := gpus.New(cfg, gpus.Options{Context: ctx, Printf: io.Discard, Sample: s})
	if err != nil {
		return nil, 0, err
	}
	start := time.Now()
	err = program.Run(&host.Device{Mem: m.Memory(), Runner: m})
	took := time.Since(start)
	r := gpus.NewResult(cfg, m)
	r.Finish(took.Seconds())
	return r, took, err
}
