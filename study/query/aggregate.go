package query

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"kumiko/internal/averages"
)

func init() {
	for _, a := range []struct {
		name, doc string
		of        func([]float64) float64
	}{
		{"mean", "arithmetic mean", averages.Mean},
		{"geomean", "geometric mean", geomean},
		{"median", "the middle value, or the mean of the two in the middle", median},
		{"min", "the least value", slices.Min[[]float64]},
		{"max", "the greatest value", slices.Max[[]float64]},
		{"stddev", "standard deviation of a sample", stddev},
	} {
		Register(Function{a.name, "list or numbers...", a.doc + "; an error for an empty list", func(c *Context) any {
			return func(args ...any) (float64, error) { return c.aggregate(a.name, a.of, args) }
		}})
	}
}

// errEmpty is the error of an aggregate of nothing.
var errEmpty = errors.New("of an empty list")

func (c *Context) aggregate(name string, of func([]float64) float64, args []any) (float64, error) {
	list, err := flat(nil, args)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	if len(list) == 0 {
		if len(c.missing) > 0 {
			return math.NaN(), nil
		}
		return 0, fmt.Errorf("%s %w", name, errEmpty)
	}
	// The list has a missing value. slices.Min and the like would return a number
	// for such a list.
	if slices.ContainsFunc(list, math.IsNaN) {
		return math.NaN(), nil
	}
	return of(list), nil
}

func flat(out []float64, args []any) ([]float64, error) {
	for _, a := range args {
		switch a := a.(type) {
		case []any:
			var err error
			if out, err = flat(out, a); err != nil {
				return nil, err
			}
		case []float64:
			out = append(out, a...)
		default:
			f, ok := number(a)
			if !ok {
				return nil, fmt.Errorf("found %s (%v), expected a number", kindOf(a), a)
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// geomean returns NaN unless all numbers are positive. NaN becomes an error when
// shown.
func geomean(l []float64) float64 {
	if slices.Min(l) <= 0 {
		return math.NaN()
	}
	return averages.GeometricMean(l)
}

func median(l []float64) float64 {
	l = slices.Sorted(slices.Values(l))
	return (l[(len(l)-1)/2] + l[len(l)/2]) / 2
}

func stddev(l []float64) float64 {
	if len(l) < 2 {
		return 0
	}
	return averages.StdDev(l)
}
