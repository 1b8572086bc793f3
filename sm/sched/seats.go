package sched

// seats maps a scheduler's contexts to its slots. A context is a warp of a resident CTA:
// its instruction buffer and scoreboard, which belong to one scheduler. A slot is a
// place among the warps available to the scheduler's choice: one bit in its sets.
type seats struct {
	own       []uint16 `soft:"constants"` // by context of the SM: the scheduler's own number of it
	slotOf    []uint8  `bits:"6"`         // by context of the SM: its slot
	contextOf []uint16 `bits:"9"`         // by slot
	first     int      // number of the scheduler and of its first context
	step      int      // schedulers of the SM
}

// newSeats gives each of an SM's contexts the slot of its own number, while there are
// slots.
func newSeats(index, schedulers, contexts, slots int) seats {
	s := seats{own: make([]uint16, contexts), slotOf: make([]uint8, contexts), contextOf: make([]uint16, slots),
		first: index, step: schedulers}
	for c := range contexts {
		s.own[c] = uint16(c / schedulers)
		s.slotOf[c] = uint8(c / schedulers)
	}
	for i := range s.contextOf {
		s.contextOf[i] = uint16(s.contextNumber(i))
	}
	return s
}

// contextNumber returns the SM's number of the scheduler's i-th context.
func (s *seats) contextNumber(i int) int { return i*s.step + s.first }

// seat gives a context a slot.
func (s *seats) seat(context uint16, slot int) {
	s.slotOf[context] = uint8(slot)
	s.contextOf[slot] = context
}
