package main

import (
	"bytes"
	"context"
	"io"
	"math"
	"runtime/pprof"
	"syscall"
	"time"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/host"
)

// comparison configures the comparison of sampled with complete runs, for programs of one size on one GPU.
type comparison struct {
	size  benchmarks.Size
	gpu   *config.Config
	spec  sampling.Spec
	seeds int
	limit time.Duration
}

// row is the comparison of one program.
type row struct {
	name      string
	cycles    uint64
	errors    []float64 // over the cycles
	halves    []float64
	inside    int
	units     int
	simulated float64 // share of instructions
	// whole and sampled are the processor times of the complete run and of the first seed's sampled run. parts
	// divides up the latter.
	whole, sampled time.Duration
	parts          shares
}

func (r *row) faster() float64 { return r.whole.Seconds() / r.sampled.Seconds() }

// compare runs a program once completely, and sampled with each seed. It returns nil if no launch is long enough to
// be sampled.
func (c *comparison) compare(app *benchmarks.App) (*row, error) {
	spec := c.spec
	spec.Seed = 1
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return nil, err
	}
	first, took, err := c.simulate(app, &spec)
	pprof.StopCPUProfile()
	if err != nil || first.Sampling() == nil {
		return nil, err
	}
	whole, wholly, err := c.simulate(app, nil)
	if err != nil {
		return nil, err
	}
	s := first.Sampling()
	r := &row{name: app.Name, cycles: whole.Total.Cycles, whole: wholly, sampled: took, units: s.Units,
		simulated: float64(s.WarpInstructions) / float64(first.Total.WarpInstructions)}
	if r.parts, err = partsOf(&profile); err != nil {
		return nil, err
	}
	r.compare(first)
	for seed := 2; seed <= c.seeds; seed++ {
		spec.Seed = int64(seed)
		x, _, err := c.simulate(app, &spec)
		if err != nil {
			return nil, err
		}
		r.compare(x)
	}
	return r, nil
}

// compare adds a sampled run.
func (r *row) compare(x *result.Result) {
	off, half := math.Abs(float64(x.Total.Cycles)-float64(r.cycles)), x.Sampling().CyclesHalf
	if off <= half {
		r.inside++
	}
	r.errors = append(r.errors, off/float64(r.cycles))
	r.halves = append(r.halves, half/float64(r.cycles))
}

// simulate runs a program, and returns the processor time used.
func (c *comparison) simulate(app *benchmarks.App, s *sampling.Spec) (*result.Result, time.Duration, error) {
	program, err := app.New(c.size)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.limit)
	defer cancel()
	m, err := gpus.New(c.gpu, gpus.Options{Context: ctx, Printf: io.Discard, Sample: s})
	if err != nil {
		return nil, 0, err
	}
	start := processorTime()
	err = program.Run(&host.Device{Mem: m.Memory(), Runner: m})
	took := processorTime() - start
	r := measure.NewResult(c.gpu, m)
	r.Finish(took.Seconds())
	return r, took, err
}

// processorTime returns the processor time of the process so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
