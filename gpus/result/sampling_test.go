package result

import (
	"math"
	"testing"
)

// The half interval of a launch has a part that is due to chance and a part that all launches share. Chance gives two
// launches 5 and 12 cycles, and a group of two launches 84 together.
func TestDoubtsOfChanceAddUpAsSquaresAndSharedOnesAsTheyAre(t *testing.T) {
	of := func(half, shared float64, group int, groupHalf float64) Kernel {
		return Kernel{Sampled: true, Sample: &Sample{CyclesHalf: half, CyclesSystematic: shared, Group: group,
			GroupCyclesHalf: groupHalf}}
	}
	r := Result{Kernels: []Kernel{of(15, 10, 0, 0), of(32, 20, 0, 0), of(60, 1, 1, 87), of(60, 2, 1, 87), {}}}
	s := r.Sampling()
	if want := math.Sqrt(5*5+12*12+84*84) + 33; math.Abs(s.CyclesHalf-want) > 1e-9 || s.CyclesSystematic != 33 {
		t.Errorf("half interval %v, %v of it shared; want %v and 33", s.CyclesHalf, s.CyclesSystematic, want)
	}
}
