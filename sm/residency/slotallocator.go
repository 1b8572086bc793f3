package residency

import (
	"fmt"
	"math/bits"

	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/switching"
)

// slotAllocator assigns the schedulers' slots where a CTA may be resident without slots. As long as every resident
// CTA has slots, residency admits a new CTA to free slots by itself. Otherwise the switcher decides on the
// entering CTA.
type slotAllocator struct {
	Orders  wire.InPort[switching.Order]     // from the switcher
	Events  wire.OutPort[switching.CTAEvent] // to the switcher
	Vacancy wire.Signal[switching.Vacancy]

	schedulers  int
	free        [message.MaxSchedulers]uint64 `bits:"64"` // slots
	slotOf      []uint8                       `bits:"6"`  // by context
	pending     []bool                        `bits:"1"`  // by CTA slot: it has no slots
	pendingCTAs int                           // CTAs without slots
	leaving     []bool                        `bits:"1"` // by CTA slot: it gives up its slots
	going       int                           // CTAs of leaving
	slottedCTAs int                           // CTAs with slots
	limit       int                           // of slottedCTAs
	capacity    int                           // 32-bit registers of the register file; 0: they are not counted
	taken       int                           // of capacity, by all CTAs
	permit      bool                          // a new CTA may start though some have no slots
	room        switching.Size                // of the register file, for a new CTA with permit
}

// ShareSlots enables CTAs without slots. slots is the number of slots of all schedulers of the SM.
func (r *Residency) ShareSlots(slots int) {
	n := len(r.ToScheds)
	t := &slotAllocator{schedulers: n, slotOf: make([]uint8, r.warps), pending: make([]bool, len(r.ctas)),
		leaving: make([]bool, len(r.ctas))}
	for i := range n {
		t.free[i] = 1<<((slots+n-1-i)/n) - 1
	}
	for c := range t.slotOf {
		t.slotOf[c] = message.NoSlot
	}
	t.Orders.Init(&r.Comp, "Orders", 4)
	t.Events.Init(&r.Comp, "Events")
	t.Vacancy.Init(&r.Comp, switching.Vacancy{})
	r.SlotAllocator = t
}

// takeOrders carries out the switcher's orders.
func (r *Residency) takeOrders() {
	s := r.SlotAllocator
	for o := s.Orders.Head(); o != nil; o = s.Orders.Head() {
		switch o.Kind {
		case switching.Leave:
			s.leaving[o.CTA] = true
			s.going++
		case switching.Left:
			if !r.canNotify() {
				return
			}
			r.freeSlots(o.CTA)
		case switching.Admit:
			s.permit, s.room = true, o.Size
		case switching.Enter:
			if !r.ToFetch.CanPut() || !r.canNotify() || !r.schedulersListen() {
				return
			}
			r.enter(o.CTA)
		}
		s.Orders.Pop()
	}
}

// unended reports whether a context belongs to an unfinished warp of a CTA.
func (r *Residency) unended(c, cta uint16) bool { return r.owner[c] == cta && !r.free.Has(int(c)) }

// freeSlots frees the slots of a CTA after the schedulers have vacated them.
func (r *Residency) freeSlots(cta uint16) {
	s := r.SlotAllocator
	for _, c := range r.ctas[cta].contexts {
		if r.unended(c, cta) {
			s.give(int(c))
		}
	}
	s.leaving[cta] = false
	s.going--
	s.pending[cta] = true
	s.pendingCTAs++
	s.slottedCTAs--
	if r.ctas[cta].left == 0 {
		r.retire(cta, r.Now())
	}
}

// give frees the slot of a context.
func (s *slotAllocator) give(c int) {
	if slot := s.slotOf[c]; slot != message.NoSlot {
		s.free[c%s.schedulers] |= 1 << slot
		s.slotOf[c] = message.NoSlot
	}
}

// take allocates a slot of a context's scheduler, preferably the slot of the context's number. It returns
// false if the scheduler has no free slot.
func (s *slotAllocator) take(c int, free *[message.MaxSchedulers]uint64) (slot int, ok bool) {
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
	s := r.SlotAllocator
	free := s.free
	x := switching.CTAEvent{CTA: cta, Event: switching.Returned}
	var contexts []uint16
	for _, c := range r.ctas[cta].contexts {
		if !r.unended(c, cta) {
			continue
		}
		slot, ok := s.take(int(c), &free)
		if !ok {
			s.Events.Put(switching.CTAEvent{CTA: cta, Event: switching.Refused})
			return
		}
		contexts = append(contexts, c)
		x.Slots[int(c)%s.schedulers] |= 1 << slot
	}
	s.pending[cta] = false
	s.pendingCTAs--
	s.slottedCTAs++
	s.settle(contexts, &x.Slots)
	r.ToFetch.Put(&message.Residence{Slot: cta, Contexts: contexts, Returned: true})
	for i, m := range x.Slots[:s.schedulers] {
		if m != 0 {
			r.ToScheds[i].Put(message.WarpsStart{Slots: m, Contexts: contexts, CTA: cta, Returned: true})
		}
	}
	s.Events.Put(x)
}

// settle records the slots of contexts. Of a scheduler's slots the first context gets the lowest.
func (s *slotAllocator) settle(contexts []uint16, slots *[switching.MostSchedulers]uint64) {
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
func (s *slotAllocator) deal(r *Residency, contexts []uint16, slots *[message.MaxSchedulers]uint64) bool {
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
func (s *slotAllocator) mayStart(r *Residency, g *message.Grant) bool {
	if g == nil && !s.permit {
		return false
	}
	var scratch [message.MaxWarps]uint16
	var slots [message.MaxSchedulers]uint64
	fits := g != nil && s.slottedCTAs < s.limit && s.sizeFits(g) && s.deal(r, scratch[:len(g.CTA.Warps)], &slots)
	if s.permit && !fits {
		s.permit = false
		s.Events.Put(switching.CTAEvent{Event: switching.Refused})
	}
	return fits && (s.permit || s.pendingCTAs == 0 && s.going == 0)
}

// size returns the size of a CTA where registers are counted.
func (s *slotAllocator) size(role *regfile.Role) switching.Size {
	if s.capacity == 0 {
		return 0
	}
	return switching.Size(role.Registers)
}

// sizeFits reports whether the register file has room for a new CTA. If the switcher has ordered the CTA (permit), it
// has also set the room that the CTA may take. Otherwise the CTA must fit beside the registers of all others, because
// mayStart lets it start only if none of them is switched out.
func (s *slotAllocator) sizeFits(g *message.Grant) bool {
	n := s.size(&g.Role)
	if s.permit {
		return n <= s.room
	}
	return s.taken+int(n) <= s.capacity
}

// started records a new CTA.
func (s *slotAllocator) started(x *message.Residence, role *regfile.Role, slots *[message.MaxSchedulers]uint64) {
	s.taken += int(s.size(role))
	s.slottedCTAs++
	s.settle(x.Contexts, slots)
	s.Events.Put(switching.CTAEvent{CTA: x.Slot, Event: switching.Started, Slots: *slots, Contexts: x.Contexts,
		Ordered: s.permit, Size: s.size(role)})
	s.permit = false
}

// ended frees the slot of a finished warp. It returns false if its CTA cannot retire yet, although no warp is
// left, because the schedulers are still vacating its slots.
func (s *slotAllocator) ended(w int, cta uint16, last bool) bool {
	s.give(w)
	return !last || !s.leaving[cta]
}

// gone records the retirement of a CTA.
func (s *slotAllocator) gone(cta uint16, role *regfile.Role) {
	s.taken -= int(s.size(role))
	if s.pending[cta] {
		s.pending[cta] = false
		s.pendingCTAs--
	} else {
		s.slottedCTAs--
	}
	s.Events.Put(switching.CTAEvent{CTA: cta, Event: switching.Finished})
}

// show describes the free slots for waiting CTAs.
func (s *slotAllocator) show(r *Residency) {
	var x switching.Vacancy
	for i := range s.schedulers {
		x.Free[i] = uint8(bits.OnesCount64(s.free[i]))
	}
	x.CTAs = uint16(s.limit - s.slottedCTAs)
	if g := r.Grants.Head(); g != nil {
		x.Waiting, x.Size = uint16(len(g.CTA.Warps)), s.size(&g.Role)
	}
	s.Vacancy.Set(x)
}

// waiting describes the CTAs without slots; empty: there is none.
func (s *slotAllocator) waiting() string {
	if s.pendingCTAs == 0 {
		return ""
	}
	return fmt.Sprintf(", %d of them without slots", s.pendingCTAs)
}
