package ltrf

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Regions = Intervals })
	x.Taken(func(s *Spec) { s.Regions = Strands })
	x.Refused("regions", func(s *Spec) { s.Regions = "other" })
	x.Taken(func(s *Spec) { s.Encoding = Bit })
	x.Taken(func(s *Spec) { s.Encoding = Instruction })
	x.Refused("encoding", func(s *Spec) { s.Encoding = "other" })
	x.Taken(func(s *Spec) { s.Liveness = None })
	x.Taken(func(s *Spec) { s.Liveness = Dynamic })
	x.Taken(func(s *Spec) { s.Liveness = Vector })
	x.Refused("liveness", func(s *Spec) { s.Liveness = "other" })
	x.Taken(func(s *Spec) { s.WriteBack = Set })
	x.Taken(func(s *Spec) { s.WriteBack = Dirty })
	x.Refused("interval_write_back", func(s *Spec) { s.WriteBack = "other" })
	x.Taken(func(s *Spec) { s.Handover = ByBank })
	x.Taken(func(s *Spec) { s.Handover = Whole })
	x.Refused("handover", func(s *Spec) { s.Handover = "other" })
	x.Taken(func(s *Spec) { s.Pending = Slot })
	x.Taken(func(s *Spec) { s.Pending = Wait })
	x.Refused("pending", func(s *Spec) { s.Pending = "other" })
	x.Refused("interval_write_back", func(s *Spec) { s.WriteBack = Live })
	x.Taken(func(s *Spec) { s.WriteBack, s.Liveness = Live, Dynamic })
	x.Within("interval", 1, mostBanks, func(s *Spec, v int) { s.Interval, s.Banks = v, v })
	x.Refused("banks", func(s *Spec) { s.Banks = 8 })
	x.Within("rate", 1, mostBanks, func(s *Spec, v int) { s.Rate = v })
}

func TestOnlyCodeThatCanBeWrittenIsTaken(t *testing.T) {
	x := spectest.Of(t, DefaultCode, (*CodeSpec).Check)
	x.Within("interval", 1, mostBanks, func(s *CodeSpec, v int) { s.Interval = v })
	x.Taken(func(s *CodeSpec) { s.Encoding = Bit })
	x.Taken(func(s *CodeSpec) { s.Encoding = Instruction })
	x.Refused("encoding", func(s *CodeSpec) { s.Encoding = "other" })
}
