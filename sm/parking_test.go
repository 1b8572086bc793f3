package sm

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/switching"
)

// parkBench is a scheduler of four slots and eight contexts with probes where the
// switcher is.
type parkBench struct {
	*bench
	park   *wiretest.Source[switching.Park]
	parked *wiretest.Sink[switching.Parked]
	woke   *wiretest.Sink[switching.Woke]
}

func newParkBench(k *ir.Kernel) *parkBench {
	spec := testSpec()
	spec.Warps, spec.Contexts, spec.Switch.Switching = 4, 8, switching.VirtualThread
	b := &parkBench{bench: newBench(spec, k)}
	b.park = wiretest.NewSource("Park", b.d, &b.s.parking.Park)
	b.parked = wiretest.NewSink("Parked", b.d, &b.s.parking.Parked, 4)
	b.woke = wiretest.NewSink("Woke", b.d, &b.s.parking.Woke, 4)
	return b
}

// loadAndUse loads register 1, adds to it, and ends.
func loadAndUse() *ir.Kernel {
	return kernelOf(inst(ir.ClassLoad, []int{1}, 0), inst(ir.ClassInt, []int{2}, 1), inst(ir.ClassExit, nil))
}

// The load issues at 3; its source is read at 6, the notice of which is seen at 7.
func TestAWarpHasStoppedWhenItsOperandsAreReadAndItWaitsForAResultFromMemory(t *testing.T) {
	k := loadAndUse()
	b := newParkBench(k)
	b.start.Send(1, WarpsStart{Slots: 1, Contexts: []uint16{0}})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.d.RunUntil(7)
	if st := b.s.parking.status.Get(); st.Stopped&1 != 0 || st.Fresh&1 != 0 || st.Live != 1 {
		t.Errorf("before its operands are read: %+v, want slot 0 live, moving, and not fresh", st)
	}
	b.d.RunUntil(9)
	if st := b.s.parking.status.Get(); st.Stopped&1 == 0 || st.Long != 1 {
		t.Errorf("after: %+v, want slot 0 stopped for a long-latency result", st)
	}
}

// What comes for a warp without a slot is not lost: the result wakes it, and with a slot
// again, another one, it goes on with the instruction that it had in its buffer.
func TestAParkedWarpGetsItsResultAndGoesOnInAnotherSlot(t *testing.T) {
	k := loadAndUse()
	b := newParkBench(k)
	b.start.Send(1, WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.park.Send(10, switching.Park{CTA: 5})
	b.fetch(11, 0, 2) // of the life before
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.start.Send(30, WarpsStart{Slots: 1 << 3, Contexts: []uint16{0}, CTA: 5, Returned: true})
	b.fetched.Send(32, Fetched{Inst: &k.Insts[1], PC: 1, Exec: ^uint32(0), Life: 1})
	b.fetched.Send(32, Fetched{Inst: &k.Insts[2], PC: 2, Exec: ^uint32(0), Life: 1, Last: true})
	b.read.Send(40, op.Read{Inst: &k.Insts[1], Tag: 2, Warp: 0})
	b.done.Send(45, op.Done{Inst: &k.Insts[1], Tag: 2, Warp: 0})
	b.d.RunUntil(60)
	if len(b.parked.Got) != 1 || b.parked.Got[0].Cycle != 12 || b.parked.Got[0].Msg != (switching.Parked{CTA: 5, Warps: 1}) {
		t.Errorf("parked: %+v, want one warp of CTA 5 at 12", b.parked.Got)
	}
	if len(b.woke.Got) != 1 || b.woke.Got[0].Cycle != 22 || b.woke.Got[0].Msg.CTA != 5 {
		t.Errorf("woke: %+v, want CTA 5 at 22", b.woke.Got)
	}
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 33})
	if len(b.ended.Got) != 1 || b.ended.Got[0].Msg.Warp != 0 || b.s.account.parked != 0 {
		t.Errorf("ended %+v, %d without slots; want warp 0, none", b.ended.Got, b.s.account.parked)
	}
}

// An operation of the ALU is under way until 15: only then is the slot free.
func TestAWarpKeepsItsSlotUntilItsResultsAreWritten(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{2}, 1), inst(ir.ClassInt, []int{3}, 2), inst(ir.ClassExit, nil))
	b := newParkBench(k)
	b.start.Send(1, WarpsStart{Slots: 1, Contexts: []uint16{0}})
	b.fetch(2, 0, 0, 1)
	b.park.Send(4, switching.Park{})
	b.read.Send(8, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.done.Send(15, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.d.RunUntil(40)
	if len(b.parked.Got) != 1 || b.parked.Got[0].Cycle != 17 || b.s.live != 0 {
		t.Errorf("parked: %+v, want at 17", b.parked.Got)
	}
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3})
	if len(b.woke.Got) != 1 {
		t.Errorf("woke: %+v, want once: the warp could issue", b.woke.Got)
	}
}

// A release from a barrier reaches a warp without a slot, and one whose store is
// acknowledged then ends without ever having had one again.
func TestAParkedWarpIsReleasedFromABarrierAndAnotherEnds(t *testing.T) {
	k := kernelOf(inst(ir.ClassBarrier, nil), inst(ir.ClassExit, nil), inst(ir.ClassStore, nil, 0), inst(ir.ClassExit, nil))
	b := newParkBench(k)
	b.start.Send(1, WarpsStart{Slots: 0b11, Contexts: []uint16{0, 1}})
	b.fetch(2, 0, 0)
	b.fetched.Send(2, Fetched{Inst: &k.Insts[2], PC: 2, Exec: ^uint32(0), Warp: 1})
	b.fetched.Send(2, Fetched{Inst: &k.Insts[3], PC: 3, Exec: ^uint32(0), Warp: 1, Last: true})
	b.read.Send(8, op.Read{Inst: &k.Insts[2], Tag: 1, Warp: 1})
	b.park.Send(10, switching.Park{})
	b.released.Send(20, Release{Own: [8]uint64{1}})
	b.stores.Send(30, StoreNote{Warp: 1})
	b.d.RunUntil(40)
	if len(b.parked.Got) != 1 || b.parked.Got[0].Msg.Warps != 2 {
		t.Errorf("parked: %+v, want two warps", b.parked.Got)
	}
	if len(b.woke.Got) != 1 || b.woke.Got[0].Cycle != 22 {
		t.Errorf("woke: %+v, want at 22", b.woke.Got)
	}
	if len(b.ended.Got) != 1 || b.ended.Got[0].Msg.Warp != 1 || b.ended.Got[0].Cycle != 32 || b.s.account.parked != 1 {
		t.Errorf("ended: %+v, %d without slots; want warp 1 at 32, and one", b.ended.Got, b.s.account.parked)
	}
}

// Warp 1 starts after warp 0 and so is younger, although warp 0 has lost its slot since.
func TestAWarpThatComesBackHasTheAgeOfItsStart(t *testing.T) {
	p := &oldest{}
	age := map[int]int{0: 1, 1: 2, 2: 3}
	p.Started(0)
	p.Started(1)
	p.Finished(0)
	p.Started(2)
	age[3] = 1 // warp 0 in slot 3
	p.Started(3)
	p.Resort(3, func(other int) bool { return age[3] > age[other] })
	if p.Pick(1<<1|1<<2|1<<3) != 3 || p.Pick(1<<1|1<<2) != 1 {
		t.Errorf("order %v, want slots 3, 1, 2", p.order[:p.n])
	}
}

func TestASchedulerOfWarpsWithoutSlotsSaysWhatTheFirstWaitsFor(t *testing.T) {
	k := loadAndUse()
	b := newParkBench(k)
	b.start.Send(1, WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.park.Send(10, switching.Park{CTA: 5})
	b.d.RunUntil(20)
	if got, want := b.s.Waiting(), "1 warps without slots; warp 0 (CTA slot 5): waits for registers R1 (from memory)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.done.Send(30, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.d.RunUntil(40)
	if got, want := b.s.Waiting(), "1 warps without slots; warp 0 (CTA slot 5): could issue"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
