package allocate

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/regfile/contracttest"
)

func TestUnderControlWordsResultsOfFixedLatencyWaitForNothing(t *testing.T) {
	k := kind(t)
	rapid.Check(t, func(t *rapid.T) {
		s := Default()
		s.Banks = rapid.IntRange(1, 4).Draw(t, "banks")
		s.Latches = rapid.IntRange(1, 6).Draw(t, "latches")
		s.Queue = rapid.IntRange(s.Forward+4, 24).Draw(t, "queue")
		s.Window = rapid.IntRange(3, 4).Draw(t, "window") // no instruction has a longer one
		ports, seed := rapid.IntRange(2, 3).Draw(t, "ports"), rapid.Uint64().Draw(t, "seed")
		problems, err := contracttest.Timed(k, &s, ports, seed, 200)
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) > 0 {
			t.Fatal(problems)
		}
	})
}
