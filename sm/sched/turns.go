package sched

import "math/bits"

// unitTurns deal a scheduler's operations to the execution units that it can use, those of
// a kind in turn.
type unitTurns struct {
	units     [][]uint8  // by kind
	turn      []uint8    // next unit of each kind
	registers *registers // nil: the register file takes any order of operations
}

// registers are the issue registers of a scheduler at the register file: room
// for so many operations of each execution unit.
type registers struct {
	room   []uint8 // by execution unit
	kindOf []uint8
	full   uint32 // kinds of units of which the next has no room
}

// Register gives the scheduler issue registers, each for every unit.
func (s *Scheduler) Register(each, units int) {
	s.turns.register(each, units)
	s.Taken.Init(&s.Comp, "Taken", 2*s.width)
}

func (t *unitTurns) register(each, units int) {
	r := &registers{room: make([]uint8, units), kindOf: make([]uint8, units)}
	for u := range r.room {
		r.room[u] = uint8(each)
	}
	for k, list := range t.units {
		for _, u := range list {
			r.kindOf[u] = uint8(k)
		}
	}
	t.registers = r
}

// taken gives an issue register back.
func (t *unitTurns) taken(unit uint8) {
	t.registers.room[unit]++
	t.look(t.registers.kindOf[unit])
}

// look computes whether the next unit of a kind has room.
func (t *unitTurns) look(kind uint8) {
	r := t.registers
	r.full &^= 1 << kind
	if r.room[t.units[kind][t.turn[kind]]] == 0 {
		r.full |= 1 << kind
	}
}

// draw is the unit of the next operation of a kind. It takes that unit's issue register.
func (t *unitTurns) draw(kind uint8) uint8 {
	unit := t.units[kind][t.turn[kind]]
	t.turn[kind]++
	if int(t.turn[kind]) >= len(t.units[kind]) {
		t.turn[kind] = 0
	}
	if t.registers != nil {
		t.registers.room[unit]--
		t.look(kind)
	}
	return unit
}

// crowded reports whether the next unit of some kind has no issue register.
func (t *unitTurns) crowded() bool { return t.registers != nil && t.registers.full != 0 }

// withRoom are those of the ready warps whose next instruction has an issue
// register, or needs none.
func (t *unitTurns) withRoom(ready uint64, warps *warpTable) uint64 {
	for m := ready &^ warps.Local; m != 0; m &= m - 1 {
		if slot := bits.TrailingZeros64(m); t.registers.full>>warps.kindAt(slot)&1 != 0 {
			ready &^= 1 << slot
		}
	}
	return ready
}
