package finereg

import "kumiko/kernel/compiler/intervals"

// awaited is the table of results outstanding for live registers outside the ACRF. An entry has the number of the
// register and its entry of the PCRF.
type awaited struct {
	slots []awaitedSlot `row:"RMU: awaited results"`
	free  []int16       `bits:"log(slots)"`                         // slots
	at    []int16       `soft:"an associative look-up in hardware"` // by register: its slot, or nowhere
}

type awaitedSlot struct {
	register int
	entry    uint16 // of the PCRF, as soon as the register is there
}

// nowhere is the slot of a register without one.
const nowhere = -1

func newAwaited(slots, registers int) awaited {
	t := awaited{slots: make([]awaitedSlot, slots), at: make([]int16, registers)}
	for i := range slots {
		t.free = append(t.free, int16(slots-1-i))
	}
	for j := range t.at {
		t.at[j] = nowhere
	}
	return t
}

// needs returns the number of slots needed by warps: one for each live register with an outstanding result.
func needs(live, awaits []intervals.Set) (n int) {
	for i := range awaits {
		n += live[i].And(awaits[i]).Len()
	}
	return n
}

// add allocates a slot to a register.
func (t *awaited) add(register int) {
	last := len(t.free) - 1
	s := t.free[last]
	t.free = t.free[:last]
	t.slots[s], t.at[register] = awaitedSlot{register: register}, s
}

// moved records the PCRF entry of a register.
func (t *awaited) moved(register int, entry uint16) {
	if s := t.at[register]; s != nowhere {
		t.slots[s].entry = entry
	}
}

// entry returns the entry of a register in the PCRF.
func (t *awaited) entry(register int) uint16 {
	s := t.at[register]
	if s == nowhere {
		panic("finereg: a result for a register in the PCRF that nobody awaits")
	}
	return t.slots[s].entry
}

// remove frees the slot of a register, if it has one.
func (t *awaited) remove(register int) {
	if s := t.at[register]; s != nowhere {
		t.free, t.at[register] = append(t.free, s), nowhere
	}
}
