package cfg

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

// blocks returns the blocks of a divergence at the end of block d, by their first PCs.
func blocks(insts []ir.Inst, d int) []int {
	g := Build(insts)
	var out []int
	for _, b := range NewRegion(g.Paths(insts)).Between(d) {
		out = append(out, g.Blocks[b].Start)
	}
	slices.Sort(out)
	return out
}

// The exit is the immediate post-dominator, and lanes meet before it, at 4: at 3 others quit.
func TestLanesAreApartUpToWhereTheyMeetAndNotUpToTheExit(t *testing.T) {
	insts := []ir.Inst{guarded(bra(4)), nop, guarded(bra(4)), quit, nop, exit}
	if d := cmp.Diff([]int{1, 3}, blocks(insts, 0)); d != "" {
		t.Error(d)
	}
	if ip := Build(insts).IPDom()[0]; ip != None {
		t.Errorf("block %d post-dominates the branch, want none, or the test shows nothing", ip)
	}
}

// The function at 3 branches over a call of itself. Lanes of the outer call meet at 6. In the inner call some of them
// pass 6 while the others wait.
func TestAPathPassesItsMeetingPointInAnInnerCallOfItsFunction(t *testing.T) {
	call := func(site int) ir.Inst {
		return ir.Inst{Op: ir.OpBra, Target: 3, Targets: []int{site}, Flow: ir.FlowCall}
	}
	back := ir.Inst{Op: ir.OpBrx, Targets: []int{1, 5}, Flow: ir.FlowReturn}
	insts := []ir.Inst{call(1), nop, exit, guarded(bra(6)), call(5), nop, nop, back}
	g := Build(insts)
	if m := g.Paths(insts).Meet[g.BlockOf[3]]; m != g.BlockOf[6] {
		t.Fatalf("lanes meet at block %d, want %d", m, g.BlockOf[6])
	}
	if d := cmp.Diff([]int{3, 4, 5, 6}, blocks(insts, g.BlockOf[3])); d != "" {
		t.Error(d)
	}
}

func TestCallsAndReturnsSplitNoWarp(t *testing.T) {
	for _, in := range []ir.Inst{{Op: ir.OpBra, Flow: ir.FlowCall}, {Op: ir.OpBrx, Flow: ir.FlowReturn}, nop, exit} {
		if Splits(&in) {
			t.Errorf("lanes part at %s", in.Op)
		}
	}
	for _, in := range []ir.Inst{guarded(bra(1)), {Op: ir.OpBrx}} {
		if !Splits(&in) {
			t.Errorf("lanes stay together at %s", in.Op)
		}
	}
}
