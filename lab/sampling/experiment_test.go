package main

import (
	"io"
	"math"
	"testing"
	"time"

	"kumiko/gpus/config"
	"kumiko/gpus/sampling"
)

func TestASeedDrawsTheSameCases(t *testing.T) {
	a, b, c := newDraws(1), newDraws(1), newDraws(2)
	differ := 0
	for range 20 {
		x := a.next().String()
		if y := b.next().String(); x != y {
			t.Errorf("%s and %s", x, y)
		}
		if x != c.next().String() {
			differ++
		}
	}
	if differ == 0 {
		t.Error("another seed draws the same cases")
	}
}

func TestAnExperimentFailsIfIntervalsAreWorseThanStated(t *testing.T) {
	for _, c := range []struct {
		o    outcome
		want bool
	}{
		{outcome{runs: 200, inside: 186}, true}, {outcome{runs: 200, inside: 185}, false}, {outcome{}, false},
		{outcome{runs: 200, inside: 200, far: 1}, false}, {outcome{runs: 200, inside: 200, exact: 1}, false},
	} {
		if got := c.o.passes(); got != c.want {
			t.Errorf("%+v passes: %v, want %v", c.o, got, c.want)
		}
	}
}

// The program checks its output. A third of its CTAs are four times as long, so that a launch has twice the turns.
func TestAnUnevenProgramHasLongCTAs(t *testing.T) {
	gpu, err := config.Load(config.Request{GPU: "gtx980", Set: []string{"slice.sms=1"}})
	if err != nil {
		t.Fatal(err)
	}
	c := comparison{gpu: gpu, limit: time.Minute}
	insts := func(longer int) float64 {
		u := uneven{ctas: 60, threads: 32, loads: 4, rare: 3, longer: longer}
		r, _, err := c.simulate(u.app(), nil)
		if err != nil {
			t.Fatal(err)
		}
		return float64(r.Total.WarpInstructions)
	}
	turns := func(longer int) (n float64) {
		for i := range uint32(60) {
			n += float64(uneven{loads: 4, rare: 3, longer: longer}.turns(i))
		}
		return n
	}
	if got, want := (insts(4)-insts(1))/turnInstructions, turns(4)-turns(1); got < 0.8*want || got > 1.2*want {
		t.Errorf("long CTAs have %v turns more, want about %v", got, want)
	}
}

// The first cases of a seed, few enough for a test. All of them must pass, since their runs are always the same.
func TestTheFirstRunsOfTheExperimentLieInTheirIntervals(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	e := experiment{runs: 30, draws: newDraws(1), spec: sampling.Spec{Error: 0.03, Bounded: true}}
	o, err := e.run(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !o.passes() {
		t.Errorf("%+v", *o)
	}
}

// One of 30 CTAs is 60 times as long, and the sampler skips a few CTAs before it meets the first of these. How the long
// ones lie in time then decides the cycles of the launch.
func TestTheIntervalOfALaunchWithRareLongCTAsHasTheirTime(t *testing.T) {
	if testing.Short() {
		t.Skip("a launch of a second")
	}
	d := newDraws(7)
	x := d.next()
	for x.app.Name != "uneven:ctas=400,threads=256,loads=5,rare=30,longer=60" {
		x = d.next()
	}
	gpu, err := config.Load(x.gpu)
	if err != nil {
		t.Fatal(err)
	}
	c := comparison{size: x.size, gpu: gpu, limit: time.Minute}
	whole, _, err := c.simulate(x.app, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range int64(2) {
		part, _, err := c.simulate(x.app, &sampling.Spec{Seed: 2 + seed})
		if err != nil {
			t.Fatal(err)
		}
		s := part.Sampling()
		off := math.Abs(float64(part.Total.Cycles) - float64(whole.Total.Cycles))
		if off > s.CyclesHalf || off < s.CyclesHalf-s.CyclesSystematic {
			t.Errorf("seed %d: %.0f cycles off, interval %.0f, of it %.0f of the units", 2+seed, off, s.CyclesHalf,
				s.CyclesHalf-s.CyclesSystematic)
		}
	}
}
