package tagarray

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestATagArrayTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() Spec {
		return Spec{Sets: 1, Ways: 1, Line: 128, Sector: 32, Replace: "lru", Index: "linear"}
	}
	x := spectest.Of(t, sound, (*Spec).Check)
	x.Within("sets", 1, 1<<20, func(s *Spec, v int) { s.Sets = v })
	x.Within("ways", 1, 1<<20, func(s *Spec, v int) { s.Ways = v })
	x.Refused("ways", func(s *Spec) { s.Sets, s.Ways = 1<<10, 1<<10+1 })
	x.Only("line_bytes", map[int]bool{0: false, 1: true, 2: true, 96: false, 1 << 12: true},
		func(s *Spec, v int) { s.Line, s.Sector = v, max(v, 1) })
	x.Only("sector_bytes", map[int]bool{0: false, 8: false, 16: true, 48: false, 128: true, 256: false},
		func(s *Spec, v int) { s.Sector = v })
	for _, policy := range []string{"lru", "fifo", "random"} {
		x.Taken(func(s *Spec) { s.Replace = policy })
	}
	x.Refused("replacement", func(s *Spec) { s.Replace = "mru" })
	x.Refused("index", func(s *Spec) { s.Index = "modulo" })
	x.Refused("index", func(s *Spec) { s.Index, s.Sets = "xor", 3 })
}

func TestAnArrayHoldsTheBytesOfItsLines(t *testing.T) {
	s := Spec{Sets: 64, Ways: 4, Line: 128}
	if got := s.Bytes(); got != 32768 {
		t.Errorf("%d bytes, want 32768", got)
	}
}
