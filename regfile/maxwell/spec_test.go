package maxwell

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/kernel/ir"
)

func TestTheSettingsAreTakenWithinTheirBoundsAlone(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Within("banks", 1, maxBanks, func(s *Spec, v int) { s.Banks = v })
	x.Within("stages", minStages, maxStages, func(s *Spec, v int) { s.Stages = v })
	x.Within("result_queue", ir.NumDests, spec.MostQueue, func(s *Spec, v int) { s.Queue = v })
	x.Within("forward", 0, maxForward, func(s *Spec, v int) { s.Forward = v })
	x.Refused("bank_index", func(s *Spec) { s.BankIndex = "warp" })
	for key, set := range map[string]func(*Spec, string){
		"reuse_choice":    func(s *Spec, v string) { s.Choice = v },
		"reuse_unflagged": func(s *Spec, v string) { s.Unflagged = v },
		"reuse_switch":    func(s *Spec, v string) { s.Switch = v },
	} {
		fits := map[string][]string{"reuse_choice": {Hit, Lowest, Turns}, "reuse_unflagged": {Enter, Clear, Pass},
			"reuse_switch": {Keep, Lose}}[key]
		for _, v := range fits {
			x.Taken(func(s *Spec) { set(s, v) })
		}
		x.Refused(key, func(s *Spec) { set(s, "") })
	}
}
