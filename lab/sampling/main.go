package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/stat"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/gpus/sampling"
	"kumiko/gpus/stop"

	_ "kumiko/benchmarks/all"
)

func main() {
	size := flag.String("size", "study", "size of the programs")
	seeds := flag.Int("seeds", 20, "sampled runs of each program")
	limit := flag.Float64("limit", 60, "seconds that a run may take")
	gpu := flag.String("gpu", "gtx980", "GPU")
	half := flag.String("error", "", "interval that is asked for, such as 2%; empty: that of runs that do not ask")
	windows := flag.Bool("windows", false, "draw windows of time, too")
	runs := flag.Int("coverage", 0, "number of runs of the experiment on coverage; 0: the table of programs")
	draw := flag.Uint64("draw", 1, "with -coverage: seed that draws the cases")
	var set []string
	flag.Func("set", "setting of the GPU, key=value", func(s string) error {
		set = append(set, s)
		return nil
	})
	flag.Parse()
	c := comparison{spec: sampling.Spec{Windows: *windows}, seeds: *seeds,
		limit: time.Duration(*limit * float64(time.Second))}
	if *runs > 0 {
		if err := cover(*runs, *draw, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := run(&c, *size, *half, config.Request{GPU: *gpu, Set: set}, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(c *comparison, size, half string, gpu config.Request, names []string, w io.Writer) error {
	var err error
	if c.size, err = benchmarks.ParseSize(size); err != nil {
		return err
	}
	if c.seeds < 1 {
		return fmt.Errorf("-seeds: found %d, expected at least 1", c.seeds)
	}
	c.spec.Bounded = half == ""
	if c.spec.Error, err = sampling.ParseError(cmp.Or(half, sampling.DefaultError)); err != nil {
		return fmt.Errorf("-error: %w", err)
	}
	if c.gpu, err = config.Load(gpu); err != nil {
		return err
	}
	var all []row
	var long, short []string
	for _, app := range benchmarks.List() {
		if len(names) > 0 && !slices.Contains(names, app.Name) {
			continue
		}
		r, err := c.compare(app)
		switch {
		case errors.Is(err, stop.ErrInterrupted):
			long = append(long, app.Name)
		case err != nil:
			return fmt.Errorf("%s: %w", app.Name, err)
		case r == nil:
			short = append(short, app.Name)
		default:
			all = append(all, *r)
		}
	}
	if err := errors.Join(table(w, all), parts(w, all)); err != nil {
		return err
	}
	summary(w, all)
	fmt.Fprintf(w, "of too few waves: %s\nlonger than %v: %s\n", strings.Join(short, ", "), c.limit,
		strings.Join(long, ", "))
	return nil
}

func table(w io.Writer, all []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "program\tcycles\tmedian error\tinside\thalf interval\tunits\tsimulated\tfaster")
	for i := range all {
		r := &all[i]
		fmt.Fprintf(t, "%s\t%d\t%.2f %%\t%d of %d\t%.2f %%\t%d\t%.3f\t%.1f\n", r.name, r.cycles, 100*median(r.errors),
			r.inside, len(r.errors), 100*median(r.halves), r.units, r.simulated, r.faster())
	}
	return t.Flush()
}

// parts prints how the processor time of sampled runs divides up.
func parts(w io.Writer, all []row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "\nprogram\twhole\tsampled\texecution\tcaches\tsimulation\tother")
	for i := range all {
		r := &all[i]
		p := r.parts
		fmt.Fprintf(t, "%s\t%.1f s\t%.1f s\t%.0f %%\t%.0f %%\t%.0f %%\t%.0f %%\n", r.name, r.whole.Seconds(),
			r.sampled.Seconds(), 100*p.execution, 100*p.caches, 100*p.simulation, 100*p.other)
	}
	return t.Flush()
}

func summary(w io.Writer, all []row) {
	if len(all) == 0 {
		return
	}
	var errs, faster []float64
	inside := 0
	for i := range all {
		errs = append(errs, all[i].errors...)
		faster = append(faster, all[i].faster())
		inside += all[i].inside
	}
	fmt.Fprintf(w, "\n%d programs: median error %.2f %%, %d of %d runs inside their interval (%.0f %%), "+
		"geometric mean of speed %.1f\n", len(all), 100*median(errs), inside, len(errs),
		100*float64(inside)/float64(len(errs)), stat.GeometricMean(faster, nil))
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[len(s)/2]
}

// cover runs the experiment on coverage.
func cover(runs int, draw uint64, w io.Writer) error {
	half, err := sampling.ParseError(sampling.DefaultError)
	if err != nil {
		return err
	}
	e := experiment{runs: runs, draws: newDraws(draw), spec: sampling.Spec{Error: half, Bounded: true}}
	o, err := e.run(w)
	if err == nil && !o.passes() {
		err = errCoverage
	}
	return err
}
