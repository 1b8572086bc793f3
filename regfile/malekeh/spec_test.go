package malekeh

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/spec/spectest"
	"kumiko/kernel/ir"
)

func TestUnitsTakeTheSettingsWithinTheirBoundsAlone(t *testing.T) {
	x := spectest.Of(t, Default, (*Spec).Check)
	x.Within("near", 1, ir.MaxNext-1, func(s *Spec, v int) { s.Near = v })
	for word, ok := range map[string]bool{Distance: true, Bit: true, "": false, "bits": false} {
		s := Default()
		s.Hints = word
		if err := s.Check(); (err == nil) != ok {
			t.Errorf("hints %q: %v", word, err)
		}
	}
	for word, ok := range map[string]bool{All: true, Near: true, "": false, "far": false} {
		s := Default()
		s.Writes = word
		if err := s.Check(); (err == nil) != ok {
			t.Errorf("writes %q: %v", word, err)
		}
	}
}

func TestAHintIsTheDistanceOrWhetherItIsNear(t *testing.T) {
	for _, x := range []struct {
		hints string
		next  uint8
		want  bank.Hint
	}{
		{Distance, 0, 0}, {Distance, 1, 1}, {Distance, 10, 10}, {Distance, 255, 255},
		{Bit, 0, 0}, {Bit, 1, 1}, {Bit, 10, 1}, {Bit, 11, 0}, {Bit, 255, 0},
	} {
		s := Default()
		s.Hints = x.hints
		if got := s.hint(x.next); got != x.want {
			t.Errorf("%s: hint %d of distance %d, want %d", x.hints, got, x.next, x.want)
		}
	}
}

func TestHintsComeFromTheInstruction(t *testing.T) {
	r := newRig(t, nil)
	h := r.u.extension().Hints
	in := &ir.Timing{NSrc: 2, NDst: 1, NextSrc: [ir.NumSources]uint8{4, 9}, NextDst: [ir.NumDests]uint8{7}}
	if a, b, c := h.Source(in, 0), h.Source(in, 1), h.Result(in, 0); a != 4 || b != 9 || c != 7 {
		t.Errorf("hints %d, %d and %d, want 4, 9 and 7", a, b, c)
	}
}
