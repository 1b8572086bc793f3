package sampling

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// parts are the parts into which a plan divides a launch.
type parts struct {
	skips, runs []int
	simulated   int
	skipped     int
}

func walk(p *WavePlan, cost func(k int) float64) parts {
	out := parts{simulated: p.Head()}
	var costs []float64
	for last := false; !last; {
		var skip, run int
		skip, run, last = p.Next(costs)
		out.skips, out.runs = append(out.skips, skip), append(out.runs, run)
		out.skipped += skip
		out.simulated += run
		costs = append(costs, cost(len(costs)))
	}
	return out
}

func TestEveryCTAIsEitherSkippedOrSimulatedAndWholeWavesAreSkipped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wave := rapid.IntRange(leastUnit, 300).Draw(t, "wave")
		ctas := wave*rapid.IntRange(LeastWaves, 500).Draw(t, "waves") + rapid.IntRange(0, wave-1).Draw(t, "rest")
		spec := Spec{Seed: rapid.Int64().Draw(t, "seed"),
			Error: rapid.SampledFrom([]float64{0, 0.001, 0.05}).Draw(t, "error")}
		spec.Bounded = spec.Error > 0 && rapid.Bool().Draw(t, "bounded")
		p := NewWavePlan(spec, rapid.Uint64Range(0, 9).Draw(t, "launch"), ctas, wave)
		x := walk(p, func(k int) float64 {
			return 1 + 0.1*float64(k%3)
		})
		if x.simulated+x.skipped != ctas || x.skipped%wave != 0 {
			t.Fatalf("%d simulated and %d skipped of %d, of which %d are a wave", x.simulated, x.skipped, ctas, wave)
		}
		for i, skip := range x.skips {
			if skip < 0 || i < len(x.runs)-1 && x.runs[i] != 3*wave {
				t.Fatalf("%d skipped and %d simulated", skip, x.runs[i])
			}
		}
		if n := len(x.runs) - 1; n < p.least() {
			t.Fatalf("%d units, want at least %d", n, p.least())
		}
	})
}

func TestAShortLaunchIsNotSampled(t *testing.T) {
	if NewWavePlan(Spec{}, 0, LeastWaves*20-1, 20) != nil {
		t.Error("a launch of fewer waves is sampled")
	}
	if NewWavePlan(Spec{}, 0, LeastWaves*20, 20) == nil {
		t.Error("a launch of as many waves is not sampled")
	}
}

func TestAUnitHasAtLeastSixteenCTAs(t *testing.T) {
	if NewWavePlan(Spec{}, 0, LeastWaves*16-1, 4) != nil {
		t.Error("a launch of more waves of four CTAs, and of fewer units of sixteen, is sampled")
	}
	p := NewWavePlan(Spec{}, 0, LeastWaves*16, 4)
	if p == nil {
		t.Fatal("a launch of so many units is not sampled")
	}
	if p.Wave() != 16 {
		t.Errorf("a unit of %d CTAs, want 16", p.Wave())
	}
}

func TestTheFirstUnitIsAnywhereInItsPeriod(t *testing.T) {
	seen := map[int]bool{}
	for seed := range int64(400) {
		skip, _, _ := NewWavePlan(Spec{Seed: seed}, 0, 103*20, 20).Next(nil)
		seen[skip] = true
	}
	if len(seen) < 120 { // of 141: seven waves of twenty CTAs
		t.Errorf("%d places in 400 tries, want nearly all of 141", len(seen))
	}
}

func TestAnErrorThatIsAskedForDrawsMoreUnitsWhereTheyDiffer(t *testing.T) {
	units := func(spread float64) int {
		return len(walk(NewWavePlan(Spec{Error: 0.02}, 0, 400*20, 20), func(k int) float64 {
			return 1 + spread*float64(k%2)
		}).runs)
	}
	if equal, apart := units(0.001), units(0.2); equal > 6 || apart < 40 {
		t.Errorf("%d and %d units, want about 5 where they are equal and many where they are not", equal, apart)
	}
}

// Four units with two and three cycles per instruction, and gaps of ten instructions.
func TestAGapCostsWhatTheUnitsBesideItDo(t *testing.T) {
	e := estimator{Known: unit{Instructions: 8, Counts: []float64{20}}, Gaps: []float64{10, 10, 10}, Units: []unit{
		{2, []float64{4}}, {2, []float64{6}}}}
	got := e.Count(0)
	if want := 20 + 10*2 + 10*2.5 + 10*3.0; got.Value != want {
		t.Errorf("%v, want %v", got.Value, want)
	}
	// Student's t of two values is 12.706, the deviation of 2 and 3 is 1/sqrt 2. Each unit stands for 15
	// instructions, and the gaps have 15 parts of two.
	if want := 12.706 / math.Sqrt2 * math.Sqrt(15*15+15*15+15*2*2); math.Abs(got.Half-want) > 0.01 {
		t.Errorf("half an interval of %v, want %v", got.Half, want)
	}
}

func TestEqualUnitsLeaveNoDoubt(t *testing.T) {
	e := estimator{Known: unit{Instructions: 3, Counts: []float64{6}}, Gaps: []float64{5, 5, 5}, Units: []unit{
		{1, []float64{2}}, {1, []float64{2}}}}
	if got := e.Count(0); got != (interval{Value: 36}) {
		t.Errorf("%+v, want 36 and no interval", got)
	}
}

// Of the thirty instructions in gaps twenty were skipped, at two cycles each.
func TestWhatWasSkippedLeavesADoubtThatUnitsDoNotShow(t *testing.T) {
	e := estimator{Known: unit{Instructions: 3, Counts: []float64{6}}, Gaps: []float64{10, 10, 10}, Skipped: 20,
		Units: []unit{{1, []float64{2}}, {1, []float64{2}}}}
	if got, want := e.Count(0), Systematic*40; got.Value != 66 || got.Half != want || got.Systematic != want {
		t.Errorf("%+v, want 66 give or take %v", got, want)
	}
}

func TestNothingIsSkippedOnceAPlanHasBeenStopped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wave := rapid.IntRange(leastUnit, 300).Draw(t, "wave")
		ctas := wave*rapid.IntRange(LeastWaves, 500).Draw(t, "waves") + rapid.IntRange(0, wave-1).Draw(t, "rest")
		p := NewWavePlan(Spec{Seed: rapid.Int64().Draw(t, "seed")}, 0, ctas, wave)
		all, stop := p.Head(), rapid.IntRange(0, 5).Draw(t, "stop")
		for k, last := 0, false; !last; k++ {
			if k == stop {
				p.Stop()
			}
			var skip, run int
			if skip, run, last = p.Next(nil); skip > 0 && k >= stop {
				t.Fatalf("%d CTAs are skipped in period %d", skip, k)
			}
			all += skip + run
		}
		if all != ctas {
			t.Fatalf("%d of %d CTAs are skipped or simulated", all, ctas)
		}
	})
}

// coverage returns the share of launches with their cost inside the stated interval. Each launch has 100 waves, and
// every tenth is a unit. The costs of successive units have correlation r. The waves in between cost as much as
// without correlation.
func coverage(r float64) float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	inside := 0
	const tries = 2000
	for range tries {
		e := estimator{Known: unit{Counts: []float64{0}}}
		truth, gap, x := 0.0, 0.0, rng.NormFloat64()
		for i := range 100 {
			if i%10 != 5 {
				truth += 1 + 0.1*rng.NormFloat64()
				gap++
				continue
			}
			cost := 1 + 0.1*x
			x = r*x + math.Sqrt(1-r*r)*rng.NormFloat64()
			e.Units = append(e.Units, unit{1, []float64{cost}})
			e.Known.Counts[0] += cost
			truth += cost
			e.Gaps, gap = append(e.Gaps, gap), 0
		}
		e.Gaps = append(e.Gaps, gap)
		if got := e.Count(0); math.Abs(got.Value-truth) <= got.Half {
			inside++
		}
	}
	return float64(inside) / tries
}

func TestTheIntervalHoldsTheTruthAsOftenAsItSays(t *testing.T) {
	if share := coverage(0); share < 0.93 || share > 0.985 {
		t.Errorf("%.3f of the launches lie in their interval, want about 0.95", share)
	}
}

func TestTheIntervalHoldsTheTruthWhereOneUnitGoesOnFromAnother(t *testing.T) {
	if share := coverage(0.5); share < 0.9 {
		t.Errorf("%.3f of the launches lie in their interval, want at least 0.9", share)
	}
}

func TestFiveUnitsThatRiseAreWorthThree(t *testing.T) {
	d := differences{}.with([]float64{1, 2, 3, 4, 5})
	if want := 4.303 / 3 * math.Sqrt(2.5*5/3); math.Abs(d.half()-want) > 0.01 {
		t.Errorf("%v, want %v, as of three", d.half(), want)
	}
}

func TestUnitsThatAlternateAreWorthTheirNumber(t *testing.T) {
	d := differences{}.with([]float64{1, 2, 1, 2})
	if want := 3.182 / 1.5 * math.Sqrt(1.0/3); math.Abs(d.half()-want) > 0.01 {
		t.Errorf("%v, want %v, as of four that are independent", d.half(), want)
	}
}

func TestABoundedPlanDrawsNoMoreThanTenUnits(t *testing.T) {
	for _, x := range []struct {
		bounded     bool
		least, most int
	}{{true, leastUnits, unitsDrawn}, {false, 20, 100}} {
		for seed := range int64(20) {
			p := NewWavePlan(Spec{Seed: seed, Error: 0.01, Bounded: x.bounded}, 0, 403*20, 20)
			n := len(walk(p, func(k int) float64 { return 1 + 0.3*float64(k%2) }).runs) - 1
			if n < x.least || n > x.most {
				t.Errorf("%d units of a plan with these bounds: %+v", n, x)
			}
		}
	}
}

// Without a bound five units are drawn. With a bound they are as many as take a twentieth of the launch, three at the
// least and five at the most.
func TestUnitsThatAreAlikeAreFiveOrATwentiethOfTheLaunch(t *testing.T) {
	for _, x := range []struct {
		bounded      bool
		waves, units int
	}{{false, 125, 5}, {false, 1000, 5}, {true, LeastWaves, 3}, {true, 239, 3}, {true, 240, 4}, {true, 1000, 5}} {
		p := NewWavePlan(Spec{Error: 0.01, Bounded: x.bounded}, 0, x.waves*20, 20)
		if n := len(walk(p, func(int) float64 { return 1 }).runs) - 1; n != x.units {
			t.Errorf("%d units of a launch of %d waves, bounded %v, want %d", n, x.waves, x.bounded, x.units)
		}
	}
}

// A launch has 400 waves. After a similar launch of ten units deviating by 10 % from their mean, it draws as many
// units as t and the deviation require. After equal units it draws the minimum of three, or of two if their number is
// bounded. Without a wanted error it draws ten.
func TestALaunchLikeOneBeforeDrawsAsManyUnitsAsThatCallsFor(t *testing.T) {
	for _, x := range []struct {
		wanted, off float64
		bounded     bool
		units       int
	}{{0.05, 0.1, false, 19}, {0.05, 0.1, true, 10}, {0.05, 0, false, 3}, {0.05, 0, true, 2}, {0, 0.1, false, 10}} {
		before := estimator{}
		for k := range 10 {
			before.Units = append(before.Units, unit{1, []float64{1 + x.off*float64(2*(k%2)-1)}})
		}
		var pool differencePool
		pool.Add(&before, 1000)
		p := NewWavePlan(Spec{Error: x.wanted, Bounded: x.bounded}, 0, 403*20, 20)
		p.Like(&pool, sureCost{})
		if got := 400 / p.period; got != x.units {
			t.Errorf("%d units fit for %v where those before were %v off, want %d", got, x.wanted, x.off, x.units)
		}
		if skip, _, _ := p.Next(nil); skip > (p.period-detailed)*20 {
			t.Errorf("%d CTAs are skipped before the first unit, of a period of %d waves", skip, p.period)
		}
	}
}

// The earlier launches, of 1000 cycles, have an interval of 1 %. Together with a further launch of 1000 cycles the
// interval is 2 % if the launch's is 3.9 %, the root of 4 % squared less 1 % squared.
func TestAWantedErrorIsThatOfTheLaunchesTogether(t *testing.T) {
	for _, x := range []struct {
		name               string
		cycles, half, next float64
		want               float64
	}{
		{"sure before", 1000, 10, 1000, math.Sqrt(0.04*0.04 - 0.01*0.01)},
		{"nothing before", 0, 0, 1000, 0.02},
		{"much before", 100000, 10, 1000, 0.04},
		{"unsure before", 1000, 100, 1000, 0.02},
		{"one of which nothing is known", 1000, 10, 0, 0.02},
	} {
		if got := (sureCost{Half: x.half, Cycles: x.cycles}).Leaves(0.02, x.next); math.Abs(got-x.want) > 1e-9 {
			t.Errorf("%s: %v is asked for, want %v", x.name, got, x.want)
		}
	}
}
