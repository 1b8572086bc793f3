package gpus

import (
	"fmt"
	"testing"

	"kumiko/gpus/config"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/benchmarks/benchtest"
	"kumiko/gpus/result"
	"kumiko/kernel/ir"
	"kumiko/sm/occupancy"
)

// sharedRun runs an application at size test under register sharing with every optimisation, on SMs with too few
// registers.
func sharedRun(t *testing.T, name string, opt Options, prepare func(*machine)) []result.Kernel {
	t.Helper()
	c, err := config.Load(config.Request{GPU: "tesla-c2050", Design: "sharing-owf",
		Set: []string{"sm.count=3", "sm.registers=24000",
			"regfile.sharing.window=256"}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(c, opt)
	if err != nil {
		t.Fatal(err)
	}
	if prepare != nil {
		prepare(m)
	}
	benchtest.On(t, m, name)
	return m.Results()
}

func TestRegisterSharingDependsNeitherOnTheOrderOfTicksNorOnWorkers(t *testing.T) {
	var shared, moves uint64
	for _, name := range []string{"sgemm", "stencil", "libor", "hotspot"} {
		want := sharedRun(t, name, Options{}, nil)
		for _, k := range want {
			shared += k.Stats["regfile.sharing.lock_grants"]
			moves += k.Stats["regfile.sharing.dynamic.lowered"] + k.Stats["regfile.sharing.dynamic.raised"]
		}
		for seed := range uint64(3) {
			got := sharedRun(t, name, Options{Workers: int(1 + seed)}, func(m *machine) { shuffleTicks(m, seed) })
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s, seed %d, %d workers (-construction order, one +shuffled, more):\n%.3000s", name, seed,
					1+seed, d)
			}
		}
	}
	if shared < 100 || moves == 0 {
		t.Errorf("%d locks taken, %d changes of the probability: the test shows little", shared, moves)
	}
}

// Twice the rounds under register sharing with every optimisation cause no more allocations than permitted for the
// conventional register file.
func TestRegisterSharingAllocatesNothingPerCycle(t *testing.T) {
	set := []string{"sched.policy=oldest", "regfile.kind=sharing", "regfile.sharing.dynamic=true",
		"regfile.sharing.owner_first=true",
		"regfile.sharing.reorder=true", "regfile.threshold=0.5", "sm.registers=5632"}
	const n, ctas, warps, perRound = 200, 16, 8, 6
	a, short := mallocs(t, rounds(n), ctas, set...)
	b, long := mallocs(t, rounds(2*n), ctas, set...)
	if most := a + (long-short)/cyclesPerMalloc + n*ctas*warps*perRound/instsPerMalloc; b > most {
		t.Errorf("%d allocations in %d cycles, %d in %d, want at most %d", a, short, b, long, most)
	}
}

// The admission predicted by the command equals the admission by the machine's register file, under both rules of
// allocation.
func TestTheMachineAdmitsWhatOccupancySays(t *testing.T) {
	shares := 0
	rapid.Check(t, func(t *rapid.T) {
		c, err := config.Load(config.Request{GPU: "tesla-c2050", Design: "sharing", Set: []string{
			"sm.count=1", fmt.Sprintf("sm.registers=%d", rapid.IntRange(4000, 40000).Draw(t, "registers of the SM")),
			"occupancy.rule=" + rapid.SampledFrom([]string{occupancy.RuleGPGPUSim, occupancy.RuleCUDA}).Draw(t, "rule"),
			fmt.Sprintf("regfile.threshold=%v", float64(rapid.IntRange(0, 100).Draw(t, "threshold in percent"))/100),
		}})
		if err != nil {
			t.Fatal(err)
		}
		cta := occupancy.CTA{Threads: rapid.IntRange(1, 512).Draw(t, "threads"),
			Registers:   rapid.IntRange(0, 63).Draw(t, "registers"),
			SharedBytes: rapid.SampledFrom([]int{0, 0, 4000, 9000}).Draw(t, "shared")}
		want, err := c.CTAs(cta)
		if err != nil {
			t.Skip(err)
		}
		m, err := build(c, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.admit(&ir.Kernel{Name: "k"}, cta)
		if err != nil || got.Resident != want.CTAs {
			t.Fatalf("%+v: the machine admits %d (%v), occupancy says %+v", cta, got.Resident, err, want)
		}
		if pairs, _ := want.Figure("shared_pairs"); pairs > 0 {
			shares++
		}
	})
	if shares < 5 && !testing.Short() {
		t.Errorf("only %d of the cases share", shares)
	}
}
