package collector

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/spec/spectest"
)

func TestASetTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[Spec]
	sound := func() Spec { return general(2) }
	check := (*Spec).Check
	spectest.Bounds(t, sound, check,
		bound{"collectors", func(s *Spec, v int) { s.Kinds[0].Count = v }, 1, 64},
		bound{"inputs", func(s *Spec, v int) { s.Inputs = v }, 1, 8},
		bound{"accept", func(s *Spec, v int) { s.Accept = v }, 1, 8},
		bound{"issue_registers", func(s *Spec, v int) { s.Registers = v }, 0, 8},
		bound{"room", func(s *Spec, v int) { s.Room = v }, 1, spectest.Unbounded},
		bound{"schedulers", func(s *Spec, v int) { s.Schedulers = v }, 1, spectest.Unbounded},
		bound{"operand_stages", func(s *Spec, v int) { s.Stages = v }, 0, 32},
		bound{"units", func(s *Spec, v int) { s.Units = v }, 1, 64})
	spectest.Refused(t, sound, check, "collectors", func(s *Spec) { s.Kinds = nil })
	spectest.Refused(t, sound, check, "collectors", func(s *Spec) { s.Kinds = []Kind{{60, 1}, {5, 2}} })
	spectest.Refused(t, sound, check, "collectors", func(s *Spec) { s.Kinds = []Kind{{1, 1}, {0, 2}} })
	spectest.Refused(t, sound, check, "lines", func(s *Spec) { s.Fills = true })
	spectest.Refused(t, sound, check, "issue_registers", func(s *Spec) { s.Registers, s.Words = 1, &bank.Words{} })
	s := sound()
	s.Registers, s.Words, s.Fills, s.Lines = 1, &bank.Words{AnyOrder: true}, true, 1
	if err := s.Check(); err != nil {
		t.Errorf("a guest that takes reads in any order: %v", err)
	}
}

func TestABypassTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[BypassSpec]
	spectest.Bounds(t, func() BypassSpec { return BypassSpec{Entries: 4, Results: 1} }, (*BypassSpec).Check,
		bound{"bypass_entries", func(s *BypassSpec, v int) { s.Entries = v }, 1, 64},
		bound{"forward", func(s *BypassSpec, v int) { s.Forward = v }, 0, spectest.Unbounded},
		bound{"results", func(s *BypassSpec, v int) { s.Results = v }, 1, spectest.Unbounded})
}

func TestASetHasTheCollectorsOfAllKinds(t *testing.T) {
	s := Spec{Kinds: []Kind{{2, 1}, {3, 2}}}
	if got := s.Collectors(); got != 5 {
		t.Errorf("%d collectors, want 5", got)
	}
}

// A collector sends its sources, up to eight, in as many cycles as its inputs need for
// them; the port holds what all that send at once send in two cycles.
func TestARequestPortHoldsTwoCyclesOfRequests(t *testing.T) {
	for _, c := range []struct{ collectors, inputs, accept, schedulers, want int }{
		{8, 8, 1, 1, 2 * 2 * 1}, // eight sources in one cycle are two messages of four
		{8, 4, 1, 1, 2 * 1 * 2}, // in two cycles: two operations send at once
		{10, 1, 1, 1, 2 * 1 * 8}, // in eight
		{3, 1, 1, 1, 2 * 1 * 3}, // there are three collectors alone
		{64, 4, 2, 4, 2 * 1 * 16},
	} {
		s := Spec{Kinds: []Kind{{c.collectors, 1}}, Inputs: c.inputs, Accept: c.accept, Schedulers: c.schedulers}
		if got := s.RequestRoom(); got != c.want {
			t.Errorf("%+v: room for %d requests", c, got)
		}
	}
}
