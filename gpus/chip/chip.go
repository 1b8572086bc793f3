// Package chip assembles the hardware of a configuration from its blocks: the SMs with their register files, the memory
// system and the dispatcher of CTAs. Package gpus runs launches on it.
package chip

import (
	"fmt"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/gpus/config"
	"kumiko/memsys"
	"kumiko/regfile"
	"kumiko/sm"
	"kumiko/sm/residency"
)

// Chip is the hardware described by a configuration. Each SM is a partition of the simulation. The rest of the chip is
// another partition or, for many workers, several.
type Chip struct {
	Engine     *wire.Engine
	Core       *wire.Domain // the chip's core clock
	Dispatcher *residency.Dispatcher
	SMs        []*sm.SM
	Sides      []*memsys.SMSide
	Memory     *memsys.System
	Stats      stats.Registry
}

// New builds and connects the blocks of a configuration's GPU, and enables its optional counts. With check, each SM
// tracks the versions of operands. The slices of the L2 are divided into parts, at least 1, which are simulated beside
// each other. An error names the value unfit for any hardware.
func New(c *config.Config, check bool, parts int) (*Chip, error) {
	g, err := assemble(c, check, parts)
	if err != nil {
		return nil, c.Locate(err)
	}
	g.countMore(&c.Account)
	return g, nil
}

// fewWorkers are served by the SMs alone: the rest of the chip as one partition takes up to a fifth of the time.
const fewWorkers = 4

// Parts returns the number of parts into which the slices of a chip are divided for a number of workers: one for every
// two of them that have something to do, because the SMs need the others.
func Parts(workers, sms int) int {
	if workers = min(workers, sms); workers <= fewWorkers {
		return 1
	}
	return workers / 2
}

func assemble(c *config.Config, check bool, parts int) (*Chip, error) {
	g := &Chip{Engine: wire.NewEngine()}
	clock := sim.Freq(c.SM.ClockMHz) * sim.MHz
	g.Core = g.Engine.NewPartition("Chip").NewDomain("Core", clock)
	g.Dispatcher = residency.NewDispatcher("GPU.Dispatcher", g.Core, c.SM.Count, c.SM.CTAContexts(), c.GPU.CTARate)
	var err error
	if g.Memory, err = memsys.NewSystem(g.Core, &c.Mem, c.SM.Count, parts, &g.Stats); err != nil {
		return nil, err
	}
	for i := range c.SM.Count {
		name := fmt.Sprintf("GPU.SM[%d]", i)
		d := g.Engine.NewPartition(name).NewDomain(name+".Core", clock)
		if err := g.addSM(c, check, i, name, d); err != nil {
			return nil, err
		}
	}
	if err := g.joinChip(c.RegFile.Settings()); err != nil {
		return nil, err
	}
	return g, g.checkPorts()
}

// checkPorts refuses a machine with an unconnected output port, on which a block would wait forever.
func (g *Chip) checkPorts() error {
	for _, p := range g.Engine.Partitions() {
		for _, d := range p.Domains() {
			if open := d.Unconnected(); len(open) > 0 {
				return fmt.Errorf("port %s is not connected", strings.Join(open, ", "))
			}
		}
	}
	return nil
}

// joinChip connects the register files of all SMs, for a kind of register file with blocks shared by the chip.
func (g *Chip) joinChip(file *regfile.Settings) error {
	if file.Chip == nil {
		return nil
	}
	files := make([]regfile.Design, len(g.SMs))
	for i, s := range g.SMs {
		files[i] = s.Regfile
	}
	err := file.Chip(&regfile.ChipEnv{Domain: g.Core, Stats: &g.Stats, Name: "GPU", Latency: g.Memory.LaneLatency},
		files)
	return spec.Within("regfile."+file.Kind.Name, err)
}

// addSM builds SM i in a clock domain of its own and connects the SM to the chip.
func (g *Chip) addSM(c *config.Config, check bool, i int, name string, d *wire.Domain) error {
	s, err := sm.New(&c.SM, sm.Env{Domain: d, Stats: &g.Stats, Name: name, Number: i, RegFile: c.RegFile.Settings(),
		Path: c.RegFile.Path(), Pool: c.RegisterPool(), Check: check, Values: c.RegFile.Values()})
	if err != nil {
		return err
	}
	side, err := memsys.NewSMSide(d, &c.Mem, sideConfig(&c.SM, i, name, s.Regfile), &g.Stats)
	if err != nil {
		return err
	}
	joinDesign(side, s.Regfile)
	s.ConnectMemory(side.In, side.Out)
	s.ConnectInstructions(side.InstIn, side.InstOut)
	s.ConnectConstants(side.ConstIn, side.ConstOut)
	if s.Switches() {
		in, out := side.Shared.AddContexts(c.SM.WarpContexts(), &g.Stats)
		s.ConnectContexts(in, out, side.Shared.Pipeline())
	}
	g.Memory.Attach(i, side)
	lane := g.Memory.LaneLatency
	wire.Connect(&s.Residency.Credits, &g.Dispatcher.Credits[i], lane)
	wire.Connect(&g.Dispatcher.Grants[i], &s.Residency.Grants, lane)
	g.SMs = append(g.SMs, s)
	g.Sides = append(g.Sides, side)
	return nil
}

// Waiting returns a line for each waiting block of the machine, with the reason of its wait.
func (g *Chip) Waiting() []string { return g.Engine.Waiting() }

// countMore enables the optional counts selected by the configuration.
func (g *Chip) countMore(s *config.AccountSpec) {
	for i, x := range g.SMs {
		if s.LiveRegisters {
			x.CountLive(&g.Stats)
		}
		if s.Windows {
			x.CountWindows(&g.Stats)
		}
		if !s.Reuse {
			continue
		}
		x.CountReuse(&g.Stats)
		if l := g.Sides[i].L1; l != nil {
			l.Tags.CountReuse(&g.Stats)
		}
	}
}

// Flush empties all caches. Nothing may be in flight.
func (g *Chip) Flush() {
	for _, s := range g.Sides {
		s.Flush()
	}
	for _, s := range g.SMs {
		if c, ok := regfile.As[regfile.DataCache](s.Regfile); ok {
			c.Flush()
		}
		s.FlushCode()
	}
	g.Memory.Flush()
}

// Divide resizes the L1s to the given number of sets. An L1 of another size loses its lines.
func (g *Chip) Divide(sets int) {
	for _, s := range g.Sides {
		if s.L1 == nil {
			continue
		}
		if err := s.L1.Tags.Resize(sets); err != nil {
			panic(err) // the index is linear, and the pool is within the bounds of a cache
		}
	}
}

// watchdogCycles is the longest permitted time without any movement while work is left, in cycles of the slowest
// clock. The longest wait of a sound machine is a refresh, of up to 1<<20 command cycles.
const watchdogCycles = 1 << 21

// Patience returns watchdogCycles converted to core cycles.
func (g *Chip) Patience() wire.Cycle {
	slower := 1.0 // the core clock's share of the DRAM's
	for _, d := range g.Memory.Domains {
		slower = max(slower, float64(g.Core.Freq()/d.Freq()))
	}
	return wire.Cycle(watchdogCycles * slower)
}
