package validation

import "testing"

// latency is the difference in cycles between two launches of a kernel on an otherwise empty GPU, divided by the
// difference in steps.
type latency struct {
	kernel, short, long string
	steps               float64
	block               int
	gtx480, gtx980      float64
}

// The arithmetic follows lab/docs/validation/peers.md, exact latencies.
var latencies = []latency{
	{"smem_chase", "smem_chase.s1.n5", "smem_chase.s1.n10", 100, 32, 6 + 22 + 4, 7 + 18 + 4},
	{"smem_chase", "smem_chase.s8.n5", "smem_chase.s8.n10", 100, 32, 32 + 7, 29 + 7},
	{"smem_chase", "smem_chase.s32.n5", "smem_chase.s32.n10", 100, 32, 32 + 31, 29 + 31},
	{"chase_L1", "chase.8k.n10", "chase.8k.n20", 200, 1, 6 + 30 + 4 + 1, 7 + 75 + 4},
	{"chase_L2", "chase.512k.n10", "chase.512k.n20", 200, 1, 6 + 1 + 6 + 2*21 + 120 + 3 + 3 + 1,
		7 + 1 + 6 + 2*44 + 120 + 3},
}

func cyclesOf(t *testing.T, e Entry, set ...string) float64 {
	t.Helper()
	m, err := Run(&e, set...)
	if err != nil {
		t.Fatal(err)
	}
	return float64(m.Ours.Cycles)
}

func alone(kernel, name, config string, block int) Entry {
	return Entry{Kernel: kernel, Name: name, Config: config, Grid: [3]int{1, 1, 1}, Block: [3]int{block, 1, 1}}
}

// One instruction issues per cycle, so no other instruction reads the bank of a load's address in the same cycle,
// as an addition at the end of the loop would.
func TestLatenciesAreTheSumsOfTheirStages(t *testing.T) {
	for _, l := range latencies {
		for config, want := range map[string]float64{"gtx480": l.gtx480, "gtx980": l.gtx980} {
			a := cyclesOf(t, alone(l.kernel, l.short, config, l.block), "sm.issue_width=1")
			b := cyclesOf(t, alone(l.kernel, l.long, config, l.block), "sm.issue_width=1")
			if got := (b - a) / l.steps; got != want {
				t.Errorf("%s on %s: %v cycles per step, want %v", l.long, config, got, want)
			}
		}
	}
}

// A trip of 80 has 40 FMAs more than a trip of 40. Everything else cancels.
func TestADependentFMATakesElevenCyclesOnTheGTX480AndNineOnTheGTX980(t *testing.T) {
	trip := func(name, config string) float64 {
		return (cyclesOf(t, alone("fma_chain", name+".n20", config, 32)) - cyclesOf(t,
			alone("fma_chain", name+".n10", config, 32))) / 10
	}
	for config, want := range map[string]float64{"gtx480": 11, "gtx980": 9} {
		if got := (trip("fma_chain80", config) - trip("fma_chain", config)) / 40; got != want {
			t.Errorf("%s: %v cycles, want %v", config, got, want)
		}
	}
}

// A trip on the GTX 980 is 20 barriers, followed by the end of the loop: an add (9 until its user issues), a
// comparison (9), an untaken branch (1, since both use the same unit), and a taken branch (2).
func TestALoneWarpPassesABarrierInTwoCycles(t *testing.T) {
	for _, warps := range []int{1, 2} {
		long := cyclesOf(t, alone("sync_chain", "sync.n20", "gtx980", 32*warps))
		short := cyclesOf(t, alone("sync_chain", "sync.n10", "gtx980", 32*warps))
		if trip, want := (long-short)/10, 20*2+9+9+1+2.0; trip != want {
			t.Errorf("%d warps: %v cycles per trip, want %v", warps, trip, want)
		}
	}
}
