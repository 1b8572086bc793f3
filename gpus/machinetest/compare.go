package machinetest

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus"
	"kumiko/gpus/result"
)

// Shuffle makes the components of every clock domain tick in a random order.
func Shuffle(m *gpus.Machine, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for _, p := range m.Engine().Partitions() {
		for _, d := range p.Domains() {
			perm := make([]int32, d.Len())
			for i, v := range r.Perm(d.Len()) {
				perm[i] = int32(v)
			}
			d.SetTickOrder(perm)
		}
	}
}

// InAnyOrder runs an application in the machines' own order of ticks, and then in random orders: with one worker, with
// two, and with six, so that the slices of the L2 are divided too. It compares the results, and returns those of the
// first run.
func InAnyOrder(t testing.TB, name string, machine func(gpus.Options) *gpus.Machine) []result.Kernel {
	t.Helper()
	run := func(o gpus.Options, prepare func(*gpus.Machine)) []result.Kernel {
		m := machine(o)
		prepare(m)
		benchtest.On(t, m, name)
		return m.Results()
	}
	want := run(gpus.Options{}, func(*gpus.Machine) {})
	for seed, workers := range []int{1, 2, 6} {
		got := run(gpus.Options{Workers: workers}, func(m *gpus.Machine) { Shuffle(m, uint64(seed)) })
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s, seed %d, %d workers (-construction order, one +shuffled, more):\n%.2000s", name, seed,
				workers, d)
		}
	}
	return want
}

// SwitchedInAnyOrder does the same with applications on two SMs of gtx980 that begin at different times. It returns the
// sums of the counts.
func SwitchedInAnyOrder(t testing.TB, names []string, set ...string) map[string]uint64 {
	t.Helper()
	stats := map[string]uint64{}
	for _, name := range names {
		want := InAnyOrder(t, name, func(o gpus.Options) *gpus.Machine {
			return GPU(t, "gtx980", o, append([]string{"sm.count=2", "perturb.seed=3"}, set...)...)
		})
		for k, n := range result.Sum(want).Stats {
			stats[k] += n
		}
	}
	return stats
}

// SwitchedSuite has barriers, divergence, streaming, atomics, and many launches.
var SwitchedSuite = []string{"bfs", "hotspot", "transpose", "dct8x8", "gaussian", "gemm", "streamcluster", "nn"}

// Switched are settings with CTA switching and so few slots that CTAs are switched even at test size.
var Switched = []string{"cta.switching=virtual-thread", "sm.warps=16"}

// SameWork runs an application twice at size test on gtx980: with the settings plain, and with the settings set and
// every operand checked. Both runs must have the same numbers of instructions and barriers. It returns the totals of
// the second run.
func SameWork(t testing.TB, name string, plain, set []string) result.Total {
	t.Helper()
	want := result.Sum(OneSM(t, "gtx980", name, gpus.Options{}, plain...))
	got := result.Sum(OneSM(t, "gtx980", name, gpus.Options{Check: true}, set...))
	if want.WarpInstructions != got.WarpInstructions ||
		want.Stats["sm.barrier.releases"] != got.Stats["sm.barrier.releases"] {
		t.Errorf("%s, %v: %d instructions and %d barriers, want %d and %d", name, set, got.WarpInstructions,
			got.Stats["sm.barrier.releases"], want.WarpInstructions, want.Stats["sm.barrier.releases"])
	}
	return got
}

// WithoutOwn removes from results the states of warps and the statistics of a design's own, so that the rest can be
// compared with a run without the design. All of them must be zero.
func WithoutOwn(t testing.TB, kernels []result.Kernel, own func(name string) bool) []result.Kernel {
	t.Helper()
	for i := range kernels {
		k := &kernels[i]
		for _, m := range []map[string]uint64{k.IssueSlots, k.WarpStates, k.Stats} {
			maps.DeleteFunc(m, func(name string, n uint64) bool {
				if own(name) && n != 0 {
					t.Errorf("kernel %s: %s is %d", k.Name, name, n)
				}
				return own(name)
			})
		}
		share := func(name string, _ float64) bool { return own(name) }
		maps.DeleteFunc(k.CPIStack, share)
		for s := range k.SMs {
			maps.DeleteFunc(k.SMs[s].IssueSlots, func(name string, _ uint64) bool { return own(name) })
			maps.DeleteFunc(k.SMs[s].CPIStack, share)
		}
	}
	return kernels
}

// fullReasons are the reasons of slots lost because a queue was full, beside the register file's own.
var fullReasons = []string{"unit_full", "lsu_full", "shared_full", "cache_full", "memory_full"}

// OneFull puts the slots lost to full queues down to the register file alone. While a scheduler sleeps, they go to the
// block that ends the wait, so that a design whose schedulers sleep less often has the same slots in another division.
func OneFull(kernels []result.Kernel) []result.Kernel {
	join := func(m map[string]uint64, prefix string) {
		for _, name := range fullReasons {
			m[prefix+"regfile_full"] += m[prefix+name]
			delete(m, prefix+name)
		}
	}
	share := func(name string, _ float64) bool {
		return name == "regfile_full" || slices.Contains(fullReasons, name)
	}
	for i := range kernels {
		k := &kernels[i]
		join(k.IssueSlots, "")
		join(k.Stats, "sm.issue.")
		maps.DeleteFunc(k.CPIStack, share)
		for s := range k.SMs {
			join(k.SMs[s].IssueSlots, "")
			maps.DeleteFunc(k.SMs[s].CPIStack, share)
		}
	}
	return kernels
}

// WithoutMoves does the same with the counts of registers that CTAs take with them, and with the statistics of the
// given register file.
func WithoutMoves(t testing.TB, kernels []result.Kernel, kind string) []result.Kernel {
	t.Helper()
	moves := []string{"switch.in.moved", "switch.moved_out", "switch.revoked", "switch.stayed.no_room",
		"switch.blocked_registers", "regfile.bank.reads.switch", "regfile.bank.writes.switch"}
	return WithoutOwn(t, kernels, func(name string) bool {
		return strings.HasPrefix(name, "regfile."+kind+".") || slices.Contains(moves, name)
	})
}
