package main

import (
	"math"
	"testing"
)

// few are the instructions of the short test: one of each class once modelled too coarsely.
var few = map[string]bool{"HFMA2": true, "IMAD": true, "SHF.L.U32": true, "ISETP.GT.AND": true, "POPC": true,
	"F2F.F64.F32": true}

func TestInstructionsHaveTheRatesOfTheProgrammingGuide(t *testing.T) {
	list, err := rateRows(func() {}, func(_, op string) bool { return !testing.Short() || few[op] })
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		if off := math.Abs(r.Simulated/r.Measured - 1); off > 0.05 {
			t.Errorf("%s, %s: %.1f lanes per cycle, the guide has %v", r.File, r.Name, r.Simulated, r.Measured)
		}
	}
	t.Logf("%d rates", len(list))
}
