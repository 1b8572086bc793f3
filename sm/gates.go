package sm

import (
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
)

// slotSignal is a signal of warp contexts as a scheduler sees it: the slots of
// its own that are in it.
type slotSignal struct {
	signal *wire.Signal[regfile.WarpSet]
	seen   regfile.WarpSet
	slots  uint64
}

// look reads the signal and reports whether it has changed.
func (x *slotSignal) look(s *Scheduler) bool {
	v := x.signal.Get()
	if v == x.seen {
		return false
	}
	x.seen, x.slots = v, 0
	for slot := range s.contextOf {
		if v.Has(int(s.context(slot))) {
			x.slots |= 1 << slot
		}
	}
	return true
}

// lookFrom lets the signals see which slot a context has now.
func (s *Scheduler) lookFrom(context uint16, slot int) {
	for i := range s.gates {
		s.gates[i].shut.move(context, slot)
	}
	for i := range s.classes {
		s.classes[i].move(context, slot)
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
	shut slotSignal
	name string
	asks bool
	// A gate that shuts by itself: at these events, until a message opens it.
	on    regfile.EventSet
	opens *wire.InPort[regfile.Open]
	holds uint64 // slots whose next instruction the gate may hold
	asked uint64 // slots for whose next instruction the design has been asked
}

// lookAtGates finds out which warps are held, and which of them wait for that to
// end: nothing is to be asked for them.
func (s *Scheduler) lookAtGates() {
	s.gated, s.parked, s.latched = 0, 0, 0
	for i := range s.gates {
		g := &s.gates[i]
		if g.opens != nil {
			s.takeOpens(g)
			s.latched |= g.shut.slots
		} else if g.shut.look(s) && s.parking != nil {
			s.reconsider()
		}
		first := g.holds & g.shut.slots &^ s.gated
		s.gated |= first
		if g.asks {
			first &= g.asked
		}
		s.parked |= first
	}
}

// takeOpens opens a gate that shuts by itself to the warps that the design names. They
// have not stalled so long.
func (s *Scheduler) takeOpens(g *gate) {
	for m := g.opens.Head(); m != nil; m = g.opens.Head() {
		slot := s.slotOf[m.Warp]
		g.shut.slots &^= 1 << slot
		if s.active != nil {
			s.active.moved[slot] = s.Now()
		}
		g.opens.Pop()
	}
}

// shutAt shuts the gates that shut by themselves at an event of a warp.
func (s *Scheduler) shutAt(e regfile.WarpEvent, slot int) {
	bit := uint64(1) << slot
	for i := range s.gates {
		g := &s.gates[i]
		if !g.on.Has(e) {
			continue
		}
		g.shut.slots |= bit
		s.latched |= bit
		s.gated |= g.holds & bit
	}
}

// forget opens all gates that shut by themselves to the warps that start in these
// slots.
func (s *Scheduler) forget(slots uint64) {
	for i := range s.gates {
		if g := &s.gates[i]; g.opens != nil {
			g.shut.slots &^= slots
		}
	}
}

// askGates asks for the warps that could issue but for a gate that wants to be
// asked and is the first to hold them. It returns whether there was any.
func (s *Scheduler) askGates() (any bool) {
	could := s.clear & s.gated &^ (s.waitBar | s.outside)
	for i := range s.gates {
		g := &s.gates[i]
		held := could & g.holds & g.shut.slots
		could &^= held
		if held &^= g.asked; g.asks && held != 0 {
			s.ask(i, held)
			any = true
		}
	}
	return any
}

func (s *Scheduler) ask(i int, slots uint64) {
	for ; slots != 0 && s.teller.room(heldEvents); slots &= slots - 1 {
		slot := bits.TrailingZeros64(slots)
		s.gates[i].asked |= 1 << slot
		s.teller.tellOf(regfile.WarpHeld, s.context(slot), s.next(slot), 0, i)
	}
}

// newHead computes whether the instruction that is now at the head of a slot's
// buffer is to be kept back.
func (s *Scheduler) newHead(slot int, pc uint32, x *instInfo) {
	bit := uint64(1) << slot
	if x.free {
		s.beside |= bit
	}
	if s.active != nil && x.long {
		s.long |= bit
		s.outside |= s.active.barred(&s.slotSets) & bit
	}
	for i := range s.gates {
		g := &s.gates[i]
		if s.held[pc]>>i&1 != 0 {
			g.holds |= bit
			s.gated |= g.shut.slots & bit
		}
	}
}

// noHead forgets what was at the head of a slot's buffer.
func (s *Scheduler) noHead(bit uint64) {
	s.long &^= bit
	s.gated &^= bit
	s.beside &^= bit
	for i := range s.gates {
		s.gates[i].holds &^= bit
		s.gates[i].asked &^= bit
	}
}

// urgent are those of the ready warps that the design wants to go first.
func (s *Scheduler) urgent(ready uint64) uint64 {
	for i := range s.classes {
		c := &s.classes[i]
		c.look(s)
		if m := ready & c.slots; m != 0 {
			return m
		}
	}
	return ready
}
