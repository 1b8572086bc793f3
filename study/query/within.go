package query

import (
	"fmt"
	"math"
)

func init() {
	Register(Function{"within", "variant, benchmark, distribution, from, to",
		"the share of the values of a distribution (distributions of a result) from one value to another, both " +
			"included, over all launches; to = -1: no upper end. No bucket of the distribution may straddle an end",
		func(c *Context) any { return c.shareWithin }})
}

func (c *Context) shareWithin(variant, benchmark, name string, from, to float64) (float64, error) {
	r, err := c.Counted(variant, benchmark)
	if r == nil {
		return math.NaN(), err
	}
	list, ok := r.Total.Distributions[name]
	switch {
	case !ok && c.Swapped(variant):
		return 0, nil
	case !ok:
		return 0, fmt.Errorf("variant %s has no distribution %q", variant, name)
	case from < 0 || from != math.Trunc(from) || to != math.Trunc(to) || to != open && to < from:
		return 0, fmt.Errorf("within: found %v to %v, expected whole numbers in ascending order, or %v as the upper "+
			"end", from, to, open)
	}
	if to == open {
		to = math.Inf(1)
	}
	in, all := uint64(0), uint64(0)
	for _, b := range list {
		all += b.Count
		low, high := float64(b.From), float64(b.To)
		if b.To < b.From {
			high = math.Inf(1)
		}
		switch {
		case high < from || low > to:
		case low < from || high > to:
			return 0, fmt.Errorf("within: found %v to %v, but %s has a bucket of %s", from, to, name, b)
		default:
			in += b.Count
		}
	}
	return float64(in) / float64(all), nil
}

// open marks a missing upper end.
const open = -1.0
