package sample

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"kumiko/components/splitmix"
)

// Draws says which of the launches that are alike are simulated, one after the other; how many there will be is not
// known. The first two are. Then one of each stratum is, drawn at random: strata are a sixth as long as
// what came before them, so that their number grows with the logarithm of that of launches. Where an error is wanted,
// the first five are simulated, and strata are as long as that lets them be.
type Draws struct {
	spec  Spec
	group uint64
	seen  int
	next  int // launch that is drawn in this stratum
	end   int // of this stratum
}

const (
	firstAlike = 2
	share      = 6 // of the launches so far is a stratum's length, where no error is asked for
	// longestShare of the launches so far is a stratum at most where one is: what launches cost may change.
	longestShare = 0.5
)

// NewDraws begins the draws of a group of launches.
func NewDraws(spec Spec, group uint64) *Draws { return &Draws{spec: spec, group: group} }

// Next reports whether the next launch is simulated. rates are the cycles for each instruction of those that were.
func (d *Draws) Next(rates []float64) bool {
	i := d.seen
	d.seen++
	if i < firstAlike {
		d.end = d.seen
		return true
	}
	if i == d.end {
		length := max(1, i/share)
		if d.spec.Error > 0 {
			wanted := stratum(rates, d.spec.Error, i)
			if !d.spec.Bounded || wanted > length {
				length = wanted
			}
		}
		of := splitmix.Of(splitmix.Of(uint64(d.spec.Seed)<<20^d.group) ^ uint64(i))
		d.next, d.end = i+int(of%uint64(length)), i+length
	}
	return i == d.next
}

// stratum is the length of the next stratum behind so many launches, for an interval of so much over the mean. If
// strata are c times as long as what came before them, the squares of the parts of all launches that each stands for
// add up to c/(2+c).
func stratum(rates []float64, wanted float64, launches int) int {
	if len(rates) < leastUnits {
		return 1
	}
	r := rates[1:]
	x := wanted * floats.Sum(r) / float64(len(r)) / (quantile(float64(len(r)-1)) * spread(r))
	c := longestShare
	if x *= x; 2*x < longestShare*(1-x) {
		c = 2 * x / (1 - x)
	}
	return max(1, int(c*float64(launches)))
}

// spread is the deviation of values around a line that moves slowly, from the differences between neighbours.
func spread(x []float64) float64 {
	s := 0.0
	for i := 1; i < len(x); i++ {
		s += (x[i] - x[i-1]) * (x[i] - x[i-1])
	}
	return math.Sqrt(s / float64(2*(len(x)-1)))
}

// Series are launches that are alike, in their order.
type Series struct {
	Instructions []float64 // warp instructions of each launch
	Drawn        []int     // launches that were simulated
	Counts       []Unit    // of these
}

// Filled is a count of a series: of each launch that was not simulated, with its own interval, and that of their
// sum.
type Filled struct {
	Values, Halves []float64
	Half           float64
}

// Count estimates count i. What a launch counts for an instruction lies between what the launches
// beside it did that were simulated. The first launch finds the machine as no other does: it is
// in no estimate if there are others, and not in the interval.
func (s *Series) Count(i int) Filled {
	n := len(s.Drawn)
	rates := make([]float64, n)
	for k, u := range s.Counts {
		rates[k] = u.Counts[i] / u.Instructions
	}
	deviation, t := 0.0, 0.0
	if n > 2 {
		deviation, t = spread(rates[1:]), quantile(float64(n-2))
	}
	out := Filled{Values: make([]float64, len(s.Instructions)), Halves: make([]float64, len(s.Instructions))}
	weights := make([]float64, n)
	variance := 0.0
	k := 0 // the last that was drawn before the launch
	for at, x := range s.Instructions {
		if k+1 < n && s.Drawn[k+1] == at {
			k++
		}
		if s.Drawn[k] == at {
			continue
		}
		own := x * x
		if k+1 == n { // nothing was simulated behind it
			out.Values[at] = x * rates[k]
			weights[k] += x
			own *= 4
		} else {
			part := float64(at-s.Drawn[k]) / float64(s.Drawn[k+1]-s.Drawn[k])
			out.Values[at] = x * (rates[k]*(1-part) + rates[k+1]*part)
			weights[k] += x * (1 - part)
			weights[k+1] += x * part
		}
		variance += own
		out.Halves[at] = t * deviation * math.Sqrt(own+x*x/2)
	}
	out.Half = t * deviation * math.Sqrt(variance+floats.Dot(weights, weights))
	return out
}
