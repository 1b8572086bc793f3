package shrf

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Within("entries", 1, 256, func(s *Spec, v int) { s.Entries = v })
	x.Within("reads", 1, 64, func(s *Spec, v int) { s.Reads = v })
	x.Within("writes", 1, 64, func(s *Spec, v int) { s.Writes = v })
	x.Within("flush_width", 1, 64, func(s *Spec, v int) { s.FlushWidth = v })
}
