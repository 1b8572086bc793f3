package sampling

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"kumiko/internal/averages"
)

// confidence of the intervals.
const confidence = 0.95

// quantile returns Student's t with the given degrees of freedom.
func quantile(free float64) float64 {
	return averages.StudentT(free, (1+confidence)/2)
}

// unit holds the counts of one unit, or of another part of the launch.
type unit struct {
	Instructions float64 // warp instructions
	Counts       []float64
}

// Systematic bounds what skipping changes in the cost of the units, as a share of the cost of the skipped CTAs: a unit
// finds caches that skipped CTAs have passed alone, CTAs in other steps, and a machine that has run fewer CTAs. Units
// do not show it, since it is the same in all of them. lab/docs/sampling.md has the runs that it was measured in.
const Systematic = 0.02

// interval is a count of the whole launch: Value plus or minus Half, at 95 % confidence. Half includes Systematic, the
// part that other launches of a program share.
type interval struct{ Value, Half, Systematic float64 }

// estimator estimates the counts of a whole launch from its units and from the counts outside the units, in the
// head and the tail.
type estimator struct {
	Known unit   // counts of all measured parts, units included
	Units []unit // in their order
	// Gaps are the instructions without counts: before each unit, and after the last.
	Gaps []float64
	// Skipped are the instructions in the gaps that were not simulated.
	Skipped float64
	// Like holds the units of earlier similar launches. Their deviations narrow the interval if this launch has few
	// units.
	Like *differencePool
	// Windows marks units as windows of time instead of waves. Windows follow the launch through its phases. Their
	// deviation is therefore computed between neighbours, around a slowly moving line.
	Windows bool
}

// Count estimates count i. In a gap the count per instruction is the mean of the two adjacent units. The interval
// is computed as for randomly drawn values, each weighted by its share of the gaps. Correlated neighbours widen it.
func (e *estimator) Count(i int) interval {
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
	out := interval{Value: e.Known.Counts[i] + floats.Dot(weights, rates)}
	if n > 1 {
		// Both the units and the equally long parts of the gaps contribute their deviation.
		variance := floats.Dot(weights, weights) + gaps*inside/float64(n)
		half := 0.0
		if e.Windows {
			half = halfOfWindow(rates)
		} else {
			half = e.Like.differencesOf(i).with(rates).half() * averages.Mean(rates)
		}
		out.Half = half * math.Sqrt(variance)
	}
	if gaps > 0 {
		out.Systematic = Systematic * floats.Dot(weights, rates) * e.Skipped / gaps
		out.Half += out.Systematic
	}
	return out
}

// rates returns count i per instruction, for each unit.
func (e *estimator) rates(i int) []float64 {
	out := make([]float64, len(e.Units))
	for k := range e.Units {
		out[k] = e.Units[k].Counts[i] / e.Units[k].Instructions
	}
	return out
}

// halfOfWindow returns the half-width of the confidence interval of the rates' mean, times the root of their
// number, where units follow a launch through its phases.
func halfOfWindow(rates []float64) float64 { return quantile(float64(len(rates)-1)) * spread(rates) }
