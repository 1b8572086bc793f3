package cfg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

func barrier(op ir.Op, b uint64) ir.Inst { return ir.Inst{Op: op, Src: []ir.Operand{ir.Imm(b, 1)}} }

// between returns the places of the first instructions of the blocks between the branch at pc and its meeting.
func between(pc int, insts ...ir.Inst) (out []int) {
	k := &ir.Kernel{Insts: insts, Converges: true}
	g := Build(insts)
	list := map[int]bool{}
	for _, b := range g.Parted(k)(g.BlockOf[pc]) {
		list[g.Blocks[b].Start] = true
	}
	for pc := range insts {
		if list[pc] {
			out = append(out, pc)
		}
	}
	return out
}

func TestLanesOfMachineCodeAreApartUntilTheWaitForTheirBarrier(t *testing.T) {
	branch := ir.Inst{Op: ir.OpBra, Guard: ir.P(0), Target: 3}
	set, wait, leave := barrier(ir.OpBarrierSet, 0), barrier(ir.OpBarrierWait, 0), barrier(ir.OpBarrierLeave, 0)
	nop, exit := ir.Inst{}, ir.Inst{Op: ir.OpExit}
	leave.Guard = ir.P(1)
	other := barrier(ir.OpBarrierWait, 1)
	for _, c := range []struct {
		why   string
		insts []ir.Inst
		want  []int
	}{
		{"they meet behind 3", []ir.Inst{set, branch, nop, wait, nop, exit}, []int{2, 3}},
		{"the barrier is another one", []ir.Inst{set, branch, nop, other, nop, exit}, []int{2, 3, 4}},
		{"no barrier is set", []ir.Inst{nop, branch, nop, wait, nop, exit}, []int{2, 3, 4}},
		{"lanes leave the barrier on one way", []ir.Inst{set, branch, leave, wait, nop, exit}, []int{2, 3, 4}},
		{"the barrier is set again", []ir.Inst{set, branch, set, wait, nop, exit}, []int{2, 3, 4}},
		{"there are two waits", []ir.Inst{set, branch, wait, wait, nop, exit}, []int{2, 3, 4}},
	} {
		if d := cmp.Diff(c.want, between(1, c.insts...)); d != "" {
			t.Errorf("%s: %s", c.why, d)
		}
	}
	// A branch behind a leave is outside the barrier.
	late := branch
	late.Target = 4
	if d := cmp.Diff([]int{3, 4, 5}, between(2, set, leave, late, nop, wait, nop, exit)); d != "" {
		t.Error(d)
	}
}

func TestABarrierSetOnOneOfTwoWaysHoldsNothing(t *testing.T) {
	over := ir.Inst{Op: ir.OpBra, Guard: ir.P(0), Target: 2}
	branch := ir.Inst{Op: ir.OpBra, Guard: ir.P(1), Target: 4}
	got := between(2, over, barrier(ir.OpBarrierSet, 0), branch, ir.Inst{}, barrier(ir.OpBarrierWait, 0), ir.Inst{},
		ir.Inst{Op: ir.OpExit})
	if d := cmp.Diff([]int{3, 4, 5}, got); d != "" {
		t.Error(d)
	}
}

func TestAWaitAtAMeetingPlaceLeadsThere(t *testing.T) {
	push := ir.Inst{Op: ir.OpMeeting, Target: 4, Src: []ir.Operand{ir.Imm(uint64(ir.MeetSync), 1)}}
	wait := ir.Inst{Op: ir.OpMeet, Targets: []int{4}, Src: push.Src}
	some := wait
	some.Guard = ir.P(0)
	insts := []ir.Inst{push, some, {}, wait, {}, {Op: ir.OpExit}}
	g := Build(insts)
	var got [][]int
	for _, b := range g.Blocks {
		got = append(got, append([]int{b.Start}, b.Succs...))
	}
	if d := cmp.Diff([][]int{{0, 1, 2}, {2, 2}, {4}}, got); d != "" {
		t.Error(d)
	}
	// Lanes may be apart until the end: a place is not followed to where all meet.
	if d := cmp.Diff([]int{2, 4}, between(1, insts...)); d != "" {
		t.Error(d)
	}
}

func TestABranchOfLanesThatAreTogetherHasTwoWays(t *testing.T) {
	g := Build([]ir.Inst{{Op: ir.OpBra, Flow: ir.FlowConverged, Target: 2}, {}, {Op: ir.OpExit}})
	if d := cmp.Diff([]int{1, 2}, g.Blocks[0].Succs); d != "" {
		t.Error(d)
	}
}
