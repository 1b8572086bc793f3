package flow

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

func add(d int) ir.Inst {
	return ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{ir.R(ir.Reg(d), 1)},
		Src: []ir.Operand{ir.R(ir.Reg(d), 1), ir.Imm(1, 1)}}
}

func bra(to int) ir.Inst { return ir.Inst{Op: ir.OpBra, Target: to} }

func braIf(to int) ir.Inst { return ir.Inst{Op: ir.OpBra, Guard: ir.P(0), Target: to} }

var exit = ir.Inst{Op: ir.OpExit}

func text(k *ir.Kernel) string {
	var out []string
	for i := range k.Insts {
		out = append(out, k.Insts[i].String())
	}
	return strings.Join(out, "\n")
}

func check(t *testing.T, k *ir.Kernel, want ...string) {
	t.Helper()
	if d := cmp.Diff(strings.Join(want, "\n"), text(k)); d != "" {
		t.Error(d)
	}
}

func TestAShortIfBecomesPredicated(t *testing.T) {
	k := &ir.Kernel{NumRegs: 2, NumPreds: 1, Insts: []ir.Inst{braIf(2), add(0), exit}}
	IfConvert(k, 7)
	check(t, k, "@!P0 add.u32 R0, R0, 0x1", "exit")
}

func TestBothSidesOfAShortIfElseBecomePredicated(t *testing.T) {
	k := &ir.Kernel{NumRegs: 2, NumPreds: 1, Insts: []ir.Inst{braIf(3), add(0), bra(4), add(1), exit}}
	IfConvert(k, 7)
	check(t, k, "@!P0 add.u32 R0, R0, 0x1", "@P0 add.u32 R1, R1, 0x1", "exit")
}

func TestABodyAboveTheThresholdStaysABranch(t *testing.T) {
	k := &ir.Kernel{NumRegs: 2, NumPreds: 1, Insts: []ir.Inst{braIf(4), add(0), add(0), add(0), exit}}
	before := text(k)
	IfConvert(k, 2)
	check(t, k, before)
	IfConvert(k, 3)
	if len(k.Insts) != 4 {
		t.Errorf("three instructions are not converted at a threshold of three:\n%s", text(k))
	}
}

func TestABodyThatWritesTheConditionOrCommunicatesStaysABranch(t *testing.T) {
	setp := ir.Inst{Op: ir.OpSetp, Type: ir.U32, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{ir.R(0, 1), ir.R(1, 1)}}
	vote := ir.Inst{Op: ir.OpActivemask, Type: ir.B32, Dst: []ir.Operand{ir.R(0, 1)}}
	for _, in := range []ir.Inst{setp, vote, {Op: ir.OpBar}} {
		k := &ir.Kernel{NumRegs: 2, NumPreds: 1, Insts: []ir.Inst{braIf(2), in, exit}}
		IfConvert(k, 7)
		if len(k.Insts) != 3 {
			t.Errorf("converted:\n%s", text(k))
		}
	}
}

func TestAJumpToAJumpGoesStraightToTheEnd(t *testing.T) {
	k := &ir.Kernel{NumRegs: 2, NumPreds: 1, Insts: []ir.Inst{braIf(3), add(0), exit, bra(5), add(1), add(0), exit}}
	Thread(k)
	check(t, k, "@P0 bra -> 3", "add.u32 R0, R0, 0x1", "exit", "add.u32 R0, R0, 0x1", "exit")
}

func TestALoopOfJumpsIsLeftAsItIs(t *testing.T) {
	k := &ir.Kernel{NumRegs: 1, NumPreds: 1, Insts: []ir.Inst{bra(1), bra(2), bra(1)}}
	Thread(k) // must end
	if len(k.Insts) == 0 || len(k.Insts) > 2 {
		t.Errorf("left:\n%s", text(k))
	}
}
