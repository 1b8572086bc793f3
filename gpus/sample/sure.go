package sample

import "math"

// Sure is how sure the cycles of some launches are.
type Sure struct{ Cycles, Half float64 } // Half of the interval, in cycles

// Leaves is the error that the next launch, of about so many cycles, may have for that of all to be the one that is
// wanted; the wanted one, where there are none before or they have used it up, and twice that at most, since the
// deviation of a few units is not known well.
func (s Sure) Leaves(wanted, cycles float64) float64 {
	all := wanted * (s.Cycles + cycles)
	if left := all*all - s.Half*s.Half; cycles > 0 && left > wanted*wanted*cycles*cycles {
		return min(math.Sqrt(left)/cycles, 2*wanted)
	}
	return wanted
}
