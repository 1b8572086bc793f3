package sample

import "slices"

// Flow is what the CTAs of an SM do in a time that is left out: each goes on as fast as the CTA of its age did in the
// window before. So the first CTAs get ahead of the others where the scheduler prefers the oldest warps. Where one
// ends another comes, the youngest.
type Flow struct {
	Rates  []float64 // instructions of a warp in a cycle, of the oldest CTA at first
	Rest   []float64 // instructions that are left to each
	Length float64   // instructions of a CTA that comes; 0: none comes
}

// Arrival is a CTA in the place of one that has ended.
type Arrival struct {
	Place int     // of the one that has ended
	At    float64 // cycles after the beginning
	Moved float64 // instructions, its own and of CTAs that have come and ended before it in that place
}

// Over returns how far each CTA comes in so many cycles, and those that come after them.
func (f *Flow) Over(cycles float64) (moved []float64, arrivals []Arrival) {
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
			arrivals = append(arrivals, Arrival{Place: i, At: cycles - left})
		}
		rest[i] = f.Length
		order = append(order, i)
	}
	return moved, arrivals
}
