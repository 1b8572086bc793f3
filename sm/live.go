package sm

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/sm/message"
	"kumiko/sm/program"
)

// liveCount sums, over the resident warps and over cycles, the registers live before each warp's next
// instruction. An instruction is a warp's next one from the issue of the instruction before it (or the warp's
// start) to its own issue. So the sum is updated when an instruction issues, and the next instruction need not
// be known beforehand. After its last instruction a warp has no live register.
//
// The same is summed by lane. In a diverged warp a lane's next instruction
// may be far from the warp's next instruction.
type liveCount struct {
	live  []uint16     // by instruction of the kernel: the number of registers live before it
	warps []wire.Cycle // by warp context: the cycle of the warp's last issue, or of its start before the first
	lanes []standing   // by warp context

	time     uint64 // live registers of warps, summed over cycles
	laneTime uint64 // live registers of lanes, summed over cycles
}

// standing has, for each lane of a warp, the cycle in which it last executed an instruction.
type standing struct {
	begun bool // the warp has issued something
	since [32]wire.Cycle
}

func newLiveCount(name string, reg *stats.Registry) *liveCount {
	c := &liveCount{}
	reg.Count("sm.residency.registers_live", stats.Cycles,
		"warp registers live before the next instruction of each resident warp, summed over cycles; 0 unless "+
			"account.live_registers", name, &c.time)
	return c
}

// Admitted implements Listener.
func (c *liveCount) Admitted(now wire.Cycle, slot uint16, contexts []uint16) {
	for _, w := range contexts {
		c.warps[w] = now
	}
}

// Retired implements Listener.
func (c *liveCount) Retired(wire.Cycle, uint16) {}

// Issued implements sched.IssueListener.
func (c *liveCount) Issued(now wire.Cycle, f *message.Fetched, _ uint32) {
	since, live := &c.warps[f.Warp], uint64(c.live[f.PC])
	c.lanesIssued(now, *since, f, live)
	c.time += live * (now - *since)
	*since = now
}

// lanesIssued updates the sum by lane, for the lanes executing an instruction. start is
// the start of the warp, if this is its first instruction.
func (c *liveCount) lanesIssued(now, start wire.Cycle, f *message.Fetched, live uint64) {
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

// load prepares for the launch of a program.
func (c *liveCount) load(p *program.Program) {
	if c.warps != nil {
		c.live = p.LiveCounts()
	}
}

// CountLive enables the counting of live registers from now on.
func (m *SM) CountLive(reg *stats.Registry) {
	c, n := m.live, m.spec.WarpContexts()
	c.warps, c.lanes = make([]wire.Cycle, n), make([]standing, n)
	reg.Count("sm.residency.lane_registers_live", stats.Cycles,
		"registers of lanes live before the next instruction that each lane executes, 32 of them to a warp register, "+
			"summed over cycles", m.Residency.Name(), &c.laneTime)
	m.observers.Count(c)
	m.Residency.AddListener(c)
}
