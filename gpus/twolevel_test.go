package gpus

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
)

// launches runs an application at test size on one SM.
func launches(t *testing.T, gpu, name string, opt Options, set ...string) []result.Kernel {
	t.Helper()
	m := testMachine(t, gpu, opt, append([]string{"sm.count=1"}, set...)...)
	benchtest.On(t, m, name)
	return m.Results()
}

// withoutActiveSet removes the statistics not counted by a single-level scheduler, and checks that no warp was ever
// suspended.
func withoutActiveSet(t *testing.T, kernels []result.Kernel) {
	t.Helper()
	for i := range kernels {
		k := &kernels[i]
		if k.IssueSlots["inactive"] != 0 || k.WarpStates["inactive"] != 0 {
			t.Errorf("kernel %s: slots lost to inactive warps", k.Name)
		}
		delete(k.IssueSlots, "inactive")
		delete(k.WarpStates, "inactive")
		delete(k.CPIStack, "inactive")
		for s := range k.SMs {
			delete(k.SMs[s].IssueSlots, "inactive")
			delete(k.SMs[s].CPIStack, "inactive")
		}
		for name, n := range k.Stats {
			if strings.HasPrefix(name, "sm.active.suspensions.") && n != 0 {
				t.Errorf("kernel %s: %s is %d", k.Name, name, n)
			}
			if strings.HasPrefix(name, "sm.active.") || strings.HasSuffix(name, ".inactive") {
				delete(k.Stats, name)
			}
		}
	}
}

// singleLevelSuite has barriers, divergence, loads with misses and hits, atomics, double precision, special
// functions, and many launches.
var singleLevelSuite = []string{"sgemm", "bfs", "hotspot", "transpose", "fmaheavy", "nw", "lud", "stencil", "dct8x8",
	"mergesort", "montecarlo", "kmeans", "lavamd", "btree", "pathfinder"}

func TestATwoLevelSchedulerWithEveryWarpActiveIsTheSingleLevelOne(t *testing.T) {
	for _, g := range []struct{ name, all string }{{"fermi", "32"}, {"gtx980", "64"}} {
		for i, name := range singleLevelSuite {
			if benchmarks.Find(name) == nil {
				t.Fatalf("no benchmark %s", name)
			}
			for k := range 2 { // each policy with every other application
				inner := []string{"lrr", "greedy", "gto", "oldest"}[(i+2*k)%4]
				want := launches(t, g.name, name, Options{}, "sched.policy="+inner)
				got := launches(t, g.name, name, Options{}, "sched.policy=two-level", "sched.inner="+inner,
					"sched.active="+g.all)
				withoutActiveSet(t, got)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s on %s, %s (-single-level +two-level):\n%.1500s", name, g.name, inner, d)
				}
			}
		}
	}
}
