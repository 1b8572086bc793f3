package gpus

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kumiko/gpus/result"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// Source gives the streams of a launch and can be closed before its end.
type Source interface {
	stream.Source
	Close()
}

// launchSpec is a kernel with its streams: executed now, captured before, or recorded elsewhere.
type launchSpec struct {
	kernel      *ir.Kernel // in the form to whose PCs the streams refer
	grid, block [3]int
	sharedBytes int // per CTA, static and dynamic
	cooperative bool
	// open begins the streams of a launch that fits the SMs.
	open func(*regfile.Admission) (Source, error)
}

// needs is what a CTA of the launch needs.
func (l *launchSpec) needs() occupancy.CTA {
	return occupancy.CTA{Threads: l.block[0] * l.block[1] * l.block[2], Registers: l.kernel.Footprint,
		SharedBytes: l.sharedBytes}
}

func (l *launchSpec) ctas() int { return l.grid[0] * l.grid[1] * l.grid[2] }

// simulate admits a launch, opens its streams, and runs them to their end.
func (m *Machine) simulate(l *launchSpec) error {
	if by, err := m.goesBy(l); by {
		return err
	}
	a, err := m.admit(l.kernel, l.needs())
	if err != nil {
		return err
	}
	if err := m.together(l, &a); err != nil {
		return err
	}
	src, err := l.open(&a)
	if err != nil {
		return err
	}
	if m.opt.Record != nil {
		recorded, err := m.opt.Record(l.kernel, l.grid, l.block, l.sharedBytes, src)
		if err != nil {
			src.Close()
			return err
		}
		src = recorded
	}
	defer src.Close()
	if m.keeper != nil {
		if src, err = m.keeper.next(src, l.kernel, &a); src == nil {
			return err
		}
	}
	like := m.alike.group(l)
	if like.skips() {
		return m.alike.skip(like, l, &a, src)
	}
	r := result.Kernel{Name: l.kernel.Name, Grid: l.grid, Block: l.block, RegistersPerThread: l.kernel.Footprint,
		SharedBytes: l.sharedBytes}
	var run *launched
	if s := m.sampler(l, residents(&a), src, like); s != nil {
		run = m.begin(l.kernel, s, &a, l.ctas())
		run.sampling = s
		m.dispatcher.Hold(s.between())
	} else {
		run = m.begin(l.kernel, src, &a, l.ctas())
	}
	err = m.finish(run, src)
	if m.keeper != nil && errors.Is(err, ErrInterrupted) {
		err = errors.Join(err, m.keeper.interrupted(run))
	}
	if fault := m.end(run, &r, err == nil); err == nil {
		err = fault
	}
	if run.sampling != nil && err == nil {
		err = run.sampling.end(run, &r)
	}
	m.alike.simulated(m.alike.group(l), run, &r) // a checkpoint brings groups of its own
	m.fills = append(m.fills, m.fill(&a, &r))
	m.results = result.Append(m.results, r)
	return err
}

// together refuses a cooperative launch whose CTAs the SMs do not hold all at once.
func (m *Machine) together(l *launchSpec, a *regfile.Admission) error {
	ctas, room := l.ctas(), len(m.sms)*residents(a)
	if !l.cooperative || ctas <= room {
		return nil
	}
	return ofKernel(l.kernel, fmt.Errorf("a cooperative launch of %d CTAs, expected at most %d, %d on each of %d SMs",
		ctas, room, residents(a), len(m.sms)))
}

// Launch executes a kernel and simulates it to its end.
func (m *Machine) Launch(l *host.Launch) error {
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

// shaped is a host program's launch in this machine's form, without its streams.
func (m *Machine) shaped(l *host.Launch) (*launchSpec, error) {
	k, err := m.compile(l)
	if err != nil {
		return nil, err
	}
	return &launchSpec{kernel: k, grid: l.Grid, block: l.Block, sharedBytes: needsOf(l, k).SharedBytes,
		cooperative: l.Cooperative}, nil
}

// execution is a functional execution that a context interrupts, and that reports when
// the simulation waits for it.
type execution struct {
	*emu.Source
	forget   func() bool    // the context
	report   func(Progress) // nil: nobody is told
	progress Progress
}

// reportEvery is how long the simulation waits for a CTA between reports.
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
