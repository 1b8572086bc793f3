package intervals

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAStrandEndsBehindALongLatencyOperation(t *testing.T) {
	g := &Graph{Blocks: []Block{{Insts: []Set{regs(0), regs(1), regs(2)}}}}
	s := Split(g, func(_, i int) bool { return i == 1 })
	list, _ := Form(s, 16)
	if len(list) != 2 || list[0].Registers != regs(0, 1) || list[1].Registers != regs(2) {
		t.Errorf("%+v", list)
	}
}

func TestAStrandEndsAtABackwardBranchAndSpansAForwardOne(t *testing.T) {
	// 0 -> 1, 2; 1 -> 2; 2 -> 2, 3
	g := &Graph{Blocks: []Block{
		{Insts: []Set{regs(0)}, Succs: []int{1, 2}},
		{Insts: []Set{regs(1)}, Succs: []int{2}},
		{Insts: []Set{regs(2)}, Succs: []int{3, 2}},
		{Insts: []Set{regs(3)}},
	}}
	s := Split(g, func(int, int) bool { return false })
	list, _ := Form(s, 16)
	if d := cmp.Diff([][]Piece{{{0, 0, 1}, {1, 0, 1}}, {{2, 0, 1}}, {{3, 0, 1}}}, pieces(list)); d != "" {
		t.Error(d)
	}
}

func TestEveryInstructionIsFoundInItsInterval(t *testing.T) {
	g := &Graph{Blocks: []Block{
		{Insts: []Set{regs(0, 1), regs(1, 2), regs(3)}, Succs: []int{2}},
		{Insts: []Set{regs(9)}, First: 3}, // not reached
		{Insts: []Set{regs(3)}, First: 4},
	}}
	list, _ := Build(g, 3)
	if d := cmp.Diff([]int{0, 0, 1, -1, 1}, ByPC(g, list)); d != "" {
		t.Error(d)
	}
}
