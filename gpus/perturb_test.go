package gpus_test

import (
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
)

func TestAPerturbationChangesTimesAndNothingElseAndIsTheSameEachTime(t *testing.T) {
	for _, gpu := range []string{"gtx980", "fermi", "maxwell"} {
		run := func(set ...string) (cycles, insts, slots uint64) {
			for _, k := range direct(t, testConfig(t, gpu, append(set, "slice.sms=2")...), "bfs") {
				cycles += k.Cycles
				insts += k.WarpInstructions
				slots += k.IssueSlots["issued"]
			}
			return
		}
		plain, insts, _ := run()
		off, _, _ := run("perturb.seed=0")
		if plain != off {
			t.Errorf("%s: %d cycles, and %d with perturbation 0", gpu, plain, off)
		}
		seen := map[uint64]bool{plain: true}
		for _, seed := range []string{"1", "2"} {
			once, n, issued := run("perturb.seed=" + seed)
			again, _, _ := run("perturb.seed=" + seed)
			if once != again || n != insts || issued != insts {
				t.Errorf("%s, perturbation %s: %d and %d cycles, %d instructions (%d issued), want %d", gpu, seed, once,
					again, n, issued, insts)
			}
			if seen[once] {
				t.Errorf("%s, perturbation %s: %d cycles, as another one", gpu, seed, once)
			}
			seen[once] = true
		}
	}
}

func TestStartsLieWithinTheirRangeAndDifferBySMLaunchAndSeed(t *testing.T) {
	p := config.Perturb{Seed: 3, StartCycles: 64}
	a := gpus.Starts(&config.Config{Perturb: p}, 1000, 0, 16)
	for i, c := range a {
		if c < 1000 || c >= 1064 {
			t.Errorf("SM %d starts at %d, want 1000 to 1063", i, c)
		}
	}
	if cmp.Equal(a, gpus.Starts(&config.Config{Perturb: p}, 1000, 1, 16)) ||
		cmp.Equal(a, gpus.Starts(&config.Config{Perturb: config.Perturb{Seed: 4, StartCycles: 64}}, 1000, 0, 16)) {
		t.Error("another launch or another seed starts alike")
	}
	if gpus.Starts(&config.Config{Perturb: config.Perturb{StartCycles: 64}}, 1000, 0, 16) != nil {
		t.Error("without a seed SMs are held back")
	}
	distinct := map[wire.Cycle]bool{}
	for _, c := range a {
		distinct[c] = true
	}
	if len(distinct) < 8 {
		t.Errorf("16 SMs start in %d different cycles", len(distinct))
	}
}

// Without the setting the first CTA starts some cycles after the beginning, once the SMs have sent their CTA
// slot credits.
func TestTheFirstCTAOfALaunchComesAfterTheLaunchCycles(t *testing.T) {
	cycles := func(set ...string) uint64 {
		return direct(t, testConfig(t, "gtx980", append(set, "slice.sms=2")...), "vecadd")[0].Cycles
	}
	plain := cycles()
	if got := cycles("gpu.launch_cycles=5000"); got < plain+4980 || got > plain+5000 {
		t.Errorf("%d cycles, want %d and 4980 to 5000", got, plain)
	}
}
