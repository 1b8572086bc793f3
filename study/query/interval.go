package query

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kumiko/internal/averages"
)

// Interval is a confidence interval of 95 %.
type Interval struct {
	Low, High float64
	N         int // number of runs, the unperturbed one included
}

// Holds reports whether a number lies in the interval.
func (i *Interval) Holds(x float64) bool { return i.Low <= x && x <= i.High }

// Half returns half the interval's width.
func (i *Interval) Half() float64 { return (i.High - i.Low) / 2 }

// mostDigits is the most digits of a value with an interval: of a small one the rest says nothing.
const mostDigits = 6

// PlusMinus writes a value and half of its interval with the same number of decimals, so that the half has two digits:
// 450 ± 120, 1.234 ± 0.012. The value has at most six digits.
func PlusMinus(value, half float64) string {
	// Rounding may carry, as from 9.96 to 10. So the exponent is taken from the
	// rounded number.
	_, exponent, _ := strings.Cut(fmt.Sprintf("%.1e", half), "e")
	power, err := strconv.Atoi(exponent)
	decimals := 1 - power
	if err != nil { // infinite, or no number
		decimals = 0
	}
	if value != 0 {
		decimals = min(decimals, max(mostDigits-1-int(math.Floor(math.Log10(math.Abs(value)))), 0))
	}
	if decimals >= 0 {
		return fmt.Sprintf("%.*f ± %.*f", decimals, value, decimals, half)
	}
	unit := math.Pow(10, float64(-decimals))
	return fmt.Sprintf("%.0f ± %.0f", math.Round(value/unit)*unit, math.Round(half/unit)*unit)
}

// Samples evaluates an expression under every perturbation with all its points run, the unperturbed one first.
// It returns nil if an unperturbed point is missing, and one value if the expression uses no run.
func (q *Query) Samples(code string, at At) ([]*Value, error) {
	var out []*Value
	for k := 0; k <= q.data.Perturbations(); k++ {
		at.Perturb = k
		v, err := q.Eval(code, at)
		if err != nil {
			return nil, err
		}
		if v.NotRun() {
			if k == 0 {
				return nil, nil
			}
			continue
		}
		out = append(out, v)
		if !v.Runs {
			break
		}
	}
	return out, nil
}

// StudentT returns the interval of the mean of a sample by Student's t, or nil for
// fewer than two values.
func StudentT(sample []float64) *Interval {
	n := len(sample)
	if n < 2 {
		return nil
	}
	mean, t := averages.Mean(sample), averages.StudentT(float64(n-1), 0.975)
	half := t * averages.StdDev(sample) / math.Sqrt(float64(n))
	return &Interval{mean - half, mean + half, n}
}

// Interval returns the interval of a number over the perturbations, or nil.
func (q *Query) Interval(code string, at At) (*Interval, error) {
	sample, err := q.Numbers(code, at)
	return StudentT(sample), err
}

// Numbers returns the numbers among the samples of an expression.
func (q *Query) Numbers(code string, at At) (sample []float64, err error) {
	values, err := q.Samples(code, at)
	if err != nil {
		return nil, err
	}
	for _, v := range values {
		if f, ok := v.Number(); ok {
			sample = append(sample, f)
		}
	}
	return sample, nil
}
