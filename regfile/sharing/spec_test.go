package sharing

import (
	"math"
	"testing"

	"kumiko/components/spec/spectest"
	"kumiko/regfile"
)

// hotspot of table 2: 36 registers per thread, 8 warps, three CTAs by registers and six by threads. A
// tenth of 36 is three registers; a tenth of a warp's 1152 is more than it names, a hundredth eleven.
func TestLiterallyATenthOfAWarpsRegistersIsAllThatItNames(t *testing.T) {
	for _, c := range []struct {
		private   string
		threshold float64
		want      int
	}{{PerThread, 0.1, 3}, {Literal, 0.1, 36}, {Literal, 0.01, 11}} {
		s := Default()
		s.Private, s.Threshold = c.private, c.threshold
		a, err := s.Admit(&regfile.Launch{WarpsPerCTA: 8, Registers: 36, CTARegisters: 9216, ByRegisters: 3, Others: 6,
			Capacity: 1024, Warps: 48, Active: 48})
		if err != nil {
			t.Fatal(err)
		}
		if p := a.Plan.(*plan); p.private != c.want || a.Resident != 6 {
			t.Errorf("%s, %v: %d registers private and %d CTAs, want %d and 6", c.private, c.threshold, p.private,
				a.Resident, c.want)
		}
	}
}

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Threshold = 0 })
	x.Taken(func(s *Spec) { s.Threshold = 1 })
	x.Refused("threshold", func(s *Spec) { s.Threshold = -0.01 })
	x.Refused("threshold", func(s *Spec) { s.Threshold = 1.01 })
	x.Refused("threshold", func(s *Spec) { s.Threshold = math.NaN() })
	x.Taken(func(s *Spec) { s.Private = Literal })
	x.Refused("private", func(s *Spec) { s.Private = "warp" })
	x.AtLeast("seed", 0, func(s *Spec, v int) { s.Seed = v })
	x.Taken(func(s *Spec) { s.Step = 1 })
	x.Taken(func(s *Spec) { s.Step = 0.001 })
	x.Refused("step", func(s *Spec) { s.Step = 0 })
	x.Refused("step", func(s *Spec) { s.Step = 0.3 })
	x.Refused("step", func(s *Spec) { s.Step = 2 })
}
