package launch

import "testing"

// The first draws of the reference implementation for seed 42, sequence 54 (pcg32-demo).
func TestTheGeneratorIsTheReferenceOne(t *testing.T) {
	g := newPCG(42)
	for i, want := range []uint32{0xa15c02b7, 0x7b47f409, 0xba1d3330} {
		if got := g.next(); got != want {
			t.Errorf("draw %d: %#x, want %#x", i, got, want)
		}
	}
}

func TestFloatsUseTheUpper24Bits(t *testing.T) {
	// 0xa15c02b7 >> 8 = 0xa15c02 = 10574850; -1 + 3 * 10574850 / 2^24.
	if got, want := newPCG(42).float(-1, 2), -1+3*10574850.0/16777216; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestIntegersAreReducedModuloTheSpan(t *testing.T) {
	// 0xa15c02b7 = 2707161783; mod 10 = 3; -5 + 3 = -2.
	if got := newPCG(42).integer(-5, 4); got != -2 {
		t.Errorf("%d, want -2", got)
	}
}
