package sampling

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"kumiko/components/splitmix"
)

// launchDraw selects which of a series of similar launches are simulated. The number of launches is not known in
// advance. The first two are simulated. Then one launch of each stratum is drawn at random. A stratum is a sixth as
// long as all launches before it, so the number of strata grows with the logarithm of the number of launches. With
// a wanted error the first five launches are simulated, or three if their number is bounded, and strata are as long as
// this error permits.
type launchDraw struct {
	spec  Spec
	group uint64
	seen  int
	next  int // launch drawn in this stratum
	end   int // of this stratum
}

const (
	firstSimilar = 2
	share        = 6 // without a wanted error, a stratum's length is 1/share of the launches so far
	// leastKnown is the number of launches with known costs from which a stratum's length follows from the wanted
	// error. The first launch finds the machine in a state of its own, so two of three give a deviation.
	leastKnown        = 5
	leastKnownBounded = 3
	// longestShare is the maximum length of a stratum with a wanted error, as a share of the launches so far. Longer
	// strata would miss changes in the cost of launches. With 1 no launch stands for more than half of all.
	longestShare        = 0.5
	longestShareBounded = 1.0
)

// newLaunchDraw returns the sampler of a group of launches.
func newLaunchDraw(spec Spec, group uint64) *launchDraw { return &launchDraw{spec: spec, group: group} }

// Next reports whether the next launch is simulated. rates are the cycles per instruction of the simulated
// launches.
func (d *launchDraw) Next(rates []float64) bool {
	i := d.seen
	d.seen++
	if i < firstSimilar {
		d.end = d.seen
		return true
	}
	if i == d.end {
		length := max(1, i/share)
		if d.spec.Error > 0 {
			wanted := d.stratum(rates, i)
			if !d.spec.Bounded || wanted > length {
				length = wanted
			}
		}
		of := splitmix.Of(splitmix.Of(uint64(d.spec.Seed)<<20^d.group) ^ uint64(i))
		d.next, d.end = i+int(of%uint64(length)), i+length
	}
	return i == d.next
}

// stratum returns the length of the next stratum after the given number of launches, so that the wanted error is
// met. A stratum counts by its share of the launches, and the variance of the estimate grows with the square of this
// share. If each stratum is c times as long as all launches before it, these squares add up to c/(2+c). So c follows
// from the wanted error and the spread of the rates.
func (d *launchDraw) stratum(rates []float64, launches int) int {
	least, longest := leastKnown, longestShare
	if d.spec.Bounded {
		least, longest = leastKnownBounded, longestShareBounded
	}
	if len(rates) < least {
		return 1
	}
	r := rates[1:]
	x := d.spec.Error * floats.Sum(r) / float64(len(r)) / (quantile(float64(len(r)-1)) * spread(r))
	c := longest
	if x *= x; 2*x < longest*(1-x) {
		c = 2 * x / (1 - x)
	}
	return max(1, int(c*float64(launches)))
}

// spread returns the standard deviation of values around a slowly moving line, computed from the differences of
// neighbours.
func spread(x []float64) float64 {
	s := 0.0
	for i := 1; i < len(x); i++ {
		s += (x[i] - x[i-1]) * (x[i] - x[i-1])
	}
	return math.Sqrt(s / float64(2*(len(x)-1)))
}

// series is a sequence of similar launches in order.
type series struct {
	Instructions []float64 // warp instructions of each launch
	Sampled      []int     // indexes of the simulated launches
	Counts       []unit    // of the simulated launches
}

// filledSeries is the estimate of one count of a series. By launch it has the value of each skipped launch, the half
// width of the value's interval, and the systematic part of this half. Half is the half width of the sum's interval.
type filledSeries struct {
	Values, Halves, Systematic []float64
	Half                       float64
}

// Count estimates count i. A skipped launch's count per instruction is interpolated between the neighbouring
// simulated launches. The first launch finds the machine in a state of its own. It is used for no other launch's
// estimate if there are others, and never for the interval.
func (s *series) Count(i int) filledSeries {
	n := len(s.Sampled)
	rates := make([]float64, n)
	for k, u := range s.Counts {
		rates[k] = u.Counts[i] / u.Instructions
	}
	deviation, t := 0.0, 0.0
	if n > 2 {
		deviation, t = spread(rates[1:]), quantile(float64(n-2))
	}
	out := filledSeries{Values: make([]float64, len(s.Instructions)), Halves: make([]float64, len(s.Instructions)),
		Systematic: make([]float64, len(s.Instructions))}
	weights := make([]float64, n)
	variance := 0.0
	k := 0 // index of the last simulated launch before this one
	for at, x := range s.Instructions {
		if k+1 < n && s.Sampled[k+1] == at {
			k++
		}
		if s.Sampled[k] == at {
			continue
		}
		own := x * x
		if k+1 == n { // nothing was simulated behind it
			out.Values[at] = x * rates[k]
			weights[k] += x
			own *= 4
		} else {
			part := float64(at-s.Sampled[k]) / float64(s.Sampled[k+1]-s.Sampled[k])
			out.Values[at] = x * (rates[k]*(1-part) + rates[k+1]*part)
			weights[k] += x * (1 - part)
			weights[k+1] += x * part
		}
		variance += own
		out.Systematic[at] = Systematic * out.Values[at]
		out.Halves[at] = t*deviation*math.Sqrt(own+x*x/2) + out.Systematic[at]
	}
	out.Half = t*deviation*math.Sqrt(variance+floats.Dot(weights, weights)) + floats.Sum(out.Systematic)
	return out
}
