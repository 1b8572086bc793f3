package intervals

import (
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// allocated is a kernel over physical registers with its timing.
func allocated(insts ...ir.Inst) *ir.Kernel {
	k := &ir.Kernel{Name: "k", Insts: insts, NumRegs: 16, NumPreds: 1, Allocated: true}
	cfg.Build(k.Insts).SetReconv(k.Insts)
	for i := range k.Insts {
		ir.SetTiming(&k.Insts[i])
	}
	return k
}

func add(d, a, b ir.Reg) ir.Inst {
	return ir.Inst{Op: ir.OpAdd, Type: ir.U32, Dst: []ir.Operand{ir.R(d, 1)}, Src: []ir.Operand{ir.R(a, 1), ir.R(b, 1)}}
}

func TestTheBestCutRunsAcrossIntervals(t *testing.T) {
	// Intervals of two instructions each; at most four registers.
	k := allocated(add(0, 1, 1), add(0, 1, 2), add(2, 1, 3), add(4, 5, 4), ir.Inst{Op: ir.OpExit})
	w := &stream.Warp{Runs: []stream.Run{{PC: 0, N: 5, Mask: 1}}}
	var l Lengths
	l.Add(k, w, []int{0, 0, 1, 1, 2}, 4)
	// Best: 0 1 2 {R0..R3}, then 3 and 4 {R4, R5}.
	if d := gocmp.Diff(Lengths{Instructions: 5, Entered: 3, Optimal: 2}, l); d != "" {
		t.Error(d)
	}
	if l.Real() != 5./3 || l.Best() != 2.5 {
		t.Errorf("real %g, best %g", l.Real(), l.Best())
	}
}

func TestALoopWithinOneIntervalIsEnteredOnce(t *testing.T) {
	k := allocated(add(0, 1, 2), ir.Inst{Op: ir.OpBra, Guard: ir.P(0), Target: 0}, ir.Inst{Op: ir.OpExit})
	w := &stream.Warp{Runs: []stream.Run{{PC: 0, N: 2, Mask: 1}, {PC: 0, N: 2, Mask: 1}, {PC: 0, N: 3, Mask: 1}},
		Masks: []uint32{1, 1, 0}}
	var l Lengths
	l.Add(k, w, []int{0, 0, 0}, 3)
	if l != (Lengths{Instructions: 7, Entered: 1, Optimal: 1}) {
		t.Errorf("%+v", l)
	}
}

func TestAStrandKeepsWhatItReadsMost(t *testing.T) {
	ld := ir.Inst{Op: ir.OpLd, Type: ir.U32, Space: ir.Global, Addr: ir.Addr{Base: ir.R(8, 2)},
		Dst: []ir.Operand{ir.R(1, 1)}}
	k := allocated(
		ld,           // strand 0
		add(2, 1, 1), // strand 1: R2 is read twice, R1 twice but comes from outside, R3 once
		add(3, 2, 2), // R4 is written and read behind the strand alone
		add(4, 3, 5), // R5 is read once and comes from outside: nothing saved
		ld,           // ends strand 1
		add(6, 4, 1), // strand 2
		ir.Inst{Op: ir.OpSt, Type: ir.U32, Space: ir.Global, Addr: ir.Addr{Base: ir.R(8, 2)},
			Src: []ir.Operand{ir.R(6, 1)}},
		ir.Inst{Op: ir.OpExit})
	g, list, err := Strands(k, 16)
	if err != nil {
		t.Fatal(err)
	}
	got := Select(k, g, list, 2)
	want := []Placed{{Register: 2, Reads: 2, Writes: 1}, {Register: 1, Reads: 2, Writes: 1, LiveIn: true,
		LiveOut: true}}
	if len(got) != 3 {
		t.Fatalf("%d strands, want 3", len(got))
	}
	if d := gocmp.Diff(want, got[1]); d != "" {
		t.Error(d)
	}
	all := Select(k, g, list, 16)
	if d := gocmp.Diff(append(want, Placed{Register: 3, Reads: 1, Writes: 1}), all[1]); d != "" {
		t.Error(d)
	}
}
