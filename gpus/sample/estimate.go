package sample

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// confidence of the intervals.
const confidence = 0.95

// quantile is Student's t with so many degrees of freedom.
func quantile(free float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: free}.Quantile((1 + confidence) / 2)
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
	// Like are the units of launches before this one that are alike. How much they differ makes the interval of few
	// units narrower.
	Like *Pool
	// Windows says that units are windows of time rather than waves: they follow the launch through its phases, so that
	// the deviation is that of neighbours from each other, around a line that moves slowly.
	Windows bool
}

// Count is the estimate of count i. What is counted for an instruction in a gap is the mean of the units at its
// sides. The interval is that of values drawn at random, each with the weight of the gaps that it stands
// for, and wider where neighbouring units are alike.
func (e *Estimator) Count(i int) Estimate {
	n := len(e.Units)
	rates, weights := e.rates(i), make([]float64, n)
	inside := 0.0
	for k := range e.Units {
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
		half := 0.0
		if e.Windows {
			half = halfOfWindow(rates)
		} else {
			half = e.Like.of(i).with(rates).half() * stat.Mean(rates, nil)
		}
		out.Half = half * math.Sqrt(variance)
	}
	return out
}

// rates are what the units counted for each instruction.
func (e *Estimator) rates(i int) []float64 {
	out := make([]float64, len(e.Units))
	for k := range e.Units {
		out[k] = e.Units[k].Counts[i] / e.Units[k].Instructions
	}
	return out
}

// halfOfWindow is half of the interval of the mean of these, times the root of their number, where units follow a
// launch through its phases.
func halfOfWindow(rates []float64) float64 { return quantile(float64(len(rates)-1)) * spread(rates) }
