package sched

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Idle counts the cycles of an SM in which no scheduler issues, as GPGPU-Sim counts them and Register Sharing
// (section 7) reports them. A cycle is idle if no warp had its next instruction and operands. A cycle is a
// stall if a warp had both, but could not issue: collectors busy, or a gate closed.
//
// Schedulers report in any order within a cycle. The last report of a sleeping scheduler stays valid.
type Idle struct {
	at     wire.Cycle // cycle of the latest report; the cycles before are counted
	issued bool       // by any scheduler at cycle at
	ready  uint32     // schedulers with a ready warp

	idle, stall uint64
}

// NewIdle returns the count of an SM.
func NewIdle(name string, reg *stats.Registry) *Idle {
	c := &Idle{}
	reg.Count("sm.idle_cycles", stats.Cycles,
		"cycles of an SM in which no scheduler issued and none had a warp whose next instruction passed the scoreboard",
		name, &c.idle)
	reg.Count("sm.stall_cycles", stats.Cycles,
		"cycles of an SM in which no scheduler issued although one had a warp whose next instruction passed the "+
			"scoreboard", name, &c.stall)
	return c
}

// report records a scheduler's state at the end of cycle now.
func (c *Idle) report(now wire.Cycle, sched int, issued, ready bool) {
	if now != c.at {
		c.advance(now)
	}
	c.issued = c.issued || issued
	bit := uint32(1) << (sched & 31)
	c.ready &^= bit
	if ready {
		c.ready |= bit
	}
}

// advance counts the cycles before now.
func (c *Idle) advance(now wire.Cycle) {
	n := now - c.at
	if c.issued {
		n--
	}
	if c.ready != 0 {
		c.stall += n
	} else {
		c.idle += n
	}
	c.at, c.issued = now, false
}

// Begin starts the count after cycle now.
func (c *Idle) Begin(now wire.Cycle) { c.at, c.issued, c.ready = now, true, 0 }

// Finish closes the count after cycle now. If the count is already ahead of now, the SM has had no warp since, so the
// cycles after now were counted as idle and are taken back.
func (c *Idle) Finish(now wire.Cycle) {
	if c.at > now {
		c.idle -= c.at - now - 1
	} else {
		c.advance(now + 1)
	}
	c.Begin(now)
}
