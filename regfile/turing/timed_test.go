package turing

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile/contracttest"
)

func TestUnderControlWordsResultsOfFixedLatencyWaitForNothing(t *testing.T) {
	contracttest.Timed(t, kind(t), func(t *rapid.T) Spec {
		s := Default()
		s.Banks = rapid.IntRange(1, 4).Draw(t, "banks")
		s.Latches = rapid.IntRange(1, 6).Draw(t, "latches")
		s.Queue = rapid.IntRange(s.Forward+4, 24).Draw(t, "queue")
		s.Window = rapid.IntRange(3, 4).Draw(t, "window") // no instruction has a longer one
		return s
	})
}
