package gpus

import (
	"errors"
	"fmt"

	"kumiko/components/splitmix"
	"kumiko/components/wire"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/stop"
	"kumiko/kernel/emu"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

// launchGap is the time from the end of one launch to the beginning of the next, in core cycles. Remaining messages
// of the last launch drain in it. It counts to neither launch. A launch overhead of some microseconds is usual.
const launchGap = 4096

// launched is a launch in flight.
type launched struct {
	name   string
	start  wire.Cycle
	end    wire.Cycle // when done
	done   bool
	ctas   int
	before measure.Account
	// moves is the number of messages sent up to cycle moved. No message has been sent since.
	moves uint64
	moved wire.Cycle
	// sampler is nil where the launch is simulated completely.
	sampler sampling.Sampler
}

// still reports whether nothing has moved for longer than patience. The engine's own watchdog covers only
// one chunk.
func (run *launched) still(now wire.Cycle, moves uint64, patience wire.Cycle) bool {
	if moves != run.moves || run.moved == 0 {
		run.moves, run.moved = moves, now
	}
	return now-run.moved > patience
}

// guard locks observers out of the machine until the returned function is called.
func (m *machine) guard() func() {
	if m.opt.Guard == nil {
		return func() {}
	}
	m.opt.Guard.Lock()
	return m.opt.Guard.Unlock
}

// begin loads the SMs and starts the dispatcher.
func (m *machine) begin(l *launchSpec, a *regfile.Admission, src stream.Source,
	sampler sampling.Sampler) *launched {
	defer m.guard()()
	if m.cfg.Cache.FlushBetweenLaunches && m.launches > 0 {
		m.chip.Flush()
	}
	if a.L1Sets > 0 {
		m.chip.Divide(a.L1Sets)
	}
	run := &launched{name: l.Kernel.Name, start: m.chip.Core.Now(), ctas: l.CTAs(), before: m.meter.Account(),
		sampler: sampler}
	program := m.code.Program(l.Kernel, a.Insert)
	for _, s := range m.chip.SMs {
		plan := a.Plan
		for d := range regfile.Layers(s.Regfile) {
			if p, ok := d.(regfile.Planned); ok {
				p.Begin(plan)
			}
			plan = a.Path
		}
		s.Load(program, a.Residency, run.start)
	}
	for _, s := range m.chip.Sides {
		s.Launch()
	}
	m.chip.Dispatcher.Stagger(starts(m.cfg, run.start, m.launches, len(m.chip.SMs)))
	if sampler != nil {
		src = sampler
	}
	m.chip.Dispatcher.Launch(src, func(now wire.Cycle) {
		run.end, run.done = now, true
		m.chip.Engine.Stop()
	})
	if sampler != nil {
		m.chip.Dispatcher.Hold(sampler.Between())
	}
	return run
}

// chunk is the number of cycles simulated between checks of the cycle limit, the context and the operand check.
const chunk = 1 << 11

func (m *machine) chunk(run *launched) wire.Cycle {
	if run.sampler != nil {
		if n := run.sampler.Chunk(); n > 0 {
			return n
		}
	}
	if m.keeper != nil {
		return m.keeper.chunk
	}
	return chunk
}

// finish runs the machine until the launch has retired.
func (m *machine) finish(run *launched, src stream.Source) error {
	for !run.done {
		if m.keeper != nil {
			if err := m.keeper.update(run); err != nil {
				return err
			}
		}
		limit := m.chip.Core.Now() + m.chunk(run)
		if m.opt.MaxCycles > 0 {
			limit = min(limit, run.start+m.opt.MaxCycles)
		}
		out, err := m.chip.Engine.RunUntil(m.chip.Core, limit)
		if run.done {
			break
		}
		if run.sampler != nil {
			more := run.sampler.Between()
			m.chip.Dispatcher.Hold(more)
			if more && out == wire.Idle {
				out = wire.Stopped // for more CTAs
			}
		}
		if err := m.stopped(run, out, err, limit); err != nil {
			return err
		}
	}
	var hang *emu.HangError
	switch err := src.Err(); {
	case errors.As(err, &hang):
		return &stop.Error{Reason: hang.Error()}
	case err != nil:
		return err
	case m.interrupted():
		return stop.ErrInterrupted
	}
	if err := m.violation(); err != nil {
		return err
	}
	return m.drain(run)
}

// stopped returns the reason to end the simulation before the end of the launch, or nil.
func (m *machine) stopped(run *launched, out wire.Outcome, err error, limit wire.Cycle) error {
	if m.opt.Progress != nil {
		m.opt.Progress(Progress{Kernel: run.name, Cycle: m.chip.Core.Now() - run.start,
			Done: m.chip.Dispatcher.Retired(), CTAs: run.ctas})
	}
	if v := m.violation(); v != nil {
		return v
	}
	if m.interrupted() {
		return stop.ErrInterrupted
	}
	var stuck *wire.StuckError
	switch {
	case errors.As(err, &stuck) || err == nil &&
		(out == wire.Idle || run.still(m.chip.Core.Now(), m.chip.Engine.Moves(), m.patience)):
		return &stop.Error{Reason: fmt.Sprintf("kernel %s: deadlock: nothing moves after cycle %d, with %d of %d CTAs "+
			"retired",
			run.name, m.chip.Core.Now()-run.start, m.chip.Dispatcher.Retired(), run.ctas), Report: m.chip.Waiting()}
	case err != nil:
		return err
	case m.opt.MaxCycles > 0 && limit == run.start+m.opt.MaxCycles:
		return &stop.Error{Reason: fmt.Sprintf("kernel %s: the limit of %d cycles is reached, with %d of %d CTAs "+
			"retired",
			run.name, m.opt.MaxCycles, m.chip.Dispatcher.Retired(), run.ctas), Report: m.chip.Waiting()}
	}
	return nil
}

func (m *machine) interrupted() bool { return m.opt.Context != nil && m.opt.Context.Err() != nil }

// violation returns the first stale operand as an error, or nil.
func (m *machine) violation() error {
	for _, s := range m.chip.SMs {
		if v := s.Checker.Violations(); len(v) > 0 {
			return &stop.Error{Check: true, Reason: fmt.Sprintf("operand check: %d wrong operands; first: %s",
				s.Checker.Total(), v[0])}
		}
	}
	return nil
}

// drain delivers the messages in flight and advances the clock to the beginning of the next launch. This cycle
// depends only on the end of the launch.
func (m *machine) drain(run *launched) error {
	next := run.end + launchGap
	m.chip.Dispatcher.WakeAt(next)
	_, err := m.chip.Engine.RunUntil(m.chip.Core, next)
	return err
}

// end computes the result of the launch. An error is a fault of the simulator.
func (m *machine) end(run *launched, r *result.Kernel, complete bool) error {
	defer m.guard()()
	if !run.done {
		run.end = m.chip.Core.Now()
	}
	r.Complete = complete
	r.Cycles = run.end - run.start
	m.meter.Launched(r.Cycles)
	if m.opt.Timeline != nil {
		m.opt.Timeline.Launch(run.name, run.start, run.end)
	}
	for _, s := range m.chip.SMs {
		s.Finish(run.end)
		r.CTAsResidentMax = max(r.CTAsResidentMax, s.Residency.MostResident())
	}
	after := m.meter.Account()
	fault := m.meter.Since(&run.before, &after, r)
	r.IPCSteady = m.meter.SteadyIPC(run.end)
	r.SetIPC()
	return fault
}

// starts returns the earliest cycle at which each SM may receive its first CTA of a launch, after the launch
// latency and any perturbation; nil: at once.
func starts(c *config.Config, begin wire.Cycle, launch, sms int) []wire.Cycle {
	p := &c.Perturb
	if p.Seed == 0 && c.GPU.LaunchCycles == 0 {
		return nil
	}
	out := make([]wire.Cycle, sms)
	for i := range out {
		out[i] = begin + wire.Cycle(c.GPU.LaunchCycles)
		if p.Seed != 0 {
			h := splitmix.Of(uint64(p.Seed)<<40 ^ uint64(launch)<<16 ^ uint64(i))
			out[i] += h % uint64(p.StartCycles)
		}
	}
	return out
}
