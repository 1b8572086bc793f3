package collector

import (
	"testing"

	"kumiko/kernel/ir"
)

func TestARegisterNamedTwiceIsReadOnceWhateverTheNumberOfSources(t *testing.T) {
	for _, c := range []struct {
		src    []ir.RegID
		want   uint16
		merged uint64
	}{
		{[]ir.RegID{4}, 0b1, 0},
		{[]ir.RegID{4, 5}, 0b11, 0},
		{[]ir.RegID{4, 4}, 0b1, 1},
		{[]ir.RegID{4, 5, 4}, 0b11, 1},
		{[]ir.RegID{4, 5, 5}, 0b11, 1},
		{[]ir.RegID{4, 4, 4}, 0b1, 2},
		{[]ir.RegID{0, 0, 3}, 0b101, 1},
		{[]ir.RegID{1, 2, 3, 4}, 0b1111, 0},
		{[]ir.RegID{1, 2, 1, 3, 2}, 0b1011, 2},
		{[]ir.RegID{1, 2, 3, 4, 4}, 0b1111, 1},
	} {
		x, in := &Set{}, ir.Timing{NSrc: uint8(len(c.src))}
		copy(in.Src[:], c.src)
		if got := x.distinct(&in); got != c.want || x.merged != c.merged {
			t.Errorf("sources %v: %b to read, %d saved; want %b and %d", c.src, got, x.merged, c.want, c.merged)
		}
	}
}
