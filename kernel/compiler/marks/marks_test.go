package marks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

func r(i int) ir.Operand { return ir.R(ir.Reg(i), 1) }

func add(d, a, b int) ir.Inst {
	return ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{r(d)}, Src: []ir.Operand{r(a), r(b)}}
}

func mov(d int, s ir.Operand) ir.Inst {
	return ir.Inst{Op: ir.OpMov, Type: ir.B32, Dst: []ir.Operand{r(d)}, Src: []ir.Operand{s}}
}

func special(s ir.Special) ir.Operand { return ir.Operand{Kind: ir.KindSpecial, Special: s, Words: 1} }

func setp(a int) ir.Inst {
	return ir.Inst{Op: ir.OpSetp, Type: ir.U32, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{r(a), ir.Imm(0, 1)}}
}

func bra(to int) ir.Inst { return ir.Inst{Op: ir.OpBra, Guard: ir.P(0), Target: to} }

func load(d, a int) ir.Inst {
	return ir.Inst{Op: ir.OpLd, Type: ir.U32, Space: ir.Global, Dst: []ir.Operand{r(d)}, Addr: ir.Addr{Base: r(a)}}
}

func store(a, v int) ir.Inst {
	return ir.Inst{Op: ir.OpSt, Type: ir.U32, Space: ir.Global, Src: []ir.Operand{r(v)}, Addr: ir.Addr{Base: r(a)}}
}

var exit = ir.Inst{Op: ir.OpExit}

func kernel(insts ...ir.Inst) *ir.Kernel {
	for i := range insts {
		ir.SetTiming(&insts[i])
	}
	return &ir.Kernel{Insts: insts, NumRegs: 8, NumPreds: 2}
}

func TestABranchOnTheThreadIndexVariesAndOneOnTheCTAIndexDoesNot(t *testing.T) {
	for s, want := range map[ir.Special]bool{ir.TidX: true, ir.CtaidX: false, ir.LaneID: true, ir.NtidX: false} {
		k := kernel(mov(0, special(s)), add(1, 0, 0), setp(1), bra(5), add(2, 1, 1), exit)
		if got := Branches(k); got[0] != want {
			t.Errorf("%v: varies %v, want %v", s, got[0], want)
		}
	}
}

func TestAValueWrittenWhereLanesAreApartVaries(t *testing.T) {
	k := kernel(mov(0, special(ir.TidX)), mov(1, ir.Imm(1, 1)), setp(0), bra(5), mov(1, ir.Imm(2, 1)), setp(1), bra(8),
		mov(2, r(1)), exit)
	if d := cmp.Diff([]bool{true, true}, Branches(k)); d != "" {
		t.Error(d)
	}
}

func TestOnlyTheFirstReaderOfALoadIsMarked(t *testing.T) {
	k := kernel(load(1, 0), add(2, 3, 3), add(4, 1, 2), add(5, 1, 4), exit)
	LongConsumers(k)
	var got []int
	for pc := range k.Insts {
		if k.Insts[pc].T.LongConsumer {
			got = append(got, pc)
		}
	}
	if d := cmp.Diff([]int{2}, got); d != "" {
		t.Error(d)
	}
}

func TestALoadCarriedAroundALoopIsWaitedForAtTheTop(t *testing.T) {
	// 0: R2 = R1+R1 reads the result of load 1 in the previous iteration.
	k := kernel(add(2, 1, 1), load(1, 0), setp(2), bra(0), exit)
	LongConsumers(k)
	if !k.Insts[0].T.LongConsumer || k.Insts[2].T.LongConsumer {
		t.Error("the loop's first instruction waits for the load, the comparison does not")
	}
}
