package switching

import (
	"fmt"

	"kumiko/components/wire"
)

// swap is a switch in flight: a leaving CTA, an entering CTA, or both.
type swap struct {
	step        step
	out, in     int  // CTAs of the switch, or none
	size        Size // of the entering CTA
	descheduled int  // answers of schedulers so far
	asked       bool // contexts of in have been asked for
	left        bool // residency knows of the free slots of out
	moves       bool // the registers of out make room
	wait        bool // for an answer of the mover
	brings      bool // the registers of in were moved in
	back        bool // out returns, because there is no room for its registers

	begun wire.Cycle
	until wire.Cycle // of freeing
}

// step is the progress of a switch.
type step uint8

const (
	idle         step = iota
	asking            // waits for the mover: is there room for the registers of out?
	granted           // there is room; out is to be descheduled
	descheduling      // the schedulers vacate the slots of out
	leaving           // residency is to free the slots, once the registers of out have been moved, if they make room
	entering          // registers and contexts of in are on their way
	allocating        // residency gives slots
	freeing           // waits for residency's count of free slots
)

// newSwaps allocates n switches; n = 0: one per CTA.
func newSwaps(n, ctas int) (spare []*swap) {
	if n == 0 || n > ctas {
		n = ctas
	}
	for range n {
		spare = append(spare, new(swap))
	}
	return spare
}

// take returns a new switch from the spare ones.
func (x *Switcher) take(out, in int, moves bool, now wire.Cycle) *swap {
	last := len(x.spare) - 1
	f := x.spare[last]
	x.spare = x.spare[:last]
	*f = swap{out: out, in: in, moves: moves, begun: now}
	x.swaps = append(x.swaps, f)
	return f
}

// drop forgets a switch.
func (x *Switcher) drop(f *swap) {
	for i, g := range x.swaps {
		if g == f {
			copy(x.swaps[i:], x.swaps[i+1:])
			x.swaps = x.swaps[:len(x.swaps)-1]
		}
	}
	for _, stage := range [...]**swap{&x.descheduler, &x.mover, &x.allocator} {
		if *stage == f {
			*stage = nil
		}
	}
	f.step = idle
	x.spare = append(x.spare, f)
}

// end ends a switch.
func (x *Switcher) end(f *swap, now wire.Cycle) {
	x.swapCycles += now - f.begun
	x.monitor.reconsider()
	x.drop(f)
}

// inFlight reports whether a CTA is part of a switch: it is entering, or has not left yet.
func (x *Switcher) inFlight(cta int) bool {
	for _, f := range x.swaps {
		if f.in == cta || f.out == cta && !f.left {
			return true
		}
	}
	return false
}

// advance moves the switches on as far as possible in this cycle, and begins another one. It
// reports whether there is something to do in the next cycle.
func (x *Switcher) advance(now wire.Cycle) (again bool) {
	x.send()
	for i := 0; i < len(x.swaps); {
		f := x.swaps[i]
		again = x.proceed(f, now) || again
		if i < len(x.swaps) && x.swaps[i] == f {
			i++
		}
	}
	if len(x.spare) == 0 {
		return again
	}
	return x.choose(now) || again
}

// proceed moves one switch on as far as possible in this cycle. It reports whether there is
// something to do in the next cycle.
func (x *Switcher) proceed(f *swap, now wire.Cycle) bool {
	switch f.step {
	case granted:
		switch {
		case !x.monitor.ctas[f.out].mayGo(f.in): // it has gone on meanwhile, or ended
			x.drop(f)
		case x.descheduler == nil && x.ports():
			x.deschedule(f, now)
		}
	case descheduling:
		if f.descheduled < x.schedulers || !x.Rewind.CanPut() {
			return false
		}
		x.Rewind.Put(x.rewind(f))
		x.contexts.move(f.out, true)
		x.contexts.send()
		f.step, x.descheduler = leaving, nil
		f.wait = f.wait || f.moves
		return true
	case leaving:
		if f.moves && f.wait || !x.Orders.CanPut() {
			return false
		}
		x.leave(f, now)
		return true
	case entering:
		if f.wait || f.in >= 0 && x.loads[f.in] > 0 || x.allocator != nil || !x.Orders.CanPut() {
			return false
		}
		o := Order{Kind: Admit, Size: f.size}
		if f.in != none {
			o = Order{CTA: uint16(f.in), Kind: Enter}
		}
		x.Orders.Put(o)
		f.step, x.allocator = allocating, f
	case freeing:
		if now < f.until {
			return true
		}
		x.end(f, now)
	}
	return false
}

// leave orders residency to free the slots of the leaving CTA.
func (x *Switcher) leave(f *swap, now wire.Cycle) {
	x.Orders.Put(Order{CTA: uint16(f.out), Kind: Left})
	x.monitor.unassign(uint16(f.out), now)
	f.left = true
	x.gone(f)
	if f.in == nothing {
		f.step, f.until = freeing, now+2
		return
	}
	x.bring(f)
	f.step = entering
}

// bring begins to load the contexts and registers of a resident CTA, unless it has begun before. Registers that need
// the room of the leaving CTA are not loaded here: the mover loads them as it removes that CTA's (see receiveMoves).
func (x *Switcher) bring(f *swap) {
	if f.in < 0 || f.asked {
		return
	}
	f.asked = true
	if !f.moves || f.step == leaving {
		x.fetchRegisters(f)
	}
	x.contexts.move(f.in, false)
	x.contexts.send()
}

// Waiting describes the waits of switches and of CTAs without slots.
func (x *Switcher) Waiting() string {
	for _, f := range x.swaps {
		if s := x.waiting(f); s != "" {
			return s
		}
	}
	m := &x.monitor
	if !x.spec.On() || m.resident == m.active {
		return ""
	}
	ready := m.able.CountBelow(len(m.ctas))
	return fmt.Sprintf("%d of %d resident CTAs without slots, %d of these could issue; %d of those with slots wait "+
		"for memory", m.resident-m.active, m.resident, ready, m.stalled)
}

// waiting describes the wait of a switch.
func (x *Switcher) waiting(f *swap) string {
	loads := 0
	if f.in >= 0 {
		loads = x.loads[f.in]
	}
	switch f.step {
	case descheduling:
		return fmt.Sprintf("CTA slot %d is to give up its slots: %d of %d schedulers have answered", f.out,
			f.descheduled,
			x.schedulers)
	case asking, granted:
		return fmt.Sprintf("CTA slot %d stalls: the register file is to say whether there is room for its registers",
			f.out)
	case leaving, entering:
		if f.wait && loads == 0 {
			return "registers on their way to the register file, or from there"
		}
		return fmt.Sprintf("%d contexts on their way from shared memory", loads)
	case allocating:
		return "a CTA waits for slots"
	}
	return ""
}
