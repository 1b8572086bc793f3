package cfg

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/kernel/ir"
)

func bra(target int) ir.Inst { return ir.Inst{Op: ir.OpBra, Target: target} }

func guarded(in ir.Inst) ir.Inst {
	in.Guard = ir.P(0)
	return in
}

var (
	nop  = ir.Inst{Op: ir.OpNop}
	exit = ir.Inst{Op: ir.OpExit}
)

func reconvs(insts []ir.Inst) []int {
	Build(insts).SetReconv(insts)
	var out []int
	for i := range insts {
		if insts[i].Op == ir.OpBra || insts[i].Op == ir.OpBrx {
			out = append(out, insts[i].Reconv)
		}
	}
	return out
}

func TestTheTwoSidesOfAnIfMeetBehindIt(t *testing.T) {
	insts := []ir.Inst{guarded(bra(3)), nop, bra(4), nop, nop, exit}
	if d := cmp.Diff([]int{4, 4}, reconvs(insts)); d != "" {
		t.Error(d)
	}
	g := Build(insts)
	if d := cmp.Diff([]int{1, 2}, g.Blocks[0].Succs); d != "" {
		t.Error(d)
	}
}

func TestALoopBranchMeetsAtTheLoopsEnd(t *testing.T) {
	insts := []ir.Inst{nop, nop, guarded(bra(1)), nop, exit}
	if d := cmp.Diff([]int{3}, reconvs(insts)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{0, 1, 0}, Build(insts).Depth()); d != "" {
		t.Error(d)
	}
}

func TestNestedLoopsHaveGrowingDepth(t *testing.T) {
	insts := []ir.Inst{nop, nop, nop, guarded(bra(2)), guarded(bra(1)), exit}
	if d := cmp.Diff([]int{0, 1, 2, 1, 0}, Build(insts).Depth()); d != "" {
		t.Error(d)
	}
}

func TestPathsThatBothExitMeetOnlyAtTheEnd(t *testing.T) {
	insts := []ir.Inst{guarded(bra(2)), exit, nop, exit}
	if d := cmp.Diff([]int{4}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}

func TestAGuardedExitHasTwoSuccessors(t *testing.T) {
	// The branch's paths need not meet at 4: a lane of the first may leave at 1.
	insts := []ir.Inst{guarded(bra(3)), guarded(exit), bra(4), nop, nop, exit}
	g := Build(insts)
	if b := g.Blocks[1]; !b.Exits || len(b.Succs) != 1 {
		t.Errorf("block of the guarded exit: %+v", b)
	}
	if d := cmp.Diff([]int{6, 4}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}

func TestALoopWithoutEndIsGivenAPostDominator(t *testing.T) {
	insts := []ir.Inst{guarded(bra(3)), nop, bra(1), exit}
	if d := cmp.Diff([]int{4, 4}, reconvs(insts)); d != "" {
		t.Error(d)
	}
	insts = []ir.Inst{nop, guarded(bra(3)), nop, nop, bra(0)}
	if d := cmp.Diff([]int{3, 5}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}

func TestAnIndexedBranchHasOneEdgePerDistinctTarget(t *testing.T) {
	insts := []ir.Inst{{Op: ir.OpBrx, Targets: []int{1, 3, 3}}, nop, bra(4), nop, exit}
	g := Build(insts)
	if d := cmp.Diff([]int{1, 2}, g.Blocks[0].Succs); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{4, 4}, reconvs(insts)); d != "" {
		t.Error(d)
	}
}

func TestFallingOffTheEndIsAnExit(t *testing.T) {
	insts := []ir.Inst{guarded(bra(2)), nop}
	if d := cmp.Diff([]int{2}, reconvs(insts)); d != "" {
		t.Error(d)
	}
	if !Build(insts).Blocks[0].Exits {
		t.Error("a branch past the last instruction does not leave the kernel")
	}
}

func TestAnEmptyProgramHasAnEmptyGraph(t *testing.T) {
	g := Build(nil)
	g.SetReconv(nil)
	if len(g.Blocks) != 0 || len(g.Depth()) != 0 {
		t.Errorf("%+v", g)
	}
}

// reaches reports whether the exit can be reached from block b without block
// without (None: no restriction).
func reaches(g *Graph, b, without int) bool {
	seen := make([]bool, len(g.Blocks))
	var walk func(int) bool
	walk = func(b int) bool {
		if b == without || seen[b] {
			return false
		}
		seen[b] = true
		if g.Blocks[b].Exits {
			return true
		}
		return slices.ContainsFunc(g.Blocks[b].Succs, walk)
	}
	return walk(b)
}

func TestPostDominatorsAreThoseOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "n")
		insts := make([]ir.Inst, n)
		for i := range insts {
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				insts[i] = guarded(bra(rapid.IntRange(0, n).Draw(t, "target")))
			case 1:
				insts[i] = bra(rapid.IntRange(0, n).Draw(t, "target"))
			case 2:
				insts[i] = guarded(exit)
			}
		}
		g := Build(insts)
		for b := range g.Blocks {
			if !reaches(g, b, None) {
				t.Skip("an endless loop has post-dominators by convention only")
			}
		}
		for b := range g.Blocks {
			for a := range g.Blocks {
				want := a == b || !reaches(g, b, a)
				if got := postDominates(g, a, b); got != want {
					t.Fatalf("block %d post-dominates %d: %v, want %v", a, b, got, want)
				}
			}
		}
	})
}

// postDominates reports whether every path from b to the exit passes through a, by the
// tree of immediate post-dominators. A block post-dominates itself.
func postDominates(g *Graph, a, b int) bool {
	for ip := g.IPDom(); b != None; b = ip[b] {
		if a == b {
			return true
		}
	}
	return false
}
