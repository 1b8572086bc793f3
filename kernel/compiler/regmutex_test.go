package compiler

import (
	"testing"

	"kumiko/kernel/compiler/regmutex"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// TestAWarpReadsNothingFromTheSharedSetThatItGaveUp loses the shared set, for
// all lanes, wherever the plan lets the warp release it.
func TestAWarpReadsNothingFromTheSharedSetThatItGaveUp(t *testing.T) {
	plans := map[*ir.Kernel]*regmutex.Plan{}
	given, held := 0, 0
	eachDyn(t, 30, func(seed uint64, k *ir.Kernel) func(*stream.Dyn) {
		if plans[k] == nil {
			p, err := regmutex.New(k, k.NumRegs*3/4)
			if err != nil {
				t.Fatal(err)
			}
			plans[k] = p
		}
		p := plans[k]
		var h holes
		return func(d *stream.Dyn) {
			if p.Needs[d.PC] {
				held++
			} else {
				given++
				for r := p.Base; r < k.NumRegs; r++ {
					h.lost[r] = ^uint32(0)
				}
			}
			h.reads(t, seed, "shared set", d)
			h.writes(d)
		}
	})
	if given == 0 || held == 0 {
		t.Errorf("%d instructions without the shared set, %d with it", given, held)
	}
}
