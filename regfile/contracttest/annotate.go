package contracttest

import (
	"math/rand/v2"
	"slices"

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
			if slices.Contains(t.Dst[:t.NDst], r) && steps[i].exec == ^uint32(0) || !needed(steps[i+1:], r) {
				t.Dead |= 1 << s
			}
			t.NextSrc[s] = next(steps[i+1:], r)
		}
		for d, r := range t.Dst[:t.NDst] {
			t.NextDst[d] = next(steps[i+1:], r)
		}
	}
}

// needed reports whether some lane may read a register before it is overwritten in all lanes.
func needed(rest []step, r ir.RegID) bool {
	for i := range rest {
		t := &rest[i].inst.T
		if slices.Contains(t.Src[:t.NSrc], r) {
			return true
		}
		if slices.Contains(t.Dst[:t.NDst], r) && rest[i].exec == ^uint32(0) {
			return false
		}
	}
	return false
}

// next returns the number of instructions to the next read of a register, counted as in ir.Timing: 1 is the next
// instruction, ir.MaxNext is that many or more, and 0 means that nothing reads the value.
func next(rest []step, r ir.RegID) uint8 {
	for i := range rest {
		t := &rest[i].inst.T
		if slices.Contains(t.Src[:t.NSrc], r) {
			return uint8(min(i+1, ir.MaxNext))
		}
		if slices.Contains(t.Dst[:t.NDst], r) && rest[i].exec == ^uint32(0) {
			return 0
		}
	}
	return 0
}
