package gpus_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// lost sums, over launches that run side by side, the cache lines and the open DRAM rows that they lost to each other.
func lost(rows []result.Kernel) (lines, conflicts uint64) {
	for _, r := range rows {
		for i := range r.Beside {
			for _, x := range r.Beside[i].Between {
				lines, conflicts = lines+x.LinesLost, conflicts+x.RowConflicts
			}
		}
	}
	return lines, conflicts
}

// TestLaunchesTakeLinesAndRowsFromEachOtherWhereTheyShareThem has an L1 cache of 4 KB, and rows of 128 bytes in four
// banks.
func TestLaunchesTakeLinesAndRowsFromEachOtherWhereTheyShareThem(t *testing.T) {
	set := []string{"sm.count=2", "mem.l1.cache_global=true", "mem.l1.tags.sets=8", "mem.l1.tags.ways=4",
		"mem.dram.row_bytes=128", "mem.dram.banks=4"}
	for policy, shared := range map[string]bool{"round-robin": true, "spatial": false} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: append(set, "residency.policy="+policy)})
		one := beside(t, c, gpus.Options{Workers: 1}, "bfs", "hotspot")
		lines, conflicts := lost(one)
		if (lines > 0) != shared {
			t.Errorf("%s: %d lines lost", policy, lines)
		}
		if conflicts == 0 {
			t.Errorf("%s: no row of DRAM is in the other launch's way", policy)
		}
		if d := cmp.Diff(one, beside(t, c, gpus.Options{Workers: 3}, "bfs", "hotspot")); d != "" {
			t.Errorf("%s, by three workers: %s", policy, d)
		}
	}
}

func TestALaunchWithoutOthersSuffersFromNobody(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=1", "mem.l1.tags.sets=8"}})
	rows := beside(t, c, gpus.Options{}, "vecadd")
	if lines, conflicts := lost(rows); lines+conflicts > 0 || len(rows[0].Beside) != 1 {
		t.Errorf("%d lines and %d row conflicts with %d launches", lines, conflicts, len(rows[0].Beside))
	}
}

func TestAProfileNamesTheKernelThatHeldTheBank(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: []string{"sm.count=1",
		"residency.policy=round-robin"}})
	rec, err := timeline.New(nil, 0, 0, math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	rec.Profile(timeline.NewProfile(1))
	beside(t, c, gpus.Options{Timeline: rec}, "sgemm", "hotspot")
	if err := rec.Close(nil); err != nil {
		t.Fatal(err)
	}
	out := rec.Report()
	if out.Launched >= out.To-out.From {
		t.Errorf("%d of %d cycles are in launches", out.Launched, out.To-out.From)
	}
	waits, between := uint64(0), uint64(0)
	for i := range out.Instructions {
		x := &out.Instructions[i]
		if x.Kernel != "sgemm" && x.Kernel != "hotspot" {
			t.Errorf("instruction %q of kernel %q", x.Text, x.Kernel)
		}
		waits += x.BankWait + x.WriteWait
	}
	for _, x := range out.Between {
		if x.Waiting == x.Holding || x.WaitingStream+x.HoldingStream != 3 {
			t.Errorf("%+v", x)
		}
		between += x.Cycles
	}
	if len(out.Between) != 2 || between == 0 || between >= waits {
		t.Errorf("%+v of %d cycles, want both kernels behind each other", out.Between, waits)
	}
}
