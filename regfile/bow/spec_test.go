package bow

import (
	"errors"
	"testing"

	"kumiko/components/spec"
)

func TestResultsAreWrittenInAKnownWay(t *testing.T) {
	for writes, ok := range map[string]bool{Through: true, Back: true, Hints: true, "": false, "wb": false} {
		s := Default()
		s.Writes = writes
		if err := s.Check(); (err == nil) != ok {
			t.Errorf("writes %q: %v", writes, err)
		}
	}
}

func TestAResultBusIsRefused(t *testing.T) {
	s := Default()
	s.base.Bypass, s.base.Forward = true, 6
	_, err := NewFile(nil, s)
	var e *spec.Error
	if !errors.As(err, &e) || e.Key != "regfile.conventional.bypass" {
		t.Errorf("error %v, want one about regfile.conventional.bypass", err)
	}
}
