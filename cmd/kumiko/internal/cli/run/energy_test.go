package run

import (
	"math"
	"path/filepath"
	"testing"
)

func TestTheEnergyOfARunIsTheSumOfItsRowsTimesItsStatistics(t *testing.T) {
	for _, args := range [][]string{{"--energy", "gpu"}, {"--energy", "cerf"},
		{"--gpu", "fermi", "--design", "rfc-two-level", "--energy", "gebhart"}} {
		file := filepath.Join(t.TempDir(), "r.json")
		runDone(t, append([]string{"vecadd", "--size", "test", "--set", "sm.count=2", "--json", file}, args...)...)
		r := decode(t, read(t, file))
		if r.Energy == nil || len(r.Energy.Rows) < 4 {
			t.Fatalf("%v: energy %+v, want at least four rows", args, r.Energy)
		}
		whole, blocks := 0.0, 0.0
		for _, row := range r.Energy.Rows {
			events := uint64(0)
			for _, name := range row.Statistics {
				events += r.Total.Stats[name]
			}
			if events != row.Events {
				t.Errorf("%v: %s, %s: %d events, its statistics have %d", args, row.Block, row.What, row.Events, events)
			}
			whole += float64(events)*row.AccessesPerEvent*row.PJPerAccess + 1e3*row.PowerMW*row.Microseconds
		}
		for _, b := range r.Energy.Blocks {
			blocks += b.PJ
		}
		for what, sum := range map[string]float64{"rows": whole, "blocks": blocks,
			"instructions": r.Energy.PJPerWarpInstruction * float64(r.Total.WarpInstructions)} {
			if sum == 0 || math.Abs(sum-r.Energy.PJ) > 1e-9*sum {
				t.Errorf("%v: %s have %v pJ, the whole %v", args, what, sum, r.Energy.PJ)
			}
		}
	}
}
