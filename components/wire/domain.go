package wire

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/sarchlab/akita/v3/sim"
)

// Cycle counts the cycles of one clock domain since time zero.
type Cycle = uint64

// Never is a cycle beyond the end of any simulation.
const Never = ^Cycle(0)

// Tickable is the behaviour of a component.
//
// Contract: Tick is called at most once per cycle. It returns true to be ticked in the next cycle too. A Tick with
// nothing to do leaves all state unchanged, because wakes may be spurious.
type Tickable interface {
	Tick(now Cycle) bool
}

// wheelSpan is the number of cycles ahead for which a wake is kept as a bit. Later wakes go to a heap. It is the
// width of a word, so that one rotation and one count of zeros find the next busy cycle.
const wheelSpan = 64

// Domain is a clock domain: components ticking on the same clock edges.
type Domain struct {
	// The fields read by the engine between windows share a cache line.
	now  Cycle
	busy uint64 // bit t%wheelSpan: a component wants to tick at t, now < t < now+wheelSpan
	// moves counts messages put and reported progress, for the watchdog.
	moves    uint64
	hz       uint64
	far      farWakes
	hooks    int // hooks attached in the domain
	mail     mailbox
	groups   []*group // of the components, in construction order
	comps    []Block
	built    []int   // by component: how many the engine had before
	order    []int32 // nil: construction order, and every second cycle backwards; otherwise a permutation, for tests
	stepping bool
	name     string
	freq     sim.Freq
	part     *Partition // nil: the domain stands alone
	senders  []*sender
	// observers are called after each step: ports watched by Akita.
	observers []observer
}

// NewDomain returns a clock domain with no components, at cycle 0. It panics if the frequency is not a whole
// positive number of hertz: clock edges of different domains are compared as integers.
func NewDomain(name string, freq sim.Freq) *Domain {
	if !(freq >= 1) || freq > 1e15 || sim.Freq(uint64(freq)) != freq {
		panic(fmt.Sprintf("wire: domain %s: frequency %v Hz, want a whole number of hertz from 1 to 1e15", name,
			float64(freq)))
	}
	return &Domain{name: name, freq: freq, hz: uint64(freq)}
}

// Name returns the name of the domain.
func (d *Domain) Name() string { return d.name }

// Freq returns the clock frequency in Hz.
func (d *Domain) Freq() sim.Freq { return d.freq }

// Now returns the current cycle. Outside Step it is the last finished cycle.
func (d *Domain) Now() Cycle { return d.now }

// Time returns the current time in seconds, derived from the cycle and never accumulated.
func (d *Domain) Time() sim.VTimeInSec { return d.edge().seconds() }

// CurrentTime is Time: it makes the domain a sim.TimeTeller.
func (d *Domain) CurrentTime() sim.VTimeInSec { return d.Time() }

// Partition returns the partition of the domain, or nil.
func (d *Domain) Partition() *Partition { return d.part }

func (d *Domain) edge() edge { return edge{d.now, d.hz} }

// Len returns the number of components in the domain.
func (d *Domain) Len() int { return len(d.comps) }

func (d *Domain) add(name string, b Block) int32 {
	if d.stepping {
		panic("wire: component " + name + " added while domain " + d.name + " ticks")
	}
	if d.order != nil {
		panic("wire: component " + name + " added to domain " + d.name + " after SetTickOrder")
	}
	id := int32(len(d.comps))
	d.comps = append(d.comps, b)
	if d.part != nil {
		d.built = append(d.built, d.part.engine.comps)
		d.part.engine.comps++
	} else {
		d.built = append(d.built, int(id)) // until the domain is in an engine
	}
	if id%wheelSpan == 0 {
		d.groups = append(d.groups, &group{})
	}
	d.group(id).blocks[id%wheelSpan] = b
	d.wakeAt(id, d.now+1)
	return id
}

// group has 64 components, and sets of them.
type group struct {
	soon   uint64            // to tick in the cycle after now
	awake  uint64            // to tick in this cycle
	wheel  [wheelSpan]uint64 // by cycle: to tick then
	blocks [wheelSpan]Tickable
}

// group returns the group of a component.
func (d *Domain) group(id int32) *group { return d.groups[id/wheelSpan] }

// wakeAt makes component id tick at cycle t, or in the next cycle if t is not
// in the future.
func (d *Domain) wakeAt(id int32, t Cycle) {
	if t-d.now-1 >= wheelSpan-1 { // unsigned: also when t <= now
		d.wakeOffWheel(id, t)
		return
	}
	d.group(id).wheel[t%wheelSpan] |= 1 << (id % wheelSpan)
	d.busy |= 1 << (t % wheelSpan)
}

func (d *Domain) wakeOffWheel(id int32, t Cycle) {
	if t > d.now {
		d.far.push(farWake{t, id})
		return
	}
	d.wakeAt(id, d.now+1)
}

// NextWake returns the next cycle with a component to tick, or Never.
func (d *Domain) NextWake() Cycle {
	for _, g := range d.groups {
		if g.soon != 0 {
			return d.now + 1
		}
	}
	next := Never
	if d.busy != 0 {
		ahead := bits.RotateLeft64(d.busy, -int((d.now+1)%wheelSpan))
		next = d.now + 1 + Cycle(bits.TrailingZeros64(ahead))
	}
	if len(d.far) > 0 && d.far[0].at < next {
		next = d.far[0].at
	}
	return next
}

// Step advances to the next cycle with a component to tick, and ticks every awake component there. If this cycle
// lies beyond limit, Step returns false and leaves the time unchanged.
func (d *Domain) Step(limit Cycle) bool {
	t := d.NextWake()
	if t > limit || t == Never {
		return false
	}
	d.stepTo(t)
	return true
}

// stepTo advances to cycle t, the next with a component to tick, and ticks every awake component there.
func (d *Domain) stepTo(t Cycle) {
	d.now = t
	s := t % wheelSpan
	d.busy &^= 1 << s
	for len(d.far) > 0 && d.far[0].at == t {
		w := d.far.pop()
		d.group(w.id).wheel[s] |= 1 << (w.id % wheelSpan)
	}
	for _, g := range d.groups { // before the first tick, which may wake components for the next cycle
		g.awake = g.soon | g.wheel[s]
		g.soon, g.wheel[s] = 0, 0
	}
	d.stepping = true
	switch {
	case d.order != nil:
		d.tickShuffled(t)
	case t%2 == 0:
		for _, g := range d.groups {
			g.tick(t)
		}
	default:
		for _, g := range slices.Backward(d.groups) {
			g.tickBackwards(t)
		}
	}
	d.stepping = false
	for _, o := range d.observers {
		o.observe()
	}
}

// tick ticks the awake components of the group in construction order.
func (g *group) tick(t Cycle) {
	for awake := g.awake; awake != 0; awake &= awake - 1 {
		if g.blocks[bits.TrailingZeros64(awake)%wheelSpan].Tick(t) {
			g.soon |= awake & -awake
		}
	}
}

// tickBackwards is tick against construction order. Every second cycle goes backwards: it begins with the components
// ticked last, whose state and code are still in the caches.
func (g *group) tickBackwards(t Cycle) {
	for awake := g.awake; awake != 0; {
		id := bits.Len64(awake) - 1
		bit := uint64(1) << (id % wheelSpan)
		awake &^= bit
		if g.blocks[id%wheelSpan].Tick(t) {
			g.soon |= bit
		}
	}
}

func (d *Domain) tickShuffled(t Cycle) {
	for _, id := range d.order {
		if g, bit := d.group(id), uint64(1)<<(id%wheelSpan); g.awake&bit != 0 && d.comps[id].Tick(t) {
			g.soon |= bit
		}
	}
}

// RunUntil steps as long as a component is to tick at or before limit, and then sets the time to limit.
func (d *Domain) RunUntil(limit Cycle) {
	d.mail.deliver(d, 0)
	for d.Step(limit) {
	}
	if d.now < limit {
		d.now = limit
	}
}

// advance lets the time pass up to cycle c, but not past a wake.
func (d *Domain) advance(c Cycle) {
	if next := d.NextWake(); c >= next {
		c = next - 1
	}
	if c > d.now {
		d.now = c
	}
}

// SetTickOrder makes the awake components of a cycle tick in the order of perm, a permutation of construction
// order. All components must have been added. Results must not depend on the order; tests use SetTickOrder to
// verify this.
func (d *Domain) SetTickOrder(perm []int32) {
	seen := make([]bool, len(d.comps))
	for _, id := range perm {
		if int(id) >= len(seen) || id < 0 || seen[id] {
			panic(fmt.Sprintf("wire: domain %s: tick order %v is no permutation of %d components", d.name, perm,
				len(seen)))
		}
		seen[id] = true
	}
	if perm != nil && len(perm) != len(d.comps) {
		panic(fmt.Sprintf("wire: domain %s: tick order of %d components, want %d", d.name, len(perm), len(d.comps)))
	}
	d.order = perm
}
