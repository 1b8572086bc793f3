package sched

// slotTable maps a scheduler's contexts to its slots. A context is a warp of a resident CTA:
// its instruction buffer and scoreboard, which belong to one scheduler. A slot is a
// place among the warps available to the scheduler's choice: one bit in its sets.
type slotTable struct {
	slotOf    []uint8  `bits:"6"` // by context of the SM: its slot
	contextOf []uint16 `bits:"9"` // by slot
	first     int      // number of the scheduler and of its first context
	step      int      // schedulers of the SM
}

// newSlotTable gives each of an SM's contexts the slot of its own number, while there are
// slots.
func newSlotTable(index, schedulers, contexts, slots int) slotTable {
	s := slotTable{slotOf: make([]uint8, contexts), contextOf: make([]uint16, slots), first: index, step: schedulers}
	for c := range contexts {
		s.slotOf[c] = uint8(c / schedulers)
	}
	for i := range s.contextOf {
		s.contextOf[i] = uint16(s.contextNumber(i))
	}
	return s
}

// contextNumber returns the SM's number of the scheduler's i-th context.
func (s *slotTable) contextNumber(i int) int { return i*s.step + s.first }

// assign gives a context a slot.
func (s *slotTable) assign(context uint16, slot int) {
	s.slotOf[context] = uint8(slot)
	s.contextOf[slot] = context
}
