package regmutex

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// kernel sets the timing of instructions over physical registers.
func kernel(regs int, insts ...ir.Inst) *ir.Kernel {
	k := &ir.Kernel{Name: "k", Insts: insts, NumRegs: regs, NumPreds: 1, Allocated: true}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	return k
}

func mov(d, s ir.Reg) ir.Inst {
	return ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(s, 1)}}
}

func TestTheSharedSetIsHeldFromTheFirstWriteToTheLastRead(t *testing.T) {
	k := kernel(4, mov(0, 1), mov(3, 0), mov(1, 0), mov(0, 3), mov(1, 0), ir.Inst{Op: ir.OpExit})
	p, err := New(k, 3)
	if err != nil {
		t.Fatal(err)
	}
	want := &Plan{Base: 3, Shared: 1, Needs: []bool{false, true, true, true, false, false}, Acquire: []int{1},
		Release: []int{4}}
	if d := cmp.Diff(want, p); d != "" {
		t.Error(d)
	}
	if p.Held() != 3 {
		t.Errorf("held at %d instructions, want 3", p.Held())
	}
}

func TestABaseSetOfAllRegistersNeedsNoAcquire(t *testing.T) {
	p, err := New(kernel(4, mov(0, 1), mov(3, 0), ir.Inst{Op: ir.OpExit}), 4)
	if err != nil || p.Held() != 0 || p.Acquire != nil || p.Shared != 0 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestSetsThatCannotBeAreRefused(t *testing.T) {
	k := kernel(4, ir.Inst{Op: ir.OpExit})
	for _, base := range []int{0, 5} {
		if _, err := New(k, base); err == nil {
			t.Errorf("a base set of %d was accepted", base)
		}
	}
}

// Lanes waiting at the end of a branch keep their values in the shared set while the others run code without it.
func TestARegionCoversBothSidesOfADivergentBranch(t *testing.T) {
	tid := ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(0, 1)},
		Src: []ir.Operand{{Kind: ir.KindSpecial, Special: ir.TidX, Words: 1}}}
	setp := ir.Inst{Op: ir.OpSetp, Type: ir.U32, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{ir.R(0, 1), ir.Imm(0, 1)}}
	k := kernel(3, tid, setp,
		ir.Inst{Op: ir.OpBra, Guard: ir.P(0), Target: 6}, // 2
		mov(2, 0), mov(0, 2), // 3, 4: the only code that names R2
		ir.Inst{Op: ir.OpBra, Target: 7},
		mov(1, 0), // 6: the other side
		ir.Inst{Op: ir.OpBar}, ir.Inst{Op: ir.OpExit})
	p, err := New(k, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := &Plan{Base: 2, Shared: 1, Needs: []bool{false, false, false, true, true, true, true, false, false},
		Acquire: []int{3, 6}, Release: []int{7}}
	if d := cmp.Diff(want, p); d != "" {
		t.Error(d)
	}
}

func TestABarrierInsideARegionIsNamed(t *testing.T) {
	p, err := New(kernel(2, mov(1, 0), ir.Inst{Op: ir.OpBar}, mov(0, 1), ir.Inst{Op: ir.OpExit}), 1)
	if err != nil || cmp.Diff([]int{1}, p.Barriers) != "" || cmp.Diff([]int{0}, p.Acquire) != "" {
		t.Errorf("%+v, %v", p, err)
	}
}
