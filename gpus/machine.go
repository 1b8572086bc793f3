package gpus

import (
	"fmt"
	"os"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus/capture"
	"kumiko/gpus/chip"
	"kumiko/gpus/code"
	"kumiko/gpus/config"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/timeline"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
	"kumiko/memsys"
	"kumiko/regfile"
	"kumiko/sm"
	"kumiko/sm/reason"
)

// Machine is a GPU in simulated time.
//
// Launch, Replay and Play return when their last kernel has retired. A launch in a stream (host.Launch.Queue) is
// executed at once and simulated with those beside it, at the latest by Sync, which has to be called behind the last
// one. The error is a *stop.Error when the simulation stopped by itself and stop.ErrInterrupted when the context was
// cancelled. All other errors are faults of the input. After an error Results still returns the results so far, with
// the last launch marked incomplete.
//
// Its interior is behind an interface: a package that could see the type of a port would compile the methods of all
// ports anew.
type Machine struct{ operations }

// operations are the methods of a Machine.
type operations interface {
	Launch(l *host.Launch) error
	Sync() error
	Play(c *capture.Capture) error
	Replay(r *Replay) error
	Residents(c *capture.Capture) ([]int, error)
	Memory() *mem.Memory
	Results() []result.Kernel
	Codes() []result.Code
	Fills() []measure.Fill
	Blocks() result.Blocks
	Storage() []regfile.State
	Stats() []stats.Stat
	Distributions() []*stats.Distribution
	Reasons() []reason.Info
	Structure(sm int) (chip.Structure, error)
	Engine() *wire.Engine
	Domain(sm int) (*wire.Domain, error)
}

// machine is a Machine's interior.
type machine struct {
	chip     *chip.Chip
	cfg      *config.Config
	spec     *sm.Spec
	opt      Options
	mem      mem.Memory
	code     *code.Store
	runner   emu.Runner
	rows     result.Rows
	launches int // so far
	meter    *measure.Meter
	mode     sampling.Mode   // selects the simulated parts of the program
	hardware *sampling.GPU   // the mode's view of the machine
	keeper   *keeper         // nil: no checkpoints
	queue    queue           // launches in streams, not yet simulated
	beside   *measure.Beside // nil: none have been
	// patience is the longest permitted time without any movement while work is left, in core cycles.
	patience wire.Cycle
}

// New builds the GPU of a configuration. An error names the value unfit for any hardware.
func New(c *config.Config, opt Options) (*Machine, error) {
	m, err := build(c, opt)
	if err != nil {
		return nil, err
	}
	return &Machine{m}, nil
}

func build(c *config.Config, opt Options) (*machine, error) {
	parts := chip.Parts(opt.Workers, c.SM.Count)
	if opt.Checkpoints != nil {
		parts = 1 // so that any number of workers can resume from a saved state
	}
	g, err := chip.New(c, opt.Check, parts)
	if err != nil {
		return nil, err
	}
	if t := opt.Timeline; t != nil {
		if t.SM() < 0 || t.SM() >= len(g.SMs) {
			return nil, fmt.Errorf("timeline of SM %d: expected one of the SMs 0 to %d", t.SM(), len(g.SMs)-1)
		}
		timeline.Attach(t, g.SMs[t.SM()])
	}
	return newMachine(g, c, opt), nil
}

// newMachine makes a built GPU ready to run launches.
func newMachine(g *chip.Chip, c *config.Config, opt Options) *machine {
	m := &machine{chip: g, cfg: c, spec: &c.SM, opt: opt, code: code.NewStore(c), meter: measure.NewMeter(g, &c.SM),
		queue: queue{most: mostQueued}}
	out := opt.Printf
	if out == nil {
		out = os.Stderr
	}
	streams, limits := c.CompileSpec(), opt.Limits
	limits.SharedBytes, limits.LockStep = streams.CTAShared, streams.LockStep
	if opt.MaxCycles > 0 && opt.MaxCycles < 1<<40 {
		// A warp issues at most two instructions per cycle. The constant covers instructions already fetched ahead.
		limits.CutInsts = 2*opt.MaxCycles + 4096
	}
	m.runner = emu.Runner{Mem: &m.mem, Compile: m.code.Compile, Limits: limits, Out: out, Values: c.RegFile.Values()}
	g.Engine.SetWorkers(max(opt.Workers, 1))
	m.hardware = &sampling.GPU{Core: g.Core, Dispatcher: g.Dispatcher, Memory: g.Memory, Stats: &g.Stats,
		GlobalInL1: c.Mem.L1.CacheGlobal, Flushes: c.Cache.FlushBetweenLaunches}
	for i, x := range g.SMs {
		m.hardware.SMs = append(m.hardware.SMs, x)
		m.hardware.Sides = append(m.hardware.Sides, cachesOf(g.Sides[i]))
	}
	if way := c.RegFile.Residency; way != regfile.NoResidency {
		m.hardware.Residency = fmt.Sprintf(
			"with regfile.residency = %s the cost of a CTA changes over hundreds of CTAs", way)
	}
	m.mode = sampling.New(m.hardware, opt.Sample, opt.Part)
	if c := opt.Checkpoints; c != nil {
		m.keeper = &keeper{m: m, opt: c, from: c.From, chunk: chunk}
	}
	m.patience = g.Patience()
	g.Engine.SetWatchdog(int(m.patience), g.Core.Freq())
	return m
}

func cachesOf(s *memsys.SMSide) (out sampling.Side) {
	if s.L1 != nil {
		out.L1 = s.L1.Tags
	}
	if s.Texture != nil {
		out.Texture = s.Texture.Tags
	}
	return out
}

// Memory returns the device's global memory.
func (m *machine) Memory() *mem.Memory { return &m.mem }

// Results returns the results of the launches so far, in order: a row for each of the first result.MostLaunches, and
// then rows for several launches. A machine with a part returns only the part's.
func (m *machine) Results() []result.Kernel {
	if len(m.queue.list) > 0 {
		panic("gpus: launches in streams are not simulated: Sync is missing")
	}
	return m.mode.Results(m.rows.List())
}

// Fills returns how the launches so far fill the machine, in order of first occurrence.
func (m *machine) Fills() []measure.Fill { return m.meter.Fills() }

// Blocks lists the register banks and operand crossbars, SM by SM, with their activity over all launches so far.
func (m *machine) Blocks() result.Blocks { return m.meter.Blocks() }

// Storage returns the storage of the blocks of one SM.
func (m *machine) Storage() []regfile.State { return m.meter.Storage() }

// Reasons lists the reasons of issue slots by priority, the first checked first. All SMs share one list.
func (m *machine) Reasons() []reason.Info { return m.chip.SMs[0].Reasons() }

// Structure lists the blocks of the chip and of one SM, and the links between these blocks.
func (m *machine) Structure(sm int) (chip.Structure, error) { return m.chip.Structure(sm) }

// Codes lists the kernels compiled so far that are machine code of another assembler.
func (m *machine) Codes() []result.Code { return m.code.Codes() }

// Stats lists the machine's statistics by name.
func (m *machine) Stats() []stats.Stat { return m.chip.Stats.Stats() }

// Distributions returns the distributions counted by the machine.
func (m *machine) Distributions() []*stats.Distribution { return m.chip.Stats.Distributions() }

// Engine returns the machine's simulation engine.
func (m *machine) Engine() *wire.Engine { return m.chip.Engine }

// Domain returns the clock domain of an SM, with all its blocks.
func (m *machine) Domain(sm int) (*wire.Domain, error) {
	if sm < 0 || sm >= len(m.chip.SMs) {
		return nil, fmt.Errorf("no SM %d; expected 0 to %d", sm, len(m.chip.SMs)-1)
	}
	return m.chip.SMs[sm].Residency.Domain(), nil
}
