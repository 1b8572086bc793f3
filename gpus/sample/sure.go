package sample

import "math"

// Sure is how sure the cycles of some launches are.
type Sure struct{ Cycles, Half float64 } // Half of the interval, in cycles

// Leaves is the error that the next launch, of about so many cycles, may have for that of all to be the one that is
// wanted; the wanted one, where there are none before or they have used it up.
func (s Sure) Leaves(wanted, cycles float64) float64 {
	all := wanted * (s.Cycles + cycles)
	if left := all*all - s.Half*s.Half; cycles > 0 && left > wanted*wanted*cycles*cycles {
		return math.Sqrt(left) / cycles
	}
	return wanted
}
