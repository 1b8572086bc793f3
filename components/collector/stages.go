package collector

import (
	"math/bits"

	"kumiko/components/wire"
)

// delay keeps an operation that has all its operands until it has passed the
// stages between collectors and banks, as those that read something have.
func (x *Set) delay(c int, s *collector) {
	x.early |= 1 << c
	x.WakeAt(s.least)
}

// offerDelayed offers the operations that have now been here for long enough.
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
