package gpus

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "kumiko/benchmarks/all"
	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
)

// determinismSuite covers shared memory and barriers, divergence with several
// launches, streaming, and register pressure.
var determinismSuite = []string{"sgemm", "bfs", "hotspot", "transpose", "fmaheavy"}

// resultsOf runs an application at test size on a machine. prepare may change the machine before the first launch.
func resultsOf(t *testing.T, gpu, name string, opt Options, prepare func(*machine)) []result.Kernel {
	t.Helper()
	m := testMachine(t, gpu, opt, "sm.count=4")
	if prepare != nil {
		prepare(m)
	}
	benchtest.On(t, m, name)
	return m.Results()
}

func TestRepeatedRunsGiveTheSameResultToTheBit(t *testing.T) {
	for _, name := range determinismSuite {
		want := resultsOf(t, "gtx980", name, Options{}, nil)
		if d := cmp.Diff(want, resultsOf(t, "gtx980", name, Options{}, nil)); d != "" {
			t.Errorf("%s (-first +second):\n%s", name, d)
		}
	}
}

func TestTheNumberOfWorkersChangesNothing(t *testing.T) {
	for _, name := range determinismSuite {
		want := resultsOf(t, "gtx980", name, Options{Workers: 1}, nil)
		for _, n := range []int{2, 3} {
			if d := cmp.Diff(want, resultsOf(t, "gtx980", name, Options{Workers: n}, nil)); d != "" {
				t.Errorf("%s with %d workers (-one +more):\n%s", name, n, d)
			}
		}
	}
}

func TestTheOrderInWhichBlocksTickChangesNothing(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi"} {
		for _, name := range determinismSuite {
			want := resultsOf(t, gpu, name, Options{}, nil)
			for seed := range uint64(3) {
				got := resultsOf(t, gpu, name, Options{}, func(m *machine) { shuffleTicks(m, seed) })
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s on %s, seed %d (-construction order +shuffled):\n%s", name, gpu, seed, d)
				}
			}
		}
	}
}

// shuffleTicks makes the components of every clock domain tick in a random
// order.
func shuffleTicks(m *machine, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range m.chip.Engine.Partitions() {
		for _, d := range p.Domains() {
			perm := make([]int32, d.Len())
			for i, v := range r.Perm(d.Len()) {
				perm[i] = int32(v)
			}
			d.SetTickOrder(perm)
		}
	}
}

func TestTheOperandCheckChangesNoCycle(t *testing.T) {
	for _, name := range determinismSuite {
		want := resultsOf(t, "gtx980", name, Options{}, nil)
		if d := cmp.Diff(want, resultsOf(t, "gtx980", name, Options{Check: true}, nil)); d != "" {
			t.Errorf("%s (-without +with):\n%s", name, d)
		}
	}
}

func TestIssueSlotsSumToCyclesTimesSMsTimesSchedulersTimesWidth(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi"} {
		for _, name := range determinismSuite {
			m := testMachine(t, gpu, Options{})
			for _, k := range resultsOf(t, gpu, name, Options{}, nil) {
				var sum uint64
				for _, n := range k.IssueSlots {
					sum += n
				}
				if want := k.Cycles * 4 * uint64(m.spec.Schedulers*m.spec.IssueWidth); sum != want {
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
