package switching

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/regfile"
)

// moverPorts are the ports to the register file's mover, and to fetch for the warps' next instructions.
type moverPorts struct {
	Move     *wire.OutPort[regfile.Move] // nil: registers stay where they are
	Moved    wire.InPort[regfile.Moved]
	Standing wire.InPort[Standing] // from fetch

	files   uint64          // how much the register file holds
	awaited []intervals.Set `bits:"64" room:"32*4"` // of the last order to move
}

// initMover initializes the ports to the mover and to fetch.
func (x *Switcher) initMover() {
	x.Move = &wire.OutPort[regfile.Move]{}
	x.Move.Init(&x.Comp, "Move")
	x.Moved.Init(&x.Comp, "Moved", 2)
	x.Standing.Init(&x.Comp, "Standing", 2)
}

// Load prepares for a launch. The register file can hold the registers of at most held CTAs at once, or, where launches
// run side by side, so many registers.
func (x *Switcher) Load(held int) { x.files = uint64(held) }

// promised returns how much is still to enter the register file in the switches in flight.
func (x *Switcher) promised() (n uint64) {
	for _, f := range x.swaps {
		if f.in == none || x.coming(f.in) == brought {
			n += f.size.count()
		}
	}
	return n
}

// rewind returns the order to fetch to rewind the leaving CTA's warps, and to report their next
// instructions if their registers are to be moved.
func (x *Switcher) rewind(f *swap) Rewind {
	return Rewind{CTA: uint16(f.out), Contexts: x.monitor.ctas[f.out].contexts, Report: f.moves}
}

// locate returns the order with which fetch reports the next instructions of the leaving CTA's warps without rewinding
// them.
func (x *Switcher) locate(f *swap) Rewind {
	r := x.rewind(f)
	r.ReportOnly = true
	return r
}

// receiveMoves receives the warps' next instructions from fetch, sends them to the mover, and receives the mover's
// answers. The mover serves one switch at a time, so there is room for its order.
func (x *Switcher) receiveMoves() {
	f := x.mover
	for m := x.Standing.Take(); m != nil; m = x.Standing.Take() {
		in := regfile.NoCTA
		if x.coming(f.in) == brought {
			in = f.in
		}
		o := regfile.Move{Out: f.out, In: in, Contexts: m.Contexts, PCs: m.PCs, Ask: f.step == asking}
		if !o.Ask {
			o.Awaited = x.awaitedBy(f.out, m.Contexts)
		}
		x.Move.Put(o)
	}
	for m := x.Moved.Take(); m != nil; m = x.Moved.Take() {
		switch {
		case f.step != asking:
			f.wait, x.mover = false, nil
			x.note(f, m)
		case m.Refused:
			x.monitor.ctas[f.out].refused[x.coming(f.in)] = true
			x.drop(f)
		default:
			f.step = granted
		}
	}
}

// awaitedBy returns, for each context of a CTA, the registers with outstanding results. The slice is valid
// until the next call.
func (x *Switcher) awaitedBy(cta int, contexts []uint16) []intervals.Set {
	x.awaited = x.awaited[:0]
	for _, c := range contexts {
		var s intervals.Set
		for i := range x.of[cta] {
			if y := &x.of[cta][i]; y.Warp == c {
				s = y.Awaited
			}
		}
		x.awaited = append(x.awaited, s)
	}
	return x.awaited
}

// note records an answer to an order to move.
func (x *Switcher) note(f *swap, m *regfile.Moved) {
	if m.Refused {
		f.back = true
		return
	}
	if f.moves && f.step == leaving {
		x.monitor.moved(f.out, Pending)
		x.movedOut++
	}
	if x.coming(f.in) == brought {
		x.monitor.moved(f.in, Pipeline)
		f.brings = true
	}
}

// gone records that a CTA has given up its slots. If there was no room for its registers, the CTA gets slots
// again at once.
func (x *Switcher) gone(f *swap) {
	if f.back {
		f.in, f.back, f.asked = f.out, false, false
		x.revoked++
		return
	}
	x.switches++
}

// came counts a returned CTA.
func (x *Switcher) came(f *swap) {
	switch {
	case f.brings:
		x.movedIn++
	case f.in != f.out:
		x.returned++
	}
}

// fetchRegisters orders the entering CTA's registers into the register file, if they are elsewhere.
func (x *Switcher) fetchRegisters(f *swap) {
	if x.coming(f.in) == brought {
		x.Move.Put(regfile.Move{Out: regfile.NoCTA, In: f.in})
		f.wait, x.mover = true, f
	}
}
