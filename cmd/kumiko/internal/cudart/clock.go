package cudart

import "kumiko/gpus/result"

// Clock has the cycle in which each launch of a program has ended. Cycle 0 is the beginning of the first launch. A row
// of the result begins where the one before it has ended, because the cycles between rows do not count.
type Clock struct {
	ended []uint64 // by launch
	all   []uint64 // by launch: when all of its row had ended
}

// Add adds the launches of the next row.
func (c *Clock) Add(k *result.Kernel) {
	before := uint64(0)
	if n := len(c.all); n > 0 {
		before = c.all[n-1]
	}
	ends := []uint64{k.Cycles}
	if len(k.Beside) > 0 {
		ends = ends[:0]
		for i := range k.Beside {
			ends = append(ends, k.Beside[i].End)
		}
	}
	for _, end := range ends {
		c.ended = append(c.ended, before+end)
		c.all = append(c.all, before+k.Cycles)
	}
}

// Launches returns the number of launches so far.
func (c *Clock) Launches() int { return len(c.ended) }

// Ended returns the cycle in which the first launches, as many as first says, and the launches with the given numbers,
// from 1 on, had all ended. A launch that the clock does not have does not count.
func (c *Clock) Ended(first int, launches []int) (cycle uint64) {
	if first = min(first, len(c.all)); first > 0 {
		cycle = c.all[first-1]
	}
	for _, l := range launches {
		if l > 0 && l <= len(c.ended) {
			cycle = max(cycle, c.ended[l-1])
		}
	}
	return cycle
}
