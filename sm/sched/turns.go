package sched

import (
	"math/bits"

	"kumiko/sm/program"
	"kumiko/sm/reason"
)

// unitTurns assigns a scheduler's operations to its execution units, round robin among the units of a kind.
type unitTurns struct {
	units     [][]uint8  `soft:"constants"` // by kind
	turn      []uint8    `bits:"4"`         // next unit of each kind
	registers *registers // nil: the register file takes any order of operations
}

// registers are the issue registers of a scheduler at the register file: room
// for a number of operations of each execution unit.
type registers struct {
	sched  *Scheduler
	room   []uint8       `bits:"3"` // by execution unit
	kindOf []uint8       `soft:"constants"`
	full   uint32        // kinds whose next unit has no room
	row    reason.Reason // slots with a next instruction for such a unit
}

// issueRegisters blocks instructions without a free issue register.
var issueRegisters = feature{
	present: func(c *Config, _ *Planes) bool { return c.Registers > 0 },
	reasons: func(*Planes) []reason.Info { return []reason.Info{{As: reason.Issued, Late: true}} },
	build: func(s *Scheduler, at *site) any {
		r := &registers{sched: s, room: make([]uint8, at.config.Units), kindOf: make([]uint8, at.config.Units),
			row: at.rows[0]}
		for u := range r.room {
			r.room[u] = uint8(at.config.Registers)
		}
		for k, list := range s.turns.units {
			for _, u := range list {
				r.kindOf[u] = uint8(k)
			}
		}
		s.Taken.Init(&s.Comp, "Taken", 2*s.width)
		s.turns.registers = r
		return r
	},
}

// take returns freed issue registers.
func (r *registers) take() {
	for m := r.sched.Taken.Take(); m != nil; m = r.sched.Taken.Take() {
		r.room[m.Unit]++
		r.poll(r.kindOf[m.Unit])
	}
}

func (r *registers) head(slot int, _ *warpState, x *program.Inst) {
	row, bit := &r.sched.Blocked[r.row], uint64(1)<<(slot&63)
	*row &^= bit
	if x != nil && x.Kind != program.NoKind && r.full>>x.Kind&1 != 0 {
		*row |= bit
	}
}

// poll computes whether the next unit of a kind has room.
func (r *registers) poll(kind uint8) {
	t, was := &r.sched.turns, r.full
	r.full &^= 1 << kind
	if r.room[t.units[kind][t.turn[kind]]] == 0 {
		r.full |= 1 << kind
	}
	if r.full == was {
		return
	}
	row := uint64(0)
	for m := r.sched.Head &^ r.sched.Local; m != 0; m &= m - 1 {
		if slot := bits.TrailingZeros64(m); r.full>>r.sched.kindAt(slot)&1 != 0 {
			row |= 1 << slot
		}
	}
	r.sched.Blocked[r.row] = row
}

// draw returns the unit of the next operation of a kind, and reserves an issue register of this unit.
func (t *unitTurns) draw(kind uint8) uint8 {
	units, turn := t.units[kind], &t.turn[kind]
	unit := units[*turn]
	if *turn++; int(*turn) >= len(units) {
		*turn = 0
	}
	if t.registers != nil {
		t.registers.room[unit]--
		t.registers.poll(kind)
	}
	return unit
}
