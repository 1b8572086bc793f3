package query

import (
	"math"
	"testing"

	"kumiko/gpus/result"
)

func TestTheIntervalIsStudentsOverThePerturbations(t *testing.T) {
	q := ask(run("base", "vecadd", 0, 2), run("new", "vecadd", 0, 2), run("base", "vecadd", 1, 2),
		run("new", "vecadd", 1, 3), run("base", "vecadd", 2, 2), run("new", "vecadd", 2, 4),
		run("new", "vecadd", 3, 99))
	i, err := q.Interval(`speedup("new", "base", "vecadd")`, At{})
	if err != nil || i == nil || i.N != 3 || math.Abs(i.Low-(1.5-1.242069)) > 1e-6 ||
		math.Abs(i.High-(1.5+1.242069)) > 1e-6 {
		t.Errorf("%+v, %v", i, err)
	}
	if i, err := full().Interval(`ipc("new", "vecadd")`, At{}); i != nil || err != nil {
		t.Errorf("without perturbations there is an interval %v, %v", i, err)
	}
	if i, err := q.Interval(`1 + 1`, At{}); i != nil || err != nil {
		t.Errorf("of a constant there is an interval %v, %v", i, err)
	}
}

func TestAPerturbedRunWithoutStatisticsIsMissingWhereTheyAreRead(t *testing.T) {
	bare := run("base", "vecadd", 1, 3)
	for _, c := range []*result.Counts{&bare.Result.Total.Counts, &bare.Result.Kernels[0].Counts} {
		c.Stats, c.IssueSlots = nil, nil
	}
	bare.Result.Kernels[0].Name = "k"
	plain := run("base", "vecadd", 0, 2)
	plain.Result.Kernels[0].Name = "k"
	q := ask(plain, bare)
	at := At{Perturb: 1}
	want(t, q, `ipc("base", "vecadd")`, at, 3.0)
	for _, code := range []string{`stat("base", "vecadd", "cache.hits")`, `slots("base", "vecadd", "memory")`,
		`statsum("base", "vecadd", "cache.")`,
		`stat("base", "vecadd/k", "cache.hits")`} {
		got, err := q.Eval(code, at)
		if err != nil || !got.NotRun() {
			t.Errorf("%s: found %+v, %v, expected a missing run", code, got, err)
		}
		if samples, err := q.Samples(code, At{}); err != nil || len(samples) != 1 {
			t.Errorf("%s: found %d samples, %v, expected that of the plain run", code, len(samples), err)
		}
	}
}
