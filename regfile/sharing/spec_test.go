package sharing

import (
	"math"
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Threshold = 0 })
	x.Taken(func(s *Spec) { s.Threshold = 1 })
	x.Refused("threshold", func(s *Spec) { s.Threshold = -0.01 })
	x.Refused("threshold", func(s *Spec) { s.Threshold = 1.01 })
	x.Refused("threshold", func(s *Spec) { s.Threshold = math.NaN() })
	x.Within("window", 64, 1<<20, func(s *Spec, v int) { s.Window = v })
	x.AtLeast("seed", 0, func(s *Spec, v int) { s.Seed = v })
	x.Taken(func(s *Spec) { s.Step = 1 })
	x.Taken(func(s *Spec) { s.Step = 0.001 })
	x.Refused("step", func(s *Spec) { s.Step = 0 })
	x.Refused("step", func(s *Spec) { s.Step = 0.3 })
	x.Refused("step", func(s *Spec) { s.Step = 2 })
}
