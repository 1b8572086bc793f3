package arbiter

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/spec/spectest"
)

func TestAnArbiterTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() BanksSpec {
		return BanksSpec{Banks: 4, Depth: 4, Readers: 1, Writers: 1,
			Bank: bank.Spec{Timing: bank.Timing{ReadLatency: 1, WriteLatency: 1}, Entries: 64, Slices: 1}}
	}
	x := spectest.Of(t, sound, (*BanksSpec).Check)
	x.Within("banks", 1, 256, func(s *BanksSpec, v int) { s.Banks = v })
	x.Within("arbitration", 0, int(numFairness)-1, func(s *BanksSpec, v int) { s.Fairness = Fairness(v) })
	x.Within("bank_queue", 1, 1<<10, func(s *BanksSpec, v int) { s.Depth = v })
	x.Within("readers", 0, 256, func(s *BanksSpec, v int) { s.Readers = v })
	x.Within("writers", 0, 256, func(s *BanksSpec, v int) { s.Writers = v })
	x.Within("read_latency", 1, 64, func(s *BanksSpec, v int) { s.Bank.ReadLatency = v })
}

func TestAFairnessIsKnownByItsNameAndNoOther(t *testing.T) {
	for f := range numFairness {
		if got, err := ParseFairness("arbitration", f.String()); err != nil || got != f {
			t.Errorf("%v: read as %v, %v", f, got, err)
		}
	}
	if _, err := ParseFairness("arbitration", "youngest"); err == nil {
		t.Error("a fairness \"youngest\" was read")
	}
}
