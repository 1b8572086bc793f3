package sampling

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// draw goes through a series of launches with the given costs and numbers of instructions.
func draw(spec Spec, costs, insts []float64) *series {
	d, s := newLaunchDraw(spec, 3), &series{}
	var rates []float64
	for i := range costs {
		s.Instructions = append(s.Instructions, insts[i])
		if d.Next(rates) {
			rates = append(rates, costs[i])
			s.Sampled = append(s.Sampled, i)
			s.Counts = append(s.Counts, unit{insts[i], []float64{costs[i] * insts[i]}})
		}
	}
	return s
}

func same(n int, x float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = x
	}
	return out
}

func TestEveryLaunchIsSimulatedOrEstimated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 600).Draw(t, "launches")
		s := draw(Spec{Seed: rapid.Int64().Draw(t, "seed")}, same(n, 2), same(n, 10))
		c := s.Count(0)
		k := 0
		for i := range n {
			if k < len(s.Sampled) && s.Sampled[k] == i {
				if k++; c.Values[i] != 0 {
					t.Fatalf("launch %d is simulated and estimated", i)
				}
			} else if math.Abs(c.Values[i]-20) > 1e-9 {
				t.Fatalf("launch %d is estimated as %v, want 20", i, c.Values[i])
			}
		}
		if want := Systematic * 20 * float64(n-len(s.Sampled)); math.Abs(c.Half-want) > 1e-9 {
			t.Fatalf("an interval of %v of launches that are all the same, want %v", c.Half, want)
		}
	})
}

func TestThousandsOfLaunchesNeedSomeTens(t *testing.T) {
	for _, x := range []struct {
		wanted                float64
		bounded               bool
		launches, least, most int
	}{{0, false, 10, 10, 10}, {0, false, 100, 20, 30}, {0, false, 10000, 40, 60},
		{0.03, false, 5, 5, 5}, {0.03, false, 100, 12, 14}, {0.03, false, 10000, 23, 26},
		{0.03, true, 3, 3, 3}, {0.03, true, 100, 8, 9}, {0.03, true, 10000, 14, 16}} {
		spec := Spec{Seed: 1, Error: x.wanted, Bounded: x.bounded}
		n := len(draw(spec, same(x.launches, 1), same(x.launches, 1)).Sampled)
		if n < x.least || n > x.most {
			t.Errorf("%d launches are simulated, want as many as these say: %+v", n, x)
		}
	}
}

func TestAnErrorThatIsAskedForDrawsMoreLaunchesWhereTheyDiffer(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	costs := make([]float64, 400)
	for i := range costs {
		costs[i] = 1 + 0.2*rng.NormFloat64()
	}
	drawn := func(half float64) int { return len(draw(Spec{Seed: 1, Error: half}, costs, same(400, 1)).Sampled) }
	if few, many := drawn(0.2), drawn(0.02); few > 60 || many < 200 {
		t.Errorf("%d and %d launches, want some tens and some hundreds", few, many)
	}
}

// The launches get smaller and costlier, as in an elimination, and the first one is cold.
func TestALineThatMovesSlowlyIsFollowed(t *testing.T) {
	const n = 500
	costs, insts := make([]float64, n), make([]float64, n)
	truth := 0.0
	for i := range n {
		costs[i], insts[i] = 1+float64(i)/n, float64(2*n-i)
		truth += costs[i] * insts[i]
	}
	costs[0] = 9
	truth += 8 * insts[0]
	s := draw(Spec{Seed: 4}, costs, insts)
	got := sum(s)
	if math.Abs(got-truth) > 0.01*truth {
		t.Errorf("%v, want %v", got, truth)
	}
	if half := s.Count(0).Half; half > 0.05*truth {
		t.Errorf("half an interval of %v, of %v", half, truth)
	}
}

// sum returns the sum of the simulated and of the estimated counts.
func sum(s *series) float64 {
	out := 0.0
	for _, u := range s.Counts {
		out += u.Counts[0]
	}
	for _, v := range s.Count(0).Values {
		out += v
	}
	return out
}

func TestTheIntervalOfLaunchesHoldsTheTruthAsOftenAsItSays(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	inside := 0
	const tries = 2000
	for try := range tries {
		n := 40 + rng.IntN(300)
		costs, insts := make([]float64, n), make([]float64, n)
		truth := 0.0
		for i := range n {
			costs[i], insts[i] = 2+0.5*float64(i)/float64(n)+0.3*rng.NormFloat64(), 1+rng.Float64()
			truth += costs[i] * insts[i]
		}
		s := draw(Spec{Seed: int64(try)}, costs, insts)
		if math.Abs(sum(s)-truth) <= s.Count(0).Half {
			inside++
		}
	}
	if share := float64(inside) / tries; share < 0.92 || share > 0.995 {
		t.Errorf("%.3f of the programs lie in their interval, want about 0.95", share)
	}
}
