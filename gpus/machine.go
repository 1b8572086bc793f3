package gpus

import (
	"fmt"
	"os"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
	"kumiko/gpus/timeline"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/memsys"
	"kumiko/regfile"
	"kumiko/sm"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// Machine is a GPU in simulated time.
//
// Launch, Replay and Play return when their last kernel has retired. The error is a *StopError when the simulation
// stopped by itself and ErrInterrupted when the context was cancelled. All other errors are faults of the
// input. After an error Results still returns the results so far, with the last launch marked incomplete.
//
// Its interior is behind an interface: a package that could see the type of a port would compile the methods of all
// ports anew.
type Machine struct{ operations }

// operations are the methods of a Machine.
type operations interface {
	Launch(l *host.Launch) error
	Play(c *Capture) error
	Replay(r *Replay) error
	Residents(c *Capture) ([]int, error)
	Memory() *mem.Memory
	Results() []result.Kernel
	Fills() []Fill
	Blocks() result.Blocks
	Storage() []regfile.State
	Stats() []stats.Stat
	Distributions() []*stats.Distribution
	Reasons() []reason.Info
	Structure(sm int) (Structure, error)
	Engine() *wire.Engine
	Domain(sm int) (*wire.Domain, error)
}

// machine is a Machine's interior.
type machine struct {
	*gpu
	cfg      *config.Config
	spec     *sm.Spec
	opt      Options
	mem      mem.Memory
	kernels  compiled
	code     codeMemory
	programs map[*ir.Kernel]*program.Program
	tables   map[*ir.Kernel]*tables.Tables
	runner   emu.Runner
	rows     result.Rows
	launches int           // so far
	fills    fills         // of the launches
	busy     uint64        // cycles of simulated launches
	mode     sampling.Mode // selects the simulated parts of the program
	hardware *sampling.GPU // the mode's view of the machine
	keeper   *keeper       // nil: no checkpoints
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
	g, err := assemble(blueprint{sm: &c.SM, memory: &c.Mem, regfile: c.RegFile.Settings(),
		path: c.RegFile.Path(), pool: c.RegisterPool(), check: opt.Check, values: c.RegFile.Values(),
		ctaRate: c.GPU.CTARate})
	if err != nil {
		return nil, c.Locate(err)
	}
	if t := opt.Timeline; t != nil {
		if t.SM() < 0 || t.SM() >= len(g.sms) {
			return nil, fmt.Errorf("timeline of SM %d: expected one of the SMs 0 to %d", t.SM(), len(g.sms)-1)
		}
		timeline.Attach(t, g.sms[t.SM()])
	}
	g.countMore(&c.Account)
	return newMachine(g, c, opt), nil
}

// newMachine makes a built GPU ready to run launches.
func newMachine(g *gpu, c *config.Config, opt Options) *machine {
	code := c.CompileSpec()
	m := &machine{gpu: g, cfg: c, spec: &c.SM, opt: opt, kernels: newCompiled(code),
		code: newCodeMemory(), programs: map[*ir.Kernel]*program.Program{}, tables: map[*ir.Kernel]*tables.Tables{}}
	out := opt.Printf
	if out == nil {
		out = os.Stderr
	}
	limits := opt.Limits
	limits.SharedBytes, limits.LockStep = code.CTAShared, code.LockStep
	if opt.MaxCycles > 0 && opt.MaxCycles < 1<<40 {
		// A warp issues at most two instructions per cycle. The constant covers instructions already fetched ahead.
		limits.CutInsts = 2*opt.MaxCycles + 4096
	}
	m.runner = emu.Runner{Mem: &m.mem, Compile: m.compile, Limits: limits, Out: out, Values: c.RegFile.Values()}
	g.engine.SetWorkers(max(opt.Workers, 1))
	m.hardware = &sampling.GPU{Core: g.core, Dispatcher: g.dispatcher, Memory: g.memory, Stats: &g.stats,
		GlobalInL1: c.Mem.L1.CacheGlobal, Flushes: c.Cache.FlushBetweenLaunches}
	for i, x := range g.sms {
		m.hardware.SMs = append(m.hardware.SMs, x)
		m.hardware.Sides = append(m.hardware.Sides, cachesOf(g.sides[i]))
	}
	if way := c.RegFile.Residency; way != regfile.NoResidency {
		m.hardware.Residency = fmt.Sprintf(
			"with regfile.residency = %s the cost of a CTA changes over hundreds of CTAs", way)
	}
	m.mode = sampling.New(m.hardware, opt.Sample, opt.Part)
	if c := opt.Checkpoints; c != nil {
		m.keeper = &keeper{m: m, opt: c, from: c.From, chunk: chunk}
	}
	m.patience = g.patience()
	g.engine.SetWatchdog(int(m.patience), g.core.Freq())
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

// watchdogCycles is the longest permitted time without any movement while work is left, in cycles of the slowest
// clock. The longest wait of a sound machine is a refresh, of up to 1<<20 command cycles.
const watchdogCycles = 1 << 21

// patience returns watchdogCycles converted to core cycles.
func (g *gpu) patience() wire.Cycle {
	slower := 1.0 // the core clock's share of the DRAM's
	if d := g.memory.DRAM; d != nil {
		slower = max(1, float64(g.core.Freq()/d.Freq()))
	}
	return wire.Cycle(watchdogCycles * slower)
}

// Memory returns the device's global memory.
func (m *machine) Memory() *mem.Memory { return &m.mem }

// Results returns the results of the launches so far, in order: a row for each of the first result.MostLaunches, and
// then rows for several launches. A machine with a part returns only the part's.
func (m *machine) Results() []result.Kernel { return m.mode.Results(m.rows.List()) }

// Stats lists the machine's statistics by name.
func (m *machine) Stats() []stats.Stat { return m.stats.Stats() }

// Distributions returns the distributions counted by the machine.
func (m *machine) Distributions() []*stats.Distribution { return m.stats.Distributions() }

// Engine returns the machine's simulation engine.
func (m *machine) Engine() *wire.Engine { return m.engine }

// Domain returns the clock domain of an SM, with all its blocks.
func (m *machine) Domain(sm int) (*wire.Domain, error) {
	if sm < 0 || sm >= len(m.sms) {
		return nil, fmt.Errorf("no SM %d; expected 0 to %d", sm, len(m.sms)-1)
	}
	return m.sms[sm].Residency.Domain(), nil
}
