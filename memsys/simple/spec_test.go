package simple

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
)

func TestAFixedMemoryTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec { return Spec{Latency: spec.MostCycles, Bandwidth: 32, Lane: 1, Buffer: 4} }
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("latency", 2, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
	x.Within("bandwidth", 1, spec.MostBytes, func(s *Spec, v int) { s.Bandwidth = v })
	x.Within("buffer", 1, spec.MostQueue, func(s *Spec, v int) { s.Buffer = v })
	x.AtLeast("lane_latency", 1, func(s *Spec, v int) { s.Lane = v })
	x.Taken(func(s *Spec) { s.Lane, s.Latency = 5, 10 })
	x.Refused("latency", func(s *Spec) { s.Lane, s.Latency = 5, 9 })
}
