package sampling

import "slices"

// flow predicts the progress of an SM's CTAs during a skipped time. Each CTA advances at the rate of the CTA of
// equal age in the preceding window. Where the scheduler prefers the oldest warps, the oldest CTAs thus get ahead
// of the others. A finished CTA is replaced by a new one, the youngest.
type flow struct {
	Rates  []float64 // instructions of a warp per cycle, by age of the CTA, the oldest first
	Rest   []float64 // remaining instructions of each CTA's warps
	Length float64   // instructions of an arriving CTA's warps; 0: none arrives
}

// shiftedArrival is a CTA in the place of a finished one.
type shiftedArrival struct {
	Place int     // of the finished CTA
	At    float64 // cycles after the beginning
	Moved float64 // instructions executed in this place since the first arrival
}

// Over returns the instructions by which each CTA advances in the given cycles, and the CTAs arriving in the
// meantime.
func (f *flow) Over(cycles float64) (moved []float64, arrivals []shiftedArrival) {
	n := len(f.Rest)
	moved = make([]float64, n)
	rest, order, came := slices.Clone(f.Rest), make([]int, n), make([]int, n)
	for i := range order {
		order[i], came[i] = i, -1
	}
	for left := cycles; left > 0; {
		first, step := -1, left
		for rank, i := range order {
			if v := f.Rates[rank]; v > 0 && rest[i]/v < step {
				first, step = rank, rest[i]/v
			}
		}
		for rank, i := range order {
			by := min(f.Rates[rank]*step, rest[i])
			rest[i] -= by
			if k := came[i]; k >= 0 {
				arrivals[k].Moved += by
			} else {
				moved[i] += by
			}
		}
		left -= step
		if first < 0 {
			break
		}
		i := order[first]
		order = slices.Delete(order, first, first+1)
		if f.Length <= 0 {
			continue
		}
		if came[i] < 0 {
			came[i] = len(arrivals)
			arrivals = append(arrivals, shiftedArrival{Place: i, At: cycles - left})
		}
		rest[i] = f.Length
		order = append(order, i)
	}
	return moved, arrivals
}
