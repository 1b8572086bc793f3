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
	y := spectest.Of(t, func() Spec {
		return Spec{Latency: 24, Queue: 4, Lines: 32, Ways: 8, Line: 64, Miss: 84}
	}, (*Spec).Check)
	y.Within("miss", 2, 1000, func(s *Spec, v int) { s.Miss = v })
	y.Only("lines", map[int]bool{0: true, -8: false, 8: true, 12: false, 32: true},
		func(s *Spec, v int) { s.Lines = v })
	y.Only("line_bytes", map[int]bool{64: true, 48: false, 128: true}, func(s *Spec, v int) { s.Line = v })
}
