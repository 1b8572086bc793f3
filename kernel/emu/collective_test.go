package emu

import (
	"slices"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// Lanes on both sides of a branch come to an OpCollective of their side: one of them is executed by all.
func TestLanesAtDifferentCollectivesExecuteOneOfThemTogether(t *testing.T) {
	k := newKit(0)
	side := func(to string) {
		k.fixups[len(k.insts)] = to
		k.lists[len(k.insts)] = []string{"one", "other"}
		k.add(ir.Inst{Op: ir.OpCollective, Src: []ir.Operand{ir.Imm(0xffffffff, 1)}})
	}
	end := func() {
		k.lists[len(k.insts)] = []string{"behind one", "behind other"}
		k.add(ir.Inst{Op: ir.OpCollectiveEnd})
	}
	k.below(8)
	k.bra(ir.P(0), "upper")
	side("behind one") // 2
	k.label("one")
	k.nop() // 3
	end()   // 4
	k.label("behind one")
	k.exit(ir.Operand{}) // 5
	k.label("upper")
	side("behind other") // 6
	k.label("other")
	k.nop() // 7
	end()   // 8
	k.label("behind other")
	k.exit(ir.Operand{}) // 9
	runs := machineRuns(t, k)
	for _, want := range []stream.Run{{PC: 7, N: 2, Mask: 0xffffffff}, {PC: 5, N: 1, Mask: 0xffffff00},
		{PC: 9, N: 1, Mask: 0xff}} {
		if !slices.Contains(runs, want) {
			t.Errorf("runs %+v, want %+v among them", runs, want)
		}
	}
	if slices.ContainsFunc(runs, func(r stream.Run) bool { return r.PC == 3 }) {
		t.Errorf("runs %+v, want one of the two collectives to be executed", runs)
	}
}

// twoMembermasks is a kernel whose even and odd lanes have membermasks of their own.
func twoMembermasks(exclusive bool) *kit {
	k := newKit(0)
	k.op(ir.OpAnd, ir.B32, ir.R(0, 1), special(ir.LaneID), ir.Imm(1, 1))
	k.op(ir.OpShl, ir.B32, ir.R(0, 1), ir.Imm(0x55555555, 1), ir.R(0, 1))
	k.add(ir.Inst{Op: ir.OpConverge, Src: []ir.Operand{ir.R(0, 1)}, Mods: ir.Mods{Exclusive: exclusive}}) // 2
	k.nop()
	k.exit(ir.Operand{})
	return k
}

func TestLanesOfDifferentMembermasksGoOnApartBehindAnExclusiveWait(t *testing.T) {
	wantRuns(t, machineRuns(t, twoMembermasks(true)), []stream.Run{{PC: 0, N: 3, Mask: 0xffffffff},
		{PC: 3, N: 2, Mask: 0xaaaaaaaa}, {PC: 3, N: 2, Mask: 0x55555555}})
	wantRuns(t, machineRuns(t, twoMembermasks(false)), []stream.Run{{PC: 0, N: 5, Mask: 0xffffffff}})
}

func TestABranchForLanesThatAreApartIsTakenByThem(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "few")
	k.label("few")
	k.fixups[len(k.insts)] = "apart"
	k.add(ir.Inst{Op: ir.OpBra, Flow: ir.FlowApart, Src: []ir.Operand{ir.Imm(0xff, 1)}}) // 2
	k.exit(ir.Operand{})                                                                 // 3
	k.label("apart")
	k.exit(ir.Operand{}) // 4
	runs := machineRuns(t, k)
	for _, want := range []stream.Run{{PC: 3, N: 1, Mask: 0xff}, {PC: 4, N: 1, Mask: 0xffffff00}} {
		if !slices.ContainsFunc(runs, func(r stream.Run) bool {
			return r.Mask == want.Mask && r.PC <= want.PC && r.PC+r.N > want.PC
		}) {
			t.Errorf("runs %+v, want %+v in them", runs, want)
		}
	}
}

func TestLanesLeaveABarrierByTheirGuardAndACondition(t *testing.T) {
	k := newKit(0)
	k.lessThan(0, 16)
	k.lessThan(1, 8)
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0)
	k.add(ir.Inst{Op: ir.OpBarrierLeave, Guard: ir.P(0), Src: []ir.Operand{ir.Imm(0, 1), ir.P(1)}})
	k.exit(ir.P(1))
	k.bra(ir.P(0), "wait")
	k.nop() // 6: the upper lanes
	k.label("wait")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0) // 7
	k.nop()                                      // 8
	k.exit(ir.Operand{})
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last != (stream.Run{PC: 8, N: 2, Mask: 0xffffff00}) {
		t.Errorf("the last run is %+v, want the lanes that have not left", last)
	}
}

// An atomic operation with a predicate is done only for the lanes with addresses in global memory.
func TestAnAtomicOperationWithAPredicateIsOneOnGlobalMemory(t *testing.T) {
	k := newKit(1)
	k.shared = 4
	k.below(2)
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), param(0))
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), ir.Imm(ir.SharedWindow, 2)).Guard = ir.P(0)
	k.add(ir.Inst{Op: ir.OpQuerySpace, Space: ir.Shared, Dst: []ir.Operand{ir.P(2)},
		Src: []ir.Operand{ir.R(2, 2), ir.Imm(8, 2)}})
	k.add(ir.Inst{Op: ir.OpAtom, Type: ir.U32, Space: ir.Generic, Mods: ir.Mods{Atomic: ir.AtomAdd},
		Dst: []ir.Operand{{}, ir.P(1)}, Src: []ir.Operand{ir.Imm(1, 1)}, Addr: ir.Addr{Base: ir.R(2, 2)}})
	k.globalIndex(4)
	k.element(6, 0, 4, 4)
	k.op(ir.OpSelp, ir.U32, ir.R(8, 1), ir.Imm(7, 1), ir.Imm(9, 1), ir.P(1))
	k.op(ir.OpSelp, ir.U32, ir.R(8, 1), ir.Imm(5, 1), ir.R(8, 1), ir.P(2))
	k.st(ir.B32, ir.Global, ir.R(6, 2), 4, ir.R(8, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 4*33)
	if _, err := Run(prepare(t, k.machine(), &m, launch(1, 32, a))); err != nil {
		t.Fatal(err)
	}
	got := words(t, &m, a, 33)
	want := append([]uint32{30, 5, 5}, slices.Repeat([]uint32{7}, 30)...)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestATriedExchangeReturnsWhetherItWasDone(t *testing.T) {
	k := newKit(1)
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), param(0))
	k.add(ir.Inst{Op: ir.OpAtom, Type: ir.U32, Space: ir.Global, Mods: ir.Mods{Atomic: ir.AtomTryCas},
		Dst: []ir.Operand{ir.R(8, 1)}, Src: []ir.Operand{ir.Imm(0, 1), ir.Imm(3, 1)}, Addr: ir.Addr{Base: ir.R(2, 2)}})
	k.globalIndex(4)
	k.element(6, 0, 4, 4)
	k.st(ir.B32, ir.Global, ir.R(6, 2), 4, ir.R(8, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 4*5)
	if _, err := Run(prepare(t, k.machine(), &m, launch(1, 4, a))); err != nil {
		t.Fatal(err)
	}
	if got := words(t, &m, a, 5); !slices.Equal(got, []uint32{3, 1, 0, 0, 0}) {
		t.Errorf("%v, want the word of the first lane, who alone changed it", got)
	}
}

func TestSourcesAreMadeOfPartsOfRegisters(t *testing.T) {
	formed := func(r ir.Reg, f ir.Form) ir.Operand { o := ir.R(r, 1); o.Form = f; return o }
	k := newKit(1)
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), param(0))
	k.op(ir.OpMov, ir.B32, ir.R(4, 1), ir.Imm(0x3c004000, 1)) // 1 and 2
	k.op(ir.OpAdd, ir.F16x2, ir.R(5, 1), formed(4, ir.FormLow), formed(4, ir.FormHigh))
	k.add(ir.Inst{Op: ir.OpMul, Type: ir.F32, SrcType: ir.F16, Dst: []ir.Operand{ir.R(6, 1)},
		Src: []ir.Operand{ir.R(4, 1), formed(5, ir.FormHigh)}})
	k.op(ir.OpBfind, ir.U32, ir.R(7, 1), formed(4, ir.FormNot))
	minus := ir.Imm(1<<31, 1)
	k.op(ir.OpMov, ir.B32, ir.R(8, 1), minus)
	k.add(ir.Inst{Op: ir.OpPlop3, Dst: []ir.Operand{ir.P(0), {}}, Src: []ir.Operand{ir.R(4, 1), ir.R(8, 1),
		ir.Imm(1, 1), ir.Imm(0x08, 1), ir.Imm(0, 1)}}) // not a, b and c
	k.op(ir.OpSelp, ir.U32, ir.R(8, 1), ir.Imm(1, 1), ir.Imm(0, 1), ir.P(0))
	for i := range ir.Reg(4) {
		k.st(ir.B32, ir.Global, ir.R(2, 2), int64(4*i), ir.R(5+i, 1))
	}
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 16)
	if _, err := Run(prepare(t, k.machine(), &m, launch(1, 1, a))); err != nil {
		t.Fatal(err)
	}
	if got := words(t, &m, a, 4); !slices.Equal(got, []uint32{0x42004200, 0x40c00000, 31, 1}) {
		t.Errorf("%#x, want 3 and 3, the single 6, 31 and true", got)
	}
}
