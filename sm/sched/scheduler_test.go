package sched

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/smtest"
)

// Instructions sent at 2 are in the buffer at 3, so that the first one issues at 3. A notice sent in a cycle is seen in
// the next.
func TestAnInstructionIssuesWhenTheOneBeforeHasGivenItsRegisters(t *testing.T) {
	set, use := smtest.Inst(ir.ClassMove, nil, 0), smtest.Inst(ir.ClassInt, []int{1}, 0)
	set.T.DstPreds, use.T.SrcPreds = 1<<3, 1<<3
	alu := func(result int, sources ...int) ir.Inst { return smtest.Inst(ir.ClassInt, []int{result}, sources...) }
	for name, c := range map[string]struct {
		first, second ir.Inst
		read, done    wire.Cycle
		issued        wire.Cycle // of the second
	}{
		"independent":       {alu(1, 0), alu(2, 0), 8, 10, 4},
		"read after write":  {alu(1, 0), alu(2, 1), 5, 10, 11},
		"write after write": {alu(1, 0), alu(1, 2), 5, 7, 8},
		"write after read":  {alu(1, 5, 5), alu(5, 2), 8, 15, 9},
		"predicate":         {set, use, 5, 12, 13},
	} {
		k := smtest.KernelOf(c.first, c.second, smtest.Inst(ir.ClassExit, nil))
		b := newBench(testSetup(), k)
		b.warps(1, 1)
		b.fetch(2, 0, 0, 1)
		b.read.Send(c.read, op.Read{Inst: &k.Insts[0], Tag: 1})
		b.done.Send(c.done, op.Done{Inst: &k.Insts[0], Tag: 1})
		b.d.RunUntil(20)
		smtest.WantCycles(t, name, b.issuedAt(), []wire.Cycle{3, c.issued})
	}
}

func TestAUniformRegisterIsWaitedForAndOthersAreNot(t *testing.T) {
	set := smtest.Inst(ir.ClassInt, nil)
	set.T.DstUniform = 3 << 4
	other := smtest.Inst(ir.ClassInt, []int{1})
	other.T.SrcUniform = 1 << 6
	use := smtest.Inst(ir.ClassInt, []int{2})
	use.T.SrcUniform = 1 << 5
	k := smtest.KernelOf(set, other, use, smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.fetch(3, 0, 2)
	b.done.Send(12, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 13})
}

// Three warps, of which the last starts first, have two independent instructions each in the buffer when the first may
// issue.
func TestAPolicyChoosesAmongTheReadyWarps(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit, nil))
	for policy, want := range map[string][]int{"lrr": {0, 1, 2, 0, 1, 2}, "gto": {2, 2, 0, 0, 1, 1},
		"oldest": {2, 2, 0, 0, 1, 1}} {
		spec := testSetup()
		spec.Choice.Policy = policy
		b := newBench(spec, k)
		b.warps(1, 1<<2)
		b.warps(2, 1<<0|1<<1)
		for _, slot := range []int{0, 1, 2} {
			b.fetch(4, slot, 0, 1)
		}
		b.d.RunUntil(30)
		if d := cmp.Diff(want, b.warpOrder()); d != "" {
			t.Errorf("%s: warps (-want +got):\n%s", policy, d)
		}
	}
}

func TestABarrierHoldsAWarpUntilItIsReleased(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassBarrier, nil), smtest.Inst(ir.ClassInt, []int{1}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.released.Send(14, message.Release{Own: [8]uint64{1}})
	b.d.RunUntil(30)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{15})
	if len(b.arrivals.Got) != 1 || b.arrivals.Got[0].Cycle != 4 {
		t.Errorf("arrivals %v, want one that issued at 3", b.arrivals.Got)
	}
}

func TestAFenceWaitsForTheWarpsStores(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassStore, nil, 0, 1), smtest.Inst(ir.ClassFence, nil),
		smtest.Inst(ir.ClassInt, []int{1},
			2),
		smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.fetch(5, 0, 2)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1})
	b.stores.Send(15, message.StoreNote{Warp: 0})
	b.d.RunUntil(30)
	// the fence issues at 16, the instruction behind it at 17
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 17})
}

func TestAWarpEndsWhenItsResultsAndStoresHaveArrived(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassStore, nil, 0, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.fetch(4, 0, 2)
	b.done.Send(9, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.stores.Send(20, message.StoreNote{})
	b.d.RunUntil(40)
	if len(b.ended.Got) != 1 || b.ended.Got[0].Cycle != 22 {
		t.Errorf("ended %v, want one seen at 22: the acknowledgement arrives at 21", b.ended.Got)
	}
}

func TestTwoInstructionsOfAWarpIssueInOneCycleWhenTheWidthIsTwo(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	spec := testSetup()
	spec.Width = 2
	b := newBench(spec, k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 3})
}

func TestBothInstructionsOfACycleGoToDifferentUnitsWhereTheyMust(t *testing.T) {
	alu := func(r int) ir.Inst { return smtest.Inst(ir.ClassInt, []int{r}, 0) }
	load := smtest.Inst(ir.ClassLoad, []int{5}, 0)
	for _, c := range []struct {
		name          string
		first, second ir.Inst
		issued        []wire.Cycle
	}{
		{"two of one unit", alu(1), alu(2), []wire.Cycle{3, 4}},
		{"one and a load", alu(1), load, []wire.Cycle{3, 3}},
		{"a load and one", load, alu(1), []wire.Cycle{3, 3}},
		{"two loads", load, smtest.Inst(ir.ClassLoad, []int{6}, 0), []wire.Cycle{3, 4}},
	} {
		spec := testSetup()
		spec.Width, spec.Apart = 2, true
		b := newBench(spec, smtest.KernelOf(c.first, c.second, smtest.Inst(ir.ClassExit, nil)))
		b.warps(1, 1)
		b.fetch(2, 0, 0, 1)
		b.d.RunUntil(20)
		smtest.WantCycles(t, c.name, b.issuedAt(), c.issued)
	}
}

// Two additions of one warp, and one of another: at 3 the first warp issues one,
// and both the rest of it and the other warp are ready.
func TestASlotLostBesideAnIssueIsUnpairedAndNotTheRegisterFiles(t *testing.T) {
	alu := func(r int) ir.Inst { return smtest.Inst(ir.ClassInt, []int{r}, 0) }
	for _, c := range []struct {
		name           string
		apart          bool
		warps, insts   int
		unpaired, full uint64
	}{
		{"the rest of the warp is for the same kind of unit", true, 1, 2, 1, 0},
		{"another warp is ready", false, 2, 1, 1, 0},
		{"nobody is ready", false, 1, 1, 0, 0},
	} {
		spec := testSetup()
		spec.Width, spec.Apart = 2, c.apart
		b := newBench(spec, smtest.KernelOf(alu(1), alu(2), smtest.Inst(ir.ClassExit, nil)))
		b.warps(1, 1<<c.warps-1)
		for w := range c.warps {
			b.fetch(2, w, []int{0, 1}[:c.insts]...)
		}
		b.d.RunUntil(20)
		b.s.account.Finish(20)
		if s := &b.s.account.Slots; s[reason.Unpaired] != c.unpaired || s[reason.RegfileFull] != c.full {
			t.Errorf("%s: %d slots unpaired, %d of the register file; want %d and %d", c.name, s[reason.Unpaired],
				s[reason.RegfileFull], c.unpaired, c.full)
		}
	}
}

// Two fences, then a barrier: none occupies a unit, so they pair with anything.
func TestAnInstructionWithoutAUnitIssuesBesideAnyOther(t *testing.T) {
	spec := testSetup()
	spec.Width, spec.Apart = 2, true
	b := newBench(spec, smtest.KernelOf(smtest.Inst(ir.ClassFence, nil), smtest.Inst(ir.ClassFence, nil),
		smtest.Inst(ir.ClassInt, []int{1},
			0),
		smtest.Inst(ir.ClassExit, nil)))
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1, 2, 3)
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue to the register file", b.issuedAt(), []wire.Cycle{4})
	if got := b.s.account.Slots[reason.Issued]; got != 4 {
		t.Errorf("%d instructions issued, want 4", got)
	}
}

func TestIssueSlotsAddUpAndCarryTheNearestReason(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassInt, []int{3},
			2),
		smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.fetch(5, 0, 2, 3)
	b.done.Send(30, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.done.Send(40, op.Done{Inst: &k.Insts[1], Tag: 2})
	b.done.Send(50, op.Done{Inst: &k.Insts[2], Tag: 3})
	b.d.RunUntil(100)
	b.s.account.Finish(100)
	got := map[string]uint64{}
	var sum uint64
	for _, r := range reason.List(nil) {
		got[r.Name] = b.s.account.Slots[r.Reason]
		sum += b.s.account.Slots[r.Reason]
	}
	// Warp seen at 2, first instruction at 3 and issued then: cycle 1 empty, 2
	// without instruction. Load issued at 3, its user waits from 4 to 30 and
	// issues at 31; the next waits from 32 to 40, issues at 41, and the exit at
	// 42. The last result arrives at 51: 43 to 50 drain, and from 51 on empty.
	want := map[string]uint64{"issued": 4, "no_instruction": 1, "memory": 27, "scoreboard": 9, "drain": 8,
		"empty":        1 + 50,
		"regfile_full": 0, "unit_full": 0, "lsu_full": 0, "shared_full": 0, "cache_full": 0, "memory_full": 0,
		"barrier": 0, "fence": 0}
	if d := cmp.Diff(want, got); d != "" || sum != 100 {
		t.Errorf("sum %d, slots (-want +got):\n%s", sum, d)
	}
}

func TestALostSlotIsTheRegisterFilesWhenItTakesNoOperation(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassInt, []int{3},
			0),
		smtest.Inst(ir.ClassInt, []int{4}, 0), smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.issue.Refuse = func(now wire.Cycle) bool { return now < 20 }
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1, 2, 3)
	b.d.RunUntil(40)
	// the link holds two operations; the third goes when the first is taken at 20
	smtest.WantCycles(t, "issue", []wire.Cycle{b.issue.Got[2].Cycle - 1}, []wire.Cycle{21})
	if got := b.s.account.Slots[reason.RegfileFull]; got != 16 {
		t.Errorf("slots lost to the register file: %d, want 16 (cycles 5 to 20)", got)
	}
}

func TestTagsStartOverBehindThirtyTwoBitsWithoutAZeroOrANumberOfAnotherScheduler(t *testing.T) {
	for _, n := range []int{1, 3, 4} {
		for i := range n {
			tags := newTags(i, n)
			tags.next = uint32(1<<32 - uint64(n) + uint64(i))
			tags.next -= (tags.next - tags.first) % tags.step // the last or the last but one of the sequence
			for range 4 {
				if v := tags.draw(); v == 0 || (v-1)%uint32(n) != uint32(i) {
					t.Errorf("scheduler %d of %d draws %d", i, n, v)
				}
			}
			if tags.next > uint32(4*n) {
				t.Errorf("scheduler %d of %d has not started over: %d comes next", i, n, tags.next)
			}
		}
	}
}
