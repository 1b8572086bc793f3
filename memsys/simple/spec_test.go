package simple

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
)

func TestAFixedMemoryTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec { return Spec{Latency: spec.MostCycles, Bandwidth: 32, Lane: 1, Buffer: 4} }
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Lane, s.Latency = 5, 10 })
	x.Refused("latency", func(s *Spec) { s.Lane, s.Latency = 5, 9 })
}
