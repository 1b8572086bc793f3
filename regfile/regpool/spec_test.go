package regpool

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Only("registers", map[int]bool{0: false, 8: true, 12: false, 16: true, 24: false, 32: true, 64: false},
		func(s *Spec, v int) { s.Registers = v })
	x.Taken(func(s *Spec) { s.Pool, s.WhenShort, s.Reserve = PoolSM, Fail, ReserveNone })
	x.Taken(func(s *Spec) { s.Reserve = ReserveCTA })
	x.Refused("pool", func(s *Spec) { s.Pool = "chip" })
	x.Refused("when_short", func(s *Spec) { s.WhenShort = "spill" })
	x.Refused("reserve", func(s *Spec) { s.Reserve = "all" })
}
