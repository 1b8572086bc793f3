package gpus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "kumiko/benchmarks/all"
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// determinismSuite covers shared memory and barriers, divergence with several
// launches, streaming, and register pressure.
var determinismSuite = []string{"sgemm", "bfs", "hotspot", "transpose", "fmaheavy"}

// resultsOf runs an application at test size on a machine. prepare may change the machine before the first launch.
func resultsOf(t *testing.T, gpu, name string, opt gpus.Options, prepare func(*gpus.Machine)) []result.Kernel {
	t.Helper()
	m := machinetest.GPU(t, gpu, opt, "sm.count=4")
	if prepare != nil {
		prepare(m)
	}
	benchtest.On(t, m, name)
	return m.Results()
}

func TestRepeatedRunsGiveTheSameResultToTheBit(t *testing.T) {
	for _, name := range determinismSuite {
		want := resultsOf(t, "gtx980", name, gpus.Options{}, nil)
		if d := cmp.Diff(want, resultsOf(t, "gtx980", name, gpus.Options{}, nil)); d != "" {
			t.Errorf("%s (-first +second):\n%s", name, d)
		}
	}
}

func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	for _, name := range determinismSuite {
		want := resultsOf(t, "gtx980", name, gpus.Options{Workers: 1}, nil)
		for _, n := range []int{2, 3, 6} {
			if d := cmp.Diff(want, resultsOf(t, "gtx980", name, gpus.Options{Workers: n}, nil)); d != "" {
				t.Errorf("%s with %d workers (-one +more):\n%s", name, n, d)
			}
		}
	}
}

func TestTheOrderInWhichBlocksTickChangesNothing(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi"} {
		for _, name := range determinismSuite {
			want := resultsOf(t, gpu, name, gpus.Options{}, nil)
			for seed := range uint64(3) {
				got := resultsOf(t, gpu, name, gpus.Options{}, func(m *gpus.Machine) { machinetest.Shuffle(m, seed) })
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s on %s, seed %d (-construction order +shuffled):\n%s", name, gpu, seed, d)
				}
			}
		}
	}
}

func TestTheOperandCheckChangesNoCycle(t *testing.T) {
	for _, name := range determinismSuite {
		want := resultsOf(t, "gtx980", name, gpus.Options{}, nil)
		if d := cmp.Diff(want, resultsOf(t, "gtx980", name, gpus.Options{Check: true}, nil)); d != "" {
			t.Errorf("%s (-without +with):\n%s", name, d)
		}
	}
}

func TestIssueSlotsSumToCyclesTimesSMsTimesSchedulersTimesWidth(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi"} {
		for _, name := range determinismSuite {
			sm := testConfig(t, gpu).SM
			for _, k := range resultsOf(t, gpu, name, gpus.Options{}, nil) {
				var sum uint64
				for _, n := range k.IssueSlots {
					sum += n
				}
				if want := k.Cycles * 4 * uint64(sm.Schedulers*sm.IssueWidth); sum != want {
					t.Errorf("%s on %s, kernel %s: %d issue slots, want %d", name, gpu, k.Name, sum, want)
				}
				if k.IssueSlots[result.Issued] != k.WarpInstructions {
					t.Errorf("%s on %s, kernel %s: %d slots issued, %d warp instructions", name, gpu, k.Name,
						k.IssueSlots[result.Issued], k.WarpInstructions)
				}
			}
		}
	}
}
