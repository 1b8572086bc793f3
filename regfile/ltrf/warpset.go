package ltrf

import (
	"math/bits"

	"kumiko/regfile"
)

// each calls f for the warps of a set, in ascending order.
func each(s regfile.WarpSet, f func(warp int)) {
	for i, m := range s {
		for ; m != 0; m &= m - 1 {
			f(i<<6 + bits.TrailingZeros64(m))
		}
	}
}

// next returns the next warp of a non-empty set after last, in turn among all warps.
func next(s *regfile.WarpSet, last, warps int) int {
	for n := warps; ; n-- {
		if last++; last == warps {
			last = 0
		}
		if s.Has(last) {
			return last
		}
		if n == 0 {
			panic("ltrf: the next warp of an empty set")
		}
	}
}
