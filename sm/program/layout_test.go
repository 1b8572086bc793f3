package program

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/smtest"
)

func TestWhatATraceDoesNotShowTakesItsPlaceInTheCode(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil))
	k.Places = []uint32{2, 3, 6}
	plain := NewLayout(k, nil, 8)
	// an operation of 32 bytes before the second group
	with := NewLayout(k, &regfile.Insertions{Group: []int32{0, 0, 1}, Ops: []regfile.Inserted{{}, {Bytes: 32}}}, 8)
	var got, inserted []uint64
	for pc := range uint32(3) {
		got, inserted = append(got, plain.Offset(pc)), append(inserted, with.Offset(pc))
	}
	if d := cmp.Diff([]uint64{16, 24, 48}, got); d != "" {
		t.Errorf("instructions (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]uint64{16, 24, 80}, inserted); d != "" {
		t.Errorf("behind an operation (-want +got):\n%s", d)
	}
}

// The operation of the first group lies before the program, and the operation of the second before its second
// instruction. An operation is there with its last byte.
func TestAnOperationLiesBeforeItsGroup(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil))
	l := NewLayout(k, &regfile.Insertions{Group: []int32{0, 1}, Ops: []regfile.Inserted{{Bytes: 16}, {Bytes: 32}}}, 8)
	if d := cmp.Diff([][]uint32{{16, 56}, {15, 55}}, [][]uint32{l.At, l.Op}); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestABarrierIsOfAWarpOrOfACTAAndMayBePassed(t *testing.T) {
	warp, arrive := smtest.Inst(ir.ClassBarrier, nil), smtest.Inst(ir.ClassBarrier, nil)
	warp.Op, arrive.Mods.Bar = ir.OpBarWarp, ir.BarArrive
	p := New(smtest.KernelOf(smtest.Inst(ir.ClassBarrier, nil), warp, arrive), &Target{Bytes: 8}, nil)
	for pc, want := range [][2]bool{{false, false}, {true, false}, {false, true}} {
		if got := [2]bool{p.Info[pc].Warp, p.Info[pc].Bar.Stay}; got != want {
			t.Errorf("instruction %d: within the warp, passed %v, want %v", pc, got, want)
		}
	}
}

// The second argument of bar.sync is threads: 33 of them are two warps.
func TestABarrierWaitsForWholeWarps(t *testing.T) {
	imm := func(n uint64) ir.Operand { return ir.Operand{Kind: ir.KindImm, Imm: n} }
	for _, k := range []struct {
		src  []ir.Operand
		want uint16
	}{
		{nil, 0}, {[]ir.Operand{imm(3)}, 0}, {[]ir.Operand{imm(3), imm(1)}, 1}, {[]ir.Operand{imm(3), imm(32)}, 1},
		{[]ir.Operand{imm(3), imm(33)}, 2}, {[]ir.Operand{imm(3), {Kind: ir.KindReg}}, 0},
	} {
		if b := barrierInfo(&ir.Inst{Op: ir.OpBar, Src: k.src}); b.warps != k.want {
			t.Errorf("%+v: %d warps, want %d", k.src, b.warps, k.want)
		}
	}
}

func TestAProgramKnowsItsInsertions(t *testing.T) {
	x, y := &regfile.Insertions{Group: []int32{0}, Ops: make([]regfile.Inserted, 1)}, &regfile.Insertions{}
	p := New(smtest.KernelOf(smtest.Inst(ir.ClassExit, nil)), &Target{Bytes: 8}, x)
	if !p.Inserts(x) || p.Inserts(y) || p.Inserts(nil) {
		t.Error("the program says that it was made with others")
	}
}

// An operation of no bytes takes no place before its instruction. The layout of a program without instructions is
// empty.
func TestOperationsWithoutBytesTakeNoPlace(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil))
	l := NewLayout(k, &regfile.Insertions{Group: []int32{0, 1}, Ops: make([]regfile.Inserted, 2)}, 8)
	if d := cmp.Diff([][]uint32{{0, 8}, {0, 8}}, [][]uint32{l.At, l.Op}); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if l := NewLayout(smtest.KernelOf(), &regfile.Insertions{}, 8); len(l.At) != 0 {
		t.Errorf("%v", l.At)
	}
}

// R1 is written, then R2 by R1, and both are added: before the addition both are live,
// before the second instruction R1. A predicate is no register.
func TestARegisterIsLiveWhileItIsStillRead(t *testing.T) {
	reg := func(n int) ir.Operand { return ir.R(ir.Reg(n), 1) }
	pred := ir.Operand{Kind: ir.KindPred, Reg: 0}
	k := smtest.KernelOf(
		ir.Inst{Op: ir.OpMov, Dst: []ir.Operand{reg(1)}, Src: []ir.Operand{{Kind: ir.KindImm}}},
		ir.Inst{Op: ir.OpMov, Dst: []ir.Operand{reg(2)}, Src: []ir.Operand{reg(1)}, Guard: pred},
		ir.Inst{Op: ir.OpAdd, Dst: []ir.Operand{reg(3)}, Src: []ir.Operand{reg(1), reg(2)}},
		ir.Inst{Op: ir.OpExit})
	k.NumRegs, k.NumPreds = 4, 1
	p := &Program{Kernel: k}
	// a guarded write leaves the old value of R2 to the other lanes
	if d := cmp.Diff([]uint16{1, 2, 2, 0}, p.LiveCounts()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	p.live[0] = 77
	if p.LiveCounts()[0] != 77 {
		t.Error("computed again for another SM")
	}
}
