package pool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/fingerprint"
	"kumiko/kernel/host"
	"kumiko/study"
	"kumiko/study/record"
)

// group is a functional execution shared by simulations: a benchmark at a
// size and a footprint, compiled to the same code.
type group struct {
	number int
	spec   *study.Spec
	point  record.Point // any of its points
	config *config.Config
	budget uint64 // of its simulations together

	mu       sync.Mutex
	users    int // simulations to come
	executed bool
	capture  *capture.Capture
	work     []uint64 // warp instructions of each launch; of traces only where points are split
	hash     string   // the program's fingerprint
	err      error    // the program's, its own check included
}

// groupOf finds the group of a point.
func (p *Pool) groupOf(pt *record.Point, groups map[string]*group) (*group, error) {
	cfg, err := p.Spec.ConfigOf(pt)
	if err != nil {
		return nil, err
	}
	id := strings.Join([]string{pt.Benchmark, pt.Size, pt.Registers, cfg.CaptureKey()}, "\n")
	g := groups[id]
	if g == nil {
		g = &group{number: len(groups), spec: p.Spec, point: *pt, config: cfg}
		groups[id] = g
	}
	return g, nil
}

// mostBytes bounds the streams of one execution kept in memory. A
// program with more is executed again for each of its points.
const mostBytes = 1 << 30

// get executes the program on the first call. It returns the program's error,
// or the interruption's.
func (g *group) get(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.executed {
		return g.err
	}
	if r := g.spec.Traces(g.point.Benchmark); r != nil {
		g.executed, g.capture = true, capture.NotExecuted()
		if g.hash, g.err = r.Digest(); g.err == nil && g.point.Split != "" {
			g.work, g.err = workOf(ctx, r)
			g.executed = !interrupted(ctx, g.err)
		}
		return g.err
	}
	program, wrap, err := g.spec.Start(&g.point)
	if err != nil {
		return err
	}
	c := capture.New(g.config, capture.Options{Context: ctx, Printf: io.Discard, MostBytes: mostBytes})
	f := &watched{runner: c, sum: fingerprint.New(c.Memory())}
	err = program.Run(&host.Device{Mem: c.Memory(), Runner: wrapped(f, wrap)})
	if ctx.Err() != nil {
		return stop.ErrInterrupted
	}
	if _, ok := errors.AsType[*host.CheckError](err); ok {
		err = fmt.Errorf("its check failed: %w", err)
	}
	g.executed, g.capture, g.hash, g.err = true, c.Capture(), f.sum.String(), err
	for _, l := range g.capture.Launches() {
		g.work = append(g.work, l.WarpInstructions)
	}
	return err
}

// release is called when a simulation no longer needs the execution. The last call
// frees the execution.
func (g *group) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.users--
	if g.users == 0 {
		g.capture = nil
	}
}

func wrapped(r host.Runner, wrap func(host.Runner) host.Runner) host.Runner {
	if wrap == nil {
		return r
	}
	return wrap(r)
}

// watched is a runner with a fingerprint of its launches.
type watched struct {
	runner host.Runner
	sum    *fingerprint.Sum
}

// Launch implements host.Runner.
func (w *watched) Launch(l *host.Launch) error {
	w.sum.Launch(l)
	return w.runner.Launch(l)
}
