package sched

import (
	"strings"
	"testing"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// switchBench is a scheduler of four slots and eight contexts with probes where the
// switcher is.
type switchBench struct {
	*bench
	deschedule  *wiretest.Source[switching.Deschedule]
	descheduled *wiretest.Sink[switching.Descheduled]
	woke        *wiretest.Sink[switching.Woke]
	back        *wiretest.Source[switching.Context]
}

func newSwitchBench(k *ir.Kernel) *switchBench {
	spec := testSetup()
	spec.Slots, spec.Contexts, spec.Switch.Switching = 4, 8, switching.VirtualThread
	b := &switchBench{bench: newBench(spec, k)}
	b.deschedule = wiretest.NewSource("Deschedule", b.d, &b.s.Switch.Deschedule)
	b.descheduled = wiretest.NewSink("Descheduled", b.d, &b.s.Switch.Descheduled, 4)
	b.woke = wiretest.NewSink("Woke", b.d, &b.s.Switch.Woke, 4)
	b.back = wiretest.NewSource("Back", b.d, &b.s.Switch.Back)
	return b
}

// loadAndUse loads register 1, adds to it, and ends.
func loadAndUse() *ir.Kernel {
	return smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassExit,
			nil))
}

// The load issues at 3. Its source is read at 6, and the notice is seen at 7.
func TestAWarpHasStoppedWhenItsOperandsAreReadAndItWaitsForAResultFromMemory(t *testing.T) {
	k := loadAndUse()
	b := newSwitchBench(k)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.d.RunUntil(7)
	if st := b.s.Switch.Status.Get(); st.Stopped&1 != 0 || st.Fresh&1 != 0 || st.Live != 1 {
		t.Errorf("before its operands are read: %+v, want slot 0 live, moving, and not fresh", st)
	}
	b.d.RunUntil(9)
	if st := b.s.Switch.Status.Get(); st.Stopped&1 == 0 || st.Long != 1 {
		t.Errorf("after: %+v, want slot 0 stopped for a long-latency result", st)
	}
}

// The warp issues its store at 3 and ends at 4. Its operands are read by 8, its store is acknowledged at 30.
func TestAWarpIsDrainedFromItsLastInstructionToTheEndOfItsStoresIfItsCTAMayLeaveThen(t *testing.T) {
	for _, may := range []bool{false, true} {
		k := smtest.KernelOf(smtest.Inst(ir.ClassStore, nil, 0), smtest.Inst(ir.ClassExit, nil))
		b := newSwitchBench(k)
		b.s.Switch.drained = may
		b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}})
		b.fetch(2, 0, 0, 1)
		b.read.Send(8, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
		b.stores.Send(30, message.StoreNote{})
		b.d.RunUntil(3)
		if st := b.s.Switch.Status.Get(); st.Drained != 0 {
			t.Errorf("before its last instruction: %+v", st)
		}
		b.d.RunUntil(20)
		if st := b.s.Switch.Status.Get(); st.Drained == 1 != may || st.Stopped&1 == 0 || st.Long != 0 {
			t.Errorf("with %v, while its store is under way: %+v", may, st)
		}
		b.d.RunUntil(40)
		if st := b.s.Switch.Status.Get(); st.Drained != 0 || st.Live != 0 {
			t.Errorf("after its store: %+v", st)
		}
	}
}

// Results for a warp without a slot are not lost: the result wakes it, and with another slot
// it continues with the instruction formerly in its buffer.
func TestAPendingWarpGetsItsResultAndGoesOnInAnotherSlot(t *testing.T) {
	k := loadAndUse()
	b := newSwitchBench(k)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.deschedule.Send(10, switching.Deschedule{CTA: 5})
	b.fetch(11, 0, 2) // of the life before
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.start.Send(30, message.WarpsStart{Slots: 1 << 3, Contexts: []uint16{0}, CTA: 5, Returned: true})
	b.fetched.Send(32, message.Fetched{Inst: &k.Insts[1], PC: 1, Exec: ^uint32(0), Life: 1})
	b.fetched.Send(32, message.Fetched{Inst: &k.Insts[2], PC: 2, Exec: ^uint32(0), Life: 1, Last: true})
	b.read.Send(40, op.Read{Inst: &k.Insts[1], Tag: 2, Warp: 0})
	b.done.Send(45, op.Done{Inst: &k.Insts[1], Tag: 2, Warp: 0})
	b.d.RunUntil(60)
	if p := b.descheduled.Got; len(p) != 1 || p[0].Cycle != 12 || p[0].Msg.CTA != 5 || len(p[0].Msg.Warps) != 1 {
		t.Errorf("descheduled: %+v, want one warp of CTA 5 at 12", b.descheduled.Got)
	}
	if len(b.woke.Got) != 1 || b.woke.Got[0].Cycle != 22 || b.woke.Got[0].Msg.CTA != 5 {
		t.Errorf("woke: %+v, want CTA 5 at 22", b.woke.Got)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 33})
	if len(b.ended.Got) != 1 || b.ended.Got[0].Msg.Warp != 0 || b.s.account.Pending != 0 {
		t.Errorf("ended %+v, %d without slots; want warp 0, none", b.ended.Got, b.s.account.Pending)
	}
}

// An operation of the ALU is under way until 15: only then is the slot free.
func TestAWarpKeepsItsSlotUntilItsResultsAreWritten(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{2}, 1), smtest.Inst(ir.ClassInt, []int{3}, 2),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newSwitchBench(k)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}})
	b.fetch(2, 0, 0, 1)
	b.deschedule.Send(4, switching.Deschedule{})
	b.read.Send(8, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.done.Send(15, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.d.RunUntil(40)
	if len(b.descheduled.Got) != 1 || b.descheduled.Got[0].Cycle != 17 || b.s.Live != 0 {
		t.Errorf("descheduled: %+v, want at 17", b.descheduled.Got)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3})
	if len(b.woke.Got) != 1 {
		t.Errorf("woke: %+v, want once: the warp could issue", b.woke.Got)
	}
}

// A release from a barrier reaches a warp without a slot. Another warp, with its store
// acknowledged meanwhile, ends without ever getting a slot again.
func TestAPendingWarpIsReleasedFromABarrierAndAnotherEnds(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassBarrier, nil), smtest.Inst(ir.ClassExit, nil),
		smtest.Inst(ir.ClassStore, nil,
			0),
		smtest.Inst(ir.ClassExit, nil))
	b := newSwitchBench(k)
	b.start.Send(1, message.WarpsStart{Slots: 0b11, Contexts: []uint16{0, 1}})
	b.fetch(2, 0, 0)
	b.fetched.Send(2, message.Fetched{Inst: &k.Insts[2], PC: 2, Exec: ^uint32(0), Warp: 1})
	b.fetched.Send(2, message.Fetched{Inst: &k.Insts[3], PC: 3, Exec: ^uint32(0), Warp: 1, Last: true})
	b.read.Send(8, op.Read{Inst: &k.Insts[2], Tag: 1, Warp: 1})
	b.deschedule.Send(10, switching.Deschedule{})
	b.released.Send(20, message.Release{Own: [8]uint64{1}})
	b.stores.Send(30, message.StoreNote{Warp: 1})
	b.d.RunUntil(40)
	if len(b.descheduled.Got) != 1 || len(b.descheduled.Got[0].Msg.Warps) != 2 {
		t.Errorf("descheduled: %+v, want two warps", b.descheduled.Got)
	}
	if len(b.woke.Got) != 1 || b.woke.Got[0].Cycle != 22 {
		t.Errorf("woke: %+v, want at 22", b.woke.Got)
	}
	if len(b.ended.Got) != 1 || b.ended.Got[0].Msg.Warp != 1 || b.ended.Got[0].Cycle != 32 || b.s.account.Pending != 1 {
		t.Errorf("ended: %+v, %d without slots; want warp 1 at 32, and one", b.ended.Got, b.s.account.Pending)
	}
}

func TestASchedulerOfWarpsWithoutSlotsSaysWhatTheFirstWaitsFor(t *testing.T) {
	k := loadAndUse()
	b := newSwitchBench(k)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.deschedule.Send(10, switching.Deschedule{CTA: 5})
	b.d.RunUntil(20)
	if got, want := b.s.Waiting(),
		"1 warps without slots; warp 0 (CTA slot 5): waits for registers R1 (from memory)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.done.Send(30, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.d.RunUntil(40)
	if got, want := b.s.Waiting(), "1 warps without slots; warp 0 (CTA slot 5): could issue"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A warp without a slot, with its result written, asks the gate holding its next
// instruction, once, and could issue when the gate opens. Its end is reported too.
func TestAPendingWarpAsksAGateAndWakesWhenItOpens(t *testing.T) {
	spec := testSetup()
	spec.Slots, spec.Contexts, spec.Switch.Switching = 4, 8, switching.VirtualThread
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, smtest.SetOf(0, 5))
	sink, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpStarted, regfile.WarpIssued, regfile.WarpHeld, regfile.WarpFinished)
	k := loadAndUse()
	b := &switchBench{bench: newBenchOf(spec, k, d, &Planes{Notices: notices,
		Gates: []regfile.Gate{{Reason: "srp", Closed: &h.signal, Asks: true,
			Holds: func(in *ir.Inst) bool { return in.T.Class == ir.ClassInt }}}})}
	b.deschedule = wiretest.NewSource("Deschedule", b.d, &b.s.Switch.Deschedule)
	b.descheduled = wiretest.NewSink("Descheduled", b.d, &b.s.Switch.Descheduled, 4)
	b.woke = wiretest.NewSink("Woke", b.d, &b.s.Switch.Woke, 4)
	b.back = wiretest.NewSource("Back", b.d, &b.s.Switch.Back)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	b.deschedule.Send(10, switching.Deschedule{CTA: 5})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 0})
	h.set(25, 0)
	h.set(30)
	b.start.Send(40, message.WarpsStart{Slots: 1 << 3, Contexts: []uint16{0}, CTA: 5, Returned: true})
	b.fetched.Send(42, message.Fetched{Inst: &k.Insts[1], PC: 1, Exec: ^uint32(0), Life: 1})
	b.d.RunUntil(60)
	if len(b.woke.Got) != 1 || b.woke.Got[0].Cycle != 32 {
		t.Errorf("woke: %+v, want once at 32, as the gate opens at 31", b.woke.Got)
	}
	asked := 0
	for _, g := range noticesOf(sink) {
		if g.Event == regfile.WarpHeld {
			asked++
			if g.Cycle != 22 || g.Warp != 0 || g.PC != 1 {
				t.Errorf("asked at %d for warp %d, instruction %d; want at 22 for warp 0, instruction 1", g.Cycle,
					g.Warp, g.PC)
			}
		}
	}
	if asked != 1 {
		t.Errorf("asked %d times, want once", asked)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 43})
}

// In slot 2 the gate is closed to context 6 as it was to it elsewhere, and no more to who had
// the slot before.
func TestAGateIsClosedToAWarpInWhateverSlotItHas(t *testing.T) {
	spec := testSetup()
	spec.Slots, spec.Contexts, spec.Switch.Switching = 4, 8, switching.VirtualThread
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, smtest.SetOf(6))
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassExit, nil))
	b := newBenchOf(spec, k, d, &Planes{Gates: []regfile.Gate{{Reason: "srp", Closed: &h.signal}}})
	b.start.Send(5, message.WarpsStart{Slots: 0b110, Contexts: []uint16{2, 6}, CTA: 1})
	b.fetch(6, 2, 0)
	b.fetch(6, 6, 0)
	h.set(30)
	b.d.RunUntil(60)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{7, 31})
	if w := b.warpOrder(); len(w) != 2 || w[0] != 2 || w[1] != 6 {
		t.Errorf("warps %v issued, want 2 and then 6", w)
	}
}

// Instruction 2 gives up registers from 4 on. R5 awaits a result until 20, R6 is read until
// 30; R3 does not matter.
func TestAnInstructionGivingUpRegistersWaitsForOutstandingOperationsOnThem(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{5}, 0), smtest.Inst(ir.ClassInt, []int{3}, 6),
		smtest.Inst(ir.ClassInt, []int{1},
			0),
		smtest.Inst(ir.ClassExit, nil))
	b := newBenchOf(testSetup(), k, d, &Planes{vacates: func(in *ir.Inst) int {
		if in == &k.Insts[2] {
			return 4
		}
		return regfile.NumRegisters
	}})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1, 2)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.read.Send(30, op.Read{Inst: &k.Insts[1], Tag: 2})
	b.d.RunUntil(10)
	if b.s.Blocked[reason.Memory] != 1 {
		t.Errorf("waits for memory: %b, want slot 0", b.s.Blocked[reason.Memory])
	}
	b.d.RunUntil(60)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 31})
}

func TestPlanesThatWarpsWithoutSlotsWouldMissAreRefused(t *testing.T) {
	for _, p := range []*Planes{{Notices: regfile.Notices{Events: regfile.Events(regfile.WarpReleased)}},
		{inner: regfile.Notices{Events: regfile.Events(regfile.WarpAtBarrier)}}} {
		if err := p.CheckSwitching(); err == nil || !strings.Contains(err.Error(), "listens to events") {
			t.Errorf("error %v, want one that names the events", err)
		}
	}
}

// predicatesBack returns the operand check's findings for a warp that writes a predicate, gives up its slot,
// and returns with the given contexts of shared memory.
func predicatesBack(t *testing.T, back ...switching.Context) []version.Violation {
	t.Helper()
	set, use := smtest.Inst(ir.ClassInt, []int{2}), smtest.Inst(ir.ClassInt, []int{3}, 1)
	set.T.DstPreds, use.T.SrcPreds = 1, 1
	k := smtest.KernelOf(set, smtest.Inst(ir.ClassLoad, []int{1}, 0), use, smtest.Inst(ir.ClassExit, nil))
	b := newSwitchBench(k)
	b.s.Switch.lost, b.s.check = true, version.NewChecker(8, 16, 0)
	b.start.Send(1, message.WarpsStart{Slots: 1, Contexts: []uint16{4}, CTA: 5})
	for pc := range 3 {
		b.fetched.Send(2+wire.Cycle(pc), message.Fetched{Inst: &k.Insts[pc], PC: uint32(pc), Exec: ^uint32(0), Warp: 4})
	}
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1, Warp: 4})
	b.done.Send(7, op.Done{Inst: &k.Insts[0], Tag: 1, Warp: 4})
	b.read.Send(8, op.Read{Inst: &k.Insts[1], Tag: 2, Warp: 4})
	b.deschedule.Send(10, switching.Deschedule{CTA: 5})
	b.done.Send(20, op.Done{Inst: &k.Insts[1], Tag: 2, Warp: 4})
	for _, c := range back {
		b.back.Send(28, c)
	}
	b.start.Send(30, message.WarpsStart{Slots: 1 << 3, Contexts: []uint16{4}, CTA: 5, Returned: true})
	b.fetched.Send(32, message.Fetched{Inst: &k.Insts[2], PC: 2, Exec: ^uint32(0), Warp: 4, Life: 1})
	b.d.RunUntil(60)
	if p := b.descheduled.Got; len(p) != 1 || len(p[0].Msg.Warps) != 1 ||
		p[0].Msg.Warps[0] != (switching.Context{Warp: 4, Predicates: 1, Awaited: intervals.Set{1 << 1}}) {
		t.Fatalf("parked %+v, want warp 4 with the predicates of operation 1", p)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 33})
	return b.s.check.Violations()
}

func TestAPendingWarpReadsItsPredicatesWhenItsContextHasComeBack(t *testing.T) {
	if v := predicatesBack(t, switching.Context{Warp: 4, Predicates: 1}); len(v) != 0 {
		t.Errorf("violations %v, want none", v)
	}
}

func TestTheOperandCheckFindsPredicatesThatAreLost(t *testing.T) {
	want := version.Violation{Block: "S", Cycle: 33, Warp: 4, Register: version.Predicates, Expected: 1}
	if v := predicatesBack(t); len(v) != 1 || v[0] != want {
		t.Errorf("violations %v, want %v", v, want)
	}
}

func TestTheOperandCheckFindsPredicatesOfAnotherWarp(t *testing.T) {
	want := version.Violation{Block: "S", Cycle: 33, Warp: 4, Register: version.Predicates, Expected: 1, Found: 9}
	if v := predicatesBack(t, switching.Context{Warp: 4, Predicates: 9}); len(v) != 1 || v[0] != want {
		t.Errorf("violations %v, want %v", v, want)
	}
}
