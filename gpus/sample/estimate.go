package sample

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence of the intervals.
const confidence = 0.95

// quantile is Student's t for n values.
func quantile(n float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile((1 + confidence) / 2)
}

// Unit is what one unit counted, or a part of the launch.
type Unit struct {
	Instructions float64 // warp instructions
	Counts       []float64
}

// Estimate is a count of the whole launch: Value, give or take Half at 95 % confidence.
type Estimate struct{ Value, Half float64 }

// Estimator works out what a launch counts in all from units and from what was counted outside
// them: in the head and the tail.
type Estimator struct {
	Known Unit   // of the parts that stand for themselves, units included
	Units []Unit // in their order
	// Gaps are the instructions before each unit, and behind the last, that nothing was counted for.
	Gaps []float64
	// Windows says that units are windows of time rather than waves: they follow the launch through its phases, so that
	// the deviation is that of neighbours from each other, around a line that moves slowly.
	Windows bool
}

// Count is the estimate of count i. What is counted for an instruction in a gap is the mean of the units at its
// sides. The interval is that of values drawn at random, each with the weight of the gaps that it stands
// for, and wider where neighbouring units are alike.
func (e *Estimator) Count(i int) Estimate {
	n := len(e.Units)
	rates, weights := make([]float64, n), make([]float64, n)
	inside := 0.0
	for k := range e.Units {
		rates[k] = e.Units[k].Counts[i] / e.Units[k].Instructions
		inside += e.Units[k].Instructions
	}
	gaps := 0.0
	for k, g := range e.Gaps {
		weights[max(k-1, 0)] += g / 2
		weights[min(k, n-1)] += g / 2
		gaps += g
	}
	out := Estimate{Value: e.Known.Counts[i] + floats.Dot(weights, rates)}
	if n > 1 {
		// The units are off by their deviation, and so are the parts of the gaps, which are as long.
		variance := floats.Dot(weights, weights) + gaps*inside/float64(n)
		half := halfOfOne
		if e.Windows {
			half = halfOfWindow
		}
		out.Half = half(rates) * math.Sqrt(variance)
	}
	return out
}

// halfOfOne is half of the interval of the mean of these, times the root of their number: Student's t and the standard
// deviation, and more where neighbours are alike. The machine goes on from unit to unit, and whether its CTAs are in
// step with each other outlives the skipped waves, so that a unit says in part what the one before it said.
// By an autoregression of first order n units are worth n(1-r)/(1+r) independent ones. Of n units the
// correlation r of neighbours comes out too low by (1+4r)/n (Kendall, Biometrika 1954). Below zero nothing
// is made of it, and nothing above a half, which so few units do not tell from chance or from a slope: they are worth
// a third of their number at the least, and three.
func halfOfOne(rates []float64) float64 {
	deviation, worth := independent(rates)
	return quantile(worth) * deviation
}

// independent is how many independent values these are worth, and their deviation times the root of their number over
// the root of that.
func independent(rates []float64) (deviation, worth float64) {
	mean, sd := stat.MeanStdDev(rates, nil)
	n := float64(len(rates))
	if sd == 0 {
		return 0, n
	}
	r := 0.0
	for k := 1; k < len(rates); k++ {
		r += (rates[k] - mean) * (rates[k-1] - mean) / (sd * sd * (n - 1))
	}
	r += (1 + 4*max(r, 0)) / n
	worth = min(max(n*(1-r)/(1+r), n/3, 3), n)
	return sd * math.Sqrt(n/worth), worth
}

// halfOfWindow is the same of units that follow a launch through its phases.
func halfOfWindow(rates []float64) float64 { return quantile(float64(len(rates))) * spread(rates) }
