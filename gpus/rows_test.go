package gpus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

func TestResultsOfManyLaunchesAddUpToThemAndDoNotGrowWithThem(t *testing.T) {
	var each []result.Kernel
	m := machinetest.GPU(t, "gtx980", gpus.Options{Launched: func(k *result.Kernel) { each = append(each, *k) }},
		"sm.count=1")
	buf, module := m.Memory().Alloc("p", 4096), machinetest.Module(t, chain(1))
	const launches = 2*result.MostLaunches + 3
	for i := range launches {
		if err := m.Launch(&host.Launch{Module: module, Kernel: "k", Grid: [3]int{1 + i%2, 1, 1},
			Block: [3]int{32, 1, 1}, Args: []host.Arg{host.U64(buf)}}); err != nil {
			t.Fatal(err)
		}
	}
	rows := m.Results()
	if len(rows) != result.MostLaunches+2 || len(each) != launches {
		t.Errorf("%d rows and %d launches, want %d and %d", len(rows), len(each), result.MostLaunches+2, launches)
	}
	if d := cmp.Diff(result.Sum(each), result.Sum(rows)); d != "" {
		t.Errorf("sums (-launches +rows):\n%s", d)
	}
	fills, n := m.Fills(), 0
	for i := range fills {
		n += fills[i].Launches
	}
	if len(fills) != 2 || n != launches {
		t.Errorf("fills %+v, want two for %d launches", fills, launches)
	}
}
