package crossbar

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestACrossbarTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[Spec]
	sound := func() Spec {
		return Spec{Inputs: 4, Outputs: 6, InputWidth: 1, OutputWidth: 1, Cycles: 1, Latency: 1, InputRoom: 2}
	}
	spectest.Bounds(t, sound, (*Spec).Check,
		bound{"inputs", func(s *Spec, v int) { s.Inputs = v }, 1, 256},
		bound{"outputs", func(s *Spec, v int) { s.Outputs = v }, 1, 256},
		bound{"crossbar_width", func(s *Spec, v int) { s.Width = v }, 0, 256},
		bound{"crossbar_input", func(s *Spec, v int) { s.InputWidth = v }, 1, 16},
		bound{"crossbar_output", func(s *Spec, v int) { s.OutputWidth = v }, 1, 16},
		bound{"crossbar_cycles", func(s *Spec, v int) { s.Cycles = v }, 1, 64},
		bound{"crossbar_latency", func(s *Spec, v int) { s.Latency = v }, 1, 64},
		bound{"input room", func(s *Spec, v int) { s.InputRoom = v }, 1, 1024},
		bound{"outputs apart", func(s *Spec, v int) { s.Apart = v }, 0, 5})
}

func TestAButterflyTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[ButterflySpec]
	sound := func() ButterflySpec {
		return ButterflySpec{Rows: 1, Columns: 1, Inputs: 240, Outputs: 4, InputWidth: 1, OutputWidth: 1, ChannelWidth: 1,
			Cycles: 1, Latency: 1, HopLatency: 1, InputRoom: 2}
	}
	check := (*ButterflySpec).Check
	spectest.Bounds(t, sound, check,
		bound{"collectors", func(s *ButterflySpec, v int) { s.Outputs = v }, 1, 256},
		bound{"crossbar_input", func(s *ButterflySpec, v int) { s.InputWidth = v }, 1, 16},
		bound{"crossbar_output", func(s *ButterflySpec, v int) { s.OutputWidth = v }, 1, 16},
		bound{"hop_width", func(s *ButterflySpec, v int) { s.ChannelWidth = v }, 1, 16},
		bound{"crossbar_cycles", func(s *ButterflySpec, v int) { s.Cycles = v }, 1, 64},
		bound{"crossbar_latency", func(s *ButterflySpec, v int) { s.Latency = v }, 1, 64},
		bound{"hop_latency", func(s *ButterflySpec, v int) { s.HopLatency = v }, 1, 64},
		// Banks are shared out among the routers, so they follow.
		bound{"network_rows", func(s *ButterflySpec, v int) { s.Rows, s.Inputs = v, max(v, 1) }, 1, 16},
		bound{"network_columns", func(s *ButterflySpec, v int) { s.Columns, s.Inputs = v, max(v, 1) }, 1, 16})
	spectest.Refused(t, sound, check, "banks", func(s *ButterflySpec) { s.Rows, s.Columns, s.Inputs = 2, 4, 12 })
	spectest.Refused(t, sound, check, "banks", func(s *ButterflySpec) { s.Inputs = 0 })
}

func TestACrossbarStartsAsManyTransfersPerCycleAsItsNarrowestSidePermits(t *testing.T) {
	for _, c := range []struct {
		s    Spec
		want int
	}{
		{Spec{Inputs: 4, InputWidth: 2, Outputs: 10, OutputWidth: 1}, 8},
		{Spec{Inputs: 4, InputWidth: 2, Outputs: 3, OutputWidth: 2}, 6},
		{Spec{Inputs: 4, InputWidth: 2, Outputs: 10, OutputWidth: 1, Width: 5}, 5},
		{Spec{Inputs: 4, InputWidth: 2, Outputs: 10, OutputWidth: 1, Width: 9}, 8},
	} {
		if got := c.s.PerCycle(); got != c.want {
			t.Errorf("%+v: %d values per cycle, want %d", c.s, got, c.want)
		}
	}
}

// Four routers in two rows and two columns have eight requesters, two each; requester 7 is
// joined to the last of them.
func TestALocalPortHoldsAStreamToAllRequestersOfItsRouter(t *testing.T) {
	s := ButterflySpec{Rows: 2, Columns: 2, Outputs: 8, OutputWidth: 3, Latency: 4, Cycles: 2}
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
