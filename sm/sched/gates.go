package sched

import (
	"fmt"
	"math/bits"
	"slices"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// slotSignal is a signal of warp contexts, translated to the slots of one scheduler.
type slotSignal struct {
	signal *wire.Signal[regfile.WarpSet]
	seen   regfile.WarpSet `bits:"64"`
	slots  uint64
}

// poll reads the signal and reports whether it has changed.
func (x *slotSignal) poll(t *warpTable) bool {
	v := x.signal.Get()
	if v == x.seen {
		return false
	}
	x.seen, x.slots = v, 0
	in, out := uint64(0), uint64(0)
	for i, own := range t.ownContexts[:t.words] {
		in |= own & v[i]
		out |= own &^ v[i]
	}
	switch {
	case in == 0:
	case out == 0: // most gates open and shut for all warps
		x.slots = 1<<len(t.contextOf) - 1
	default:
		for slot := range t.contextOf {
			if v.Has(int(t.context(slot))) {
				x.slots |= 1 << slot
			}
		}
	}
	return true
}

// entered updates the gates' signals for a context's new slot.
func (g *gateSet) entered(context uint16, slot int) {
	for i := range g.list {
		g.list[i].shut.move(context, slot)
	}
}

func (x *slotSignal) move(context uint16, slot int) {
	x.slots &^= 1 << slot
	if x.seen.Has(int(context)) {
		x.slots |= 1 << slot
	}
}

// gate is a gate of the design before a scheduler's warps.
type gate struct {
	shut  slotSignal
	row   reason.Reason // the slots held by it
	name  string
	asks  bool
	stops bool // stall counts stand still while it is closed
	// A self-shutting gate shuts at the events on, and is opened by a message.
	on    regfile.EventSet
	opens *wire.InPort[regfile.Open]
	holds uint64 // slots with a next instruction subject to the gate
	asked uint64 // slots with the WarpHeld notice sent for the next instruction
}

// gating has the gates of the register file's design.
var gating = feature{
	present: func(_ *Config, p *Planes) bool { return len(p.Gates) > 0 },
	reasons: func(p *Planes) (out []reason.Info) {
		for _, g := range p.Gates {
			out = append(out, reason.Info{Name: g.Reason, Doc: "issue slots lost to a gate: " + g.Doc,
				Why: "gate " + g.Reason + " holds it", Late: true})
		}
		return out
	},
	build: func(s *Scheduler, at *site) any {
		for i, g := range at.links.Planes.Gates {
			x := gate{name: g.Reason, row: at.rows[i], asks: g.Asks, stops: g.Stops, on: g.Shuts}
			if g.Shuts != 0 {
				x.opens = &wire.InPort[regfile.Open]{}
				x.opens.Init(&s.Comp, fmt.Sprintf("Opens[%d]", i), 2*len(s.contextOf))
				wire.Connect(g.Opens[s.index], x.opens, 1)
			} else {
				x.shut.signal = g.Signal(s.index)
				x.shut.signal.Watch(&s.Comp)
			}
			s.gates.list = append(s.gates.list, x)
		}
		return &s.gates
	},
	restless: true,
}

// asking sends WarpHeld notices to the design for held warps, once for each instruction and gate.
var asking = feature{
	present: func(_ *Config, p *Planes) bool {
		return slices.ContainsFunc(p.Gates, func(g regfile.Gate) bool { return g.Asks })
	},
	build: func(s *Scheduler, _ *site) any { return &asker{&s.gates} },
}

type asker struct{ gates *gateSet }

func (a *asker) begin(wire.Cycle) bool { return a.gates.ask() }

// classes has the classes of priority of the register file's design.
var classes = feature{
	present: func(_ *Config, p *Planes) bool { return len(p.classes) > 0 },
	build: func(s *Scheduler, at *site) any {
		c := &classSet{warps: &s.warpTable}
		for _, x := range at.links.Planes.classes {
			c.list = append(c.list, slotSignal{signal: x})
		}
		return c
	},
}

// classSet are classes of warps, the most urgent first.
type classSet struct {
	warps *warpTable
	list  []slotSignal `bits:"type"`
}

// rank returns the ready warps preferred by the design.
func (c *classSet) rank(ready uint64) uint64 {
	for i := range c.list {
		x := &c.list[i]
		x.poll(c.warps)
		if m := ready & x.slots; m != 0 {
			return m
		}
	}
	return ready
}

// entered updates the classes' signals for a context's new slot.
func (c *classSet) entered(context uint16, slot int) {
	for i := range c.list {
		c.list[i].move(context, slot)
	}
}

// gateSet has the design's gates before a scheduler's warps.
type gateSet struct {
	warps   *warpTable
	notices *notices
	list    []gate `part:"Gate"`
	changed bool   // the signal of a gate has changed in this cycle
	opened  uint64 // slots to which a self-shutting gate has been opened in this cycle
}

// begin updates the gates from their signals and messages. It sets the row of each gate, and in Asked the
// held warps without an outstanding WarpHeld notice.
func (g *gateSet) begin(wire.Cycle) bool {
	t := g.warps
	g.changed, g.opened = false, 0
	t.Asked, t.Latched = 0, 0
	held := uint64(0)
	for i := range g.list {
		x := &g.list[i]
		if x.opens != nil {
			g.opened |= g.takeOpens(x)
			t.Latched |= x.shut.slots
		} else if x.shut.poll(t) {
			g.changed = true
		}
		row := x.holds & x.shut.slots
		t.Blocked[x.row] = row
		first := row &^ held
		held |= row
		if x.asks {
			first &= x.asked
		}
		t.Asked |= first
	}
	return false
}

// takeOpens opens a self-shutting gate for the warps named by the design.
func (g *gateSet) takeOpens(x *gate) (opened uint64) {
	for m := x.opens.Take(); m != nil; m = x.opens.Take() {
		opened |= 1 << g.warps.slotOf[m.Warp]
	}
	x.shut.slots &^= opened
	return opened
}

// shutAt shuts the self-shutting gates at an event of a warp.
func (g *gateSet) shutAt(e regfile.WarpEvent, slot int) {
	bit := uint64(1) << slot
	for i := range g.list {
		x := &g.list[i]
		if !x.on.Has(e) {
			continue
		}
		x.shut.slots |= bit
		g.warps.Latched |= bit
		g.warps.Blocked[x.row] |= x.holds & bit
	}
}

// forget opens all self-shutting gates to new warps in these slots.
func (g *gateSet) forget(slots uint64) {
	for i := range g.list {
		if x := &g.list[i]; x.opens != nil {
			x.shut.slots &^= slots
		}
	}
}

// ask sends WarpHeld notices for warps held by gates alone, where the first gate in the list to hold the warp asks.
// It reports whether there was such a warp.
func (g *gateSet) ask() (any bool) {
	t := g.warps
	could := t.Chosen() &^ t.StartPending
	for i := range g.list {
		x := &g.list[i]
		held := could & t.Blocked[x.row]
		could &^= held
		if held &^= x.asked; x.asks && held != 0 {
			g.askFor(i, held)
			any = true
		}
	}
	return any
}

func (g *gateSet) askFor(i int, slots uint64) {
	for ; slots != 0 && g.notices.room(heldEvents); slots &= slots - 1 {
		slot := bits.TrailingZeros64(slots)
		g.list[i].asked |= 1 << slot
		g.notices.notifyOf(regfile.WarpHeld, g.warps.context(slot), g.warps.next(slot), 0, i)
	}
}

// noGate is no gate.
const noGate = -1

// shutPending returns the first gate holding a warp without a slot, or noGate.
func (g *gateSet) shutPending(context uint16, a *pendingWarp) int {
	if a.known && g.warps.held != nil {
		for i := range g.list {
			if g.warps.held[a.pc]>>i&1 != 0 && g.list[i].shut.seen.Has(int(context)) {
				return i
			}
		}
	}
	return noGate
}

// askPending sends the WarpHeld notice for a warp without a slot. held: a gate holds the warp; told: no notice
// is outstanding.
func (g *gateSet) askPending(context uint16, a *pendingWarp) (held, told bool) {
	i := g.shutPending(context, a)
	switch {
	case i == noGate:
		return false, true
	case !g.list[i].asks || a.asked>>i&1 != 0:
		return true, true
	case !g.notices.room(heldEvents):
		return true, false
	}
	a.asked |= 1 << i
	g.notices.put(regfile.WarpNotice{Inst: &g.warps.prog.Kernel.Insts[a.pc], PC: a.pc, Warp: context,
		Event: regfile.WarpHeld, Gate: uint8(i)})
	return true, true
}

// head computes the gates holding the instruction at the head of a slot's buffer.
func (g *gateSet) head(slot int, w *warpState, x *program.Inst) {
	bit := uint64(1) << (slot & 63)
	held := uint8(0)
	if x != nil {
		held = g.warps.held[w.headInst().PC]
	}
	for i := range g.list {
		gate := &g.list[i]
		gate.asked &^= bit
		gate.holds = gate.holds&^bit | uint64(held>>(i&7)&1)<<(slot&63)
		row := &g.warps.Blocked[gate.row]
		*row = *row&^bit | gate.holds&gate.shut.slots&bit
	}
}

// activated shuts the gates that shut at activation, and sends the notice of the activated warp.
func (g *gateSet) activated(slot int) {
	g.shutAt(regfile.WarpActivated, slot)
	g.notices.notify(regfile.WarpActivated, g.warps.context(slot))
}

// held returns the slots held by any gate.
func (g *gateSet) held() (out uint64) {
	for i := range g.list {
		out |= g.warps.Blocked[g.list[i].row]
	}
	return out
}

// stops reports whether a closed gate suspends the counting of stall counts.
func (g *gateSet) stops() bool {
	for i := range g.list {
		if x := &g.list[i]; x.stops && x.shut.slots&g.warps.Live != 0 {
			return true
		}
	}
	return false
}
