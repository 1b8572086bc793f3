package sched

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/sched/twolevel"
	"kumiko/sm/smtest"
)

// rotation runs n warps of six independent instructions with the given number of places. Every other
// instruction from the third on is a long consumer.
func rotation(t *testing.T, places, n int) (*bench, []int) {
	t.Helper()
	var insts []ir.Inst
	for i := range 6 {
		insts = append(insts, smtest.Inst(ir.ClassInt, []int{i + 1}, 0))
		insts[i].T.LongConsumer = i == 2 || i == 4
	}
	spec := testSetup()
	spec.Choice = *setSpec(places, true, true, 0)
	b := newBench(spec, smtest.KernelOf(insts...)) // the warp ends with the last
	b.warps(1, 1<<n-1)
	for pcs := range 3 {
		for slot := range n {
			b.fetch(wire.Cycle(2+pcs), slot, 2*pcs, 2*pcs+1)
		}
	}
	b.d.RunUntil(100)
	smtest.WantCycles(t, "issue", b.issuedAt()[:1], []wire.Cycle{3})
	for i, c := range b.issuedAt() {
		if c != wire.Cycle(3+i) {
			t.Errorf("instruction %d issues at %d, want one in every cycle from 3 on", i, c)
		}
	}
	return b, b.warpOrder()
}

// A warp issues two instructions, is suspended by the third, and becomes active
// again in its turn: the others issue two each meanwhile. No cycle is
// lost: the place of a suspended warp is filled in the same cycle.
func TestWarpsTakeTurnsAtTheirLongConsumers(t *testing.T) {
	for _, c := range []struct{ places, warps int }{{2, 4}, {2, 3}, {3, 5}} {
		b, got := rotation(t, c.places, c.warps)
		var want []int
		for range 3 {
			for w := range c.warps {
				want = append(want, w, w)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d of %d warps active (-want +got):\n%s", c.places, c.warps, d)
		}
		a := b.activeSet()
		if n := a.Suspensions[twolevel.LongLatency]; n != uint64(2*c.warps) || a.Activations != uint64(3*c.warps) {
			t.Errorf("%d suspensions, %d activations; want each of the %d warps suspended twice and activated three "+
				"times", n, a.Activations, c.warps)
		}
	}
}

func TestWithAPlaceForEveryWarpLongConsumersAreAsAnyOther(t *testing.T) {
	for _, warps := range []int{1, 2, 4} {
		b, got := rotation(t, 4, warps)
		var want []int
		for w := range warps {
			want = append(want, w, w, w, w, w, w)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d warps (-want +got):\n%s", warps, d)
		}
		if n := b.activeSet().Suspensions; n != [twolevel.NumCauses]uint64{} {
			t.Errorf("%v suspensions, want none", n)
		}
	}
}

// One place, two warps: while warp 0 waits for its result, suspended, warp 1
// issues and waits too.
func TestASuspendedWarpIsNoticed(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpActivated, regfile.WarpSuspended, regfile.WarpIssued)
	long := smtest.Inst(ir.ClassInt, []int{2}, 1)
	long.T.LongConsumer = true
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), long, smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Choice = *setSpec(1, true, true, 0)
	b := newBenchOf(spec, k, d, &Planes{Notices: notices})
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0, 1)
	for i := range 2 { // warp 0's result at 11, warp 1's at 13
		b.read.Send(wire.Cycle(6+i), op.Read{Inst: &k.Insts[0], Warp: uint16(i)})
		b.done.Send(wire.Cycle(10+2*i), op.Done{Inst: &k.Insts[0], Warp: uint16(i)})
	}
	b.d.RunUntil(40)
	want := []heard{ // each sent a cycle before
		{3, regfile.WarpActivated, 0, 0}, {4, regfile.WarpIssued, 0, 0},
		{5, regfile.WarpSuspended, 0, 1}, {5, regfile.WarpActivated, 1, 0}, {5, regfile.WarpIssued, 1, 0},
		{6, regfile.WarpSuspended, 1, 1},
		{12, regfile.WarpActivated, 0, 0}, {12, regfile.WarpIssued, 0, 1},
	}
	if d := cmp.Diff(want, hearing(ear)); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
}

// One place, or groups of one; two warps. Warp 0 issues at 3, when its result is there at 10, and when its third
// instruction is fetched at 20. Warp 1 could issue from 3 on.
func TestASlotIsLostToFetchIfTheActiveWarpsHaveNoInstruction(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassInt, []int{3}, 0), smtest.Inst(ir.ClassExit, nil))
	for _, choice := range []Spec{*setSpec(1, false, false, 0), {Policy: FetchGroup, Group: 1}} {
		spec := testSetup()
		spec.Choice = choice
		b := newBench(spec, k)
		b.warps(1, 0b11)
		b.fetch(2, 0, 0, 1)
		b.fetch(2, 1, 0)
		b.done.Send(9, op.Done{Inst: &k.Insts[0]}) // seen at 10
		b.fetch(19, 0, 2)
		b.d.RunUntil(30)
		smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 10, 20})
		// inactive from 4 to 9, while warp 0 waits for its result; its buffer is empty from 11 to 19, from 21 on and
		// when it starts
		if got := b.slotsOf(30); got["inactive"] != 6 || got["no_instruction"] != 9+10+1 {
			t.Errorf("%s: slots %v, want 6 of inactive, 20 of no_instruction", choice.Policy, got)
		}
	}
}

// One place, two warps. Warp 0 is due for suspension by its second instruction from cycle 4
// on. Its first one has read its operands at 10, and the scheduler is notified at 11.
func TestADesignMayHaveWarpsSuspendedOnlyWhenTheyHaveReadTheirOperands(t *testing.T) {
	for drained, leaves := range map[bool]wire.Cycle{false: 4, true: 11} {
		d := wire.NewDomain("core", smtest.GHz)
		ear, notices := listener(d, 8)
		notices.Events = regfile.Events(regfile.WarpActivated, regfile.WarpSuspended)
		notices.Drained = drained
		use := smtest.Inst(ir.ClassInt, []int{2}, 1)
		use.T.LongConsumer = true
		k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), use)
		spec := testSetup()
		spec.Choice = *setSpec(1, true, true, 0)
		b := newBenchOf(spec, k, d, &Planes{Notices: notices})
		b.warps(1, 0b11)
		b.fetch(2, 0, 0, 1)
		b.fetch(2, 1, 0)
		b.read.Send(10, op.Read{Inst: &k.Insts[0]})
		b.d.RunUntil(30)
		want := []heard{ // each sent a cycle before
			{3, regfile.WarpActivated, 0, 0}, {leaves + 1, regfile.WarpSuspended, 0, 1},
			{leaves + 1, regfile.WarpActivated, 1, 0},
		}
		if d := cmp.Diff(want, hearing(ear)); d != "" {
			t.Errorf("drained %t: notices (-want +got):\n%s", drained, d)
		}
	}
}

// One place, two warps. The first issues at 3 and then waits for its
// result. With suspension after 20 cycles it leaves at 23, without any other
// event, and the second issues in that cycle.
func TestAStalledWarpLeavesInTheCycleInWhichItIsDue(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassExit,
			nil))
	spec := testSetup()
	spec.Choice = *setSpec(1, true, true, 20)
	b := newBench(spec, k)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0, 1)
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 23})
	if d := cmp.Diff([]int{0, 1}, b.warpOrder()); d != "" {
		t.Error(d)
	}
	// ready from 3 on, warp 1 is inactive in the cycles 4 to 22
	if got := b.slotsOf(40)["inactive"]; got != 19 {
		t.Errorf("%d slots lost to inactive warps, want 19", got)
	}
}

func TestALongConsumerDoesNotIssueBesideTheInstructionBeforeIt(t *testing.T) {
	long := smtest.Inst(ir.ClassInt, []int{2}, 0)
	long.T.LongConsumer = true
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), long, smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Width = 2
	spec.Choice = *setSpec(1, true, true, 0)
	b := newBench(spec, k)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0, 1)
	b.d.RunUntil(40)
	// 0 leaves at 4 for 1; 1 leaves at 5 for 0, now next in turn
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 5})
	if d := cmp.Diff([]int{0, 1, 0}, b.warpOrder()); d != "" {
		t.Error(d)
	}
}

// One place, two warps. The first issues two loads at 3 and 4, and at 10 an
// instruction independent of both. The note of a miss, sent at 10, suspends it at 11, and
// the second warp issues a load and is suspended at 25. The first result of warp 0, at
// 21, is not enough: warp 0 returns at 31, with the second result.
func TestASchedulerHearsOfMisses(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassLoad, []int{2}, 0),
		smtest.Inst(ir.ClassInt, []int{3},
			4),
		smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Buffer = 4
	spec.Choice = *setSpec(1, false, true, 0)
	spec.Choice.SuspendOn = onMiss
	b := newBench(spec, k)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(9, 0, 2, 3)
	b.fetch(2, 1, 0)
	b.stores.Send(10, message.StoreNote{Warp: 0, Missed: true})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Warp: 0})
	b.done.Send(30, op.Done{Inst: &k.Insts[1], Warp: 0})
	b.stores.Send(24, message.StoreNote{Warp: 1, Missed: true})
	b.d.RunUntil(30)
	if n := b.activeSet().Activations; n != 2 {
		t.Errorf("%d activations by cycle 30, want 2", n)
	}
	b.d.RunUntil(31)
	if n := b.activeSet().Activations; n != 3 {
		t.Errorf("%d activations by cycle 31, want 3: warp 0 comes back", n)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 10, 11})
	if d := cmp.Diff([]int{0, 0, 0, 1}, b.warpOrder()); d != "" {
		t.Error(d)
	}
	if n := b.activeSet().Suspensions[twolevel.LongLatency]; n != 2 {
		t.Errorf("%d suspensions, want 2", n)
	}
}

func setSpec(active int, ready, barrier bool, after int) *Spec {
	return &Spec{Policy: TwoLevel, Inner: "greedy", Active: active, SuspendReady: ready,
		SuspendAtBarrier: barrier, SuspendAfter: after}
}

func TestAnActiveSetThatSchedulersCannotShareIsRefused(t *testing.T) {
	for active, ok := range map[int]bool{0: false, 2: false, 3: true, 7: false, 9: true, 12: false} {
		err := setSpec(active, true, true, 0).Check(3, 8)
		if (err == nil) != ok {
			t.Errorf("%d active warps, 3 schedulers, 8 contexts: %v", active, err)
		}
	}
	for _, bad := range []Spec{{Policy: "none"}, {Policy: TwoLevel, Active: 3},
		{Policy: "lrr", Inner: "two-level"},
		{Policy: "lrr", SuspendAfter: -1}, {Policy: FetchGroup}, {Policy: FetchGroup, Group: 65}} {
		if bad.Check(3, 8) == nil {
			t.Errorf("%s is accepted", fmt.Sprintf("%+v", bad))
		}
	}
}
