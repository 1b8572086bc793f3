package sampling_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/sampling"
)

// gaussian launches two kernels repeatedly. The run includes the program's own check of its output.
func TestOfSimilarLaunchesSomeAreSimulated(t *testing.T) {
	whole := run(t, "gaussian", benchmarks.Small, gtx980, nil, 1)
	part := run(t, "gaussian", benchmarks.Small, gtx980, &sampling.Spec{Seed: 1}, 1)
	if a, b := whole.Total.ThreadInstructions, part.Total.ThreadInstructions; a != b {
		t.Errorf("%d thread instructions, want %d", b, a)
	}
	skipped := 0
	for i := range part.Kernels {
		a, b := &whole.Kernels[i], &part.Kernels[i]
		if a.WarpInstructions != b.WarpInstructions {
			t.Errorf("launch %d: %d warp instructions, want %d", i, b.WarpInstructions, a.WarpInstructions)
		}
		if b.Sampled {
			skipped++
			if b.Sample.Group == 0 || b.Sample.CTAs != 0 || b.Cycles == 0 || b.Stats["sm.warp_instructions"] !=
				b.WarpInstructions {
				t.Errorf("launch %d: %+v, %d cycles", i, b.Sample, b.Cycles)
			}
		}
	}
	// Half of the launches have one CTA, and are not skipped.
	if skipped < len(part.Kernels)/4 || part.Sampling().Launches != skipped {
		t.Errorf("%d of %d launches are estimated, and %+v", skipped, len(part.Kernels), part.Sampling())
	}
	off := float64(part.Total.Cycles) / float64(whole.Total.Cycles)
	if off < 0.9 || off > 1.1 {
		t.Errorf("%d cycles, want about %d", part.Total.Cycles, whole.Total.Cycles)
	}
}

// Launches of one CTA are simulated, and of those of 8 CTAs most are skipped.
func TestRowsOfASampledRunDoNotGrowWithItsLaunches(t *testing.T) {
	const launches = 2 * result.MostLaunches
	for _, c := range []struct{ ctas, rows int }{{8, result.MostLaunches + 2}, {1, result.MostLaunches + 1}} {
		p := program{
			launches: launches,
			ctas:     c.ctas,
			threads:  32,
			together: 2,
			first:    4,
			more:     8,
			stride:   389,
			second:   1,
		}
		two := config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}}
		whole := p.on(t, two, gpus.Options{})
		part := p.on(t, two, gpus.Options{Sample: &sampling.Spec{Seed: 5}})
		if n := len(part.Kernels); n > c.rows {
			t.Errorf("%d CTAs: %d rows, want at most %d", c.ctas, n, c.rows)
		}
		if n := result.Launched(part.Kernels); n != launches {
			t.Errorf("%d CTAs: the rows stand for %d launches, want %d", c.ctas, n, launches)
		}
		if a, b := whole.Total.WarpInstructions, part.Total.WarpInstructions; a != b {
			t.Errorf("%d CTAs: %d warp instructions, want %d", c.ctas, b, a)
		}
		s := part.Sampling()
		if c.ctas == 1 {
			if s != nil || part.Total.Cycles != whole.Total.Cycles {
				t.Errorf("launches of one CTA were sampled: %+v", s)
			}
			continue
		}
		last := &part.Kernels[len(part.Kernels)-1]
		if n := last.Launches; n < launches/4 || last.Sample.CTAsSkipped != 8*n || s.Launches < n {
			t.Errorf("the last row stands for %d launches with %d CTAs, and %+v", n, last.Sample.CTAsSkipped, s)
		}
		if off := float64(part.Total.Cycles) - float64(whole.Total.Cycles); off < -s.CyclesHalf ||
			off > s.CyclesHalf {
			t.Errorf("%d cycles, want %d plus or minus %.0f", part.Total.Cycles, whole.Total.Cycles, s.CyclesHalf)
		}
	}
}

// Results of the launches so far do not change later ones.
func TestResultsOfASampledRunCanBeReadBetweenLaunches(t *testing.T) {
	if testing.Short() {
		t.Skip("as many launches as a result keeps")
	}
	p := program{
		launches: result.MostLaunches + 100,
		ctas:     8,
		threads:  32,
		together: 2,
		first:    4,
		more:     8,
		stride:   389,
		second:   1,
	}
	two := config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}}
	sampled := gpus.Options{Sample: &sampling.Spec{Seed: 5}}
	once := p.on(t, two, sampled)
	p.peeks = true
	if d := cmp.Diff(once, p.on(t, two, sampled)); d != "" {
		t.Errorf("(-once +twice):\n%s", d)
	}
}

func TestSimilarLaunchesAreDrawnEquallyByAnyNumberOfWorkers(t *testing.T) {
	p := program{launches: 20, ctas: 8, threads: 32, together: 2, first: 4, more: 8, stride: 389, second: 1}
	two := config.Request{GPU: "gtx980", Set: []string{"sm.count=2"}}
	one := p.on(t, two, gpus.Options{Sample: &sampling.Spec{Seed: 5}, Workers: 1})
	if one.Sampling() == nil {
		t.Fatal("no launch is sampled")
	}
	for _, workers := range []int{2, 3} {
		more := p.on(t, two, gpus.Options{Sample: &sampling.Spec{Seed: 5}, Workers: workers})
		if d := cmp.Diff(one, more); d != "" {
			t.Errorf("%d workers (-one +more):\n%s", workers, d)
		}
	}
}

// With a unified memory the L1 differs in size from launch to launch. Skipped launches warm an L1 of their own
// size.
func TestALaunchThatIsNotSimulatedWarmsAnL1OfItsOwnSize(t *testing.T) {
	um := config.Request{GPU: "gtx980", Design: "um"}
	whole := run(t, "gaussian", benchmarks.Small, um, nil, 1)
	for seed := range int64(2) {
		part := run(t, "gaussian", benchmarks.Small, um, &sampling.Spec{Seed: seed + 1}, 1)
		if off := float64(part.Total.Cycles)/float64(whole.Total.Cycles) - 1; off < -0.03 || off > 0.03 {
			t.Errorf("seed %d: %d cycles, %.1f %% off %d, want at most 3 %%", seed+1, part.Total.Cycles, 100*off,
				whole.Total.Cycles)
		}
	}
}
