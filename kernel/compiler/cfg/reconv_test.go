package cfg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

var (
	quit = ir.Inst{Op: ir.OpExit, Flow: ir.FlowQuit}
	trap = ir.Inst{Op: ir.OpTrap}
)

func TestLanesMeetWhereOthersCanOnlyTrapOrQuit(t *testing.T) {
	for _, last := range []ir.Inst{quit, trap} {
		insts := []ir.Inst{guarded(bra(5)), guarded(bra(4)), nop, bra(5), last, nop, exit}
		if d := cmp.Diff([]int{5, 2, 5}, reconvs(insts)); d != "" {
			t.Errorf("%s: %s", last.Op, d)
		}
	}
}

func TestExitsThatAreTheOnlyEndCountLikeAnyOther(t *testing.T) {
	insts := []ir.Inst{guarded(bra(3)), nop, quit, nop, quit}
	if d := cmp.Diff([]int{5}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}

func TestALoopThatOnlyATrapLeavesDoesNotKeepLanesApart(t *testing.T) {
	insts := []ir.Inst{guarded(bra(4)), nop, guarded(bra(1)), trap, nop, exit}
	if d := cmp.Diff([]int{4, 6}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}

// The function begins at 5 and is called at 1 and 3.
func TestBranchesOfAFunctionMeetWithinItAndItsCallsBehindThem(t *testing.T) {
	call := func(site int) ir.Inst {
		return ir.Inst{Op: ir.OpBra, Target: 5, Targets: []int{site}, Flow: ir.FlowCall}
	}
	back := ir.Inst{Op: ir.OpBrx, Targets: []int{2, 4}, Flow: ir.FlowReturn}
	insts := []ir.Inst{guarded(bra(4)), call(2), nop, call(4), exit, guarded(bra(7)), nop, back}
	if d := cmp.Diff([]int{4, 2, 4, 7, 8}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}
