package sched

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/reason"
	"kumiko/sm/smtest"
)

// Warp 0 has two loads, warp 1 an addition. There is one issue register for
// each unit (0: arithmetic, 1: memory). The first load leaves its register at 10, and
// the scheduler is notified at 11.
func TestASchedulerWithoutAnIssueRegisterForALoadIssuesWhatIsForOtherUnits(t *testing.T) {
	load := func(r int) ir.Inst { return smtest.Inst(ir.ClassLoad, []int{r}, 0) }
	k := smtest.KernelOf(load(1), load(2), smtest.Inst(ir.ClassInt, []int{3}, 0), smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Registers, spec.Units = 1, 2
	b := newBench(spec, k)
	room := wiretest.NewSource("Room", b.d, &b.s.Taken)
	b.warps(1, 3)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 2)
	room.Send(10, op.Taken{Unit: 1})
	b.d.RunUntil(30)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 11})
	if got := b.issue.Got[1].Msg.Unit; got != 0 {
		t.Errorf("second to issue is for unit %d, want 0", got)
	}
	// one warp in each of 3, 4 and 11; in 5 to 10 the second load is ready
	if got := b.s.account.Slots[reason.RegfileFull]; got != 6 {
		t.Errorf("%d slots lost to the register file, want 6", got)
	}
}
