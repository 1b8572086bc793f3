package sched

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/smtest"
)

func TestInsertedOperationsAreCountedWhereThereAreSome(t *testing.T) {
	for _, inserts := range []string{"", "prefetch"} {
		reg := &stats.Registry{}
		New("S", wire.NewDomain("core", smtest.GHz), &testSetup().Config,
			Links{Units: [][]uint8{{0},
				{1}},
				Planes: &Planes{Inserts: inserts}, Observers: &Observers{}, Steady: &Steady{}}, reg)
		_, counted := reg.Snapshot()["sm.inserted_instructions"]
		if counted != (inserts != "") {
			t.Errorf("inserts %q: counted %t", inserts, counted)
		}
	}
}

// Three warps have an addition each, and the link to the register file holds two until 20.
func TestASchedulerTellsWhetherItIssuesAndWhetherItCould(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBench(testSetup(), k)
	b.s.idle = NewIdle("I", nil)
	b.s.idle.Begin(0)
	b.issue.Refuse = func(now wire.Cycle) bool { return now < 20 }
	b.warps(1, 0b111)
	for w := range 3 {
		b.fetch(2, w, 0)
	}
	b.d.RunUntil(40)
	b.s.idle.Finish(40)
	// in the buffer at 3; two operations find room at 3 and 4, the third at 21
	if c := b.s.idle; c.stall != 16 || c.idle != 40-3-16 {
		t.Errorf("%d stall and %d idle cycles, want 16 (5 to 20) and 21", c.stall, c.idle)
	}
}
