package main

import (
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/gpus/sampling"
)

// leastInside returns the least expected number of runs inside their intervals: reached in 99 of 100 cases if each run
// is inside with probability 0.9. The interval's own probability is higher, but covers only the choice of units, not
// the remaining effects of skipping.
func leastInside(runs int) int {
	b := distuv.Binomial{N: float64(runs), P: 0.9}
	k := 0
	for b.CDF(float64(k)) <= 0.01 {
		k++
	}
	return k
}

// Programs of these sizes have many waves on one SM. All sampled runs of a program are compared with the same
// complete run.
func TestWholeRunsLieInTheIntervalsOfSampledOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	gpu, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"sm.count=1"}})
	if err != nil {
		t.Fatal(err)
	}
	half, err := sampling.ParseError(sampling.DefaultError)
	if err != nil {
		t.Fatal(err)
	}
	inside, runs := 0, 0
	for _, x := range []struct {
		name string
		size benchmarks.Size
	}{{"vecadd", benchmarks.Study}, {"b+tree", benchmarks.Study}, {"dct8x8", benchmarks.Small}} {
		c := comparison{spec: sampling.Spec{Error: half, Bounded: true}, size: x.size, gpu: gpu, seeds: 20,
			limit: 10 * time.Minute}
		r, err := c.compare(benchmarks.Find(x.name))
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			t.Fatalf("%s: no launch is sampled", x.name)
		}
		t.Logf("%s: %d of %d inside, median error %.2f %%, half interval %.2f %%", x.name, r.inside, len(r.errors),
			100*median(r.errors), 100*median(r.halves))
		inside += r.inside
		runs += len(r.errors)
	}
	if runs != 60 {
		t.Fatalf("%d runs, want 60", runs)
	}
	if least := leastInside(runs); inside < least {
		t.Errorf("%d of %d runs lie in their interval, want at least %d", inside, runs, least)
	}
}

func TestTheBoundIsThatOfTheBinomialDistribution(t *testing.T) {
	// Of 60 runs 54 are expected, with a deviation of 2.3.
	if got := leastInside(60); got != 48 {
		t.Errorf("%d, want 48", got)
	}
}
