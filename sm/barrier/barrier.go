// Package barrier has the barrier unit of an SM: named barriers of CTAs, and mbarriers in shared
// memory.
package barrier

import (
	"fmt"
	"math/bits"
	"slices"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/sm/message"
)

// Spec has the times of the barrier unit.
type Spec struct {
	Interval int `toml:"interval" unit:"cycles" range:"0 to 1024" doc:"between two arrivals at barriers that the SM's barrier unit takes. 0: it takes all"`
	Latency  int `toml:"latency" unit:"cycles" range:"0 to 1024" doc:"by which the warps go on later after the last arrival at a barrier, beside the links to the barrier unit and back"`
}

// barriersPerCTA is the number of named barriers of a CTA (PTX ISA, bar).
const barriersPerCTA = 16

// Unit counts the arrivals at the barriers of every resident CTA and releases
// the waiting warps after the last arrival. It does not wait for exited warps.
type Unit struct {
	wire.Comp

	Start    wire.InPort[*message.Residence]
	Arrivals []wire.InPort[message.Arrive]   // from each scheduler
	Release  []wire.OutPort[message.Release] // to each scheduler

	ctas []barrierCTA `bits:"5+16*(6+6+32)"`
	// phases has the operations so far on the mbarriers of each CTA.
	phases [][]mbarrierState `soft:"in shared memory, counted there"`
	ready  []message.Release `bits:"64"` // per scheduler: not yet sent

	every wire.Cycle // from one arrival at a named barrier to the next; 0: no limit
	free  wire.Cycle // from when the next arrival is taken
	turn  int        // scheduler to look at first

	releases uint64
}

type barrierCTA struct {
	live uint16 // live warps
	bars [barriersPerCTA]barrierState
}

type barrierState struct {
	arrived uint16
	need    uint16 // 0: every live warp
	waiting message.WarpSet
}

// mbarrierState counts the operations on an mbarrier, identified by its address in shared memory,
// and lists the warps waiting for one of its phases.
type mbarrierState struct {
	object  uint32
	done    uint32
	waiting []phaseWait
}

type phaseWait struct {
	warp   uint16
	needed uint32
}

// New builds the barrier unit of an SM. The SM adds the Spec's latency to the links at Release.
func New(name string, d *wire.Domain, s Spec, ctas, schedulers int, reg *stats.Registry) *Unit {
	b := &Unit{ctas: make([]barrierCTA, ctas), ready: make([]message.Release, schedulers),
		phases: make([][]mbarrierState, ctas), every: wire.Cycle(s.Interval)}
	b.Init(name, d, b)
	b.Start.Init(&b.Comp, "Start", 4)
	b.Arrivals = make([]wire.InPort[message.Arrive], schedulers)
	b.Release = make([]wire.OutPort[message.Release], schedulers)
	for i := range schedulers {
		b.Arrivals[i].Init(&b.Comp, fmt.Sprintf("Arrivals[%d]", i), 8)
		b.Release[i].Init(&b.Comp, fmt.Sprintf("Release[%d]", i))
	}
	reg.Count("sm.barrier.releases", stats.Events, "CTA barriers completed", name, &b.releases)
	return b
}

// Tick receives the arrivals of this cycle from all schedulers, as many of them as the unit takes, and then sends
// releases.
func (b *Unit) Tick(now wire.Cycle) bool {
	for r := b.Start.Take(); r != nil; r = b.Start.Take() {
		b.ctas[(*r).Slot] = barrierCTA{live: uint16(len((*r).Contexts))}
		b.phases[(*r).Slot] = b.phases[(*r).Slot][:0]
	}
	if b.every > 0 {
		b.takeInTurn(now)
	} else {
		for i := range b.Arrivals {
			for a := b.Arrivals[i].Take(); a != nil; a = b.Arrivals[i].Take() {
				b.arrive(a)
			}
		}
	}
	for i := range b.Release {
		if b.ready[i] != (message.Release{}) && b.Release[i].CanPut() {
			b.Release[i].Put(b.ready[i])
			b.ready[i] = message.Release{}
		}
	}
	return false
}

// takeInTurn takes an arrival at a named barrier when its time has come, from the schedulers in turn. Ends of warps
// and operations on mbarriers, which are in shared memory, take no time.
func (b *Unit) takeInTurn(now wire.Cycle) {
	first := b.turn
	for n := range b.Arrivals {
		i := first + n
		if i >= len(b.Arrivals) {
			i -= len(b.Arrivals)
		}
		for a := b.Arrivals[i].Head(); a != nil; a = b.Arrivals[i].Head() {
			if !a.Exit && a.Phase == message.PhaseNone {
				if now < b.free {
					b.WakeAt(b.free)
					break
				}
				b.free = now + b.every
				if b.turn = i + 1; b.turn == len(b.Arrivals) {
					b.turn = 0
				}
			}
			b.arrive(a)
			b.Arrivals[i].Pop()
		}
	}
}

func (b *Unit) arrive(a *message.Arrive) {
	c := &b.ctas[a.CTA]
	if a.Exit {
		c.live--
		for i := range c.bars {
			b.check(c, &c.bars[i])
		}
		return
	}
	if a.Phase != message.PhaseNone {
		b.phase(a)
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

// check completes a barrier after its last arrival.
func (b *Unit) check(c *barrierCTA, s *barrierState) {
	need := s.need
	if need == 0 {
		need = c.live
	}
	if s.arrived == 0 || s.arrived < need {
		return
	}
	for w, m := range s.waiting {
		for ; m != 0; m &= m - 1 {
			b.release(w<<6 | bits.TrailingZeros64(m))
		}
	}
	*s = barrierState{}
	b.releases++
}

func (b *Unit) release(warp int) {
	n := len(b.ready)
	own := warp / n
	b.ready[warp%n].Own[own>>6] |= 1 << (own & 63)
}

// phase handles an operation on an mbarrier, or a wait for one of its phases. A wait has the number of operations that
// complete its phase, known from the program's execution, and ends when as many have issued.
func (b *Unit) phase(a *message.Arrive) {
	list := b.phases[a.CTA]
	i := slices.IndexFunc(list, func(s mbarrierState) bool { return s.object == a.Object })
	if i < 0 {
		i = len(list)
		list = append(list, mbarrierState{object: a.Object})
		b.phases[a.CTA] = list
	}
	s := &list[i]
	if a.Phase == message.PhaseWait {
		s.waiting = append(s.waiting, phaseWait{warp: a.Warp, needed: a.Needed})
	} else {
		s.done++
	}
	s.waiting = slices.DeleteFunc(s.waiting, func(w phaseWait) bool {
		if s.done >= w.needed {
			b.release(int(w.warp))
		}
		return s.done >= w.needed
	})
}

// Waiting describes an incomplete barrier and its missing arrivals.
func (b *Unit) Waiting() string {
	for i := range b.ctas {
		for _, s := range b.phases[i] {
			if len(s.waiting) > 0 {
				return fmt.Sprintf("CTA slot %d, mbarrier at %#x of shared memory: %d operations have issued, "+
					"warp %d waits for %d", i, s.object, s.done, s.waiting[0].warp, s.waiting[0].needed)
			}
		}
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
