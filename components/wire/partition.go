package wire

import (
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// Partition is a part of the machine simulated by one worker at a time, such as one SM. It has one or more clock
// domains, and the events of stock Akita components among them. It is a sim.Engine for these components; calls
// concerning the whole simulation go to the Engine.
//
// At equal times, primary events come first, in the order of scheduling, then the domains in the order of their
// addition, then secondary events.
type Partition struct {
	engine  *Engine
	name    string
	index   int
	domains []*Domain
	limits  []Cycle // of the domains, in this window
	events  events
	handled uint64        // events
	akita   atomic.Bool   // has seen an event: the clock follows every step
	clock   atomic.Uint64 // bits of the current time in seconds; without events, of the time of the engine's window
	failure *PanicError
	flows
	following
}

// flows are the links and signals between a partition and its neighbours.
type flows struct {
	parity     int     // of the window in its epoch, otherwise 0: the list to which a sender adds
	neighbours []int   // indices of partitions
	incoming   []*lane // links to the partition
	outgoing   []*lane // links from the partition
	taps       []tapped
}

// collect brings in what has reached the partition from the window of the given number, and the credits for it.
func (f *flows) collect(window int) {
	for _, l := range f.incoming {
		l.bring(window & 1)
	}
	for _, l := range f.outgoing {
		l.refund(window & 1)
	}
	for _, t := range f.taps {
		t.bring(window & 1)
	}
}

// meet makes two partitions neighbours.
func meet(p, q *Partition) {
	if !slices.Contains(p.neighbours, q.index) {
		p.neighbours = append(p.neighbours, q.index)
		q.neighbours = append(q.neighbours, p.index)
	}
}

// Name returns the name of the partition.
func (p *Partition) Name() string { return p.name }

// Engine returns the engine of the partition.
func (p *Partition) Engine() *Engine { return p.engine }

// Domains returns the clock domains of the partition. The slice must not be changed.
func (p *Partition) Domains() []*Domain { return p.domains }

// NewDomain adds a clock domain to the partition.
func (p *Partition) NewDomain(name string, freq sim.Freq) *Domain {
	d := NewDomain(name, freq)
	p.Add(d)
	return d
}

// Add adds a domain without a partition to this one.
func (p *Partition) Add(d *Domain) {
	if d.part != nil {
		panic(fmt.Sprintf("wire: domain %s is in partition %s already", d.name, d.part.name))
	}
	d.part = p
	for i := range d.built { // before the engine knew of them
		d.built[i] = p.engine.comps
		p.engine.comps++
	}
	p.domains = append(p.domains, d)
	p.limits = append(p.limits, 0)
	p.engine.span = window{}
	d.advance(lastEdgeAt(p.engine.CurrentTime(), d.hz))
}

// next returns the time of the first tick or event, and whether there is any. An event's time is rounded down to an
// edge of a clock of hz, or up if the event is beyond the limit, so that a run ends before it.
func (p *Partition) next(hz uint64, limit bound) (first edge, ok bool) {
	for _, d := range p.domains {
		c := d.NextWake()
		if c == Never {
			continue
		}
		if e := (edge{c, d.hz}); !ok || e.compare(first) < 0 {
			first, ok = e, true
		}
	}
	if t, _, some := p.events.peek(); some {
		e := edge{lastEdgeAt(t, hz), hz}
		if !limit.covers(t) {
			e.at++
		}
		if !ok || e.compare(first) < 0 {
			first, ok = e, true
		}
	}
	return first, ok
}

// nextTime returns the exact time of the first event, or of the first tick within the limits if that is earlier.
func (p *Partition) nextTime() (t sim.VTimeInSec, ok bool) {
	if d, c := p.nextEdge(); d != nil {
		t, ok = edge{c, d.hz}.seconds(), true
	}
	if at, _, some := p.events.peek(); some && (!ok || at < t) {
		t, ok = at, true
	}
	return t, ok
}

// run ticks and handles events up to the bound.
func (p *Partition) run(b bound) {
	p.setLimits(b)
	if len(p.domains) == 1 && !p.akita.Load() {
		d, limit := p.domains[0], p.limits[0]
		for p.events.waiting.Load() == 0 {
			if len(p.short) > 0 {
				p.awaitRoom(b)
			}
			if !d.Step(limit) {
				return
			}
			if p.engine.alone && p.engine.stop.Load() {
				return
			}
		}
	}
	for {
		if len(p.short) > 0 {
			p.awaitRoom(b)
		}
		if !p.step(b) || p.engine.alone && p.engine.stop.Load() {
			return
		}
	}
}

// setLimits sets the last cycle of each domain within the bound.
func (p *Partition) setLimits(b bound) {
	for i, d := range p.domains {
		p.limits[i] = b.last(d.hz)
	}
}

// step takes the next step within the bound: it ticks the awake components of one clock edge, or handles one event.
func (p *Partition) step(b bound) bool {
	d, c := p.nextEdge()
	if t, secondary, ok := p.events.peek(); ok {
		p.followSteps()
		if d == nil {
			if !b.covers(t) {
				return false
			}
			p.handle(t, secondary)
			return true
		}
		at := edge{c, d.hz}.seconds()
		if t < at || t == at && !secondary {
			p.handle(t, secondary)
			return true
		}
	}
	if d == nil {
		return false
	}
	if p.akita.Load() {
		p.setClock(edge{c, d.hz}.seconds())
	}
	d.stepTo(c)
	return true
}

// nextEdge returns the next clock edge within the limits with a component to tick. d is nil if there is none.
func (p *Partition) nextEdge() (d *Domain, c Cycle) {
	for i, x := range p.domains {
		t := x.NextWake()
		if t > p.limits[i] || t == Never {
			continue
		}
		if d == nil || (edge{t, x.hz}).compare(edge{c, d.hz}) < 0 {
			d, c = x, t
		}
	}
	return d, c
}

// handle handles the first event. It first advances sleeping domains to the time of the event, so that the event
// can wake their components.
func (p *Partition) handle(t sim.VTimeInSec, secondary bool) {
	for _, d := range p.domains {
		c := lastEdgeAt(t, d.hz)
		if !secondary && c > 0 && (edge{c, d.hz}).seconds() == t {
			c--
		}
		d.advance(c)
	}
	p.setClock(t)
	p.handled++
	e := p.events.pop()
	p.engine.announce(sim.HookPosBeforeEvent, e)
	if err := e.Handler().Handle(e); err != nil {
		panic(fmt.Sprintf("wire: event at %.10f s: %v", t, err))
	}
	p.engine.announce(sim.HookPosAfterEvent, e)
}

// followSteps makes the partition keep a clock of its own from now on.
func (p *Partition) followSteps() {
	if !p.akita.Load() {
		p.clock.Store(p.engine.begun.Load())
		p.akita.Store(true)
	}
}

func (p *Partition) setClock(t sim.VTimeInSec) {
	bits := math.Float64bits(float64(t))
	p.clock.Store(bits)
	if p.index == 0 || p.engine.lockstep {
		p.engine.clock.Store(bits)
	}
}

// CurrentTime returns the partition's time in seconds. It is exact for stock components and in hooks; elsewhere it
// is the time of the window. It may be called from any goroutine.
func (p *Partition) CurrentTime() sim.VTimeInSec {
	clock := &p.engine.begun
	if p.akita.Load() {
		clock = &p.clock
	}
	return sim.VTimeInSec(math.Float64frombits(clock.Load()))
}

// Schedule queues an event for the partition. Other goroutines may call it.
func (p *Partition) Schedule(e sim.Event) {
	if p.leader != nil {
		panic("wire: an event for partition " + p.name + ", which follows another and takes none")
	}
	if now := p.CurrentTime(); e.Time() < now {
		panic(fmt.Sprintf("wire: event scheduled for %.12g s, before the current time %.12g s", float64(e.Time()),
			float64(now)))
	}
	p.events.push(e)
}
