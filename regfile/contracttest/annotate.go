package contracttest

import (
	"math/rand/v2"

	"kumiko/kernel/ir"
)

// annotate completes the timing view of the operations of a program: the compiler's hints on their registers, and
// the memory space of loads for the load/store unit.
func (c *Config) annotate(rng *rand.Rand, steps []step) {
	for i := range steps {
		t := &steps[i].inst.T
		if c.Units[steps[i].unit].Kind == "ldst" {
			t.Class = ir.ClassLoad
			t.Space = []ir.Space{ir.Global, ir.Shared, ir.Local, ir.Const}[rng.IntN(4)]
		}
		t.FarSrc, t.FarDst = uint16(rng.Uint32()&rng.Uint32()), uint16(rng.Uint32()&rng.Uint32())
		for s, r := range t.Src[:t.NSrc] {
			if writes(t, r) && steps[i].exec == ^uint32(0) || !needed(steps[i+1:], r) {
				t.Dead |= 1 << s
			}
		}
	}
}

func writes(t *ir.Timing, r ir.RegID) bool {
	for _, d := range t.Dst[:t.NDst] {
		if d == r {
			return true
		}
	}
	return false
}

// needed reports whether some lane may read a register before it is overwritten in all lanes.
func needed(rest []step, r ir.RegID) bool {
	for i := range rest {
		t := &rest[i].inst.T
		for _, s := range t.Src[:t.NSrc] {
			if s == r {
				return true
			}
		}
		if writes(t, r) && rest[i].exec == ^uint32(0) {
			return false
		}
	}
	return false
}
