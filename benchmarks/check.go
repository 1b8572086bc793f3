package benchmarks

import (
	"fmt"
	"math"

	"kumiko/kernel/host"
)

// Tolerance allows |got - want| <= Abs + Rel*|want|. Each application gives the reason for its tolerance. A float32
// sum of n terms in another order than the host's may differ by about n * 2^-24 relative to the sum of magnitudes,
// and the approximate functions of PTX by about 2^-22 relative or 2^-20.9 absolute (PTX ISA section 9.7.3).
type Tolerance struct {
	Rel, Abs float64
}

// Close compares every element with the host's. NaN is equal to nothing.
func Close[F float32 | float64](buffer string, got []F, want []float64, tol Tolerance) error {
	ok := func(i int) bool {
		return math.Abs(float64(got[i])-want[i]) <= tol.Abs+tol.Rel*math.Abs(want[i])
	}
	return compare(buffer, len(got), len(want), ok, func(i int) string {
		return fmt.Sprintf("element %d is %g, expected %g within %g + %g relative", i, got[i], want[i], tol.Abs,
			tol.Rel)
	})
}

// Equal compares every element with the host's, exactly.
func Equal[T comparable](buffer string, got, want []T) error {
	ok := func(i int) bool { return got[i] == want[i] }
	return compare(buffer, len(got), len(want), ok, func(i int) string {
		return fmt.Sprintf("element %d is %v, expected %v", i, got[i], want[i])
	})
}

func compare(buffer string, got, want int, ok func(int) bool, describe func(int) string) error {
	if got != want {
		return fmt.Errorf("%s: %d elements are compared with %d", buffer, got, want)
	}
	bad := host.CheckError{Buffer: buffer}
	for i := range got {
		if ok(i) {
			continue
		}
		if bad.Mismatches == 0 {
			bad.First = describe(i)
		}
		bad.Mismatches++
	}
	if bad.Mismatches != 0 {
		return &bad
	}
	return nil
}

// Widen converts to float64.
func Widen(in []float32) []float64 {
	out := make([]float64, len(in))
	for i, v := range in {
		out[i] = float64(v)
	}
	return out
}
