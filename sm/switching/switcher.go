package switching

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Switcher watches the CTAs of an SM and switches them. Without switching it watches
// alone.
type Switcher struct {
	wire.Comp
	spec       Spec
	schedulers int
	slots      int

	Status      []*wire.Signal[Status]     // of each scheduler
	Vacancy     *wire.Signal[Vacancy]      // of residency
	Events      wire.InPort[CTAEvent]      // from residency
	Orders      wire.OutPort[Order]        // to residency
	Rewind      wire.OutPort[Rewind]       // to fetch
	Deschedule  []wire.OutPort[Deschedule] // to each scheduler
	Descheduled []wire.InPort[Descheduled] // from each scheduler
	Woke        []wire.InPort[Woke]        // from each scheduler
	contexts
	moverPorts

	monitor     monitor
	swaps       []*swap `row:"Switcher: switches under way"` // switches in flight, in the order of their begin
	spare       []*swap `row:"Switcher: switches under way"` // the others
	descheduler *swap   // the switch being served by the schedulers, or nil
	mover       *swap   // the switch being served by the register file's mover, or nil
	allocator   *swap   // the switch being served by residency, or nil
	stayed      stay    // why stalled CTAs stay
	blocked     block   // the obstacle to a ready CTA

	since  wire.Cycle
	counts `soft:"statistics"`
}

// none means no CTA or a new CTA; nothing means that no CTA enters for the leaving one.
const (
	none    = -1
	nothing = -2
)

// SM describes the SM of a switcher: its CTA slots, its schedulers, their slots for warps, and
// whether its register file moves registers.
type SM struct {
	CTAs, Schedulers, Slots int
	Moves                   bool
}

// New builds the switcher of an SM. The caller sets Status and Rooms.
func New(name string, d *wire.Domain, s Spec, sm SM, reg *stats.Registry) *Switcher {
	x := &Switcher{spec: s, schedulers: sm.Schedulers, slots: sm.Slots,
		monitor: newMonitor(sm.CTAs, sm.Schedulers)}
	x.Init(name, d, x)
	x.Events.Init(&x.Comp, "Events", 2*sm.CTAs+4) // the events of two cycles: residency never waits
	if s.On() {
		x.spare = newSwaps(s.Switches, sm.CTAs)
		x.initOrders()
		x.contexts.init(&x.Comp, s.ContextBytes, sm.CTAs, sm.Schedulers)
		if sm.Moves {
			x.initMover()
		}
	}
	x.register(name, reg)
	return x
}

// initOrders initializes the ports for orders to switch.
func (x *Switcher) initOrders() {
	x.Orders.Init(&x.Comp, "Orders")
	x.Rewind.Init(&x.Comp, "Rewind")
	x.Deschedule = make([]wire.OutPort[Deschedule], x.schedulers)
	x.Descheduled = make([]wire.InPort[Descheduled], x.schedulers)
	x.Woke = make([]wire.InPort[Woke], x.schedulers)
	for i := range x.schedulers {
		x.Deschedule[i].Init(&x.Comp, fmt.Sprintf("Deschedule[%d]", i))
		x.Descheduled[i].Init(&x.Comp, fmt.Sprintf("Descheduled[%d]", i), 4)
		x.Woke[i].Init(&x.Comp, fmt.Sprintf("Woke[%d]", i), 4)
	}
}

// Watch connects the switcher to the signals of schedulers and residency.
func (x *Switcher) Watch(status []*wire.Signal[Status], vacancy *wire.Signal[Vacancy]) {
	x.Status, x.Vacancy = status, vacancy
	for _, s := range status {
		s.Watch(&x.Comp)
	}
	if x.spec.On() {
		vacancy.Watch(&x.Comp)
	}
}

// Tick receives messages and signals, and advances the switches.
func (x *Switcher) Tick(now wire.Cycle) bool {
	x.account(now)
	for m := x.Events.Take(); m != nil; m = x.Events.Take() {
		x.receive(m, now)
	}
	for i, s := range x.Status {
		if st := s.Get(); st != x.monitor.seen[i] {
			x.monitor.sample(i, &st, now)
		}
	}
	if x.monitor.unmeasured {
		x.measure(now)
	}
	if !x.spec.On() {
		return false
	}
	x.answers()
	return x.advance(now)
}

// receive records an event of a CTA.
func (x *Switcher) receive(m *CTAEvent, now wire.Cycle) {
	switch m.Event {
	case Started:
		x.monitor.start(m, now)
		if m.Ordered {
			x.startedNew++
			x.end(x.allocator, now)
		}
	case Returned:
		x.monitor.assign(m.CTA, &m.Slots, now)
		x.came(x.allocator)
		x.end(x.allocator, now)
	case Refused:
		x.end(x.allocator, now)
	case Finished:
		x.monitor.finish(m.CTA, now)
	}
}

// answers receives the answers of the schedulers and of shared memory.
func (x *Switcher) answers() {
	for i := range x.Descheduled {
		for m := x.Descheduled[i].Take(); m != nil; m = x.Descheduled[i].Take() {
			x.monitor.ctas[m.CTA].warps[i] = uint8(len(m.Warps))
			x.of[m.CTA] = append(x.of[m.CTA], m.Warps...)
			x.descheduler.descheduled++
		}
		for m := x.Woke[i].Take(); m != nil; m = x.Woke[i].Take() {
			if c := &x.monitor.ctas[m.CTA]; c.context == Pending {
				x.monitor.able.Add(int(m.CTA))
				x.monitor.reconsider()
			}
		}
	}
	x.contexts.receive()
	if x.Move != nil {
		x.receiveMoves()
	}
}
