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

	Status []*wire.Signal[Status] // of each scheduler
	Rooms  *wire.Signal[Rooms]    // of residency
	Seats  wire.InPort[Seat]      // from residency
	Orders wire.OutPort[Order]    // to residency
	Rewind wire.OutPort[Rewind]   // to fetch
	Park   []wire.OutPort[Park]   // to each scheduler
	Parked []wire.InPort[Parked]  // from each scheduler
	Woke   []wire.InPort[Woke]    // from each scheduler
	contexts
	moverPorts

	monitor monitor
	flights []*flight `row:"Switcher: switches under way"` // switches in flight, in the order of their begin
	spare   []*flight `row:"Switcher: switches under way"` // the others
	parker  *flight   // the switch being served by the schedulers, or nil
	mover   *flight   // the switch being served by the register file's mover, or nil
	seater  *flight   // the switch being served by residency, or nil
	stayed  stay      // why stalled CTAs stay
	blocked block     // the obstacle to a ready CTA

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
	x.Seats.Init(&x.Comp, "Seats", 2*sm.CTAs+4) // the events of two cycles: residency never waits
	if s.On() {
		x.spare = newFlights(s.Switches, sm.CTAs)
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
	x.Park = make([]wire.OutPort[Park], x.schedulers)
	x.Parked = make([]wire.InPort[Parked], x.schedulers)
	x.Woke = make([]wire.InPort[Woke], x.schedulers)
	for i := range x.schedulers {
		x.Park[i].Init(&x.Comp, fmt.Sprintf("Park[%d]", i))
		x.Parked[i].Init(&x.Comp, fmt.Sprintf("Parked[%d]", i), 4)
		x.Woke[i].Init(&x.Comp, fmt.Sprintf("Woke[%d]", i), 4)
	}
}

// Watch connects the switcher to the signals of schedulers and residency.
func (x *Switcher) Watch(status []*wire.Signal[Status], rooms *wire.Signal[Rooms]) {
	x.Status, x.Rooms = status, rooms
	for _, s := range status {
		s.Watch(&x.Comp)
	}
	if x.spec.On() {
		rooms.Watch(&x.Comp)
	}
}

// Tick receives messages and signals, and advances the switches.
func (x *Switcher) Tick(now wire.Cycle) bool {
	x.account(now)
	for m := x.Seats.Head(); m != nil; m = x.Seats.Head() {
		x.hear(m, now)
		x.Seats.Pop()
	}
	for i, s := range x.Status {
		if st := s.Get(); st != x.monitor.seen[i] {
			x.monitor.look(i, &st, now)
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

// hear records an event of a CTA.
func (x *Switcher) hear(m *Seat, now wire.Cycle) {
	switch m.Event {
	case Started:
		x.monitor.start(m, now)
		if m.Ordered {
			x.startedNew++
			x.end(x.seater, now)
		}
	case Returned:
		x.monitor.seat(m.CTA, &m.Slots, now)
		x.came(x.seater)
		x.end(x.seater, now)
	case Refused:
		x.end(x.seater, now)
	case Finished:
		x.monitor.finish(m.CTA, now)
	}
}

// answers receives the answers of the schedulers and of shared memory.
func (x *Switcher) answers() {
	for i := range x.Parked {
		for m := x.Parked[i].Head(); m != nil; m = x.Parked[i].Head() {
			x.monitor.ctas[m.CTA].warps[i] = uint8(len(m.Warps))
			x.of[m.CTA] = append(x.of[m.CTA], m.Warps...)
			x.parker.parked++
			x.Parked[i].Pop()
		}
		for m := x.Woke[i].Head(); m != nil; m = x.Woke[i].Head() {
			if c := &x.monitor.ctas[m.CTA]; c.context == Aside {
				c.ready = true
				x.monitor.reconsider()
			}
			x.Woke[i].Pop()
		}
	}
	x.contexts.hear()
	if x.Move != nil {
		x.hearMover()
	}
}
