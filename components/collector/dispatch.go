package collector

import (
	"math/bits"

	"kumiko/components/wire"
)

// dispatcher chooses, for each execution unit, among the ready collectors of the unit. The collectors take turns.
type dispatcher struct {
	ready [64]uint64 `bits:"64"` // by unit: ready collectors
	units uint64     // units with ready collectors
	turn  [64]uint8  `bits:"6"` // by unit: next collector in turn

	dispatchWait uint64
}

func (d *dispatcher) add(c int, unit uint8) {
	d.ready[unit] |= 1 << c
	d.units |= 1 << unit
}

// choose returns the next ready collector of a unit outside the set but, or -1.
func (d *dispatcher) choose(unit int, but uint64) int {
	set := d.ready[unit] &^ but
	if set == 0 {
		return -1
	}
	c := next(set, d.turn[unit])
	d.turn[unit] = uint8(c+1) & 63
	return c
}

// remove removes collector c from the ready ones of a unit, and reports whether others remain.
func (d *dispatcher) remove(c, unit int) bool {
	d.ready[unit] &^= 1 << c
	if d.ready[unit] == 0 {
		d.units &^= 1 << unit
		return false
	}
	return true
}

// next returns the first bit of a non-empty set at or after turn, wrapping around.
func next(set uint64, turn uint8) int {
	if later := set >> (turn & 63) << (turn & 63); later != 0 {
		return bits.TrailingZeros64(later)
	}
	return bits.TrailingZeros64(set)
}

// offer makes the operation of collector c, with all its operands, ready for its unit. It is held back while an
// earlier result for one of its destinations is in flight.
func (x *Set) offer(c int, s *collector) {
	if x.Now() < s.least {
		x.delay(c, s)
		return
	}
	if b := x.follow; b != nil && b.blocks(&s.o) {
		b.held |= 1 << c
		b.since[c] = x.Now()
		return
	}
	x.add(c, s.o.Unit)
}

// dispatch sends each unit its next ready operation. It returns true if a unit still has a ready operation.
func (x *Set) dispatch(now wire.Cycle) (again bool) {
	for m := x.units; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		out := &x.Ready[u]
		place := out.Offer()
		if place == nil {
			continue // woken when there is room
		}
		c := x.choose(u, x.owing)
		if c < 0 {
			continue
		}
		s := &x.slots[c]
		x.dispatchWait += now - s.since
		if x.held != nil {
			x.compare(c, s, now)
		}
		if x.follow != nil {
			x.follow.dispatched(&s.o, now)
		}
		if x.observe != nil {
			x.observe(now, c, Dispatched, &s.o)
		}
		*place = s.o
		out.PutSlot()
		x.free |= 1 << (c & 63)
		if x.remove(c, u) {
			again = true
		}
	}
	return again
}

// compare passes the operands to the checker.
func (x *Set) compare(c int, s *collector, now wire.Cycle) {
	for i := range int(s.o.Inst.T.NSrc) {
		x.check.Operand(x.Name(), now, &s.o, i, &x.held[c][i])
	}
	x.check.AtUnit(x.Name(), now, &s.o)
}

// delay keeps an operation without operands to read in its collector, for as long as a read takes through the
// stages between collectors and banks.
func (x *Set) delay(c int, s *collector) {
	x.early |= 1 << c
	x.WakeAt(s.least)
}

// offerDelayed offers the delayed operations whose delay is over.
func (x *Set) offerDelayed(now wire.Cycle) {
	for m := x.early; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if s := &x.slots[c]; s.least <= now {
			x.early &^= 1 << c
			s.since = now
			x.offer(c, s)
		}
	}
}
