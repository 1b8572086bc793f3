package crossbar

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestACrossbarTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec {
		return Spec{Paths: Paths{OutputWidth: 1, Cycles: 1, Latency: 1}, Inputs: 4, Outputs: 6, InputWidth: 1,
			InputRoom: 2}
	}
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("inputs", 1, 256, func(s *Spec, v int) { s.Inputs = v })
	x.Within("outputs", 1, 256, func(s *Spec, v int) { s.Outputs = v })
	x.Within("crossbar_input", 1, 16, func(s *Spec, v int) { s.InputWidth = v })
	x.Within("input room", 1, 1024, func(s *Spec, v int) { s.InputRoom = v })
	x.Within("outputs apart", 0, 5, func(s *Spec, v int) { s.Apart = v })
}

func TestAButterflyTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() ButterflySpec {
		return ButterflySpec{Mesh: Mesh{Rows: 1, Columns: 1, ChannelWidth: 1, HopLatency: 1},
			Paths: Paths{OutputWidth: 1, Cycles: 1, Latency: 1}, Inputs: 240, Outputs: 4, InputWidth: 1, InputRoom: 2}
	}
	x := spectest.Of(t, sound, (*ButterflySpec).Check)
	x.Within("collectors", 1, 256, func(s *ButterflySpec, v int) { s.Outputs = v })
	x.Within("crossbar_input", 1, 16, func(s *ButterflySpec, v int) { s.InputWidth = v })
	x.Refused("banks", func(s *ButterflySpec) { s.Rows, s.Columns, s.Inputs = 2, 4, 12 })
	x.Refused("banks", func(s *ButterflySpec) { s.Inputs = 0 })
}

func TestACrossbarStartsAsManyTransfersPerCycleAsItsNarrowestSidePermits(t *testing.T) {
	for _, c := range []struct {
		s    Spec
		want int
	}{
		{Spec{Paths: Paths{OutputWidth: 1}, Inputs: 4, InputWidth: 2, Outputs: 10}, 8},
		{Spec{Paths: Paths{OutputWidth: 2}, Inputs: 4, InputWidth: 2, Outputs: 3}, 6},
		{Spec{Paths: Paths{OutputWidth: 1, Width: 5}, Inputs: 4, InputWidth: 2, Outputs: 10}, 5},
		{Spec{Paths: Paths{OutputWidth: 1, Width: 9}, Inputs: 4, InputWidth: 2, Outputs: 10}, 8},
	} {
		if got := c.s.PerCycle(); got != c.want {
			t.Errorf("%+v: %d values per cycle, want %d", c.s, got, c.want)
		}
	}
}

// Four routers in two rows and two columns have eight requesters, two each; requester 7 is
// joined to the last of them.
func TestALocalPortHoldsAStreamToAllRequestersOfItsRouter(t *testing.T) {
	s := ButterflySpec{Mesh: Mesh{Rows: 2, Columns: 2}, Paths: Paths{OutputWidth: 3, Latency: 4, Cycles: 2}, Outputs: 8}
	if got := s.LocalRoom(); got != (4+2)*3*2 {
		t.Errorf("room for %d values, want 36", got)
	}
	s.Outputs = 9 // one router has three
	if got := s.LocalRoom(); got != (4+2)*3*3 {
		t.Errorf("nine requesters: room for %d values, want 54", got)
	}
	if got := s.RouterOf(8); got != 3 {
		t.Errorf("requester 8 is at router %d", got)
	}
}
