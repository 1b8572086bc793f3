package mshr

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestAFileTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec { return Spec{Entries: 1, Merges: 1} }
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("entries", 1, 1<<15, func(s *Spec, v int) { s.Entries = v })
	x.Within("merges", 1, 1<<20, func(s *Spec, v int) { s.Merges = v })
	x.Refused("merges", func(s *Spec) { s.Entries, s.Merges = 1<<10, 1<<10+1 })
}
