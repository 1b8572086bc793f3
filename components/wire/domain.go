package wire

import (
	"container/heap"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"
)

// Cycle counts the cycles of one clock domain since time zero.
type Cycle = uint64

// Never is a cycle that no simulation reaches.
const Never = ^Cycle(0)

// Tickable is the behaviour of a component.
//
// Contract: Tick is called at most once per cycle. It returns true to be
// ticked in the next cycle too. A Tick that finds nothing to do leaves every
// state as it was, because wakes may be spurious.
type Tickable interface {
	Tick(now Cycle) bool
}

// wheelSpan is how many cycles ahead a wake is kept as a bit; wakes that are
// farther away go to a heap.
const wheelSpan = 64

// Domain is a clock domain: components that tick on the same clock edges.
type Domain struct {
	name string
	freq sim.Freq
	now  Cycle
	// stepping is true while components of the current cycle tick: wakes then
	// count from now+1. Outside, the current cycle is already over.
	comps []Tickable
	order []int32 // nil: construction order; otherwise a permutation, for tests
	slots [wheelSpan][]uint64
	busy  uint64 // bit s: slots[s] holds a wake
	far   wakeHeap
}

// NewDomain returns a clock domain with no components, at cycle 0.
func NewDomain(name string, freq sim.Freq) *Domain {
	return &Domain{name: name, freq: freq}
}

// Name of the domain.
func (d *Domain) Name() string { return d.name }

// Freq is the clock frequency in Hz.
func (d *Domain) Freq() sim.Freq { return d.freq }

// Now is the current cycle.
func (d *Domain) Now() Cycle { return d.now }

// Time is the current time in seconds, derived from the cycle and never
// accumulated.
func (d *Domain) Time() sim.VTimeInSec {
	return sim.VTimeInSec(float64(d.now) / float64(d.freq))
}

func (d *Domain) add(t Tickable) int32 {
	id := int32(len(d.comps))
	d.comps = append(d.comps, t)
	words := (len(d.comps) + 63) / 64
	for s := range d.slots {
		for len(d.slots[s]) < words {
			d.slots[s] = append(d.slots[s], 0)
		}
	}
	d.wakeAt(id, d.now+1)
	return id
}

// wakeAt makes component id tick at cycle t, or in the next cycle if t is not
// in the future.
func (d *Domain) wakeAt(id int32, t Cycle) {
	if t <= d.now {
		t = d.now + 1
	}
	if t-d.now >= wheelSpan {
		heap.Push(&d.far, farWake{t, id})
		return
	}
	s := t % wheelSpan
	d.slots[s][id>>6] |= 1 << (id & 63)
	d.busy |= 1 << s
}

// NextWake is the next cycle in which a component wants to tick, or Never.
func (d *Domain) NextWake() Cycle {
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

// Step advances to the next cycle in which a component wants to tick and ticks
// every awake component there. It returns false, leaving the time as it is,
// when no component wants to tick at or before limit.
func (d *Domain) Step(limit Cycle) bool {
	t := d.NextWake()
	if t == Never || t > limit {
		return false
	}
	d.now = t
	for len(d.far) > 0 && d.far[0].at == t {
		w := heap.Pop(&d.far).(farWake)
		d.slots[t%wheelSpan][w.id>>6] |= 1 << (w.id & 63)
	}
	s := t % wheelSpan
	d.busy &^= 1 << s
	if d.order != nil {
		d.tickShuffled(s, t)
		return true
	}
	slot := d.slots[s]
	for w := range slot {
		m := slot[w]
		slot[w] = 0
		for m != 0 {
			b := bits.TrailingZeros64(m)
			m &= m - 1
			id := int32(w<<6 | b)
			if d.comps[id].Tick(t) {
				n := (t + 1) % wheelSpan
				d.slots[n][id>>6] |= 1 << (id & 63)
				d.busy |= 1 << n
			}
		}
	}
	return true
}

func (d *Domain) tickShuffled(s, t Cycle) {
	slot := d.slots[s]
	for _, id := range d.order {
		bit := uint64(1) << (id & 63)
		if slot[id>>6]&bit == 0 {
			continue
		}
		slot[id>>6] &^= bit
		if d.comps[id].Tick(t) {
			d.wakeAt(id, t+1)
		}
	}
}

// RunUntil steps until no component wants to tick at or before limit, and then
// sets the time to limit.
func (d *Domain) RunUntil(limit Cycle) {
	for d.Step(limit) {
	}
	if d.now < limit {
		d.now = limit
	}
}

// SetTickOrder makes the awake components of a cycle tick in the order of
// perm, a permutation of construction order. Results must not depend on it;
// tests use it to show that.
func (d *Domain) SetTickOrder(perm []int32) { d.order = perm }

// Len is the number of components in the domain.
func (d *Domain) Len() int { return len(d.comps) }

type farWake struct {
	at Cycle
	id int32
}

type wakeHeap []farWake

func (h wakeHeap) Len() int           { return len(h) }
func (h wakeHeap) Less(i, j int) bool { return h[i].at < h[j].at }
func (h wakeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *wakeHeap) Push(x any)        { *h = append(*h, x.(farWake)) }
func (h *wakeHeap) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}
