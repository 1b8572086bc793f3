package sched

import (
	"slices"
	"testing"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/smtest"
)

// A warp with two instructions and two with one each, all independent: the warps
// have a cycle each, and only the first fills both slots of its own.
func TestASecondInstructionOfACycleIsOfTheSameWarp(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	spec := testSetup()
	spec.Width = 2
	b := newBench(spec, k)
	b.warps(1, 0b111)
	b.fetch(4, 0, 0, 1)
	b.fetch(4, 1, 0)
	b.fetch(4, 2, 1)
	b.d.RunUntil(20)
	at, warps := b.issuedAt(), b.warpOrder()
	byWarp := map[int][]wire.Cycle{}
	for i, w := range warps {
		byWarp[w] = append(byWarp[w], at[i])
	}
	if len(at) != 4 || !slices.IsSorted(at) || byWarp[0][0] != byWarp[0][1] {
		t.Errorf("warps %v issued in cycles %v, want both of warp 0 in one", warps, at)
	}
	for _, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		if byWarp[pair[0]][0] == byWarp[pair[1]][0] {
			t.Errorf("warps %d and %d issued in the same cycle: %v in %v", pair[0], pair[1], warps, at)
		}
	}
}
