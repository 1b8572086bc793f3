package sm

import (
	"math/bits"

	"kumiko/components/op"
)

// registers are the issue registers of a scheduler at the register file: room
// for so many operations of each execution unit.
type registers struct {
	room   []uint8 // by execution unit
	kindOf []uint8
	full   uint32 // kinds of units of which the next has no room
}

// register gives the scheduler issue registers, each for every unit.
func (s *Scheduler) register(each, units int) {
	r := &registers{room: make([]uint8, units), kindOf: make([]uint8, units)}
	for u := range r.room {
		r.room[u] = uint8(each)
	}
	for k, list := range s.units {
		for _, u := range list {
			r.kindOf[u] = uint8(k)
		}
	}
	s.registers = r
	s.Taken.Init(&s.Comp, "Taken", 2*s.width)
}

func (s *Scheduler) takeTaken() {
	for m := s.Taken.Head(); m != nil; m = s.Taken.Head() {
		s.registers.room[m.Unit]++
		s.look(s.registers.kindOf[m.Unit])
		s.Taken.Pop()
	}
}

// look computes whether the next unit of a kind has room.
func (s *Scheduler) look(kind uint8) {
	r := s.registers
	r.full &^= 1 << kind
	if r.room[s.units[kind][s.turn[kind]]] == 0 {
		r.full |= 1 << kind
	}
}

// fill takes the room of an operation that is issued.
func (s *Scheduler) fill(o *op.Op, kind uint8) {
	s.registers.room[o.Unit]--
	s.look(kind)
}

// withRoom are those of the ready warps whose next instruction has an issue
// register, or needs none.
func (s *Scheduler) withRoom(ready uint64) uint64 {
	for m := ready &^ s.local; m != 0; m &= m - 1 {
		if slot := bits.TrailingZeros64(m); s.registers.full>>s.kindAt(slot)&1 != 0 {
			ready &^= 1 << slot
		}
	}
	return ready
}
