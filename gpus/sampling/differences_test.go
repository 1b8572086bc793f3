package sampling

import (
	"math"
	"math/rand/v2"
	"testing"
)

// sampled samples similar launches of the given number of waves. The costs of successive waves have correlation r
// and deviation sd. sampled returns the error of the estimate for all launches, the half-width of the interval,
// both relative to the true value, and the number of simulated waves.
func sampled(rng *rand.Rand, spec Spec, launches, waves int, r, sd float64) (off, half, simulated float64) {
	const wave = 20
	var pool differencePool
	var all sureCost
	truth, value, squares := 0.0, 0.0, 0.0
	for launch := range launches {
		costs, x := make([]float64, waves), rng.NormFloat64()
		mean := 1 + 0.2*rng.Float64()
		total := 0.0
		for i := range costs {
			costs[i] = mean * (1 + sd*x)
			x = r*x + math.Sqrt(1-r*r)*rng.NormFloat64()
			total += costs[i]
		}
		p := NewWavePlan(spec, uint64(launch), waves*wave, wave)
		p.Like(&pool, all)
		e := estimator{Known: unit{Counts: []float64{0}}, Like: &pool}
		at, gap := 0, 0.0
		for ; at < head; at++ {
			e.Known.Counts[0] += costs[at]
		}
		var rates []float64
		shift := 0 // of a partial wave, counted as a whole one
		for last := false; !last; {
			var skip int
			skip, _, last = p.Next(rates)
			skip += shift
			shift = skip % wave
			at += skip / wave
			gap += float64(skip / wave)
			if last {
				break
			}
			at += ramp
			gap += ramp
			e.Gaps, gap = append(e.Gaps, gap), 0
			e.Units = append(e.Units, unit{1, []float64{costs[at]}})
			e.Known.Counts[0] += costs[at]
			rates = append(rates, costs[at])
			at++
		}
		simulated += float64(head + detailed*len(rates) + tail)
		for ; at < waves; at++ {
			e.Known.Counts[0] += costs[at]
		}
		e.Gaps = append(e.Gaps, gap)
		got := e.Count(0)
		pool.Add(&e, got.Value)
		truth += total
		value += got.Value
		squares += got.Half * got.Half
		all = sureCost{Cycles: value, Half: math.Sqrt(squares)}
	}
	return (value - truth) / truth, math.Sqrt(squares) / truth, simulated / float64(launches*waves)
}

func TestIntervalsOfAWantedErrorHoldTheTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, x := range []struct {
		launches        int
		r, sd           float64
		simulated, most float64 // share
	}{{1, 0.5, 0.01, 0.14, 0.16}, {1, 0, 0.03, 0.14, 0.25}, {2, 0, 0.03, 0.1, 0.2}, {6, 0.5, 0.03, 0.07, 0.12}} {
		inside, share := 0, 0.0
		const tries = 100
		for try := range tries {
			off, half, simulated := sampled(rng, Spec{Seed: int64(try), Error: 0.03}, x.launches, 128, x.r, x.sd)
			if math.Abs(off) <= half {
				inside++
			}
			share += simulated / tries
		}
		if inside < 90 {
			t.Errorf("%+v: %d of %d programs lie in their interval, want at least 90", x, inside, tries)
		}
		if share < x.simulated || share > x.most {
			t.Errorf("%+v: %.3f was simulated", x, share)
		}
	}
}

// Five units with 10 % deviation alternate between 1 and 1.2. An interval of 5 % needs 18 independent units: their
// t is 2.11, and 2.11 x 0.1 is 0.05 x the root of 18. With the t of five units, 2.78, it would be 31.
func TestMoreUnitsMakeTheQuantileSmallerToo(t *testing.T) {
	costs := []float64{1.1, 1, 1.2, 1, 1.2}
	if got := (differences{}).with(costs).needed(5, 5, 0.05/1.1); got != 18 {
		t.Errorf("%d units, want 18", got)
	}
}

// Twelve units of two launches, each 10 % from the mean of its launch, leave ten degrees of freedom and a deviation
// of 11 %. For 8 % a third launch needs nine units: with 18 degrees t is 2.10, and 2.10 x 0.11 is less than 0.08 x
// the root of nine, but more than 0.08 x the root of eight.
func TestUnitsOfLaunchesBeforeCountForTheDeviation(t *testing.T) {
	one := []float64{0.9, 1.1, 0.9, 1.1, 0.9, 1.1}
	two := []float64{1.8, 2.2, 1.8, 2.2, 1.8, 2.2}
	d := differences{}.with(one).with(two)
	free := d.free(d.independent())
	if want := math.Sqrt(12 * 0.01 / 10); math.Abs(d.deviation()-want) > 1e-9 || free != 10 {
		t.Errorf("a deviation of %v with %v degrees of freedom, want %v with 10", d.deviation(), free, want)
	}
	if got := d.needed(0, leastMore, 0.08); got != 9 {
		t.Errorf("%d units, want 9", got)
	}
}

func TestALaunchThatCountsNothingSaysNothingOfTheOthers(t *testing.T) {
	d := differences{}.with([]float64{1, 2, 3})
	if got := d.with([]float64{0, 0, 0}); got != d {
		t.Errorf("%+v, want %+v", got, d)
	}
}
