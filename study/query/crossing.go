package query

import (
	"errors"
	"fmt"
	"math"
)

func init() {
	Register(Function{"upto", "xs, ys, level",
		"the largest x up to which the values, joined by straight lines, do not fall below the level; 0 where the first does, the last x where none does; xs rise",
		func(c *Context) any { return c.upTo }})
}

// errNotRising is the error of xs that do not rise, which may be the records' fault.
var errNotRising = errors.New("expected rising ones")

// upTo is how far along xs the values ys stay at or above the level.
func (c *Context) upTo(xs, ys any, level float64) (float64, error) {
	x, err := flat(nil, []any{xs})
	if err != nil {
		return 0, fmt.Errorf("upto: xs: %w", err)
	}
	y, err := flat(nil, []any{ys})
	if err != nil {
		return 0, fmt.Errorf("upto: ys: %w", err)
	}
	if len(x) != len(y) || len(x) == 0 {
		return 0, fmt.Errorf("upto: found %d xs and %d ys, expected as many, and at least one", len(x), len(y))
	}
	for i := range x {
		if i > 0 && x[i] <= x[i-1] {
			return 0, fmt.Errorf("upto: found x %v behind %v, %w", x[i], x[i-1], errNotRising)
		}
		if math.IsNaN(y[i]) {
			return math.NaN(), nil
		}
	}
	if y[0] < level {
		return 0, nil
	}
	for i := 1; i < len(x); i++ {
		if y[i] < level {
			return x[i-1] + (x[i]-x[i-1])*(y[i-1]-level)/(y[i-1]-y[i]), nil
		}
	}
	return x[len(x)-1], nil
}
