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

	Status []*wire.Signal[Status] // of each scheduler
	Rooms  *wire.Signal[Rooms]    // of residency
	Seats  wire.InPort[Seat]      // from residency
	Orders wire.OutPort[Order]    // to residency
	Rewind wire.OutPort[Rewind]   // to fetch
	Park   []wire.OutPort[Park]   // to each scheduler
	Parked []wire.InPort[Parked]  // from each scheduler
	Woke   []wire.InPort[Woke]    // from each scheduler
	contexts
	mover

	monitor monitor
	step    step
	out, in int  // CTAs of the switch, or none
	parked  int  // schedulers that have answered
	asked   bool // contexts of in have been asked for
	stayed  stay // why stalled CTAs stay
	blocked bool // what could come in waits for slots of other schedulers

	since wire.Cycle
	begun wire.Cycle // of the switch
	until wire.Cycle // of freeing
	counts
}

// step is how far the switch has come.
type step uint8

const (
	idle     step = iota
	asking        // the mover says whether there is room for the registers of who goes
	parking       // the schedulers take the warps from their slots
	leaving       // residency is to free the slots, once registers that make room have been moved
	entering      // registers and contexts of who comes are on their way
	seating       // residency gives slots
	freeing       // residency says that there are more slots
)

// none is no CTA, or a new one; nothing: none comes for the one that goes.
const (
	none    = -1
	nothing = -2
)

// SM is the SM that a switcher belongs to: its CTA slots, its schedulers, and whether its
// register file moves registers.
type SM struct {
	CTAs, Schedulers int
	Moves            bool
}

// New builds the switcher of an SM. The caller sets Status and Rooms.
func New(name string, d *wire.Domain, s Spec, sm SM, reg *stats.Registry) *Switcher {
	x := &Switcher{spec: s, schedulers: sm.Schedulers, monitor: newMonitor(sm.CTAs, sm.Schedulers), out: none, in: none}
	x.Init(name, d, x)
	x.Seats.Init(&x.Comp, "Seats", 2*sm.CTAs+4) // those of two cycles: residency never waits
	if s.On() {
		x.initOrders()
		x.contexts.init(&x.Comp, s.ContextBytes, sm.CTAs, sm.Schedulers)
		if sm.Moves {
			x.initMover()
		}
	}
	x.register(name, reg)
	return x
}

// initOrders makes the ports by which CTAs are switched.
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

// Tick takes the messages and signals, and advances the switch.
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
	x.answers(now)
	return x.advance(now)
}

// hear takes over what became of a CTA.
func (x *Switcher) hear(m *Seat, now wire.Cycle) {
	switch m.Event {
	case Started:
		x.monitor.start(m, now)
		if x.step == seating && x.in == none {
			x.startedNew++
			x.end(now)
		}
	case Returned:
		x.monitor.seat(m.CTA, &m.Slots, now)
		x.came()
		x.end(now)
	case Refused:
		x.end(now)
	case Finished:
		x.monitor.finish(m.CTA, now)
	}
}

// answers hears the schedulers and shared memory.
func (x *Switcher) answers(now wire.Cycle) {
	for i := range x.Parked {
		for m := x.Parked[i].Head(); m != nil; m = x.Parked[i].Head() {
			x.monitor.ctas[m.CTA].warps[i] = uint8(len(m.Warps))
			x.of[m.CTA] = append(x.of[m.CTA], m.Warps...)
			x.parked++
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
		x.hearMover(now)
	}
}

// advance brings the switch as far as it can get in this cycle. It returns whether
// there is something to do in the next one.
func (x *Switcher) advance(now wire.Cycle) bool {
	x.send()
	switch x.step {
	case idle:
		return x.choose(now)
	case parking:
		if x.parked < x.schedulers || !x.Rewind.CanPut() {
			return false
		}
		x.Rewind.Put(x.rewind(false))
		x.contexts.move(x.out, true)
		x.contexts.send()
		x.step = leaving
		x.wait = x.wait || x.moves
		return true
	case leaving:
		if x.moves && x.wait || !x.Orders.CanPut() {
			return false
		}
		x.Orders.Put(Order{CTA: uint16(x.out), Kind: Left})
		x.monitor.unseat(uint16(x.out), now)
		x.gone()
		if x.in == nothing {
			x.step, x.until = freeing, now+2
			return true
		}
		x.bring()
		x.step = entering
		return true
	case entering:
		if x.loads > 0 || x.wait || !x.Orders.CanPut() {
			return false
		}
		o := Order{Kind: Admit}
		if x.in != none {
			o = Order{CTA: uint16(x.in), Kind: Enter}
		}
		x.Orders.Put(o)
		x.step = seating
	case freeing:
		if now < x.until {
			return true
		}
		x.end(now)
		return x.choose(now)
	}
	return false
}

// bring begins to bring in a resident CTA unless that has begun: contexts, and registers that need
// no room of the CTA that goes.
func (x *Switcher) bring() {
	if x.in < 0 || x.asked {
		return
	}
	x.asked = true
	if !x.moves || x.step == leaving {
		x.fetchRegisters()
	}
	x.contexts.move(x.in, false)
	x.contexts.send()
}

// end ends the switch.
func (x *Switcher) end(now wire.Cycle) {
	x.swapCycles += now - x.begun
	x.monitor.reconsider()
	x.step, x.out, x.in, x.asked = idle, none, none, false
}

// Waiting reports who waits for whom.
func (x *Switcher) Waiting() string {
	switch x.step {
	case parking:
		return fmt.Sprintf("CTA slot %d is to give up its slots: %d of %d schedulers have answered", x.out, x.parked,
			x.schedulers)
	case asking:
		return fmt.Sprintf("CTA slot %d stalls: the register file is to say whether there is room for its registers",
			x.out)
	case leaving, entering:
		if x.wait && x.loads == 0 {
			return "registers on their way to the register file, or from there"
		}
		return fmt.Sprintf("%d contexts on their way from shared memory", x.loads)
	case seating:
		return "a CTA waits for slots"
	}
	m := &x.monitor
	if !x.spec.On() || m.resident == m.active {
		return ""
	}
	ready := 0
	for i := range m.ctas {
		if m.ctas[i].ready {
			ready++
		}
	}
	return fmt.Sprintf("%d of %d resident CTAs without slots, %d of these could issue; %d of those with slots wait "+
		"for memory", m.resident-m.active, m.resident, ready, m.stalled)
}
