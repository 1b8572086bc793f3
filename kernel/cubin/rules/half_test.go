package rules

import (
	"math"
	"testing"
)

func TestAHalfHasTheValueOfASingleIfThereIsOne(t *testing.T) {
	for single, want := range map[uint32]uint32{0: 0, 0x80000000: 0x8000, 0x3f800000: 0x3c00, 0x3dccc000: 0x2e66,
		0x477fe000: 0x7bff, 0x38800000: 0x0400, 0x387fc000: 0x03ff, 0x33800000: 0x0001, 0xb3c00000: none,
		0x3dcccccd: none, 0x47800000: none, 0x33000000: none, 0x7f800000: 0x7c00, 0x7fc00000: 0x7fff} {
		h, exact := half(float64(math.Float32frombits(single)))
		if exact != (want != none) || exact && uint32(h) != want {
			t.Errorf("%#x: found %#x, %v, want %#x", single, h, exact, want)
		}
	}
}

const none = 1 << 16 // no half
