package ltrf

import (
	"fmt"

	"kumiko/components/arbiter"
	"kumiko/components/bank"
	"kumiko/components/crossbar"
	"kumiko/components/wire"
	"kumiko/regfile/conventional"
)

// part is the cache of a sub-core, with all blocks around it.
type part struct {
	*conventional.Part
	spec    *Spec
	offsets int // active warps: entries of each bank

	wcb        *WCB
	sequencer  *Sequencer
	allocation *Allocation
	fill       *Fill
	back       *Back
	arbiter    *arbiter.Banks
	banks      []*bank.Bank
	operands   *crossbar.Crossbar // to the collectors
	returns    *crossbar.Crossbar // to the main file
}

// Readers of the cache's arbiter.
const (
	byOperand = iota
	byBack
	readers
)

// bankSpec returns the shape of the cache's banks: one read and one write port, a cycle each.
func (p *part) bankSpec() bank.Spec {
	return bank.Spec{Entries: p.offsets, Ports: bank.OneReadOneWrite, Timing: bank.Timing{ReadLatency: 1,
		WriteLatency: 1}, Slices: 1,
		SideFrom: p.Collectors,
		Causes:   1<<bank.Operand | 1<<bank.Result | 1<<bank.Eviction | 1<<bank.Prefetch | 1<<bank.Flush,
		Prefix:   "regfile.ltrf.cache", Of: "the banks of the register cache"}
}

// newPart builds the blocks of a sub-core and joins them.
func newPart(c *conventional.Part, s *Spec) (*part, error) {
	p := &part{Part: c, spec: s, offsets: max(1, c.Env.Active/c.SubCores)}
	d, reg := c.Env.Domain, c.Env.Stats
	p.wcb = newWCB(c.Name+".WCB", p)
	p.sequencer = newSequencer(c.Name+".Sequencer", d, c.Env.Warps, s.Rate)
	cache := shape{warps: c.Env.Warps, banks: s.Banks, offsets: p.offsets}
	p.allocation = newAllocation(c.Name+".Allocation", d, allocationSpec{cache, s.Rate, s.Handover == Whole}, reg)
	p.fill = newFill(c.Name+".Fill", d, fillSpec{cache, s.FillGrants, c.Index}, reg)
	if err := p.cache(); err != nil {
		return nil, err
	}
	crossed := (p.returns.Latency() + 1) * min(s.Banks, c.Banks)
	p.back = newBack(c.Name+".Back", d, backSpec{warps: c.Env.Warps, banks: s.Banks, offsets: p.offsets,
		buffers: s.BackBuffers,
		room:    c.WriteRoom, crossed: crossed, to: c.Collectors, index: c.Index}, reg)
	p.join()
	return p, nil
}

// cache builds the banks, the arbiter before them and the crossbars behind them.
func (p *part) cache() error {
	d, reg, s := p.Env.Domain, p.Env.Stats, p.bankSpec()
	var err error
	p.arbiter, err = arbiter.NewBanks(p.Name+".CacheArbiter", d, arbiter.BanksSpec{
		Banks: p.spec.Banks, Bank: s, Depth: 16, Readers: readers, Writers: 1,
		ReadRoom: max(p.RequestRoom, 2*p.spec.Banks), WriteRoom: 2 * (p.Writes + p.spec.Banks),
		Prefix: "regfile.ltrf.arbiter", Of: "the register cache",
	}, reg)
	if err != nil {
		return err
	}
	for i := range p.spec.Banks {
		b, err := bank.New(fmt.Sprintf("%s.CacheBank[%d]", p.Name, i), d, s, p.Env.Checker != nil, reg)
		if err != nil {
			return err
		}
		p.banks = append(p.banks, b)
	}
	p.operands, err = crossbar.New(p.Name+".CacheCrossbar", d, crossbar.Spec{
		Paths:  crossbar.Paths{OutputWidth: p.spec.base.Paths.OutputWidth, Cycles: 1, Latency: 1},
		Inputs: p.spec.Banks, Outputs: p.Collectors, InputWidth: 1, InputRoom: 2, Bundled: true,
		Prefix: "regfile.ltrf.crossbar",
		Of:     "crossbars between register cache and collectors",
	}, reg)
	if err != nil {
		return err
	}
	p.returns, err = crossbar.New(p.Name+".BackCrossbar", d, crossbar.Spec{
		Paths:  crossbar.Paths{OutputWidth: 1, Cycles: p.spec.BackCycles, Latency: 1},
		Inputs: p.spec.Banks, Outputs: p.Banks, InputWidth: 1, InputRoom: 2, Bundled: true, Prefix: "regfile.ltrf.back",
		Of: "crossbars between register cache and main register file",
	}, reg)
	return err
}

func (p *part) join() {
	w := p.wcb
	wire.Connect(&w.Job, &p.sequencer.In, 1)
	wire.Connect(&p.sequencer.Leave, &w.Leave, 1)
	wire.Connect(&p.sequencer.Want, &p.allocation.In, 1)
	wire.Connect(&p.allocation.Out, &w.Grant, 1)
	wire.Connect(&w.Dropped, &p.allocation.Dropped, 1)
	wire.Connect(&w.Fetch, &p.fill.In, 1)
	wire.Connect(&w.Move, &p.back.Take, 1)
	wire.Connect(&w.Past, &p.back.Past, 1)
	wire.Connect(&p.back.Landed, &w.Landed, 1)
	wire.Connect(&p.back.Freed, &p.allocation.Freed, 1)
	wire.Connect(&w.Read, &p.arbiter.Read[byOperand], 1)
	wire.Connect(&p.back.Read, &p.arbiter.Read[byBack], 1)
	wire.Connect(&w.Update, &p.arbiter.Write[0], 1)
	for i, b := range p.banks {
		wire.Connect(&p.arbiter.Out[i], &b.In, 1)
		b.Connect(&p.operands.In[i])
		b.ConnectSide(&p.back.In[i])
		wire.Connect(&p.back.Out[i], &p.returns.In[i], 1)
	}
	p.returns.Connect(0, &p.back.Crossed)
}

// extension returns the part's ports for the conventional file.
func (p *part) extension() *conventional.Extension {
	x := &conventional.Extension{
		Request: &p.wcb.Request, Result: &p.wcb.Result, Read: &p.fill.Read, Write: &p.back.Main, Stages: 1,
		Reads: p.spec.FillGrants, Writes: p.spec.Banks,
		Causes:  1<<bank.Eviction | 1<<bank.Prefetch | 1<<bank.Flush,
		Operand: &p.operands.Out[0], Operands: min(p.spec.Banks, p.Collectors*p.spec.base.Paths.OutputWidth),
		Latency: p.operands.Latency(),
		Hints:   p.spec.operandHints(),
	}
	if x.Hints.Source != nil {
		x.Captured = &p.wcb.Captured
	}
	for i := range p.wcb.Values {
		x.Ends = append(x.Ends, &p.wcb.Values[i])
	}
	return x
}
