package sched

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/sched/twolevel"
	"kumiko/sm/smtest"
)

// opener opens a gate to warps at given cycles.
type opener struct {
	wire.Comp
	out  wire.OutPort[regfile.Open]
	todo []wiretest.At[regfile.Open]
}

func newOpener(d *wire.Domain) *opener {
	o := &opener{}
	o.Init("Opener", d, o)
	o.out.Init(&o.Comp, "Out")
	return o
}

func (o *opener) open(at wire.Cycle, warp uint16) {
	o.todo = append(o.todo, wiretest.At[regfile.Open]{Cycle: at, Msg: regfile.Open{Warp: warp}})
	o.WakeAt(at)
}

func (o *opener) Tick(now wire.Cycle) bool {
	for _, x := range o.todo {
		if x.Cycle == now {
			o.out.Put(x.Msg)
		}
	}
	return false
}

// inserting is a scheduler and a program with an operation inserted before each of its two
// instructions, which read R0 and write R1 and R2. The fetched instructions are in the buffer at
// 3.
func inserting(spec *setup, o regfile.Inserted, p *Planes) *bench {
	return insertingIn(wire.NewDomain("core", smtest.GHz), spec, o, p)
}

func insertingIn(d *wire.Domain, spec *setup, o regfile.Inserted, p *Planes) *bench {
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0))
	p.Inserts = "prefetch"
	b := newBenchOf(spec, k, d, p)
	x := &regfile.Insertions{Group: []int32{0, 1}, Ops: []regfile.Inserted{o, o}}
	b.load(spec, x, p)
	b.warps(1, 1)
	for g := range int32(2) {
		b.fetched.Send(2, message.Fetched{Inst: regfile.InsertedInst(), PC: x.PC(g)})
		b.fetch(2, 0, int(g))
	}
	return b
}

func TestAnInsertedOperationTakesASlotThatIsNoInstructions(t *testing.T) {
	b := inserting(testSetup(), regfile.Inserted{Slot: true}, &Planes{})
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{4, 6}) // operations at 3 and 5
	if s := b.s.account.Slots; s[reason.Issued] != 2 || s[reason.Inserted] != 2 || b.s.insertedOps != 2 ||
		b.s.issuedInsts != 2 {
		t.Errorf("%d slots issued, %d inserted; %d operations, %d instructions; want 2 each", s[reason.Issued],
			s[reason.Inserted],
			b.s.insertedOps, b.s.issuedInsts)
	}
	if n := len(b.notes.Got); n != 4 {
		t.Errorf("%d buffer entries were given back, want 4", n)
	}
}

func TestAnInsertedOperationWithoutASlotIssuesBesideInstructions(t *testing.T) {
	b := inserting(testSetup(), regfile.Inserted{}, &Planes{})
	b.d.RunUntil(20)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4})
	if s := b.s.account.Slots; s[reason.Issued] != 2 || s[reason.Inserted] != 0 || b.s.insertedOps != 2 {
		t.Errorf("%d slots issued, %d inserted, %d operations; want 2, 0, 2", s[reason.Issued], s[reason.Inserted],
			b.s.insertedOps)
	}
}

func TestADrainedOperationWaitsUntilTheWarpHasReadItsOperands(t *testing.T) {
	b := inserting(testSetup(), regfile.Inserted{Drained: true}, &Planes{})
	b.read.Send(10, op.Read{Inst: &b.k.Insts[0], Tag: 1}) // seen at 11
	b.d.RunUntil(30)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 11})
	if n := b.s.account.Slots[reason.Scoreboard]; n != 7 { // 4 to 10
		t.Errorf("%d slots lost to the scoreboard, want 7", n)
	}
}

func TestADesignHearsOfItsOperationsByTheirGroup(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpIssued, regfile.WarpInserted)
	b := insertingIn(d, testSetup(), regfile.Inserted{}, &Planes{Notices: notices})
	b.d.RunUntil(20)
	want := []heard{{4, regfile.WarpInserted, 0, 0}, {4, regfile.WarpIssued, 0, 0}, {5, regfile.WarpInserted, 0, 1},
		{5, regfile.WarpIssued, 0, 1}}
	if d := cmp.Diff(want, hearing(ear)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// The operations issue at 3 and, the gate being open again, at 21; behind each the
// gate is shut in the same cycle. An opening sent at c is seen at c+1.
func TestAGateShutAtAnOperationHoldsTheNextInstructionUntilItIsOpened(t *testing.T) {
	for _, width := range []int{1, 2} {
		d := wire.NewDomain("core", smtest.GHz)
		o := newOpener(d)
		_, notices := listener(d, 8)
		notices.Events = regfile.Events(regfile.WarpInserted)
		gates := []regfile.Gate{{Reason: "fill", Shuts: regfile.Events(regfile.WarpInserted),
			Opens: []*wire.OutPort[regfile.Open]{&o.out}}}
		spec := testSetup()
		spec.Width = width
		b := insertingIn(d, spec, regfile.Inserted{}, &Planes{Gates: gates, Notices: notices})
		o.open(20, 0)
		o.open(40, 0)
		b.d.RunUntil(60)
		smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{21, 41})
		// 3 to 20, 22 to 40
		if n, want := b.s.account.Slots[reason.First], uint64((18+19)*width); width == 1 && n != want {
			t.Errorf("%d slots lost to the gate, want %d", n, want)
		}
	}
}

// Two warps, one place. Warp 0 is active from its start. It issues a load at 4, and its second instruction uses
// the result, so it is suspended at 5, and warp 1 becomes active in the same cycle. The gate shuts behind each
// activation.
func TestAWarpThatIsActivatedIssuesNothingUntilItsGateIsOpened(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	o := newOpener(d)
	ear, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpActivated, regfile.WarpSuspended)
	gates := []regfile.Gate{{Reason: "fill", Shuts: regfile.Events(regfile.WarpActivated),
		Opens: []*wire.OutPort[regfile.Open]{&o.out}}}
	spec := testSetup()
	spec.Choice = Spec{Policy: TwoLevel, Inner: "lrr", Active: 1}
	use := smtest.Inst(ir.ClassInt, []int{2}, 1)
	use.T.LongConsumer = true
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), use)
	b := newBenchOf(spec, k, d, &Planes{Gates: gates, Notices: notices})
	b.warps(1, 3)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0)
	o.open(3, 0)
	o.open(30, 1)
	b.d.RunUntil(60)
	// warp 0 passes its gate at 4 and leaves at 5; warp 1 waits from 5 to 30
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{4, 31})
	want := []heard{{3, regfile.WarpActivated, 0, 0}, {6, regfile.WarpSuspended, 0, 1},
		{6, regfile.WarpActivated, 1, 0}}
	if d := cmp.Diff(want, hearing(ear)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// Both warps wait for data at their next instruction, and there is one place: without
// the gate each would be suspended for the other in turn.
func TestAWarpBeforeAGateThatShutsByItselfKeepsItsPlace(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	o := newOpener(d)
	_, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpActivated)
	gates := []regfile.Gate{{Reason: "fill", Shuts: regfile.Events(regfile.WarpActivated),
		Opens: []*wire.OutPort[regfile.Open]{&o.out}}}
	spec := testSetup()
	spec.Choice = Spec{Policy: TwoLevel, Inner: "lrr", Active: 1, SuspendReady: true, SuspendAfter: 5,
		SuspendAtBarrier: true}
	use := smtest.Inst(ir.ClassInt, []int{2}, 1)
	use.T.LongConsumer = true
	b := newBenchOf(spec, smtest.KernelOf(use, use), d, &Planes{Gates: gates, Notices: notices})
	b.warps(1, 3)
	b.fetch(2, 0, 0)
	b.fetch(2, 1, 0)
	b.d.RunUntil(40)
	if a := b.activeSet(); a.Suspensions != [twolevel.NumCauses]uint64{} || a.Members != 1 {
		t.Errorf("suspended %v, active %b; want none, and warp 0", a.Suspensions, a.Members)
	}
	o.open(50, 0)
	b.d.RunUntil(60)
	if n := b.activeSet().Suspensions[twolevel.LongLatency]; n == 0 {
		t.Error("warp 0 is not suspended once the gate is open")
	}
}

func TestAContextThatStartsAnewIsBeforeAnOpenGate(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	o := newOpener(d)
	_, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpInserted)
	gates := []regfile.Gate{{Reason: "fill", Shuts: regfile.Events(regfile.WarpInserted),
		Opens: []*wire.OutPort[regfile.Open]{&o.out}}}
	b := insertingIn(d, testSetup(), regfile.Inserted{}, &Planes{Gates: gates, Notices: notices})
	b.d.RunUntil(10)
	b.s.gates.list[0].shut.slots |= 1 << 2 // as an operation of an earlier warp in slot 2 would leave it
	b.warps(20, 1<<2)
	b.d.RunUntil(30)
	if got := b.s.gates.list[0].shut.slots; got != 1 {
		t.Errorf("the gate is shut to slots %b, want slot 0 alone", got)
	}
}

func TestAGateThatCannotBeOpenedIsRefused(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	_, notices := listener(d, 8)
	o := newOpener(d)
	opens := []*wire.OutPort[regfile.Open]{&o.out}
	for want, g := range map[string]regfile.Gate{
		"scheduler 0 has no port on which it is opened": {Reason: "fill", Shuts: regfile.Events(regfile.WarpActivated)},
		"expected WarpActivated, WarpInserted or both": {Reason: "fill", Shuts: regfile.Events(regfile.WarpIssued),
			Opens: opens},
		"events that the design does not listen to": {Reason: "fill", Shuts: regfile.Events(regfile.WarpInserted),
			Opens: opens},
	} {
		p := Planes{Gates: []regfile.Gate{g}, Notices: notices}
		if err := p.checkGates(1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
