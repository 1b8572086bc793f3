package mshr

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestAFileTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[Spec]
	sound := func() Spec { return Spec{Entries: 1, Merges: 1} }
	spectest.Bounds(t, sound, (*Spec).Check,
		bound{"entries", func(s *Spec, v int) { s.Entries = v }, 1, 1 << 15},
		bound{"merges", func(s *Spec, v int) { s.Merges = v }, 1, 1 << 20})
	spectest.Refused(t, sound, (*Spec).Check, "merges", func(s *Spec) { s.Entries, s.Merges = 1<<10, 1<<10+1 })
}
