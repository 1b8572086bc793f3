package marks

import (
	"testing"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

func barrierInst(op ir.Op) ir.Inst { return ir.Inst{Op: op, Src: []ir.Operand{ir.Imm(0, 1)}} }

func TestInMachineCodeAValueIsNeededByLanesElsewhereUntilTheyMeet(t *testing.T) {
	// 0: set, 1: if p goto 4, 2: R2 = R0+R1, 3: goto 5, 4: R3 = R0+R4, 5: wait, 6: R5 = R2+R1, 7: exit.
	over := ir.Inst{Op: ir.OpBra, Target: 5}
	k := kernel(barrierInst(ir.OpBarrierSet), bra(4), add(2, 0, 1), over, add(3, 0, 4),
		barrierInst(ir.OpBarrierWait), add(5, 2, 1), exit)
	k.Converges = true
	l := liveness.Analyze(k, cfg.Build(k.Insts))
	need := Elsewhere(l)
	for _, c := range []struct {
		pc   int
		want []int // of the registers read, those lanes elsewhere need
		not  []int
	}{
		{2, []int{0, 4, 1, 2}, nil}, // lanes at 4, and those waiting behind 5
		{4, []int{0, 1, 2}, []int{4}},
		{6, nil, []int{0, 1, 2, 4}}, // all are here
	} {
		have := need[l.G.BlockOf[c.pc]]
		for _, r := range c.want {
			if !have.Has(r) {
				t.Errorf("at %d lanes elsewhere need R%d, which is missing", c.pc, r)
			}
		}
		for _, r := range c.not {
			if have.Has(r) {
				t.Errorf("at %d nobody elsewhere needs R%d", c.pc, r)
			}
		}
	}
	Dead(k)
	if k.Insts[2].T.Dead != 0 || k.Insts[6].T.Dead != 3 {
		t.Errorf("dead %b at 2, %b at 6, want none and both", k.Insts[2].T.Dead, k.Insts[6].T.Dead)
	}
}

func TestAnInstructionOfTheUniformPathHasOneResult(t *testing.T) {
	up := ir.P(ir.UniformPreds)
	k := kernel(mov(0, special(ir.TidX)),
		ir.Inst{Op: ir.OpSetp, Type: ir.U32, Uniform: true, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{up},
			Src: []ir.Operand{ir.U(4, 1), ir.Imm(0, 1)}},
		ir.Inst{Op: ir.OpBra, Guard: up, Target: 3}, exit)
	k.NumPreds, k.Converges = 15, true
	if Branches(k)[0] {
		t.Error("a branch on a uniform predicate varies")
	}
}
