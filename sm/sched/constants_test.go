package sched

import (
	"strings"
	"testing"
)

func TestCachesOfConstantsAreWithinTheirBounds(t *testing.T) {
	for want, change := range map[string]func(*ConstantSpec){
		"lines: found 9":      func(s *ConstantSpec) { s.Lines = 9 },
		"line_bytes: found 3": func(s *ConstantSpec) { s.Line = 3 },
		"latency: found 0":    func(s *ConstantSpec) { s.Latency = 0 },
		"hold: found 80":      func(s *ConstantSpec) { s.Hold = 80 },
	} {
		s := ConstantSpec{Lines: 8, Ways: 2, Line: 64, Latency: 79, Hold: 4}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		change(&s)
		if err := s.Check(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that begins with %q", err, want)
		}
	}
}
