package run

import (
	"kumiko/cmd/kumiko/internal/cli/app"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheEnergyOfARunIsTheSumOfItsRowsTimesItsStatistics(t *testing.T) {
	for _, args := range [][]string{{"--energy", "gpu"}, {"--energy", "cerf"},
		{"--gpu", "fermi", "--design", "rfc-two-level", "--energy", "gebhart"}} {
		file := filepath.Join(t.TempDir(), "r.json")
		var out, errs strings.Builder
		a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
		if status := a.Main(append([]string{"run", "vecadd", "--size", "test", "--set", "sm.count=2", "--json", file},
			args...), program); status != app.Done {
			t.Fatalf("%v: status %d: %s", args, status, errs.String())
		}
		doc, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r := decode(t, doc)
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
