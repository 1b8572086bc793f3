package query

import "strings"

func init() {
	Register(Function{"deadlocks", "variants, list",
		"how many runs of the variants on the benchmarks of the list ended in a deadlock, perturbed runs among them; " +
			"points without a record are missing only if none did", func(c *Context) any { return c.deadlocks }})
}

// deadlock is part of the failure of a run without progress
// (stop.Error).
const deadlock = ": deadlock: "

func (c *Context) deadlocks(variants, benchmarks any) (int, error) {
	named, err := texts(variants)
	if err != nil {
		return 0, err
	}
	list, err := texts(benchmarks)
	if err != nil {
		return 0, err
	}
	n := 0
	var without [][2]string
	for _, name := range named {
		v, err := c.variant(name)
		if err != nil {
			return 0, err
		}
		for _, b := range list {
			b, _, err := c.benchmark(b)
			if err != nil {
				return 0, err
			}
			if c.find(v, b, 0) == nil {
				without = append(without, [2]string{v, b})
			}
			for k := range c.data.Perturbations() + 1 {
				if r := c.data.Record(v, b, k); r != nil && strings.Contains(r.Failed, deadlock) {
					n++
				}
			}
		}
	}
	if n == 0 {
		for _, at := range without {
			c.lack(at[0], at[1])
		}
	}
	return n, nil
}
