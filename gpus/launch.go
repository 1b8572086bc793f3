package gpus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kumiko/gpus/capture"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/stop"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// This file follows a launch from top to bottom. run.go has the simulation of a launch.

// launchSpec is a launch with its streams: executed now, captured before, or recorded elsewhere.
type launchSpec struct {
	sampling.Launch
	// open starts the streams of a launch once the launch has been admitted to the SMs.
	open func(*regfile.Admission) (stream.OpenSource, error)
	// clusters: the launch or its kernel asks for clusters of CTAs.
	clusters bool
}

// needs returns the resources of one CTA of the launch.
func (l *launchSpec) needs() occupancy.CTA {
	return occupancy.CTA{Threads: l.Threads(), Registers: l.Kernel.Footprint, SharedBytes: l.SharedBytes}
}

// needsOf returns the resources of one CTA of a launch of a compiled kernel.
func needsOf(l *host.Launch, k *ir.Kernel) occupancy.CTA {
	return occupancy.CTA{Threads: l.Threads(), Registers: k.Footprint, SharedBytes: k.SharedBytes + l.DynShared}
}

// admit returns the number of CTAs of a launch that an SM can hold, and the related limits.
func (m *machine) admit(k *ir.Kernel, cta occupancy.CTA) (regfile.Admission, error) {
	a, err := m.cfg.Admit(m.code.Tables(k), cta)
	if _, ok := regfile.As[regfile.Inserter](m.chip.SMs[0].Regfile); err == nil && a.Insert != nil && !ok {
		err = fmt.Errorf("internal error: register file %s puts operations into the stream and does not name them",
			m.cfg.RegFile.Kind)
	}
	return a, ofKernel(k, err)
}

// Launch executes a kernel and simulates it to its end.
func (m *machine) Launch(l *host.Launch) error {
	if !m.runsAlone(l.Queue) {
		return m.enqueue(l)
	}
	if err := m.Sync(); err != nil {
		return err
	}
	e, s, err := m.prepared(l)
	if err != nil {
		return err
	}
	s.open = func(*regfile.Admission) (stream.OpenSource, error) {
		src := &execution{Source: emu.NewSource(e, capture.Ahead), forget: func() bool { return false },
			report: m.opt.Progress, progress: Progress{Kernel: l.Kernel, CTAs: l.CTAs(), Executing: true}}
		if m.opt.Context != nil {
			src.forget = context.AfterFunc(m.opt.Context, src.Interrupt)
		}
		return src, nil
	}
	return m.simulate(s)
}

// prepared returns a host program's launch ready to be executed, and in this machine's form.
func (m *machine) prepared(l *host.Launch) (*emu.Launch, *launchSpec, error) {
	e, err := m.runner.Prepare(l)
	if err != nil {
		return nil, nil, err
	}
	s, err := m.shaped(l)
	return e, s, err
}

// shaped returns a host program's launch in this machine's form, still without its streams.
func (m *machine) shaped(l *host.Launch) (*launchSpec, error) {
	k, err := m.code.Compile(l)
	if err != nil {
		return nil, err
	}
	return &launchSpec{Launch: sampling.Launch{Kernel: k, Grid: l.Grid, Block: l.Block,
		SharedBytes: needsOf(l, k).SharedBytes, Cooperative: l.Cooperative},
		clusters: l.Cluster != [3]int{} || k.Cluster != [3]int{} || k.Clustered}, nil
}

// simulate runs a launch from its admission to its result. The program's mode decides whether the launch is simulated.
func (m *machine) simulate(l *launchSpec) error {
	if m.opt.Part.Over(m.launches) {
		return stop.ErrPartOver
	}
	a, err := m.admit(l.Kernel, l.needs())
	if err != nil {
		return err
	}
	l.Resident = measure.Residents(&a)
	if err := m.fitsTogether(l); err != nil {
		return err
	}
	src, err := m.streams(l, &a)
	if err != nil {
		return err
	}
	defer src.Close()
	if m.keeper != nil { // executes the launches before the checkpoint to resume from
		if src, err = m.keeper.next(src, l.Kernel, &a); src == nil {
			return err
		}
	}
	r := l.Result()
	if m.mode.Skips(&l.Launch) {
		return m.skip(l, &a, src, &r)
	}
	return m.run(l, &a, src, &r)
}

// fitsTogether refuses a cooperative launch with more CTAs than the SMs can hold at once.
func (m *machine) fitsTogether(l *launchSpec) error {
	ctas, room := l.CTAs(), len(m.chip.SMs)*l.Resident
	if !l.Cooperative || ctas <= room {
		return nil
	}
	return ofKernel(l.Kernel, fmt.Errorf("a cooperative launch of %d CTAs, expected at most %d, %d on each of %d SMs",
		ctas, room, l.Resident, len(m.chip.SMs)))
}

// streams opens the streams of a launch, and passes them through Options.Record if set.
func (m *machine) streams(l *launchSpec, a *regfile.Admission) (stream.OpenSource, error) {
	src, err := l.open(a)
	if err != nil || m.opt.Record == nil {
		return src, err
	}
	recorded, err := m.opt.Record(l.Kernel, l.Grid, l.Block, l.SharedBytes, src)
	if err != nil {
		src.Close()
	}
	return recorded, err
}

// skip executes a launch without simulating it.
func (m *machine) skip(l *launchSpec, a *regfile.Admission, src stream.OpenSource, r *result.Kernel) error {
	if a.L1Sets > 0 { // the launch warms an L1 of its own size
		m.chip.Divide(a.L1Sets)
	}
	sampling.Skip(m.hardware, &l.Launch, src, r)
	if m.interrupted() {
		return stop.ErrInterrupted
	}
	r.Complete = src.Err() == nil
	m.record(l, a, nil, r)
	return src.Err()
}

// run simulates a launch, either completely or as selected by the mode's sampler.
func (m *machine) run(l *launchSpec, a *regfile.Admission, src stream.OpenSource, r *result.Kernel) error {
	run := m.begin(l, a, src, m.mode.Sampler(&l.Launch, src))
	err := m.finish(run, src)
	if m.keeper != nil && errors.Is(err, stop.ErrInterrupted) {
		err = errors.Join(err, m.keeper.interrupted(run))
	}
	if fault := m.end(run, r, err == nil); err == nil {
		err = fault
	}
	if run.sampler != nil && err == nil {
		err = run.sampler.End(run.end, r)
	}
	m.record(l, a, run.sampler, r)
	return err
}

// record appends the result of a launch.
func (m *machine) record(l *launchSpec, a *regfile.Admission, s sampling.Sampler, r *result.Kernel) {
	m.mode.Done(&l.Launch, s, r)
	m.meter.Fill(a, r)
	if m.mode.Lists(m.launches, r) {
		m.rows.Add(*r)
	}
	m.launches++
	if m.opt.Launched != nil {
		m.opt.Launched(r)
	}
}

// execution is a functional execution. A cancelled context interrupts it. It reports progress while the
// simulation waits for the next CTA.
type execution struct {
	*emu.Source
	forget   func() bool    // detaches the execution from the context
	report   func(Progress) // nil: no reports
	progress Progress
}

// reportEvery is the interval of progress reports while the simulation waits for a CTA.
const reportEvery = 500 * time.Millisecond

// Next implements stream.Source.
func (e *execution) Next() *stream.CTA {
	if e.report == nil {
		return e.Source.Next()
	}
	for {
		if c, ok := e.Source.NextWithin(reportEvery); ok {
			return c
		}
		e.report(e.progress)
	}
}

// Close implements Source.
func (e *execution) Close() {
	e.forget()
	e.Source.Close()
}

// ofKernel names the kernel in an error.
func ofKernel(k *ir.Kernel, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("kernel %s: %w", k.Name, err)
}
