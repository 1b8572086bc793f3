package gpus_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// withoutActiveSet removes the statistics not counted by a single-level scheduler, and checks that no warp was ever
// suspended.
func withoutActiveSet(t *testing.T, kernels []result.Kernel) {
	t.Helper()
	for i := range kernels {
		maps.DeleteFunc(kernels[i].Stats, func(name string, _ uint64) bool {
			return strings.HasPrefix(name, "sm.active.") && !strings.HasPrefix(name, "sm.active.suspensions.")
		})
	}
	machinetest.WithoutOwn(t, kernels, func(name string) bool {
		return strings.HasPrefix(name, "sm.active.") || strings.HasSuffix(name, "inactive")
	})
}

// singleLevelSuite has barriers, divergence, loads with misses and hits, atomics, double precision, special
// functions, and many launches.
var singleLevelSuite = []string{"sgemm", "bfs", "hotspot", "transpose", "fmaheavy", "nw", "lud", "stencil", "dct8x8",
	"mergesort", "montecarlo", "kmeans", "lavamd", "btree", "pathfinder"}

func TestATwoLevelSchedulerWithEveryWarpActiveIsTheSingleLevelOne(t *testing.T) {
	for _, g := range []struct{ name, all string }{{"fermi", "32"}, {"gtx980", "64"}} {
		for i, name := range machinetest.Part(4, singleLevelSuite) {
			if benchmarks.Find(name) == nil {
				t.Fatalf("no benchmark %s", name)
			}
			for k := range 2 { // each policy with every other application
				inner := []string{"lrr", "greedy", "gto", "oldest"}[(i+2*k)%4]
				want := machinetest.OneSM(t, g.name, name, gpus.Options{}, "sched.policy="+inner)
				got := machinetest.OneSM(t, g.name, name, gpus.Options{}, "sched.policy=two-level",
					"sched.inner="+inner,
					"sched.active="+g.all)
				withoutActiveSet(t, got)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s on %s, %s (-single-level +two-level):\n%.1500s", name, g.name, inner, d)
				}
			}
		}
	}
}
