package sched

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// Eight contexts of one scheduler with four slots: context 6 has slot 2. Messages about the context reach the
// warp in the slot, and messages of the scheduler name the context.
func TestAWarpIsItsContextWhateverItsSlot(t *testing.T) {
	spec := testSetup()
	spec.Slots, spec.Contexts = 4, 8
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassBarrier,
			nil),
		smtest.Inst(ir.ClassExit, nil))
	b := newBench(spec, k)
	b.start.Send(1, message.WarpsStart{Slots: 1 << 2, Contexts: []uint16{6}})
	b.fetch(2, 6, 0, 1)
	b.done.Send(10, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 6})
	b.read.Send(10, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 6})
	b.fetch(12, 6, 2, 3)
	b.read.Send(20, op.Read{Inst: &k.Insts[1], Tag: 2, Warp: 6})
	b.done.Send(20, op.Done{Inst: &k.Insts[1], Tag: 2, Warp: 6})
	b.released.Send(30, message.Release{Own: [8]uint64{1 << 6}})
	b.d.RunUntil(60)
	// in the buffer at 3, the result seen at 11, the barrier at 13, the release at 31
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 11})
	for _, w := range b.warpOrder() {
		if w != 6 {
			t.Errorf("an operation of warp %d, want 6", w)
		}
	}
	if len(b.arrivals.Got) != 2 || b.arrivals.Got[0].Msg.Warp != 6 || b.arrivals.Got[0].Cycle != 14 ||
		!b.arrivals.Got[1].Msg.Exit || b.arrivals.Got[1].Cycle != 32 {
		t.Errorf("arrivals %+v, want warp 6 at 14 and its exit at 32", b.arrivals.Got)
	}
	if len(b.ended.Got) != 1 || b.ended.Got[0].Msg.Warp != 6 {
		t.Errorf("ended %+v, want warp 6", b.ended.Got)
	}
	if b.s.Live != 0 || b.s.warpOf(6).cta != 0 || b.s.slotOf[6] != 2 || b.s.context(2) != 6 {
		t.Errorf("slots %b are live; context 6 has slot %d, slot 2 context %d", b.s.Live, b.s.slotOf[6], b.s.context(2))
	}
}

// Of a CTA's contexts a scheduler of two takes every other one, the first the lowest
// slot.
func TestASchedulerGivesSlotsToItsOwnWarpsOfACTAInOrder(t *testing.T) {
	s := newSlotTable(1, 2, 16, 4)
	for i, want := range []int{1, 3, 5, 7} {
		if s.contextNumber(i) != want || int(s.contextOf[i]) != want || int(s.slotOf[want]) != i {
			t.Errorf("own context %d is %d with slot %d", i, s.contextNumber(i), s.slotOf[want])
		}
	}
	s.assign(13, 0)
	if s.slotOf[13] != 0 || s.contextOf[0] != 13 {
		t.Errorf("context 13 has slot %d, and slot 0 context %d", s.slotOf[13], s.contextOf[0])
	}
}
