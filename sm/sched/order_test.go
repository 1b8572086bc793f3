package sched

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// Warp 0 starts before warp 1, loses its slot and is back from 30 on. At 41 both are
// ready.
func TestAWarpThatComesBackIsAsOldAsItWas(t *testing.T) {
	k := loadAndUse()
	spec := testSetup()
	spec.Slots, spec.Contexts, spec.Switch.Switching, spec.Choice.Policy = 4, 8, switching.VirtualThread, "oldest"
	b := newBench(spec, k)
	park := wiretest.NewSource("Park", b.d, &b.s.Parking.Park)
	wiretest.NewSink("Parked", b.d, &b.s.Parking.Parked, 4)
	wiretest.NewSink("Woke", b.d, &b.s.Parking.Woke, 4)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.start.Send(1, message.WarpsStart{Slots: 2, Contexts: []uint16{1}, CTA: 6})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1})
	park.Send(10, switching.Park{CTA: 5})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.start.Send(30, message.WarpsStart{Slots: 1 << 3, Contexts: []uint16{0}, CTA: 5, Returned: true})
	b.fetched.Send(40, message.Fetched{Inst: &k.Insts[0], Exec: 1, Warp: 1})
	b.fetched.Send(40, message.Fetched{Inst: &k.Insts[1], PC: 1, Exec: 1, Life: 1})
	b.d.RunUntil(60)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 41, 42})
	if d := cmp.Diff([]int{0, 0, 1}, b.warpOrder()); d != "" {
		t.Errorf("warps (-want +got):\n%s", d)
	}
}

// Guarded instructions without an executing lane end at the scheduler, unless they
// write registers.
func TestAMemoryOperationOrBarrierOfNoLaneEndsAtIssue(t *testing.T) {
	for _, k := range []struct {
		class    ir.Class
		dst      []int
		exec     uint32
		sent     int
		arrivals int
	}{
		{ir.ClassLoad, []int{1}, 1, 1, 0}, {ir.ClassLoad, []int{1}, 0, 0, 0}, {ir.ClassStore, nil, 0, 0, 0},
		{ir.ClassInt, []int{1}, 0, 1, 0}, {ir.ClassBarrier, nil, 1, 0, 1}, {ir.ClassBarrier, nil, 0, 0, 0},
	} {
		in := smtest.Inst(k.class, k.dst, 0)
		in.T.Guarded = true
		b := newBench(testSetup(), smtest.KernelOf(in, smtest.Inst(ir.ClassExit, nil)))
		b.warps(1, 1)
		b.fetched.Send(2, message.Fetched{Inst: &b.k.Insts[0], Exec: k.exec})
		b.d.RunUntil(20)
		if b.s.issuedInsts != 1 || len(b.issue.Got) != k.sent || len(b.arrivals.Got) != k.arrivals {
			t.Errorf("class %s, lanes %b: %d issued, %d sent, %d arrivals; want 1, %d, %d", k.class, k.exec,
				b.s.issuedInsts, len(b.issue.Got), len(b.arrivals.Got), k.sent, k.arrivals)
		}
	}
}

func TestAMissIsNotedWhileALoadIsOutstanding(t *testing.T) {
	b := newBench(testSetup(), smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassExit, nil)))
	b.warps(1, 1)
	b.stores.Send(5, message.StoreNote{Missed: true})
	b.d.RunUntil(20)
	if b.s.Missed != 0 {
		t.Error("a miss is noted of a warp without loads")
	}
}
