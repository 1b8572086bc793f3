package query

import (
	"fmt"
	"math"
	"strings"
)

func init() {
	Register(Function{"statsum", "variant, benchmark, prefixes...",
		"the sum of the statistics whose names begin with one of the prefixes, such as \"regfile.bank.reads.\", " +
			"over all launches",
		func(c *Context) any { return c.statSum }})
}

func (c *Context) statSum(variant, benchmark string, prefixes ...string) (float64, error) {
	r, err := c.Counted(variant, benchmark)
	if r == nil {
		return math.NaN(), err
	}
	if len(prefixes) == 0 {
		return 0, fmt.Errorf("statsum: found no prefix, expected at least one")
	}
	var sum uint64
	for _, p := range prefixes {
		found := false
		for name, n := range r.Total.Stats {
			if strings.HasPrefix(name, p) {
				sum += n
				found = true
			}
		}
		if !found && !c.Swapped(variant) {
			return 0, fmt.Errorf("variant %s has no statistic that begins with %q", variant, p)
		}
	}
	return float64(sum), nil
}
