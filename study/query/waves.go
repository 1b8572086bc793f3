package query

import (
	"fmt"
	"math"
)

func init() {
	Register(Function{"waves", "variant, benchmark",
		"how often the CTAs of the benchmark's shortest launch fill the machine; an error where all are exempt",
		func(c *Context) any { return c.waves }})
}

// madeWaves is the number of waves of a made-up record.
const madeWaves = 10.5

func (c *Context) waves(variant, benchmark string) (float64, error) {
	v, err := c.variant(variant)
	if err != nil {
		return 0, err
	}
	b, _, err := c.benchmark(benchmark)
	switch {
	case err != nil:
		return 0, err
	case c.find(v, b, 0) == nil:
		c.lack(v, b)
		return math.NaN(), nil
	case c.made != nil:
		return madeWaves, nil
	}
	r := c.data.Record(v, b, 0)
	if r.Waves == nil {
		return 0, fmt.Errorf("the record of %s on %s has no number of waves", v, b)
	}
	return *r.Waves, nil
}
