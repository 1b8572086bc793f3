package tagarray

import (
	"testing"

	"kumiko/components/spec/spectest"
)

func TestATagArrayTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[Spec]
	sound := func() Spec {
		return Spec{Sets: 1, Ways: 1, Line: 128, Sector: 32, Replace: "lru", Index: "linear"}
	}
	check := (*Spec).Check
	spectest.Bounds(t, sound, check,
		bound{"sets", func(s *Spec, v int) { s.Sets = v }, 1, 1 << 20},
		bound{"ways", func(s *Spec, v int) { s.Ways = v }, 1, 1 << 20})
	spectest.Refused(t, sound, check, "ways", func(s *Spec) { s.Sets, s.Ways = 1<<10, 1<<10+1 })
	for line, fits := range map[int]bool{0: false, 1: true, 2: true, 96: false, 1 << 12: true} {
		s := sound()
		s.Line, s.Sector = line, line
		if err := s.Check(); (err == nil) != fits {
			t.Errorf("lines of %d bytes: error %v", line, err)
		}
	}
	for sector, fits := range map[int]bool{0: false, 8: false, 16: true, 48: false, 128: true, 256: false} {
		s := sound()
		s.Sector = sector
		if err := s.Check(); (err == nil) != fits {
			t.Errorf("sectors of %d bytes: error %v", sector, err)
		}
	}
	for _, policy := range []string{"lru", "fifo", "random"} {
		s := sound()
		s.Replace = policy
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", policy, err)
		}
	}
	spectest.Refused(t, sound, check, "replacement", func(s *Spec) { s.Replace = "mru" })
	spectest.Refused(t, sound, check, "index", func(s *Spec) { s.Index = "modulo" })
	spectest.Refused(t, sound, check, "index", func(s *Spec) { s.Index, s.Sets = "xor", 3 })
}

// 64 sets of 4 lines of 128 bytes: 32 - 6 - 7 bits are left of an address.
func TestStorageIsThatOfEveryLine(t *testing.T) {
	s := Spec{Sets: 64, Ways: 4, Line: 128}
	if got := s.TagBits(32); got != 256*19 {
		t.Errorf("%d bits of tags, want %d", got, 256*19)
	}
	if got := s.StateBits(3); got != 256*3 {
		t.Errorf("%d bits of state, want %d", got, 256*3)
	}
	if got := s.Bytes(); got != 32768 {
		t.Errorf("%d bytes, want 32768", got)
	}
}
