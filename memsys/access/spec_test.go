package access

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
)

func TestAnAccessUnitTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() Spec { return Spec{InFlight: 8, Queue: 4} }, (*Spec).Check)
	x.Within("in_flight", 1, 1<<16, func(s *Spec, v int) { s.InFlight = v })
	x.Within("queue", 1, spec.MostQueue, func(s *Spec, v int) { s.Queue = v })
}
