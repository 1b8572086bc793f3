package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/capture"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/study"
	"kumiko/study/record"
	"kumiko/study/streams"
)

// measure makes the record of a task's first point: its result or the reason for its absence. It returns nil if
// the run was interrupted.
func (r *pooled) measure(ctx context.Context, t *task) *record.Record {
	start := time.Now()
	rec := &record.Record{Format: record.Format, Point: t.points[0], Key: t.key, Version: r.Version, Checked: t.check}
	err := r.into(ctx, rec, t)
	if err != nil && interrupted(ctx, err) {
		return nil
	}
	if err != nil {
		rec.Result, rec.Streams, rec.Split, rec.Failed = nil, nil, nil, reason(err)
	}
	if rec.Seconds == 0 {
		rec.Seconds = time.Since(start).Seconds()
	}
	return rec
}

// reason returns why a point has no result: the text of an error, and the stack of a fault of the simulator.
func reason(err error) string {
	if fault, ok := errors.AsType[*ir.InternalError](err); ok {
		return fmt.Sprintf("%v\n%s", fault, fault.Stack)
	}
	return err.Error()
}

// into executes a task. A fault of the simulator ends this point alone.
func (r *pooled) into(ctx context.Context, rec *record.Record, t *task) (err error) {
	defer ir.Caught(&err)
	if err := t.group.get(ctx); err != nil {
		return err
	}
	cfg, err := r.Spec.ConfigOf(&rec.Point)
	if err != nil {
		return err
	}
	if rec.Point.Stream {
		if traces := r.Spec.Traces(rec.Point.Benchmark); traces != nil {
			rec.Streams, err = streamOfTraces(ctx, traces, cfg)
			return err
		}
		rec.Streams, err = streamOf(r.Spec, &rec.Point, cfg, t.group.capture)
		return err
	}
	if err := r.waves.refuse(&rec.Point, t.group); err != nil {
		return err
	}
	if h := t.have; h != nil {
		rec.Version, rec.Checked, rec.Result, rec.Seconds = h.Version, h.Checked, h.Result, h.Seconds
		rec.Split = h.Split
		return nil
	}
	rec.Split = t.group.split(&rec.Point)
	rec.Result, err = r.simulate(ctx, rec, cfg, t.group)
	return err
}

// streamOf measures an access stream.
func streamOf(s *study.Spec, p *record.Point, cfg *config.Config, c *capture.Capture) (json.RawMessage, error) {
	var sum *streams.Summary
	if c.Overflow() {
		app, err := s.Benchmark(p.Benchmark)
		if err != nil {
			return nil, err
		}
		size, err := benchmarks.ParseSize(p.Size)
		if err != nil {
			return nil, err
		}
		paper := p.Registers == study.PaperRegisters
		if sum, err = streams.App(app, size, cfg, paper, streams.OptionsFor(cfg)); err != nil {
			return nil, err
		}
	} else {
		all := streams.NewCollector(streams.OptionsFor(cfg))
		for _, src := range c.Sources() {
			if err := all.Collect(src); err != nil {
				return nil, err
			}
		}
		sum = all.Summary()
	}
	return json.Marshal(sum)
}

// simulate runs a point on its GPU.
func (r *pooled) simulate(
	ctx context.Context,
	rec *record.Record,
	cfg *config.Config,
	g *group,
) (*result.Result, error) {
	build := r.New
	if build == nil {
		build = assemble
	}
	opt := gpus.Options{Context: ctx, Check: rec.Checked, Printf: io.Discard,
		Sample: r.Spec.Sample.For(&rec.Point), Part: partOf(rec.Split)}
	var err error
	if rec.Point.Profile {
		if opt.Timeline, err = profiler(); err != nil {
			return nil, err
		}
	}
	m, err := build(cfg, opt)
	if err != nil {
		return nil, err
	}
	if traces := r.Spec.Traces(rec.Point.Benchmark); traces != nil {
		err = replay(ctx, traces, m)
	} else if !g.capture.Overflow() {
		err = m.Play(g.capture)
	} else {
		var program host.Program
		var wrap func(host.Runner) host.Runner
		if program, wrap, err = r.Spec.Start(&rec.Point); err == nil {
			err = program.Run(&host.Device{Mem: m.Memory(), Runner: wrapped(m, wrap)})
			if err == nil {
				err = m.Sync()
			}
		}
	}
	if err != nil && !errors.Is(err, stop.ErrPartOver) {
		return nil, err
	}
	app, err := r.Spec.Benchmark(rec.Point.Benchmark)
	if err != nil {
		return nil, err
	}
	res := measure.NewResult(cfg, m)
	res.Version, res.Program, res.ProgramHash, res.Complete = r.Version, app.Name, g.hash, true
	res.Checked = rec.Checked
	for _, o := range app.Outputs {
		res.Expect = append(res.Expect, result.Expect{Buffer: o, OK: true})
	}
	if res.Waits, err = waitsOf(opt.Timeline); err != nil {
		return nil, err
	}
	res.Finish(0) // the record has the point's time
	if len(res.Kernels) > record.MostKernels || rec.Split != nil && rec.Split.Launches > record.MostKernels {
		res.Kernels = record.Merge(res.Kernels)
	}
	return res, nil
}
