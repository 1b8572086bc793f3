package emu

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

// runsOf executes one warp of n threads and returns its runs.
func runsOf(t *testing.T, k *kit, n int) []stream.Run {
	t.Helper()
	var m mem.Memory
	return collect(t, prepare(t, k.kernel(), &m, launch(1, n)))[0].Warps[0].Runs
}

// below sets predicate 0 for the threads below n.
func (k *kit) below(n uint64) {
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LT},
		Dst: []ir.Operand{ir.P(0)}, Src: []ir.Operand{special(ir.TidX), ir.Imm(n, 1)}})
}

func (k *kit) nop() { k.add(ir.Inst{Op: ir.OpNop}) }

func wantRuns(t *testing.T, got, want []stream.Run) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runs (-want +got):\n%s", diff)
	}
}

func TestTheTwoSidesOfAnIfRunOneAfterTheOtherAndMeet(t *testing.T) {
	k := newKit(0)
	k.below(8)          // 0
	k.bra(ir.P(0), "a") // 1
	k.nop()             // 2
	k.bra(ir.Operand{}, "b")
	k.label("a")
	k.nop() // 4
	k.nop() // 5
	k.label("b")
	k.exit(ir.Operand{}) // 6
	wantRuns(t, runsOf(t, k, 32), []stream.Run{
		{PC: 0, N: 2, Mask: 0xffffffff}, {PC: 2, N: 2, Mask: 0xffffff00}, {PC: 4, N: 2, Mask: 0xff},
		{PC: 6, N: 1, Mask: 0xffffffff}})
}

func TestAnIfWithoutElseSkipsNothingTwice(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "a")
	k.nop()
	k.label("a")
	k.exit(ir.Operand{})
	wantRuns(t, runsOf(t, k, 32), []stream.Run{{PC: 0, N: 2, Mask: 0xffffffff}, {PC: 2, N: 1, Mask: 0xffffff00},
		{PC: 3, N: 1, Mask: 0xffffffff}})
}

func TestNestedIfsMeetFromTheInsideOut(t *testing.T) {
	k := newKit(0)
	k.below(16)
	k.bra(ir.P(0), "out") // lanes 16 to 31 go on
	k.below(24)           // 2
	k.bra(ir.P(0), "in")  // 3
	k.nop()               // 4: 24 to 31
	k.label("in")
	k.nop() // 5: 16 to 31
	k.label("out")
	k.exit(ir.Operand{}) // 6
	wantRuns(t, runsOf(t, k, 32), []stream.Run{{PC: 0, N: 2, Mask: 0xffffffff}, {PC: 2, N: 2, Mask: 0xffff0000},
		{PC: 4, N: 1, Mask: 0xff000000}, {PC: 5, N: 1, Mask: 0xffff0000}, {PC: 6, N: 1, Mask: 0xffffffff}})
}

// untilTid loops once more in every higher lane.
func untilTid(k *kit) {
	k.label("loop")
	k.op(ir.OpAdd, ir.U32, ir.R(1, 1), ir.R(1, 1), ir.Imm(1, 1))
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LE},
		Dst: []ir.Operand{ir.P(0)}, Src: []ir.Operand{ir.R(1, 1), special(ir.TidX)}})
	k.bra(ir.P(0), "loop")
	k.exit(ir.Operand{})
}

func TestALoopLosesLanesAndHasThemAllAtItsEnd(t *testing.T) {
	k := newKit(0)
	untilTid(k)
	wantRuns(t, runsOf(t, k, 4), []stream.Run{{PC: 0, N: 3, Mask: 15}, {PC: 0, N: 3, Mask: 14}, {PC: 0, N: 3, Mask: 12},
		{PC: 0, N: 3, Mask: 8}, {PC: 3, N: 1, Mask: 15}})
}

// A loop left by lanes one by one must not grow the stack.
func TestTheStackStaysSmallInALoopThatLanesLeave(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpShl, ir.B32, ir.R(2, 1), special(ir.TidX), ir.Imm(6, 1))
	k.label("loop")
	k.op(ir.OpAdd, ir.U32, ir.R(1, 1), ir.R(1, 1), ir.Imm(1, 1))
	less := func(p ir.Pred, limit ir.Operand) {
		k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.GT},
			Dst: []ir.Operand{ir.P(p)}, Src: []ir.Operand{ir.R(1, 1), limit}})
	}
	less(0, ir.R(2, 1))
	k.bra(ir.P(0), "end") // break
	k.op(ir.OpAnd, ir.B32, ir.R(3, 1), ir.R(1, 1), special(ir.TidX))
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.EQ},
		Dst: []ir.Operand{ir.P(1)}, Src: []ir.Operand{ir.R(3, 1), ir.Imm(0, 1)}})
	k.bra(ir.P(1), "loop") // continue
	k.nop()
	k.bra(ir.Operand{}, "loop")
	k.label("end")
	k.exit(ir.Operand{})
	var m mem.Memory
	e := newEngine(prepare(t, k.kernel(), &m, launch(1, 32)), false, nil)
	if err := e.run(); err != nil {
		t.Fatal(err)
	}
	if n := cap(e.free[0].warps[0].stack); n > 8 {
		t.Errorf("the stack has grown to %d paths", n)
	}
}

func TestLanesThatExitEarlyAreGoneForGood(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.exit(ir.P(0))
	k.below(16)
	k.bra(ir.P(0), "a")
	k.nop()
	k.label("a")
	k.exit(ir.Operand{})
	wantRuns(t, runsOf(t, k, 32), []stream.Run{{PC: 0, N: 2, Mask: 0xffffffff}, {PC: 2, N: 2, Mask: 0xffffff00},
		{PC: 4, N: 1, Mask: 0xffff0000}, {PC: 5, N: 1, Mask: 0xffffff00}})
}

func TestAKernelMayEndWithoutAnExit(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "end")
	k.nop()
	k.label("end")
	wantRuns(t, runsOf(t, k, 32), []stream.Run{{PC: 0, N: 2, Mask: 0xffffffff}, {PC: 2, N: 1, Mask: 0xffffff00}})
}

func TestAnIndexedBranchRunsItsTargetsInOrder(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpAnd, ir.B32, ir.R(1, 1), special(ir.TidX), ir.Imm(1, 1)) // 0
	k.brx(ir.Operand{}, ir.R(1, 1), "odd", "even")                     // 1; lanes with 0 go to "odd"
	k.label("even")
	k.nop() // 2
	k.bra(ir.Operand{}, "end")
	k.label("odd")
	k.nop() // 4
	k.label("end")
	k.exit(ir.Operand{})
	wantRuns(t, runsOf(t, k, 4), []stream.Run{{PC: 0, N: 2, Mask: 15}, {PC: 4, N: 1, Mask: 5}, {PC: 2, N: 2, Mask: 10},
		{PC: 5, N: 1, Mask: 15}})
}

func TestAnIndexPastTheListIsAnError(t *testing.T) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U32, ir.R(1, 1), special(ir.TidX))
	k.brx(ir.Operand{}, ir.R(1, 1), "end")
	k.label("end")
	k.exit(ir.Operand{})
	var m mem.Memory
	_, err := Run(prepare(t, k.kernel(), &m, launch(1, 4)))
	wantError(t, err, "kit.ptx:2", "thread (1,0,0)", "branch index 1 of a list of 1")
}

// Guarded results of one, two and four words, and predicates, leave the other
// lanes alone.
func TestGuardedInstructionsLeaveOtherLanesAlone(t *testing.T) {
	for _, lanes := range []uint64{1, 5, 20, 31} {
		k := newKit(1)
		k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
		k.element(2, 0, 0, 16)
		for i := range 4 {
			k.op(ir.OpMov, ir.B32, ir.R(ir.Reg(8+i), 1), ir.Imm(uint64(100+i), 1))
			k.op(ir.OpMov, ir.B32, ir.R(ir.Reg(12+i), 1), ir.R(0, 1))
		}
		k.below(lanes)
		k.op(ir.OpMov, ir.B32, ir.R(8, 1), ir.R(12, 1)).Guard = ir.P(0)
		k.op(ir.OpMov, ir.B64, ir.R(10, 2), ir.R(14, 2)).Guard = ir.P(0)
		k.op(ir.OpMov, ir.B128, ir.R(12, 4), ir.R(8, 4)).Guard = ir.Operand{Kind: ir.KindPred, Neg: true}
		for i := range 4 {
			k.st(ir.B32, ir.Global, ir.R(2, 2), int64(4*i), ir.R(ir.Reg(12+i), 1))
		}
		k.exit(ir.Operand{})
		var m mem.Memory
		a := m.Alloc("a", 512)
		if _, err := Run(prepare(t, k.kernel(), &m, launch(1, 32, a))); err != nil {
			t.Fatal(err)
		}
		for i, v := range words(t, &m, a, 128) {
			want := uint32(i / 4) // below: 12 to 15 were never written again
			if i/4 >= int(lanes) {
				want = uint32(100 + i%4)
			}
			if v != want {
				t.Fatalf("%d lanes: word %d is %d, want %d", lanes, i, v, want)
			}
		}
	}
}

// Negated and absolute sources, as a compiler folds them into an instruction.
func TestSourceModifiersApplyBeforeTheOperation(t *testing.T) {
	mod := func(o ir.Operand, abs, neg bool) ir.Operand { o.Abs, o.Neg = abs, neg; return o }
	var all []trial
	for _, ty := range []ir.Type{ir.F32, ir.F64, ir.F16, ir.S16, ir.S32, ir.S64} {
		for _, m := range [][2]bool{{false, true}, {true, false}, {true, true}} {
			all = append(all, trial{name: "min." + ty.String(), src: []ir.Type{ty, ty}, dst: ty, same: low16(ty),
				body: func(k *kit, src []ir.Operand, dst ir.Operand) {
					k.op(ir.OpMin, ty, dst, mod(src[0], m[0], m[1]), src[1])
				},
				want: func(a []uint64) uint64 {
					if ty.Float() {
						f := formatRef(ty)
						x := a[0]
						if m[0] {
							x &^= f.Sign()
						}
						if m[1] {
							x ^= f.Sign()
						}
						return extreme(f, x, a[1], false, false)
					}
					x := value(a[0], ty)
					if m[0] {
						x = value(pattern(newInt().Abs(x), 64), ty)
					}
					if m[1] {
						x = value(pattern(newInt().Neg(x), 64), ty)
					}
					return pattern(smaller(x, value(a[1], ty)), 8*ty.Size())
				}})
		}
	}
	checkAll(t, all)
}
