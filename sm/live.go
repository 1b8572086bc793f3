package sm

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
)

// liveCount sums up, over the resident warps and over cycles, the registers that
// are live before each warp's next instruction. A warp stands before an
// instruction from the issue of the one before it (or from its start) to the
// issue of this one, so the sum is made by difference when an instruction issues,
// and what comes next need not be known beforehand. Behind its last instruction
// nothing of a warp is live.
type liveCount struct {
	at   *Residency
	live []uint16 // before each instruction of the kernel
	next Observer // who watches besides; nil: nobody
}

// Issued implements Observer.
func (c *liveCount) Issued(now wire.Cycle, f *Fetched, tag uint32) {
	since := &c.at.standing[f.Warp]
	c.at.liveTime += uint64(c.live[f.PC]) * (now - *since)
	*since = now
	if c.next != nil {
		c.next.Issued(now, f, tag)
	}
}

// States implements Observer.
func (c *liveCount) States(now wire.Cycle, sched int, states *[NumReasons]uint64, contexts []uint16, issued int, lost Reason) {
	if c.next != nil {
		c.next.States(now, sched, states, contexts, issued, lost)
	}
}

// Aside implements Observer.
func (c *liveCount) Aside(now wire.Cycle, context uint16, lost bool) {
	if c.next != nil {
		c.next.Aside(now, context, lost)
	}
}

// CountLive lets the SM count live registers from now on.
func (m *SM) CountLive() {
	m.live = &liveCount{at: m.Residency}
	m.attach()
}

// liveCounts is the number of registers live before each instruction: what the
// instructions from there on may read of what is written before.
func (p *Program) liveCounts() []uint16 {
	if p.live != nil {
		return p.live
	}
	p.live = make([]uint16, len(p.Kernel.Insts))
	l := liveness.Analyze(p.Kernel, cfg.Build(p.Kernel.Insts))
	for pc, set := range l.Vectors() {
		set.Each(func(i int) {
			if i < l.Regs {
				p.live[pc]++
			}
		})
	}
	return p.live
}
