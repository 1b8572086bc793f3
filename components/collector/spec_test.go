package collector

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/spec/spectest"
)

func TestASetTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() Spec { return general(2) }, (*Spec).Check)
	x.Within("collectors", 1, 64, func(s *Spec, v int) { s.Kinds[0].Count = v })
	x.Within("accept", 1, 8, func(s *Spec, v int) { s.Accept = v })
	x.AtLeast("room", 1, func(s *Spec, v int) { s.Room = v })
	x.AtLeast("schedulers", 1, func(s *Spec, v int) { s.Schedulers = v })
	x.Within("operand_stages", 0, 32, func(s *Spec, v int) { s.Stages = v })
	x.Within("units", 1, 64, func(s *Spec, v int) { s.Units = v })
	x.Refused("collectors", func(s *Spec) { s.Kinds = nil })
	x.Refused("collectors", func(s *Spec) { s.Kinds = []Kind{{60, 1}, {5, 2}} })
	x.Refused("collectors", func(s *Spec) { s.Kinds = []Kind{{1, 1}, {0, 2}} })
	x.Refused("lines", func(s *Spec) { s.Fills = true })
	x.Refused("issue_registers", func(s *Spec) { s.Registers, s.Hints = 1, &bank.Hints{} })
	x.Taken(func(s *Spec) { // a block before the banks that takes reads in any order, and gives values
		s.Registers, s.Hints, s.Fills, s.Lines = 1, &bank.Hints{AnyOrder: true}, true, 1
	})
}

func TestABypassTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() BypassSpec { return BypassSpec{Entries: 4, Results: 1} }, (*BypassSpec).Check)
	x.Within("bypass_entries", 1, 64, func(s *BypassSpec, v int) { s.Entries = v })
	x.AtLeast("forward", 0, func(s *BypassSpec, v int) { s.Forward = v })
	x.AtLeast("results", 1, func(s *BypassSpec, v int) { s.Results = v })
}

func TestASetHasTheCollectorsOfAllKinds(t *testing.T) {
	s := Spec{Kinds: []Kind{{2, 1}, {3, 2}}}
	if got := s.Collectors(); got != 5 {
		t.Errorf("%d collectors, want 5", got)
	}
}

// A collector sends up to eight sources, over as many cycles as its inputs need. The port holds the requests of two
// cycles, of all operations sending at once.
func TestARequestPortHoldsTwoCyclesOfRequests(t *testing.T) {
	for _, c := range []struct{ collectors, inputs, accept, schedulers, want int }{
		{8, 8, 1, 1, 2 * 2 * 1},  // eight sources in one cycle are two messages of four
		{8, 4, 1, 1, 2 * 1 * 2},  // in two cycles: two operations send at once
		{10, 1, 1, 1, 2 * 1 * 8}, // in eight
		{3, 1, 1, 1, 2 * 1 * 3},  // there are three collectors alone
		{64, 4, 2, 4, 2 * 1 * 16},
	} {
		s := Spec{Intake: Intake{Inputs: c.inputs}, Kinds: []Kind{{c.collectors, 1}}, Accept: c.accept,
			Schedulers: c.schedulers}
		if got := s.RequestRoom(); got != c.want {
			t.Errorf("%+v: room for %d requests", c, got)
		}
	}
}
