package splitmix_test

import (
	"testing"

	"kumiko/components/splitmix"
)

// The generator's state after n steps is n times its increment, so its outputs from state 0 are Of of the
// increment's multiples. The expected values are from java.util.SplittableRandom(0).
func TestTheFirstNumbersOfTheGeneratorThatStartsAtZero(t *testing.T) {
	const increment = 0x9e3779b97f4a7c15
	for n, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := splitmix.Of(uint64(n) * increment); got != want {
			t.Errorf("number %d: %#x, want %#x", n, got, want)
		}
	}
}
