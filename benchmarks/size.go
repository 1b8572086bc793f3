package benchmarks

import (
	"fmt"

	"kumiko/internal/nearest"
)

// Size selects the amount of work of an application.
type Size int

// Sizes. Test is under 20,000 warp instructions in all. Small is for a quick look (about 50,000 to 300,000). Study
// gives a four-SM slice at least three full waves at twice the residency of 32 CTAs or 2048 threads per SM, with at
// most about three million warp instructions: many CTAs with little work each. Large extends Study in loop lengths
// and data sizes to those of the published inputs, up to twenty million warp instructions. Paper is the input of
// the published evaluations, if known.
const (
	Test Size = iota
	Small
	Study
	Large
	Paper
)

var sizeNames = [...]string{"test", "small", "study", "large", "paper"}

// String returns the size's name on the command line.
func (s Size) String() string { return sizeNames[s] }

// ParseSize is the inverse of String.
func ParseSize(name string) (Size, error) {
	for i, n := range sizeNames {
		if n == name {
			return Size(i), nil
		}
	}
	return 0, fmt.Errorf("size %q: expected test, small, study, large or paper%s", name,
		nearest.Hint(name, sizeNames[:]))
}

// Sizes holds an application's parameters at each size. Large is nil if Study is large enough, and Paper if no
// published input is known.
type Sizes[T any] struct {
	Test, Small, Study T
	Large, Paper       *T
}

// Get returns the parameters for a size.
func (s *Sizes[T]) Get(size Size) (T, error) {
	switch size {
	case Test:
		return s.Test, nil
	case Small:
		return s.Small, nil
	case Study:
		return s.Study, nil
	case Large:
		if s.Large != nil {
			return *s.Large, nil
		}
		return s.Study, nil
	case Paper:
		if s.Paper != nil {
			return *s.Paper, nil
		}
		var none T
		return none, fmt.Errorf("no published input is known for size %v", size)
	}
	var none T
	return none, fmt.Errorf("size %d does not exist", int(size))
}

// StudyCTAs returns the least recommended number of CTAs of a launch at size study: three waves on four SMs at
// twice the residency of the widest SM, which has 32 CTA slots and 2048 threads.
func StudyCTAs(threads int) int {
	warps := (threads + 31) / 32
	return 3 * 4 * 2 * min(32, 64/warps)
}
