package sched

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// predicateBench has a warp in slot 0, of which the first instruction, at 3, writes a predicate under tag 1. The
// warp loses its slot at 11.
func predicateBench(contextBytes int) (*bench, *wiretest.Sink[switching.Descheduled],
	*wiretest.Source[switching.Context]) {
	spec := testSetup()
	spec.Slots, spec.Switch.Switching, spec.Switch.ContextBytes = 4, switching.VirtualThread, contextBytes
	set := smtest.Inst(ir.ClassMove, nil)
	set.T.DstPreds = 1 << 3
	b := newBench(spec, smtest.KernelOf(set, smtest.Inst(ir.ClassInt, []int{2}, 1), smtest.Inst(ir.ClassExit, nil)))
	deschedule := wiretest.NewSource("Deschedule", b.d, &b.s.Switch.Deschedule)
	descheduled := wiretest.NewSink("Descheduled", b.d, &b.s.Switch.Descheduled, 4)
	wiretest.NewSink("Woke", b.d, &b.s.Switch.Woke, 4)
	back := wiretest.NewSource("Back", b.d, &b.s.Switch.Back)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}})
	b.fetch(2, 0, 0)
	b.read.Send(5, op.Read{Inst: &b.k.Insts[0], Tag: 1})
	b.done.Send(6, op.Done{Inst: &b.k.Insts[0], Tag: 1})
	deschedule.Send(10, switching.Deschedule{})
	return b, descheduled, back
}

func TestTheVersionOfAWarpsPredicatesLeavesAndReturnsWithItsContext(t *testing.T) {
	for _, bytes := range []int{0, 64} {
		b, descheduled, back := predicateBench(bytes)
		back.Send(30, switching.Context{Warp: 0, Predicates: 1})
		b.d.RunUntil(20)
		if got := descheduled.Got; len(got) != 1 || got[0].Msg.Warps[0].Predicates != 1 {
			t.Fatalf("descheduled %+v, want one warp with predicates of version 1", got)
		}
		want := uint32(1)
		if bytes > 0 {
			want = 0 // in shared memory alone
		}
		if got := b.s.warpOf(0).predicates; got != want {
			t.Errorf("%d bytes in shared memory: version %d without a slot, want %d", bytes, got, want)
		}
		b.d.RunUntil(40)
		if got := b.s.warpOf(0).predicates; got != 1 {
			t.Errorf("%d bytes in shared memory: version %d after the return, want 1", bytes, got)
		}
	}
}

// The additions of warps 0 and 1 are done at 20 and 30. The last one to settle may be any of them.
func TestACTALeavesItsSlotsWhenItsLastWarpHasSettled(t *testing.T) {
	for _, last := range []uint16{0, 1} {
		k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{2}, 1), smtest.Inst(ir.ClassExit, nil))
		b := newSwitchBench(k)
		b.start.Send(1, message.WarpsStart{Slots: 0b11, Contexts: []uint16{0, 1}})
		b.fetch(2, 0, 0)
		b.fetch(2, 1, 0)
		b.deschedule.Send(8, switching.Deschedule{})
		for i, w := range []uint16{1 - last, last} {
			at := wire.Cycle(20 + 10*i)
			b.read.Send(at, op.Read{Inst: &k.Insts[0], Warp: w})
			b.done.Send(at, op.Done{Inst: &k.Insts[0], Warp: w})
		}
		b.d.RunUntil(50)
		if got := b.descheduled.Got; len(got) != 1 || got[0].Cycle != 32 {
			t.Errorf("warp %d last: descheduled %+v, want at 32", last, got)
		}
	}
}

// The load at 3 needs its own result in the next round. Nothing is in the buffer when the warp loses its slot.
func TestAPendingWarpWithoutAnInstructionCouldIssue(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 1), smtest.Inst(ir.ClassExit, nil))
	b := newSwitchBench(k)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}})
	b.fetch(2, 0, 0)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1})
	b.deschedule.Send(10, switching.Deschedule{})
	b.d.RunUntil(40)
	if len(b.woke.Got) != 1 || b.woke.Got[0].Cycle > 14 {
		t.Errorf("woke %+v, want at once: the next instruction is not known", b.woke.Got)
	}
}

// The store at 3 is acknowledged at 30. A fence waits for it, an addition does not.
func TestAPendingWarpWithAFenceWaitsForItsStores(t *testing.T) {
	for class, want := range map[ir.Class]wire.Cycle{ir.ClassFence: 32, ir.ClassInt: 12} {
		k := smtest.KernelOf(smtest.Inst(ir.ClassStore, nil, 1), smtest.Inst(ir.ClassInt, []int{2}, 1),
			smtest.Inst(class, nil), smtest.Inst(ir.ClassExit, nil))
		b := newSwitchBench(k)
		b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}})
		b.fetch(2, 0, 0)
		b.deschedule.Send(3, switching.Deschedule{})
		b.fetch(4, 0, 2)
		b.read.Send(10, op.Read{Inst: &k.Insts[0], Tag: 1})
		b.stores.Send(30, message.StoreNote{})
		b.d.RunUntil(50)
		if got := b.woke.Got; len(got) != 1 || got[0].Cycle != want {
			t.Errorf("class %v: woke %+v, want at %d", class, got, want)
		}
	}
}

// Contexts 0 and 1 had slots 0 and 1. They get 1 and 3, and each has an instruction for its slot.
func TestTheWarpsOfAReturningCTAGetTheSlotsInOrder(t *testing.T) {
	b := newSwitchBench(independent(ir.ClassInt, 2))
	b.start.Send(1, message.WarpsStart{Slots: 0b11, Contexts: []uint16{0, 1}})
	b.deschedule.Send(10, switching.Deschedule{})
	b.start.Send(20, message.WarpsStart{Slots: 0b1010, Contexts: []uint16{0, 1}, Returned: true})
	for w := range uint16(2) {
		b.fetched.Send(25, message.Fetched{Inst: &b.k.Insts[w], PC: uint32(w), Exec: 1, Warp: w, Life: 1})
	}
	b.d.RunUntil(40)
	if b.s.Live != 0b1010 || b.s.context(1) != 0 || b.s.context(3) != 1 {
		t.Errorf("slots %b live, contexts %d and %d in slots 1 and 3; want both, 0 and 1", b.s.Live, b.s.context(1),
			b.s.context(3))
	}
	if len(b.issue.Got) != 2 {
		t.Errorf("%d instructions issued, want one of each warp", len(b.issue.Got))
	}
}
