package conventional

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Only("bank_width", map[int]bool{8: false, 16: true, 32: true, 48: false, 64: true, 128: true, 256: false},
		func(s *Spec, v int) { s.BankWidth = v })
	// Of banks of 16 bytes eight hold a warp register.
	x.Only("banks", map[int]bool{0: false, 4: false, 8: true, 12: false, 16: true},
		func(s *Spec, v int) { s.BankWidth, s.Banks = 16, v })
	x.AtLeast("sub_cores", 0, func(s *Spec, v int) { s.SubCores = v })
	x.AtLeast("collectors", 1, func(s *Spec, v int) { s.Collectors = v })
	x.Taken(func(s *Spec) { s.Collectors, s.CollectorSets = 0, []CollectorSet{{}} })
	x.Within("forward", 0, MaxForward, func(s *Spec, v int) { s.Forward = v })
	x.Within("forward", MaxForward+1, MaxBypass, func(s *Spec, v int) { s.Bypass, s.Forward = true, v })
	x.Within("operand_stages", 0, 16, func(s *Spec, v int) { s.OperandStages = v })
	x.AtLeast("bypass_width", 0, func(s *Spec, v int) { s.BypassWidth = v })
}
