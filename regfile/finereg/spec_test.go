package finereg

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestOnlyWhatCanBeBuiltIsTaken(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Taken(func(s *Spec) { s.Live = LiveWarp })
	x.Taken(func(s *Spec) { s.Live = LivePath })
	x.Refused("live", func(s *Spec) { s.Live = "other" })
	x.Taken(func(s *Spec) { s.Returns = ReturnTable })
	x.Taken(func(s *Spec) { s.Returns = ReturnWalk })
	x.Refused("returns", func(s *Spec) { s.Returns = "other" })
	x.Within("pcrf", 0, mostEntries, func(s *Spec, v int) { s.PCRF = v })
	x.Within("chain", 1, 4, func(s *Spec, v int) { s.Chain = v }) // as long as an access at most
	x.Only("vector_bytes", map[int]bool{0: false, 4: true, 8: true, 10: false, 12: true, 32: true, 36: false},
		func(s *Spec, v int) { s.Vector = v })
}
