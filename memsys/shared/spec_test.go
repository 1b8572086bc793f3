package shared

import (
	"testing"

	"kumiko/components/spec"
	"kumiko/components/spec/spectest"
	"kumiko/memsys/passes"
)

func TestASharedMemoryTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec { return Spec{Banks: 32, Word: 4, Latency: 24, Atomic: 2, Queue: 4} }
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Only("banks", map[int]bool{0: false, 1: true, 2: true, 24: false, 32: true, 64: false},
		func(s *Spec, v int) { s.Banks = v })
	x.Only("bank_bytes", map[int]bool{2: false, 4: true, 6: false, 8: true, 16: false},
		func(s *Spec, v int) { s.Word = v })
	x.Within("latency", passes.Overhead+1, spec.MostCycles, func(s *Spec, v int) { s.Latency = v })
}
