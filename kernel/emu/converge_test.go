package emu

import (
	"strings"
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// barrier adds an instruction of a convergence barrier.
func (k *kit) barrier(op ir.Op, guard ir.Operand, n uint64) {
	k.add(ir.Inst{Op: op, Guard: guard, Src: []ir.Operand{ir.Imm(n, 1)}})
}

// lessThan sets predicate p for the threads below n.
func (k *kit) lessThan(p ir.Pred, n uint64) {
	k.below(n)
	k.insts[len(k.insts)-1].Dst[0] = ir.P(p)
}

// machine returns the kernel with lanes that meet at its barriers.
func (k *kit) machine() *ir.Kernel {
	out := k.kernel()
	out.Converges = true
	return out
}

// machineRuns executes one warp of 32 threads and returns its runs.
func machineRuns(t *testing.T, k *kit) []stream.Run {
	t.Helper()
	var m mem.Memory
	return collect(t, prepare(t, k.machine(), &m, launch(1, 32)))[0].Warps[0].Runs
}

func TestLanesGoOnTogetherBehindTheirBarrier(t *testing.T) {
	k := newKit(0)
	k.below(8)                                  // 0
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 3) // 1
	k.bra(ir.P(0), "a")                         // 2
	k.nop()                                     // 3
	k.bra(ir.Operand{}, "b")                    // 4
	k.label("a")
	k.nop() // 5
	k.label("b")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 3) // 6
	k.nop()                                      // 7
	k.exit(ir.Operand{})                         // 8
	wantRuns(t, machineRuns(t, k), []stream.Run{{PC: 0, N: 3, Mask: 0xffffffff}, {PC: 3, N: 2, Mask: 0xffffff00},
		{PC: 6, N: 1, Mask: 0xffffff00}, {PC: 5, N: 2, Mask: 0xff}, {PC: 7, N: 2, Mask: 0xffffffff}})
}

func TestWithoutABarrierPathsStayApart(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "a")
	k.nop()
	k.label("a")
	k.nop()
	k.exit(ir.Operand{})
	wantRuns(t, machineRuns(t, k), []stream.Run{{PC: 0, N: 2, Mask: 0xffffffff}, {PC: 2, N: 3, Mask: 0xffffff00},
		{PC: 3, N: 2, Mask: 0xff}})
}

// The lanes below 8 leave the inner barrier and go to the outer one, those below 16 leave the kernel.
func TestALaneThatHasLeftABarrierOrTheKernelIsNotWaitedFor(t *testing.T) {
	k := newKit(0)
	k.lessThan(0, 8)
	k.lessThan(1, 16)
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0)
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 1)
	k.barrier(ir.OpBarrierLeave, ir.P(0), 1)
	k.bra(ir.P(0), "outer")
	k.exit(ir.P(1))
	k.nop()                                      // 7
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 1) // 8
	k.nop()
	k.label("outer")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0) // 10
	k.nop()
	k.exit(ir.Operand{})
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last != (stream.Run{PC: 11, N: 2, Mask: 0xffff00ff}) {
		t.Errorf("the last run is %+v, want PC 11 of all that have not exited", last)
	}
	for _, r := range runs {
		if r.PC == 7 && r.Mask != 0xffff0000 {
			t.Errorf("lanes %#x behind the exit, want the upper half", r.Mask)
		}
	}
}

// A barrier register in a loop: lane l goes around l+1 times, and the lanes of an iteration meet in its end.
func TestLanesInALoopMeetInEveryIteration(t *testing.T) {
	k := newKit(1)
	k.op(ir.OpMov, ir.U32, ir.R(8, 1), ir.Imm(0, 1))
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0)
	k.label("loop")
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 1)
	k.op(ir.OpAdd, ir.U32, ir.R(8, 1), ir.R(8, 1), ir.Imm(1, 1))
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LE}, Dst: []ir.Operand{ir.P(0)},
		Src: []ir.Operand{ir.R(8, 1), special(ir.TidX)}})
	k.bra(ir.P(0), "go on")
	k.barrier(ir.OpBarrierLeave, ir.Operand{}, 1)
	k.bra(ir.Operand{}, "out")
	k.label("go on")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 1)
	k.bra(ir.Operand{}, "loop")
	k.label("out")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0)
	k.globalIndex(0)
	k.element(2, 0, 0, 4)
	k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.R(8, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 4*32)
	c := collect(t, prepare(t, k.machine(), &m, launch(1, 32, a)))[0]
	for l, v := range words(t, &m, a, 32) {
		if v != uint32(l+1) {
			t.Errorf("lane %d went around %d times", l, v)
		}
	}
	if last := c.Warps[0].Runs[len(c.Warps[0].Runs)-1]; last.Mask != 0xffffffff {
		t.Errorf("lanes %#x at the end, want all", last.Mask)
	}
}

// The lanes below 16 wait at a barrier for the upper ones, which spin until one of the lower ones stores. ptxas puts
// such a barrier behind the loop of a lock.
func TestLanesAtABarrierGoOnWithoutThoseThatSpin(t *testing.T) {
	k := newKit(1)
	k.below(16)
	k.globalIndex(0)
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), param(0))
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0)
	k.bra(ir.P(0), "meet")
	k.label("spin")
	k.ld(ir.U32, ir.R(4, 1), ir.Global, ir.R(2, 2), 0).Mods.Volatile = true
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{ir.P(1)},
		Src: []ir.Operand{ir.R(4, 1), ir.Imm(0, 1)}})
	k.bra(ir.P(1), "spin")
	k.label("meet")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0)
	k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.Imm(1, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	_, err := Run(prepare(t, k.machine(), &m, launch(1, 32, m.Alloc("flag", 4))))
	if err != nil {
		t.Error(err)
	}
}

// The same without the barrier: the lower lanes store, and the upper ones see it.
func TestLanesOnDifferentPathsSeeEachOthersStores(t *testing.T) {
	k := newKit(1)
	k.below(16)
	k.globalIndex(0)
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), param(0))
	k.bra(ir.P(0), "set")
	k.label("spin")
	k.ld(ir.U32, ir.R(4, 1), ir.Global, ir.R(2, 2), 0).Mods.Volatile = true
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.EQ}, Dst: []ir.Operand{ir.P(1)},
		Src: []ir.Operand{ir.R(4, 1), ir.Imm(0, 1)}})
	k.bra(ir.P(1), "spin")
	k.exit(ir.Operand{})
	k.label("set")
	k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.Imm(1, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	if _, err := Run(prepare(t, k.machine(), &m, launch(1, 32, m.Alloc("flag", 4)))); err != nil {
		t.Error(err)
	}
}

// Lanes leave the region of the inner barrier, 1, without OpBarrierLeave, and wait at the outer one for all.
func TestLanesThatWaitForEachOtherAtTwoBarriersLeaveTheInnerOne(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0)
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 1)
	k.bra(ir.P(0), "a")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 1)
	k.label("a")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0)
	together := uint32(len(k.insts))
	k.nop()
	k.exit(ir.Operand{})
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last != (stream.Run{PC: together, N: 2, Mask: 0xffffffff}) {
		t.Errorf("the last run is %+v, want all lanes from %d on", last, together)
	}
}

// Lanes below 8 come to the barrier of the CTA by a jump and the others by one instruction more.
func TestLanesOfAWarpArriveAtABarrierOfTheCTATogether(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "a")
	k.nop()
	k.label("a")
	k.add(ir.Inst{Op: ir.OpBar, Src: []ir.Operand{ir.Imm(0, 1)}}) // 3
	k.nop()
	k.exit(ir.Operand{})
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last.Mask != 0xffffffff {
		t.Errorf("the last run is %+v, want all lanes", last)
	}
}

// Lane l returns to one of two places, by the address in a register.
func TestABranchToAnAddressGoesWhereEachLaneSays(t *testing.T) {
	at := func(odd uint64) (*ir.Kernel, *mem.Memory, *host.Launch) {
		k := newKit(1)
		k.globalIndex(0)
		k.op(ir.OpAnd, ir.B32, ir.R(8, 1), ir.R(0, 1), ir.Imm(1, 1))
		k.add(ir.Inst{Op: ir.OpMad, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Dst: []ir.Operand{ir.R(8, 1)},
			Src: []ir.Operand{ir.R(8, 1), ir.Imm(odd, 1), ir.Imm(6*ir.CodeBytes, 1)}})
		k.element(2, 0, 0, 4)
		k.add(ir.Inst{Op: ir.OpBrx, Flow: ir.FlowAddress, Src: []ir.Operand{ir.R(8, 1)}, Targets: []int{6, 8}}) // 5
		k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.Imm(100, 1))                                                  // 6
		k.exit(ir.Operand{})
		k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.Imm(200, 1)) // 8
		k.exit(ir.Operand{})
		out := k.machine()
		out.Insts[5].Targets = []int{6, 8}
		m := &mem.Memory{}
		return out, m, launch(1, 32, m.Alloc("out", 128))
	}
	k, m, l := at(2 * ir.CodeBytes)
	if _, err := Run(prepare(t, k, m, l)); err != nil {
		t.Fatal(err)
	}
	for i, v := range words(t, m, m.Regions()[0].Addr, 32) {
		if want := uint32(100 + 100*(i&1)); v != want {
			t.Errorf("lane %d stored %d, want %d", i, v, want)
		}
	}
	k, m, l = at(ir.CodeBytes)
	if _, err := Run(prepare(t, k, m, l)); err == nil || !strings.Contains(err.Error(), "none of its targets") {
		t.Errorf("%v, want an address that is none of the targets", err)
	}
}

// A uniform register has one value, also for lanes that did not execute the instruction.
func TestAUniformInstructionWritesAllLanes(t *testing.T) {
	k := newKit(1)
	k.op(ir.OpMov, ir.U32, ir.R(8, 1), ir.Imm(1, 1))
	k.below(8)
	k.bra(ir.P(0), "a")
	k.op(ir.OpMov, ir.U32, ir.R(8, 1), ir.Imm(2, 1)).Uniform = true
	k.op(ir.OpMov, ir.U32, ir.R(9, 1), special(ir.TidX))
	k.add(ir.Inst{Op: ir.OpFirst, Type: ir.B32, Uniform: true, Dst: []ir.Operand{ir.R(10, 1)},
		Src: []ir.Operand{ir.R(9, 1)}})
	k.label("a")
	k.globalIndex(0)
	k.element(2, 0, 0, 4)
	k.op(ir.OpAdd3, ir.U32, ir.R(8, 1), ir.R(8, 1), ir.R(10, 1), ir.Imm(0, 1))
	k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.R(8, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 128)
	if _, err := Run(prepare(t, k.machine(), &m, launch(1, 32, a))); err != nil {
		t.Fatal(err)
	}
	for l, v := range words(t, &m, a, 32) {
		if v != 2+8 {
			t.Errorf("lane %d has %d, want 2 of the move and 8 of the first executing lane", l, v)
		}
	}
}

// The address of lane l is 16 l + 8, of a scaled register and an index.
func TestAnAddressIsAScaledRegisterPlusAnIndex(t *testing.T) {
	k := newKit(1)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
	k.op(ir.OpMov, ir.B64, ir.R(2, 2), param(0))
	k.st(ir.B32, ir.Global, ir.R(0, 1), 8, ir.R(0, 1)).Addr = ir.Addr{Base: ir.R(0, 1), Scale: 16, Index: ir.R(2, 2),
		Offset: 8}
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 16*32)
	if _, err := Run(prepare(t, k.machine(), &m, launch(1, 32, a))); err != nil {
		t.Fatal(err)
	}
	for i, v := range words(t, &m, a, 128) {
		if want := uint32(i / 4 * int(b2u(i%4 == 2))); v != want {
			t.Errorf("word %d is %d, want %d", i, v, want)
		}
	}
}

// A function that uses the barrier register of its caller saves it before, and puts it back.
func TestASavedBarrierIsTheOneItWas(t *testing.T) {
	k := newKit(0)
	k.below(8)                                  // 0
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0) // 1
	k.bra(ir.P(0), "join")                      // 2
	k.add(ir.Inst{Op: ir.OpBarrierSave, Dst: []ir.Operand{ir.R(0, 1)}, Src: []ir.Operand{ir.Imm(0, 1)}})
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0)                                          // 4
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0)                                         // 5
	k.add(ir.Inst{Op: ir.OpBarrierRestore, Src: []ir.Operand{ir.Imm(0, 1), ir.R(0, 1)}}) // 6
	k.label("join")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0) // 7
	k.exit(ir.Operand{})                         // 8
	wantRuns(t, machineRuns(t, k), []stream.Run{{PC: 0, N: 3, Mask: 0xffffffff}, {PC: 3, N: 5, Mask: 0xffffff00},
		{PC: 7, N: 1, Mask: 0xff}, {PC: 8, N: 1, Mask: 0xffffffff}})
}

// The sum and the vote are of the executing lanes, the upper 24, and the others get it too.
func TestAUniformResultIsOfTheExecutingLanesAndForAll(t *testing.T) {
	k := newKit(1)
	k.below(8)
	k.op(ir.OpMov, ir.U32, ir.R(8, 1), special(ir.TidX))
	sum := ir.Inst{Op: ir.OpRedux, Type: ir.U32, Guard: ir.P(0), Mods: ir.Mods{Atomic: ir.AtomAdd},
		Dst: []ir.Operand{ir.U(0, 1)}, Src: []ir.Operand{ir.R(8, 1)}}
	sum.Guard.Neg = true
	vote := ir.Inst{Op: ir.OpVote, Type: ir.B32, Guard: sum.Guard, Mods: ir.Mods{Vote: ir.VoteBallot},
		Dst: []ir.Operand{ir.U(1, 1)}, Src: []ir.Operand{ir.Imm(1, 1)}}
	k.add(sum)
	k.add(vote)
	k.op(ir.OpAdd, ir.U32, ir.R(9, 1), ir.U(0, 1), ir.U(1, 1))
	k.globalIndex(0)
	k.element(2, 0, 0, 4)
	k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.R(9, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("out", 4*32)
	collect(t, prepare(t, k.machine(), &m, launch(1, 32, a)))
	for l, got := range words(t, &m, a, 32) {
		if want := uint32((31*32/2 - 7*8/2 + 0xffffff00) & 0xffffffff); got != want {
			t.Errorf("lane %d has %#x, want %#x", l, got, want)
		}
	}
}
