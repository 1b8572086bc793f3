package switching

import (
	"kumiko/components/wire"
	"kumiko/regfile"
)

// mover is what the switcher has where a register file moves registers.
type mover struct {
	Move     *wire.OutPort[regfile.Move] // nil: registers stay where they are
	Moved    wire.InPort[regfile.Moved]
	Standing wire.InPort[Standing] // from fetch

	files  uint64 // CTAs whose registers the register file holds at once
	moves  bool   // the registers of who goes make room
	wait   bool   // for an answer of the mover
	brings bool   // the registers of who comes were brought
	back   bool   // who goes comes back, since there is no room for its registers
}

// initMover makes the ports by which registers are moved.
func (x *Switcher) initMover() {
	x.Move = &wire.OutPort[regfile.Move]{}
	x.Move.Init(&x.Comp, "Move")
	x.Moved.Init(&x.Comp, "Moved", 2)
	x.Standing.Init(&x.Comp, "Standing", 2)
}

// Load prepares for a launch of which held CTAs may have their registers in the
// register file at once.
func (x *Switcher) Load(held int) { x.files = uint64(held) }

// rewind is the order to fetch that asks where the warps of who goes stand. look: and no
// more than that.
func (x *Switcher) rewind(look bool) Rewind {
	return Rewind{CTA: uint16(x.out), Contexts: x.monitor.ctas[x.out].contexts, Look: look}
}

// hearMover hears where warps stand, which the mover is to know, and its answers. The
// switcher sends one order at a time, so there is room for it.
func (x *Switcher) hearMover(now wire.Cycle) {
	for m := x.Standing.Head(); m != nil; m = x.Standing.Head() {
		if x.moves {
			in := regfile.NoCTA
			if x.coming(x.in) == brought {
				in = x.in
			}
			x.Move.Put(regfile.Move{Out: x.out, In: in, Contexts: m.Contexts, PCs: m.PCs, Ask: x.step == asking})
		}
		x.Standing.Pop()
	}
	for m := x.Moved.Head(); m != nil; m = x.Moved.Head() {
		switch {
		case x.step != asking:
			x.wait = false
			x.note(m)
		case m.Refused:
			x.monitor.ctas[x.out].refused[x.coming(x.in)] = true
			x.step, x.out, x.in = idle, none, none
		case !x.monitor.ctas[x.out].mayGo(x.in): // it has gone on meanwhile, or ended
			x.step, x.out, x.in = idle, none, none
		default:
			x.park(now)
		}
		x.Moved.Pop()
	}
}

// note takes over an answer to an order to move.
func (x *Switcher) note(m *regfile.Moved) {
	if m.Refused {
		x.back = true
		return
	}
	if x.moves && x.step == leaving {
		x.monitor.moved(x.out, Aside)
		x.movedOut++
	}
	if x.coming(x.in) == brought {
		x.monitor.moved(x.in, Pipeline)
		x.brings = true
	}
}

// gone notes that a CTA has given up its slots; one for whose registers there was no room
// comes back.
func (x *Switcher) gone() {
	if x.back {
		x.in, x.back, x.asked = x.out, false, false
		x.revoked++
		return
	}
	x.switches++
}

// came counts a CTA that has its slots again.
func (x *Switcher) came() {
	switch {
	case x.brings:
		x.movedIn++
	case x.in != x.out:
		x.returned++
	}
	x.brings = false
}

// fetchRegisters has the registers of the CTA that comes brought, if they are not there.
func (x *Switcher) fetchRegisters() {
	if x.coming(x.in) == brought {
		x.Move.Put(regfile.Move{Out: regfile.NoCTA, In: x.in})
		x.wait = true
	}
}
