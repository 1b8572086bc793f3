package sm

import (
	"math/bits"

	"kumiko/components/stats"
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
//
// The same is summed up lane by lane: a lane stands before the next instruction
// that it executes, which in a diverged warp may be far from the warp's next one.
type liveCount struct {
	at       *Residency
	live     []uint16   // before each instruction of the kernel
	lanes    []standing // by warp context
	laneTime uint64     // registers of lanes
	next     Observer   // who watches besides; nil: nobody
}

// standing is since when each lane of a warp stands before its next instruction.
type standing struct {
	begun bool // the warp has issued something
	since [32]wire.Cycle
}

// Issued implements Observer.
func (c *liveCount) Issued(now wire.Cycle, f *Fetched, tag uint32) {
	since, live := &c.at.standing[f.Warp], uint64(c.live[f.PC])
	c.lanesIssued(now, *since, f, live)
	c.at.liveTime += live * (now - *since)
	*since = now
	if c.next != nil {
		c.next.Issued(now, f, tag)
	}
}

// lanesIssued does the same for the lanes that execute an instruction. start is when
// the warp started, if this is its first one.
func (c *liveCount) lanesIssued(now, start wire.Cycle, f *Fetched, live uint64) {
	w := &c.lanes[f.Warp]
	if !w.begun {
		w.begun = true
		for i := range w.since {
			w.since[i] = start
		}
	}
	for m := f.Exec; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m)
		c.laneTime += live * (now - w.since[i])
		w.since[i] = now
	}
	if f.Last {
		w.begun = false
	}
}

// States implements Observer.
func (c *liveCount) States(now wire.Cycle, sched int, states *[NumReasons]uint64, contexts []uint16, issued int,
	lost Reason) {
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
func (m *SM) CountLive(reg *stats.Registry) {
	c := &liveCount{at: m.Residency, lanes: make([]standing, m.spec.WarpContexts())}
	reg.Count("sm.residency.lane_registers_live", stats.Cycles,
		"registers of lanes live before the next instruction that each lane executes, 32 of them to a warp register, "+
			"summed over cycles", m.Residency.Name(), &c.laneTime)
	m.live = c
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
