package arbiter

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/spec/spectest"
)

func TestAnArbiterTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	type bound = spectest.Bound[BanksSpec]
	sound := func() BanksSpec {
		return BanksSpec{Banks: 4, Depth: 4, Readers: 1, Writers: 1,
			Bank: bank.Spec{Entries: 64, ReadLatency: 1, WriteLatency: 1, Slices: 1}}
	}
	spectest.Bounds(t, sound, (*BanksSpec).Check,
		bound{"banks", func(s *BanksSpec, v int) { s.Banks = v }, 1, 256},
		bound{"arbitration", func(s *BanksSpec, v int) { s.Fairness = Fairness(v) }, 0, int(numFairness) - 1},
		bound{"bank_queue", func(s *BanksSpec, v int) { s.Depth = v }, 1, 1 << 10},
		bound{"readers", func(s *BanksSpec, v int) { s.Readers = v }, 0, 256},
		bound{"writers", func(s *BanksSpec, v int) { s.Writers = v }, 0, 256},
		bound{"read_latency", func(s *BanksSpec, v int) { s.Bank.ReadLatency = v }, 1, 64})
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
