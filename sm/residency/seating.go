package residency

import (
	"fmt"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/sm/message"
	"kumiko/sm/switching"
)

// seating assigns the schedulers' slots where a CTA may be resident without slots. As long as every resident
// CTA has slots, residency admits a new CTA to free slots by itself. Otherwise the switcher decides on the
// entering CTA.
type seating struct {
	Orders wire.InPort[switching.Order] // from the switcher
	Seats  wire.OutPort[switching.Seat] // to the switcher
	Rooms  wire.Signal[switching.Rooms]

	schedulers int
	free       [message.MaxSchedulers]uint64 `bits:"64"` // slots
	slotOf     []uint8                       `bits:"6"`  // by context
	aside      []bool                        `bits:"1"`  // by CTA slot: it has no slots
	parked     int                           // CTAs without slots
	leaving    []bool                        `bits:"1"` // by CTA slot: it gives up its slots
	going      int                           // CTAs of leaving
	seated     int                           // CTAs with slots
	limit      int                           // of seated
	permit     bool                          // a new CTA may start though some have no slots
}

// Seat enables CTAs without slots. slots is the number of slots of all schedulers of the SM.
func (r *Residency) Seat(slots int) {
	n := len(r.ToScheds)
	t := &seating{schedulers: n, slotOf: make([]uint8, r.warps), aside: make([]bool, len(r.ctas)),
		leaving: make([]bool, len(r.ctas))}
	for i := range n {
		t.free[i] = 1<<((slots+n-1-i)/n) - 1
	}
	for c := range t.slotOf {
		t.slotOf[c] = message.NoSlot
	}
	t.Orders.Init(&r.Comp, "Orders", 4)
	t.Seats.Init(&r.Comp, "Seats")
	t.Rooms.Init(&r.Comp, switching.Rooms{})
	r.Seating = t
}

// takeOrders carries out the switcher's orders.
func (r *Residency) takeOrders() {
	s := r.Seating
	for o := s.Orders.Head(); o != nil; o = s.Orders.Head() {
		switch o.Kind {
		case switching.Leave:
			s.leaving[o.CTA] = true
			s.going++
		case switching.Left:
			if !r.mayTell() {
				return
			}
			r.left(o.CTA)
		case switching.Admit:
			s.permit = true
		case switching.Enter:
			if !r.ToFetch.CanPut() || !r.mayTell() || !r.schedulersListen() {
				return
			}
			r.enter(o.CTA)
		}
		s.Orders.Pop()
	}
}

// unended reports whether a context belongs to an unfinished warp of a CTA.
func (r *Residency) unended(c, cta uint16) bool { return r.owner[c] == cta && !r.free.Has(int(c)) }

// left frees the slots of a CTA after the schedulers have vacated them.
func (r *Residency) left(cta uint16) {
	s := r.Seating
	for _, c := range r.ctas[cta].contexts {
		if r.unended(c, cta) {
			s.give(int(c))
		}
	}
	s.leaving[cta] = false
	s.going--
	s.aside[cta] = true
	s.parked++
	s.seated--
	if r.ctas[cta].left == 0 {
		r.retire(cta, r.Now())
	}
}

// give frees the slot of a context.
func (s *seating) give(c int) {
	if slot := s.slotOf[c]; slot != message.NoSlot {
		s.free[c%s.schedulers] |= 1 << slot
		s.slotOf[c] = message.NoSlot
	}
}

// take allocates a slot of a context's scheduler, preferably the slot of the context's number. It returns
// false if the scheduler has no free slot.
func (s *seating) take(c int, free *[message.MaxSchedulers]uint64) (slot int, ok bool) {
	set := free[c%s.schedulers]
	if set == 0 {
		return 0, false
	}
	slot = c / s.schedulers
	if set>>slot&1 == 0 {
		slot = bits.TrailingZeros64(set)
	}
	free[c%s.schedulers] &^= 1 << slot
	return slot, true
}

// enter gives the unended warps of a CTA slots again.
func (r *Residency) enter(cta uint16) {
	s := r.Seating
	free := s.free
	x := switching.Seat{CTA: cta, Event: switching.Returned}
	var contexts []uint16
	for _, c := range r.ctas[cta].contexts {
		if !r.unended(c, cta) {
			continue
		}
		slot, ok := s.take(int(c), &free)
		if !ok {
			s.Seats.Put(switching.Seat{CTA: cta, Event: switching.Refused})
			return
		}
		contexts = append(contexts, c)
		x.Slots[int(c)%s.schedulers] |= 1 << slot
	}
	s.aside[cta] = false
	s.parked--
	s.seated++
	s.settle(contexts, &x.Slots)
	r.ToFetch.Put(&message.Residence{Slot: cta, Contexts: contexts, Returned: true})
	for i, m := range x.Slots[:s.schedulers] {
		if m != 0 {
			r.ToScheds[i].Put(message.WarpsStart{Slots: m, Contexts: contexts, CTA: cta, Returned: true})
		}
	}
	s.Seats.Put(x)
}

// settle records the slots of contexts. Of a scheduler's slots the first context gets the lowest.
func (s *seating) settle(contexts []uint16, slots *[switching.MostSchedulers]uint64) {
	left := *slots
	for _, c := range contexts {
		i := int(c) % s.schedulers
		s.slotOf[c] = uint8(bits.TrailingZeros64(left[i]))
		left[i] &= left[i] - 1
	}
	for i := range s.schedulers {
		s.free[i] &^= slots[i]
	}
}

// deal gives the warps of a new CTA contexts of schedulers with free slots. It
// returns false if there are not enough; otherwise settle has to follow.
func (s *seating) deal(r *Residency, contexts []uint16, slots *[message.MaxSchedulers]uint64) bool {
	free, n := s.free, 0
	for c := 0; c < r.warps && n < len(contexts); c++ {
		if !r.free.Has(c) {
			continue
		}
		if slot, ok := s.take(c, &free); ok {
			contexts[n] = uint16(c)
			slots[c%s.schedulers] |= 1 << slot
			n++
		}
	}
	return n == len(contexts)
}

// mayStart reports whether a new CTA may start now. It refuses a CTA ordered by the switcher
// if the CTA does not fit.
func (s *seating) mayStart(r *Residency, g *message.Grant) bool {
	if g == nil && !s.permit {
		return false
	}
	var scratch [message.MaxWarps]uint16
	var slots [message.MaxSchedulers]uint64
	fits := g != nil && s.seated < s.limit && s.deal(r, scratch[:len(g.CTA.Warps)], &slots)
	if s.permit && !fits {
		s.permit = false
		s.Seats.Put(switching.Seat{Event: switching.Refused})
	}
	return fits && (s.permit || s.parked == 0 && s.going == 0)
}

// started records a new CTA.
func (s *seating) started(x *message.Residence, slots *[message.MaxSchedulers]uint64) {
	s.seated++
	s.settle(x.Contexts, slots)
	s.Seats.Put(switching.Seat{CTA: x.Slot, Event: switching.Started, Slots: *slots, Contexts: x.Contexts,
		Ordered: s.permit})
	s.permit = false
}

// ended frees the slot of a finished warp. It returns false if its CTA cannot retire yet, although no warp is
// left, because the schedulers are still vacating its slots.
func (s *seating) ended(w int, cta uint16, last bool) bool {
	s.give(w)
	return !last || !s.leaving[cta]
}

// gone records the retirement of a CTA.
func (s *seating) gone(cta uint16) {
	if s.aside[cta] {
		s.aside[cta] = false
		s.parked--
	} else {
		s.seated--
	}
	s.Seats.Put(switching.Seat{CTA: cta, Event: switching.Finished})
}

// show describes the free slots for waiting CTAs.
func (s *seating) show(r *Residency) {
	var x switching.Rooms
	for i := range s.schedulers {
		x.Free[i] = uint8(bits.OnesCount64(s.free[i]))
	}
	x.Seats = uint16(s.limit - s.seated)
	if g := r.Grants.Head(); g != nil {
		x.Waiting = uint16(len(g.CTA.Warps))
	}
	s.Rooms.Set(x)
}

// waiting describes the CTAs without slots; empty: there is none.
func (s *seating) waiting() string {
	if s.parked == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them without slots", s.parked)
}
