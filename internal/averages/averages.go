// Package averages has the mean and the deviation of a sample, and Student's t. Package stat of gonum has them too, but
// makes a program compile its linear algebra.
package averages

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// Mean returns the arithmetic mean; NaN without numbers.
func Mean(x []float64) float64 { return floats.Sum(x) / float64(len(x)) }

// GeometricMean returns the geometric mean of positive numbers.
func GeometricMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(x)))
}

// StdDev returns the sample standard deviation, of len(x)-1 degrees of freedom. It sums the squares of the differences
// from the mean, and corrects the sum for the rounding of the mean.
func StdDev(x []float64) float64 {
	mean := Mean(x)
	squares, rest := 0.0, 0.0
	for _, v := range x {
		d := v - mean
		squares += d * d
		rest += d
	}
	n := float64(len(x))
	return math.Sqrt((squares - rest*rest/n) / (n - 1))
}

// StudentT returns the quantile p, above 0.5 and below 1, of Student's t with the given degrees of freedom. With the
// regularized incomplete beta function I, the distribution function at t is
// 1 - I(free/(free+t*t); free/2, 1/2) / 2.
func StudentT(free, p float64) float64 {
	x := mathext.InvRegIncBeta(free/2, 0.5, 2*(1-p))
	return math.Sqrt(free * (1 - x) / x)
}
