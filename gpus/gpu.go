package gpus

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

// blueprint describes the GPU to build.
type blueprint struct {
	sm      *sm.Spec
	memory  *memsys.Spec
	regfile *regfile.Settings
	path    func(*regfile.Env) (regfile.Design, error) // as regfile.Env has it
	// pool is the number of bytes of pooled on-chip memory available to registers, for register files that
	// decide themselves how much of the pool they use.
	pool    int
	check   bool
	values  bool // the streams have the classes of written values
	ctaRate int  // CTAs dispatched per cycle; 0: one to each SM
}

// gpu is the hardware described by a configuration. Each SM is a partition of the simulation. The rest of the
// chip is another partition.
type gpu struct {
	engine     *wire.Engine
	core       *wire.Domain // the chip's core clock
	dispatcher *residency.Dispatcher
	sms        []*sm.SM
	sides      []*memsys.SMSide
	memory     *memsys.System
	stats      stats.Registry
}

// assemble builds and connects the blocks of a GPU.
func assemble(b blueprint) (*gpu, error) {
	g := &gpu{engine: wire.NewEngine()}
	clock := sim.Freq(b.sm.ClockMHz) * sim.MHz
	g.core = g.engine.NewPartition("Chip").NewDomain("Core", clock)
	g.dispatcher = residency.NewDispatcher("GPU.Dispatcher", g.core, b.sm.Count, b.sm.CTAContexts(), b.ctaRate)
	var err error
	if g.memory, err = memsys.NewSystem(g.core, b.memory, b.sm.Count, &g.stats); err != nil {
		return nil, err
	}
	for i := range b.sm.Count {
		name := fmt.Sprintf("GPU.SM[%d]", i)
		d := g.engine.NewPartition(name).NewDomain(name+".Core", clock)
		if err := g.addSM(b, i, name, d); err != nil {
			return nil, err
		}
	}
	if err := g.joinChip(b); err != nil {
		return nil, err
	}
	return g, g.checkPorts()
}

// checkPorts refuses a machine with an unconnected output port, on which a block would wait forever.
func (g *gpu) checkPorts() error {
	for _, p := range g.engine.Partitions() {
		for _, d := range p.Domains() {
			if open := d.Unconnected(); len(open) > 0 {
				return fmt.Errorf("port %s is not connected", strings.Join(open, ", "))
			}
		}
	}
	return nil
}

// joinChip connects the register files of all SMs, for a kind of register file with blocks shared by the chip.
func (g *gpu) joinChip(b blueprint) error {
	if b.regfile.Chip == nil {
		return nil
	}
	files := make([]regfile.Design, len(g.sms))
	for i, s := range g.sms {
		files[i] = s.Regfile
	}
	err := b.regfile.Chip(&regfile.ChipEnv{Domain: g.core, Stats: &g.stats, Name: "GPU", Latency: g.memory.LaneLatency},
		files)
	return spec.Within("regfile."+b.regfile.Kind.Name, err)
}

// addSM builds SM i in a clock domain of its own and connects the SM to the chip.
func (g *gpu) addSM(b blueprint, i int, name string, d *wire.Domain) error {
	s, err := sm.New(b.sm, sm.Env{Domain: d, Stats: &g.stats, Name: name, Number: i, RegFile: b.regfile,
		Path: b.path, Pool: b.pool, Check: b.check, Values: b.values})
	if err != nil {
		return err
	}
	side, err := memsys.NewSMSide(d, b.memory, sideConfig(b, i, name, s.Regfile), &g.stats)
	if err != nil {
		return err
	}
	joinDesign(side, s.Regfile)
	s.ConnectMemory(side.In, side.Out)
	s.ConnectInstructions(side.InstIn, side.InstOut)
	if s.Switches() {
		in, out := side.Shared.AddContexts(b.sm.WarpContexts(), &g.stats)
		s.ConnectContexts(in, out, side.Shared.Pipeline())
	}
	g.memory.Attach(i, side)
	lane := g.memory.LaneLatency
	wire.Connect(&s.Residency.Credits, &g.dispatcher.Credits[i], lane)
	wire.Connect(&g.dispatcher.Grants[i], &s.Residency.Grants, lane)
	g.sms = append(g.sms, s)
	g.sides = append(g.sides, side)
	return nil
}

// waiting returns a line for each waiting block of the machine, with the reason of its wait.
func (g *gpu) waiting() []string { return g.engine.Waiting() }

// countMore enables the optional counts selected by the configuration.
func (g *gpu) countMore(s *config.AccountSpec) {
	for i, x := range g.sms {
		if s.LiveRegisters {
			x.CountLive(&g.stats)
		}
		if s.Windows {
			x.CountWindows(&g.stats)
		}
		if !s.Reuse {
			continue
		}
		x.CountReuse(&g.stats)
		if l := g.sides[i].L1; l != nil {
			l.Tags.CountReuse(&g.stats)
		}
	}
}

// flush empties all caches. Nothing may be in flight.
func (g *gpu) flush() {
	for _, s := range g.sides {
		s.Flush()
	}
	for _, s := range g.sms {
		if c, ok := regfile.As[regfile.DataCache](s.Regfile); ok {
			c.Flush()
		}
		s.FlushCode()
	}
	g.memory.Flush()
}

// divide resizes the L1s to the given number of sets. An L1 of another size loses its lines.
func (g *gpu) divide(sets int) {
	for _, s := range g.sides {
		if s.L1 == nil {
			continue
		}
		if err := s.L1.Tags.Resize(sets); err != nil {
			panic(err) // the index is linear, and the pool is within the bounds of a cache
		}
	}
}
