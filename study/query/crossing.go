package query

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

func init() {
	Register(Function{"upto", "xs, ys, level",
		"the largest x up to which the values, joined by straight lines in the order of x, do not fall below the " +
			"level; 0 if the first value does, the last x if none does",
		func(c *Context) any { return c.upTo }})
}

// upTo returns the last point along xs up to which the values ys stay at or above the level.
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
	type point struct{ x, y float64 }
	points := make([]point, len(x))
	for i := range x {
		if math.IsNaN(x[i]) || math.IsNaN(y[i]) {
			return math.NaN(), nil
		}
		points[i] = point{x[i], y[i]}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.x, b.x) })
	if points[0].y < level {
		return 0, nil
	}
	for i, b := range points[1:] {
		if a := points[i]; b.y < level {
			return a.x + (b.x-a.x)*(a.y-level)/(a.y-b.y), nil
		}
	}
	return points[len(points)-1].x, nil
}
