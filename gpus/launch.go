package gpus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// Source provides the streams of a launch and can be closed before its end.
type Source interface {
	stream.Source
	Close()
}

// This file follows a launch from top to bottom. run.go has the simulation of a launch.

// launchSpec is a launch with its streams: executed now, captured before, or recorded elsewhere.
type launchSpec struct {
	sampling.Launch
	// open starts the streams of a launch once the launch has been admitted to the SMs.
	open func(*regfile.Admission) (Source, error)
}

// needs returns the resources of one CTA of the launch.
func (l *launchSpec) needs() occupancy.CTA {
	return occupancy.CTA{Threads: l.Threads(), Registers: l.Kernel.Footprint, SharedBytes: l.SharedBytes}
}

// Launch executes a kernel and simulates it to its end.
func (m *machine) Launch(l *host.Launch) error {
	e, err := m.runner.Prepare(l)
	if err != nil {
		return err
	}
	s, err := m.shaped(l)
	if err != nil {
		return err
	}
	s.open = func(*regfile.Admission) (Source, error) {
		src := &execution{Source: emu.NewSource(e, ahead), forget: func() bool { return false }, report: m.opt.Progress,
			progress: Progress{Kernel: l.Kernel, CTAs: l.CTAs(), Executing: true}}
		if m.opt.Context != nil {
			src.forget = context.AfterFunc(m.opt.Context, src.Interrupt)
		}
		return src, nil
	}
	return m.simulate(s)
}

// shaped returns a host program's launch in this machine's form, still without its streams.
func (m *machine) shaped(l *host.Launch) (*launchSpec, error) {
	k, err := m.compile(l)
	if err != nil {
		return nil, err
	}
	return &launchSpec{Launch: sampling.Launch{Kernel: k, Grid: l.Grid, Block: l.Block,
		SharedBytes: needsOf(l, k).SharedBytes, Cooperative: l.Cooperative}}, nil
}

// simulate runs a launch from its admission to its result. The program's mode decides whether the launch is simulated.
func (m *machine) simulate(l *launchSpec) error {
	if m.opt.Part.Over(m.launches) {
		return ErrPartOver
	}
	a, err := m.admit(l.Kernel, l.needs())
	if err != nil {
		return err
	}
	l.Resident = residents(&a)
	if err := m.together(l); err != nil {
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

// together refuses a cooperative launch with more CTAs than the SMs can hold at once.
func (m *machine) together(l *launchSpec) error {
	ctas, room := l.CTAs(), len(m.sms)*l.Resident
	if !l.Cooperative || ctas <= room {
		return nil
	}
	return ofKernel(l.Kernel, fmt.Errorf("a cooperative launch of %d CTAs, expected at most %d, %d on each of %d SMs",
		ctas, room, l.Resident, len(m.sms)))
}

// streams opens the streams of a launch, and passes them through Options.Record if set.
func (m *machine) streams(l *launchSpec, a *regfile.Admission) (Source, error) {
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
func (m *machine) skip(l *launchSpec, a *regfile.Admission, src Source, r *result.Kernel) error {
	if a.L1Sets > 0 { // the launch warms an L1 of its own size
		m.divide(a.L1Sets)
	}
	sampling.Skip(m.hardware, &l.Launch, src, r)
	if m.interrupted() {
		return ErrInterrupted
	}
	r.Complete = src.Err() == nil
	m.record(l, a, nil, r)
	return src.Err()
}

// run simulates a launch, either completely or as selected by the mode's sampler.
func (m *machine) run(l *launchSpec, a *regfile.Admission, src Source, r *result.Kernel) error {
	run := m.begin(l, a, src, m.mode.Sampler(&l.Launch, src))
	err := m.finish(run, src)
	if m.keeper != nil && errors.Is(err, ErrInterrupted) {
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
	m.fills.add(m.fill(a, r))
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
