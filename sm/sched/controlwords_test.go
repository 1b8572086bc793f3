package sched

import (
	"strings"
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/memqueue"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// worded gives an instruction a control word with a stall count; change may set more of it.
func worded(in ir.Inst, stall uint8, change func(*ir.Control)) ir.Inst {
	in.Control = ir.Control{Set: true, Stall: stall, Write: ir.NoCounter, Read: ir.NoCounter}
	if change != nil {
		change(&in.Control)
	}
	return in
}

func raisesRead(counter uint8) func(*ir.Control)  { return func(c *ir.Control) { c.Read = counter } }
func raisesWrite(counter uint8) func(*ir.Control) { return func(c *ir.Control) { c.Write = counter } }
func waitsFor(mask uint8) func(*ir.Control)       { return func(c *ir.Control) { c.Wait = mask } }

func newControlled(change func(*setup), p *Planes, d *wire.Domain, insts ...ir.Inst) *bench {
	spec := testSetup()
	spec.Choice.Dependences, spec.Buffer = ByControl, 4
	if change != nil {
		change(spec)
	}
	if d == nil {
		d = wire.NewDomain("core", smtest.GHz)
	}
	return newBenchOf(spec, smtest.KernelOf(append(insts, smtest.Inst(ir.ClassExit, nil))...), d, p)
}

// The first addition reads nothing, and the second one an operand, of which the register file sends word at 20.
func TestTheCounterOfSourcesRisesIfThereAreAny(t *testing.T) {
	b := newControlled(nil, &Planes{}, nil, worded(smtest.Inst(ir.ClassInt, []int{1}), 2, raisesRead(0)),
		worded(smtest.Inst(ir.ClassInt, []int{2}, 3), 2, func(c *ir.Control) { c.Wait, c.Read = 1, 1 }),
		worded(smtest.Inst(ir.ClassInt, []int{3}), 1, waitsFor(1<<1)))
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1, 2)
	b.read.Send(20, op.Read{Inst: &b.k.Insts[1], Tag: 2})
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 5, 21})
}

// The guard of the load is false in all lanes. No operation is sent, and nobody would lower the counters.
func TestAnInstructionWithoutAnOperationRaisesNoCounter(t *testing.T) {
	load := worded(smtest.Inst(ir.ClassLoad, []int{1}, 2), 2, func(c *ir.Control) { c.Read, c.Write = 0, 1 })
	load.T.Guarded = true
	b := newControlled(nil, &Planes{}, nil, load, worded(smtest.Inst(ir.ClassInt, []int{2}), 1, waitsFor(3)))
	b.warps(1, 1)
	b.fetched.Send(2, message.Fetched{Inst: &b.k.Insts[0]})
	b.fetch(2, 0, 1)
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{5})
}

// A store to a constant address has no source register. The queue reads the address and sends word at 9.
func TestEveryOperationOfAMemoryQueueRaisesTheCounterOfItsSources(t *testing.T) {
	b := newControlled(func(s *setup) { s.Queues = memqueue.Spec{Entries: 4} }, &Planes{}, nil,
		worded(smtest.Inst(ir.ClassLoad, []int{1}), 2, raisesRead(0)),
		worded(smtest.Inst(ir.ClassInt, []int{2}), 1, waitsFor(1)))
	read := wiretest.NewSource("QueueRead", b.d, &b.s.Queue.Read)
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	read.Send(9, op.Read{Inst: &b.k.Insts[0], Tag: 1})
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 10})
}

// The fence follows a store, acknowledged at 10, and takes 12 cycles.
func TestAFenceWaitsForStoresAndHoldsItsWarpForItsTime(t *testing.T) {
	fence := worded(smtest.Inst(ir.ClassFence, nil), 1, nil)
	fence.Mods.Scope = ir.ScopeCTA
	b := newControlled(func(s *setup) { s.Fences.CTA = 12 }, &Planes{}, nil,
		worded(smtest.Inst(ir.ClassStore, nil, 1), 1, nil), fence,
		worded(smtest.Inst(ir.ClassInt, []int{2}), 1, nil))
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1, 2)
	b.stores.Send(10, message.StoreNote{})
	b.d.RunUntil(8)
	if got := b.s.Waiting(); !strings.HasSuffix(got, "waits for 0 loads and 1 stores") {
		t.Errorf("before its store is acknowledged: %q", got)
	}
	b.d.RunUntil(18)
	if got := b.s.Waiting(); !strings.HasSuffix(got, "waits for the fence before it") {
		t.Errorf("after the fence: %q", got)
	}
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 11 + 12})
	if got := b.slotsOf(40)["fence"]; got != 7+11 {
		t.Errorf("%d slots lost to fences, want 18: 4 to 10, 12 to 22", got)
	}
}

// The load's counter is up until 20. A DEPBAR for it, at 5, holds only with a stall count of 4 or more.
func TestADepbarWithALowStallCountHoldsNothing(t *testing.T) {
	for stall, want := range map[uint8]wire.Cycle{3: 8, 4: 21} {
		b := newControlled(nil, &Planes{}, nil, worded(smtest.Inst(ir.ClassLoad, []int{1}, 0), 2, raisesWrite(0)),
			worded(smtest.Inst(ir.ClassInt, []int{2}), stall, func(c *ir.Control) { c.Hold.Set = true }),
			worded(smtest.Inst(ir.ClassInt, []int{3}), 1, nil))
		b.warps(1, 1)
		b.fetch(2, 0, 0, 1, 2)
		b.done.Send(20, op.Done{Inst: &b.k.Insts[0], Tag: 1})
		b.d.RunUntil(40)
		smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 5, want})
	}
}

func TestEveryWarpIssuesWhenItsOwnStallCountIsDown(t *testing.T) {
	var insts []ir.Inst
	for _, stall := range []uint8{9, 4, 11} {
		insts = append(insts, worded(smtest.Inst(ir.ClassInt, []int{1}), stall, nil),
			worded(smtest.Inst(ir.ClassInt, []int{2}), 1, nil))
	}
	b := newControlled(nil, &Planes{}, nil, insts...)
	b.warps(1, 0b111)
	for w := range 3 {
		b.fetch(2, w, 2*w, 2*w+1)
	}
	b.d.RunUntil(40)
	at := map[int][]wire.Cycle{}
	for i, w := range b.warpOrder() {
		at[w] = append(at[w], b.issuedAt()[i])
	}
	for w, stall := range []wire.Cycle{9, 4, 11} {
		smtest.WantCycles(t, "issue", at[w], []wire.Cycle{at[w][0], at[w][0] + stall})
	}
}

// The use of the load's result could issue at 4, when its counter is not seen yet. Another warp has the cycle.
func TestAnInstructionThatMissedTheCycleBeforeACounterIsSeenWaitsForIt(t *testing.T) {
	b := newControlled(nil, &Planes{}, nil, worded(smtest.Inst(ir.ClassLoad, []int{1}, 0), 1, raisesWrite(0)),
		worded(smtest.Inst(ir.ClassInt, []int{2}, 1), 1, waitsFor(1)),
		worded(smtest.Inst(ir.ClassInt, []int{3}), 1, nil))
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 2)
	b.done.Send(20, op.Done{Inst: &b.k.Insts[0], Tag: 1})
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 21})
}

// The gate is closed from 4 to 10. The stall count of 6 stands still meanwhile, if the gate stops it.
func TestAGateThatStopsStallCountsDelaysTheNextInstruction(t *testing.T) {
	for stops, want := range map[bool]wire.Cycle{true: 16, false: 11} {
		d := wire.NewDomain("core", smtest.GHz)
		h := newHand("H", d, smtest.SetOf())
		b := newControlled(nil, &Planes{Gates: []regfile.Gate{{Reason: "lock", Closed: &h.signal, Stops: stops}}}, d,
			worded(smtest.Inst(ir.ClassInt, []int{1}), 6, nil), worded(smtest.Inst(ir.ClassInt, []int{2}), 1, nil))
		b.warps(1, 1)
		b.fetch(2, 0, 0, 1)
		h.set(3, 0)
		h.set(10)
		b.d.RunUntil(40)
		smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, want})
	}
}

// Each of two warps has one instruction, and none may have a partner.
func TestASecondSlotIsLostToThePairIfOnlyAnotherWarpIsReady(t *testing.T) {
	b := newControlled(func(s *setup) { s.Width = 2 }, &Planes{}, nil,
		worded(smtest.Inst(ir.ClassInt, []int{1}), 1, nil))
	b.warps(1, 0b11)
	b.fetch(2, 0, 0)
	b.fetch(2, 1, 0)
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4})
	if got := b.slotsOf(20)["unpaired"]; got != 1 {
		t.Errorf("%d slots lost without a partner, want one, at 3", got)
	}
}
