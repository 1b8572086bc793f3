package gpus

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
)

// inAnyOrder runs applications on gtx980 in three orders of ticks and with one to three workers, and compares the
// results. It returns the sums of the counts.
func inAnyOrder(t *testing.T, names []string, set ...string) (stats map[string]uint64) {
	t.Helper()
	stats = map[string]uint64{}
	for _, name := range names {
		run := func(opt Options, seed uint64) []result.Kernel {
			m := testMachine(t, "gtx980", opt, append([]string{"sm.count=2", "perturb.seed=3"}, set...)...)
			if seed > 0 {
				shuffleTicks(m, seed)
			}
			benchtest.On(t, m, name)
			return m.Results()
		}
		want := run(Options{}, 0)
		for k, n := range result.Sum(want).Stats {
			stats[k] += n
		}
		for seed := range uint64(3) {
			if d := cmp.Diff(want, run(Options{Workers: 1 + int(seed)}, seed)); d != "" {
				t.Errorf("%s, seed %d:\n%.2000s", name, seed, d)
			}
		}
	}
	return stats
}

// sameWork runs an application at size test on gtx980 with plain settings and, with every operand checked, with
// others, and compares the instructions and barriers. It returns the totals of the second run.
func sameWork(t *testing.T, name string, plain, set []string) result.Total {
	t.Helper()
	want := result.Sum(launches(t, "gtx980", name, Options{}, plain...))
	got := result.Sum(launches(t, "gtx980", name, Options{Check: true}, set...))
	if want.WarpInstructions != got.WarpInstructions ||
		want.Stats["sm.barrier.releases"] != got.Stats["sm.barrier.releases"] {
		t.Errorf("%s, %v: %d instructions and %d barriers, want %d and %d", name, set, got.WarpInstructions,
			got.Stats["sm.barrier.releases"], want.WarpInstructions, want.Stats["sm.barrier.releases"])
	}
	return got
}
