package sass

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// loop is a warp with two iterations of a body by its lower half, and one by its upper half: 0: R1, 1: setp, 2:
// body R2 = R1+R3, 3: @p bra 2, 4: st R2, 5: exit.
const loop = `
0000 ffffffff 1 R1 MOV 0 0
0010 ffffffff 0 ISETP.GE.AND 1 R1 0
0020 ffffffff 1 R2 IADD3 2 R1 R3 0
0030 0000ffff 0 BRA 0 0
0020 0000ffff 1 R2 IADD3 2 R1 R3 0
0030 00000000 0 BRA 0 0
0040 ffffffff 0 STG.E 2 R4 R2 4 1 0x1000 4
0050 ffffffff 0 EXIT 0 0
`

func recovered(t *testing.T, lines string) *Launch {
	t.Helper()
	return mustScan(t, head("1,1,1", "32,1,1")+block("0,0,0", lines))
}

func TestTheFootprintIsRoundedUpToFourAsFarAsAThreadHasRegisters(t *testing.T) {
	for regs, want := range map[string]int{"0": 4, "4": 4, "61": 64, "63": 64, "64": 64, "252": 252, "253": 255,
		"254": 255, "255": 255} {
		l := mustScan(t, strings.Replace(head("1,1,1", "32,1,1"), "nregs = 10", "nregs = "+regs, 1)+
			block("0,0,0", loop))
		if got := l.Kernel.Footprint; got != want {
			t.Errorf("%s registers: footprint %d, want %d", regs, got, want)
		}
	}
}

func TestALoopIsRecoveredFromWhereTheLanesGo(t *testing.T) {
	k := recovered(t, loop).Kernel
	b := &k.Insts[3]
	if b.Op != ir.OpBra || b.Target != 2 || b.Guard.Kind != ir.KindPred || !b.T.Guarded || b.Reconv != 4 {
		t.Errorf("%+v", b)
	}
	g := cfg.Build(k.Insts)
	var succs [][]int
	for _, b := range g.Blocks {
		succs = append(succs, b.Succs)
	}
	if d := cmp.Diff([][]int{{1}, {2, 1}, nil}, succs); d != "" {
		t.Error(d)
	}
	list, err := intervals.Build(intervals.Of(k), 8)
	if err != nil || len(list) == 0 {
		t.Errorf("%d intervals, %v", len(list), err)
	}
}

func TestNothingIsDeadWhileLanesAreElsewhere(t *testing.T) {
	k := recovered(t, loop).Kernel
	if d := k.Insts[2].T.Dead; d != 0 {
		t.Errorf("in the loop: dead %b", d)
	}
	if d := k.Insts[6-1-1].T.Dead; d != 0b111 { // R4, R5, R2 at the store
		t.Errorf("behind it: dead %b", d)
	}
}

func TestARegisterDiesBetweenTheSidesOfABranchWhenTheOtherLanesAreGone(t *testing.T) {
	trace := func(first, second string) string {
		return `
0000 ffffffff 1 R1 MOV 0 0
0010 ffffffff 0 ISETP.GE.AND 1 R1 0
0020 0000ffff 0 BRA 0 0
` + first + `0030 ffff0000 1 R2 IADD3 2 R1 R3 0
0040 ffff0000 0 STG.E 2 R4 R2 4 1 0x1000 4
` + second + `0050 ffff0000 0 EXIT 0 0
`
	}
	const leave = "0050 0000ffff 0 EXIT 0 0\n"
	if d := recovered(t, trace(leave, "")).Kernel.Insts[3].T.Dead; d != 0b11 {
		t.Errorf("behind their exit: dead %b", d)
	}
	if d := recovered(t, trace("", leave)).Kernel.Insts[3].T.Dead; d != 0 {
		t.Errorf("before it: dead %b", d)
	}
}

func TestAGuardShowsInTheMasksAround(t *testing.T) {
	k := recovered(t, `
0000 ffffffff 1 R1 MOV 0 0
0010 000000ff 1 R2 MOV 0 0
0020 ffffffff 1 R3 MOV 0 0
0030 00000000 0 STG.E 2 R4 R2 4 1 0x0 0
0040 ffffffff 0 EXIT 0 0
`).Kernel
	var guarded []bool
	var preds []ir.Reg
	for i := range k.Insts {
		guarded = append(guarded, k.Insts[i].T.Guarded)
		if k.Insts[i].Guard.Kind == ir.KindPred {
			preds = append(preds, k.Insts[i].Guard.Reg)
		}
	}
	if d := cmp.Diff([]bool{false, true, false, true, false}, guarded); d != "" {
		t.Error(d)
	}
	if len(preds) != 2 || preds[0] == preds[1] {
		t.Errorf("guards %v: expected two that are not the same", preds)
	}
}

func TestABranchThatWasNeverTakenKeepsEveryRegisterAlive(t *testing.T) {
	k := recovered(t, `
0000 ffffffff 1 R1 MOV 0 0
0010 ffffffff 1 R2 IADD3 2 R1 R1 0
0020 00000000 0 BRA 0 0
0030 ffffffff 1 R3 MOV 1 R2 0
0040 ffffffff 0 EXIT 0 0
`).Kernel
	if b := &k.Insts[2]; b.Op != ir.OpBra || b.Target != len(k.Insts) || b.Guard.Kind == ir.KindNone {
		t.Errorf("%+v", b)
	}
	if k.Insts[1].T.Dead != 0 || k.Insts[3].T.Dead != 1 {
		t.Errorf("dead %b before the branch, %b behind it", k.Insts[1].T.Dead, k.Insts[3].T.Dead)
	}
}

func TestAnUnconditionalBranchEndsItsBlock(t *testing.T) {
	k := recovered(t, `
0000 ffffffff 1 R1 MOV 0 0
0010 ffffffff 0 BRA 0 0
0100 ffffffff 1 R3 MOV 1 R1 0
0110 ffffffff 0 EXIT 0 0
`).Kernel
	if b := &k.Insts[1]; b.Op != ir.OpBra || b.Target != 2 || b.Guard.Kind != ir.KindNone {
		t.Errorf("%+v", b)
	}
	if e := &k.Insts[3]; e.Op != ir.OpExit || e.Guard.Kind != ir.KindNone {
		t.Errorf("%+v", e)
	}
}

func TestBarriersTakeTheirNumberAndCountFromTheImmediates(t *testing.T) {
	k := recovered(t, `
0000 ffffffff 0 BAR.SYNC 0 0 0
0010 ffffffff 0 BAR.SYNC 0 0 2
0020 ffffffff 0 BAR.SYNC 0 0 64
0030 ffffffff 0 BAR.ARV 0 0 3 96
`).Kernel
	type bar struct {
		id, threads int
		arrive      bool
	}
	var got []bar
	for i := range k.Insts {
		in := &k.Insts[i]
		b := bar{id: int(in.T.BarID), arrive: in.Mods.Bar == ir.BarArrive}
		if len(in.Src) > 1 {
			b.threads = int(in.Src[1].Imm)
		}
		got = append(got, b)
	}
	if d := cmp.Diff([]bar{{0, 0, false}, {2, 0, false}, {3, 64, false}, {3, 96, true}}, got,
		cmp.AllowUnexported(bar{})); d != "" {
		t.Error(d)
	}
}

// lostRegisters walks streams and fails if an instruction reads a register marked dead by an earlier one and not
// written since.
func lostRegisters(t *testing.T, k *ir.Kernel, w *stream.Warp) (deaths int) {
	t.Helper()
	var lost [256]uint32
	var c stream.Cursor
	c.Start(k, w)
	var d stream.Dyn
	for c.Next(&d) {
		for _, r := range d.Inst.T.Src[:d.Inst.T.NSrc] {
			if lost[r]&d.Exec != 0 {
				t.Fatalf("%d %s reads R%d, which was given up", d.PC, d.Inst, r)
			}
		}
		for i, r := range d.Inst.T.Src[:d.Inst.T.NSrc] {
			if d.Inst.T.Dead>>i&1 != 0 {
				lost[r] = ^uint32(0)
				deaths++
			}
		}
		for _, r := range d.Inst.T.Dst[:d.Inst.T.NDst] {
			lost[r] &^= d.Exec
		}
	}
	return deaths
}
