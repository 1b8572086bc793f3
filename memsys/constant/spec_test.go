package constant

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/memsys/passes"
)

func TestAConstantCacheTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() Spec { return Spec{Latency: 24, Queue: 4} }, (*Spec).Check)
	x.Within("latency", passes.Overhead+1, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
	x.Within("queue", 1, spec.MostQueue, func(s *Spec, v int) { s.Queue = v })
}
