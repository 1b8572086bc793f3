package sampled_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/gpus/sample"
)

// small runs a program at size small on one SM, where launches of some programs have many waves.
func small(t *testing.T, name string, s *sample.Spec, workers int) *result.Result {
	t.Helper()
	return run(t, name, benchmarks.Small, gtx980, s, workers)
}

// The programs' own check of their output is part of the run.
func TestASampledRunCountsEveryInstructionAndSimulatesAPart(t *testing.T) {
	sampled := 0
	for _, name := range []string{"vecadd", "sgemm", "b+tree", "dct8x8"} {
		whole, part := small(t, name, nil, 1), small(t, name, &sample.Spec{Seed: 1}, 1)
		if a, b := whole.Total.WarpInstructions, part.Total.WarpInstructions; a != b {
			t.Errorf("%s: %d warp instructions, want %d", name, b, a)
		}
		if a, b := whole.Total.ThreadInstructions, part.Total.ThreadInstructions; a != b {
			t.Errorf("%s: %d thread instructions, want %d", name, b, a)
		}
		s := part.Sampling()
		if s == nil {
			if d := cmp.Diff(whole.Kernels, part.Kernels); d != "" {
				t.Errorf("%s, whose launches are simulated whole (-whole +sampled):\n%s", name, d)
			}
			continue
		}
		sampled++
		if s.WarpInstructions >= whole.Total.WarpInstructions {
			t.Errorf("%s: all %d instructions were simulated", name, s.WarpInstructions)
		}
	}
	if sampled < 2 {
		t.Errorf("%d programs have launches that are long enough, want at least 2", sampled)
	}
}

// Half of the stated interval is some percent. Beside it the state of caches and DRAM is not quite that of the whole
// run (docs/sampling.md), so that twice the interval and two percent more are allowed for single runs here, and
// the runs' median is held to five percent.
func TestSampledCyclesAreNearThoseOfTheWholeRun(t *testing.T) {
	inside, runs := 0, 0
	for _, name := range []string{"vecadd", "dct8x8"} {
		whole := float64(small(t, name, nil, 2).Total.Cycles)
		for seed := range int64(5) {
			part := small(t, name, &sample.Spec{Seed: seed}, 2)
			s := part.Sampling()
			if s == nil {
				t.Fatalf("%s: no launch is sampled", name)
			}
			off := math.Abs(float64(part.Total.Cycles) - whole)
			if off > 2*s.CyclesHalf+0.02*whole {
				t.Errorf("%s, seed %d: %d cycles give or take %.0f, want %.0f", name, seed, part.Total.Cycles,
					s.CyclesHalf, whole)
			}
			runs++
			if off <= s.CyclesHalf {
				inside++
			}
		}
	}
	if 2*inside < runs {
		t.Errorf("%d of %d runs lie in their interval, want at least half", inside, runs)
	}
}

func TestASampledRunIsTheSameWithAnyNumberOfWorkers(t *testing.T) {
	want := small(t, "vecadd", &sample.Spec{Seed: 3}, 1)
	if want.Sampling() == nil {
		t.Fatal("no launch is sampled")
	}
	for _, n := range []int{1, 2, 3} {
		if d := cmp.Diff(want.Kernels, small(t, "vecadd", &sample.Spec{Seed: 3}, n).Kernels); d != "" {
			t.Errorf("%d workers (-one +more):\n%s", n, d)
		}
	}
}

func TestASmallerErrorDrawsMoreUnits(t *testing.T) {
	few := run(t, "vecadd", benchmarks.Study, gtx980, &sample.Spec{Seed: 3, Error: 0.2}, 2)
	many := run(t, "vecadd", benchmarks.Study, gtx980, &sample.Spec{Seed: 3, Error: 0.002}, 2)
	if few.Sampling() == nil || many.Sampling() == nil {
		t.Fatal("no launch is sampled")
	}
	if a, b := few.Sampling().Units, many.Sampling().Units; a >= b {
		t.Errorf("%d units for 20 %% and %d for 0.2 %%", a, b)
	}
}
