package sm

import (
	"fmt"
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// barriersPerCTA is the number of named barriers of a CTA (PTX ISA, bar).
const barriersPerCTA = 16

// Barrier counts the arrivals at the barriers of every resident CTA and lets
// the waiting warps go when the last has come. Warps that have exited are not
// waited for.
type Barrier struct {
	wire.Comp

	Start    wire.InPort[*Residence]
	Arrivals []wire.InPort[Arrive]   // from each scheduler
	Release  []wire.OutPort[Release] // to each scheduler

	ctas  []barrierCTA
	ready []Release // per scheduler: not yet sent

	releases uint64
}

type barrierCTA struct {
	live uint16 // warps that have not exited
	bars [barriersPerCTA]barrierState
}

type barrierState struct {
	arrived uint16
	need    uint16 // 0: every live warp
	waiting WarpSet
}

// NewBarrier builds the barrier unit of an SM.
func NewBarrier(name string, d *wire.Domain, ctas, schedulers int, reg *stats.Registry) *Barrier {
	b := &Barrier{ctas: make([]barrierCTA, ctas), ready: make([]Release, schedulers)}
	b.Init(name, d, b)
	b.Start.Init(&b.Comp, "Start", 4)
	b.Arrivals = make([]wire.InPort[Arrive], schedulers)
	b.Release = make([]wire.OutPort[Release], schedulers)
	for i := range schedulers {
		b.Arrivals[i].Init(&b.Comp, fmt.Sprintf("Arrivals[%d]", i), 8)
		b.Release[i].Init(&b.Comp, fmt.Sprintf("Release[%d]", i))
	}
	reg.Count("sm.barrier.releases", stats.Events, "CTA barriers completed", name, &b.releases)
	return b
}

// Tick takes the arrivals of this cycle, all schedulers' alike, and then
// releases.
func (b *Barrier) Tick(wire.Cycle) bool {
	for r := b.Start.Head(); r != nil; r = b.Start.Head() {
		b.ctas[(*r).Slot] = barrierCTA{live: uint16(len((*r).Contexts))}
		b.Start.Pop()
	}
	for i := range b.Arrivals {
		for a := b.Arrivals[i].Head(); a != nil; a = b.Arrivals[i].Head() {
			b.arrive(a)
			b.Arrivals[i].Pop()
		}
	}
	for i := range b.Release {
		if b.ready[i] != (Release{}) && b.Release[i].CanPut() {
			b.Release[i].Put(b.ready[i])
			b.ready[i] = Release{}
		}
	}
	return false
}

func (b *Barrier) arrive(a *Arrive) {
	c := &b.ctas[a.CTA]
	if a.Exit {
		c.live--
		for i := range c.bars {
			b.check(c, &c.bars[i])
		}
		return
	}
	s := &c.bars[a.Bar]
	s.arrived++
	s.need = a.Warps
	if !a.Stay {
		s.waiting.Add(int(a.Warp))
	}
	b.check(c, s)
}

// check completes a barrier that has all its arrivals.
func (b *Barrier) check(c *barrierCTA, s *barrierState) {
	need := s.need
	if need == 0 {
		need = c.live
	}
	if s.arrived == 0 || s.arrived < need {
		return
	}
	n := len(b.ready)
	for w, m := range s.waiting {
		for ; m != 0; m &= m - 1 {
			warp := w<<6 | bits.TrailingZeros64(m)
			own := warp / n
			b.ready[warp%n].Own[own>>6] |= 1 << (own & 63)
		}
	}
	*s = barrierState{}
	b.releases++
}

// Waiting reports which barrier lacks whom.
func (b *Barrier) Waiting() string {
	for i := range b.ctas {
		for j := range b.ctas[i].bars {
			s := &b.ctas[i].bars[j]
			if s.arrived == 0 {
				continue
			}
			need := s.need
			if need == 0 {
				need = b.ctas[i].live
			}
			return fmt.Sprintf("CTA slot %d, barrier %d: %d of %d warps have arrived", i, j, s.arrived, need)
		}
	}
	return ""
}
