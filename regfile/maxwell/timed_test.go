package maxwell

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
		s.Queue = rapid.IntRange(s.Forward+4, 12).Draw(t, "queue")
		return s
	})
}
