package sampling_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
)

// Launches of 23 waves of 16 CTAs and five further CTAs, on one SM: with equal CTAs, with CTAs of one to three
// lengths at random, and with CTAs growing along the grid in length and in the share of the slow loop.
var (
	equal   = program{launches: 1, ctas: 373, threads: 32, together: 16, first: 4, second: 4}
	uneven  = program{launches: 1, ctas: 373, threads: 32, together: 16, first: 4, more: 8, stride: 389, second: 1}
	growing = program{launches: 1, ctas: 373, threads: 32, together: 16, first: 2, more: 60, stride: 1, second: 40}
)

// oneSM returns the configuration of one SM of a GTX 980, with settings on top.
func oneSM(set ...string) config.Request {
	return config.Request{GPU: "gtx980", Set: append([]string{"sm.count=1"}, set...)}
}

// sampledOn runs a program on one SM and samples the program.
func (p program) sampledOn(t *testing.T, s sampling.Spec) *result.Result {
	t.Helper()
	return p.on(t, oneSM(), gpus.Options{Sample: &s})
}

// wantInstructions checks that a sampled run has as many instructions as the whole run, each either simulated or
// skipped.
func wantInstructions(t *testing.T, whole, part *result.Result) {
	t.Helper()
	for i := range whole.Kernels {
		a, b := &whole.Kernels[i], &part.Kernels[i]
		if a.WarpInstructions != b.WarpInstructions || a.ThreadInstructions != b.ThreadInstructions {
			t.Errorf("launch %d: %d warp and %d thread instructions, want %d and %d", i, b.WarpInstructions,
				b.ThreadInstructions, a.WarpInstructions, a.ThreadInstructions)
		}
		if b.Stats["sm.warp_instructions"] != a.WarpInstructions ||
			b.Stats["sm.thread_instructions"] != a.ThreadInstructions {
			t.Errorf("launch %d: statistics of %d warp and %d thread instructions, want %d and %d", i,
				b.Stats["sm.warp_instructions"], b.Stats["sm.thread_instructions"], a.WarpInstructions,
				a.ThreadInstructions)
		}
		if s := b.Sample; s != nil && s.WarpInstructions+s.WarpInstructionsSkipped != a.WarpInstructions {
			t.Errorf("launch %d: %d instructions are simulated and %d skipped, want %d in all", i, s.WarpInstructions,
				s.WarpInstructionsSkipped, a.WarpInstructions)
		}
	}
}

// off returns how far b is from a, over a.
func off(a, b uint64) float64 { return math.Abs(float64(b)/float64(a) - 1) }

// Before each of five units a fifth of the 20 waves between head and tail is skipped, wherever the first unit is.
// All CTAs have equally many instructions.
func TestALaunchOf23WavesHasFiveUnitsAndSkipsFiveWaves(t *testing.T) {
	whole := equal.on(t, oneSM(), gpus.Options{})
	insts := whole.Total.WarpInstructions
	for seed := range int64(4) {
		part := equal.sampledOn(t, sampling.Spec{Seed: seed})
		wantInstructions(t, whole, part)
		k := &part.Kernels[0]
		s := *k.Sample
		s.CyclesHalf, s.CyclesSystematic, s.Intervals = 0, 0, nil
		want := result.Sample{Units: 5, CTAs: 373 - 80, CTAsSkipped: 80, WarpInstructions: insts / 373 * (373 - 80),
			WarpInstructionsSkipped: insts / 373 * 80}
		if d := cmp.Diff(want, s); d != "" {
			t.Errorf("seed %d (-want +got):\n%s", seed, d)
		}
		if !k.Sampled || k.SMs == nil || len(k.SMs) != 0 || part.Sampling().Launches != 1 {
			t.Errorf("seed %d: sampled %v, %d SMs, %+v", seed, k.Sampled, len(k.SMs), part.Sampling())
		}
		if want := float64(k.ThreadInstructions) / float64(k.Cycles); k.IPC != want {
			t.Errorf("seed %d: IPC %v, want %v", seed, k.IPC, want)
		}
	}
}

// Every count of a launch of equal CTAs is proportional to the instructions, except for a few counts dominated by
// chance.
func TestCountsOfALaunchOfEqualCTAsAreThoseOfTheWholeRun(t *testing.T) {
	whole, part := equal.on(t, oneSM(), gpus.Options{}), equal.sampledOn(t, sampling.Spec{Seed: 1})
	a, b := &whole.Kernels[0], &part.Kernels[0]
	near := func(name string, a, b uint64, most float64) {
		t.Helper()
		if off(a, b) > most {
			t.Errorf("%s: %d, want about %d", name, b, a)
		}
	}
	near("cycles", a.Cycles, b.Cycles, 0.02)
	for _, name := range []string{"mem.l1.accesses.global_load", "mem.l1.bypassed", "mem.l2.accesses.global_load"} {
		near(name, a.Stats[name], b.Stats[name], 0.03)
	}
	near("issued slots", a.IssueSlots[result.Issued], b.IssueSlots[result.Issued], 0.01)
	near("empty slots and others", a.IssueSlots["memory"], b.IssueSlots["memory"], 0.05)
	near("states", a.WarpStates["memory"], b.WarpStates["memory"], 0.05)
	if _, has := b.WarpStates[""]; has || len(a.WarpStates) != len(b.WarpStates) || len(a.IssueSlots) !=
		len(b.IssueSlots) || len(a.Stats) != len(b.Stats) {
		t.Errorf("%d states, %d slots, %d statistics; want %d, %d, %d", len(b.WarpStates), len(b.IssueSlots),
			len(b.Stats), len(a.WarpStates), len(a.IssueSlots), len(a.Stats))
	}
	if len(a.Distributions) == 0 {
		t.Error("the machine counts no distribution")
	}
	for name, list := range a.Distributions {
		var n, m uint64
		for i := range list {
			n += list[i].Count
		}
		for _, x := range b.Distributions[name] {
			m += x.Count
		}
		if n >= 100 { // a few values are a matter of chance
			near(name, n, m, 0.02)
		}
	}
}

// Statistics that are constant per instruction have no interval, such as those that are never counted.
func TestStatisticsThatUnitsDisagreeOnHaveIntervals(t *testing.T) {
	k := uneven.sampledOn(t, sampling.Spec{Seed: 1}).Kernels[0]
	for name, half := range k.Sample.Intervals {
		if _, is := k.Stats[name]; !is || half <= 0 {
			t.Errorf("%s: half interval %v, statistic %v", name, half, is)
		}
	}
	has := func(name string) bool { _, has := k.Sample.Intervals[name]; return has }
	if _, counted := k.Stats["mem.texture.bypassed"]; !counted || has("mem.texture.bypassed") ||
		has("sm.warp_instructions") || !has("mem.l1.bypassed") {
		t.Errorf("intervals of %d statistics: %v", len(k.Stats), k.Sample.Intervals)
	}
}

// In each run the cycles lie within two intervals and two percent of the whole run's, and in half of the runs
// within one interval. The state of caches and DRAM is not exactly the whole run's (docs/sampling.md).
func TestSampledCyclesAreNearThoseOfTheWholeRun(t *testing.T) {
	whole := float64(uneven.on(t, oneSM(), gpus.Options{}).Total.Cycles)
	const runs = 6
	inside := 0
	for seed := range int64(runs) {
		part := uneven.sampledOn(t, sampling.Spec{Seed: seed})
		half := part.Sampling().CyclesHalf
		off := math.Abs(float64(part.Total.Cycles) - whole)
		if off > 2*half+0.02*whole {
			t.Errorf("seed %d: %d cycles give or take %.0f, want %.0f", seed, part.Total.Cycles, half, whole)
		}
		if off <= half {
			inside++
		}
	}
	if 2*inside < runs {
		t.Errorf("%d of %d runs lie in their interval, want at least half", inside, runs)
	}
}

// The cost of skipped CTAs lies between the costs of the neighbouring units, even if costs change along the grid.
func TestCostsThatGrowAlongTheGridAreFollowed(t *testing.T) {
	whole := growing.on(t, oneSM(), gpus.Options{})
	for seed := range int64(2) {
		part := growing.sampledOn(t, sampling.Spec{Seed: seed})
		wantInstructions(t, whole, part)
		if off(whole.Total.Cycles, part.Total.Cycles) > 0.03 {
			t.Errorf("seed %d: %d cycles, want %d give or take 3 %%", seed, part.Total.Cycles, whole.Total.Cycles)
		}
	}
}

// The run includes the program's own check of its output.
func TestABenchmarkIsSampledWithTheSameInstructions(t *testing.T) {
	whole := run(t, "vecadd", benchmarks.Small, gtx980, nil, 1)
	part := run(t, "vecadd", benchmarks.Small, gtx980, &sampling.Spec{Seed: 1}, 1)
	if part.Sampling() == nil {
		t.Fatal("no launch is sampled")
	}
	wantInstructions(t, whole, part)
}

func TestALaunchThatIsTooShortIsSimulatedWhole(t *testing.T) {
	short := equal
	short.ctas = 23*16 - 1
	whole, part := short.on(t, oneSM(), gpus.Options{}), short.sampledOn(t, sampling.Spec{Seed: 1})
	if d := cmp.Diff(whole.Kernels, part.Kernels); d != "" {
		t.Errorf("kernels (-whole +sampled):\n%s", d)
	}
}

func TestASampledRunIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	two, p := config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}}, uneven
	p.ctas *= 2
	s := &sampling.Spec{Seed: 3}
	want := p.on(t, two, gpus.Options{Sample: s, Workers: 1})
	if want.Sampling() == nil {
		t.Fatal("no launch is sampled")
	}
	for n := 2; n <= 3; n++ {
		if d := cmp.Diff(want.Kernels, p.on(t, two, gpus.Options{Sample: s, Workers: n}).Kernels); d != "" {
			t.Errorf("%d workers (-one +more):\n%s", n, d)
		}
	}
}

func TestASmallerErrorDrawsMoreUnits(t *testing.T) {
	p := uneven
	p.ctas = 1000
	few := p.sampledOn(t, sampling.Spec{Seed: 3, Error: 0.2})
	many := p.sampledOn(t, sampling.Spec{Seed: 3, Error: 0.002})
	if few.Sampling() == nil || many.Sampling() == nil {
		t.Fatal("no launch is sampled")
	}
	if a, b := few.Sampling().Units, many.Sampling().Units; a >= b {
		t.Errorf("%d units for 20 %% and %d for 0.2 %%", a, b)
	}
}

// From the first CTA to the last the instructions grow threefold, and so do the cycles. The cost per instruction is
// then about equal in all units, and only the minimum number of units is drawn.
func TestUnitsOfUnequalLengthsAndEqualCostsAreFew(t *testing.T) {
	p := program{launches: 1, ctas: 40 * 16, threads: 32, together: 16, first: 30, more: 96, stride: 1, second: 1}
	if n := p.sampledOn(t, sampling.Spec{Seed: 1, Error: 0.03}).Sampling().Units; n != 5 {
		t.Errorf("%d units, want 5", n)
	}
}

// The first launch has a larger error than wanted. The others have enough units to bring the error of all three
// together to the wanted one.
func TestTheWantedErrorIsThatOfAllLaunchesTogether(t *testing.T) {
	p := program{launches: 3, ctas: 1000, threads: 32, together: 16, first: 2, more: 20, stride: 389, second: 40}
	const wanted = 0.01
	part := p.sampledOn(t, sampling.Spec{Seed: 1, Error: wanted})
	first, all := &part.Kernels[0], part.Sampling()
	if e := (first.Sample.CyclesHalf - first.Sample.CyclesSystematic) / float64(first.Cycles); e < wanted {
		t.Errorf("the interval of the first launch is %.2f %%, want more than 1 %%", 100*e)
	}
	if e := (all.CyclesHalf - all.CyclesSystematic) / float64(part.Total.Cycles); all.Launches != 3 || e > wanted {
		t.Errorf("the interval of %d launches is %.2f %%, want at most 1 %% of three", all.Launches, 100*e)
	}
}
