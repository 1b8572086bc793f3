package sched

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/reason"
	"kumiko/sm/sched/twolevel"
	"kumiko/sm/smtest"
)

// independent returns a kernel of n instructions of a class and an exit.
func independent(c ir.Class, n int) *ir.Kernel {
	var insts []ir.Inst
	for i := range n {
		insts = append(insts, smtest.Inst(c, []int{i + 1}, 0))
	}
	return smtest.KernelOf(append(insts, smtest.Inst(ir.ClassExit, nil))...)
}

// Addresses 0, 128 and 256 share a set of two lines, so the second use of 0 misses again. Warp 1 wants the line for
// which warp 0 waits.
func TestLookUpsOfConstantsAreCounted(t *testing.T) {
	k := independent(ir.ClassInt, 5)
	for i, at := range []uint64{0, 128, 256, 0, 4} {
		k.Insts[i].Src = []ir.Operand{{Kind: ir.KindConst, Imm: at}}
	}
	spec := testSetup()
	spec.Buffer, spec.Constants = 4, ConstantSpec{Lines: 4, Ways: 2, Line: 64, Latency: 10, Hold: 1}
	b := newBench(spec, k)
	b.constants(spec.Constants.Latency)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1, 2, 3)
	b.fetch(2, 1, 4)
	b.d.RunUntil(60)
	got := b.reg.Snapshot()
	if h, m, x := got["sm.constant_cache.hits"], got["sm.constant_cache.misses"],
		got["sm.constant_cache.hits_on_miss"]; h != 5 || m != 4 || x != 1 {
		t.Errorf("%d hits, %d misses, %d hits on misses; want 5, 4, 1", h, m, x)
	}
}

func TestOnlyASchedulerWithSeveralSlotsLosesThemForWantOfAPartner(t *testing.T) {
	for width, want := range map[int]bool{1: false, 2: true} {
		spec := testSetup()
		spec.Width = width
		got := slices.ContainsFunc(Reasons(&spec.Config, &Planes{}), func(r reason.Info) bool {
			return r.Name == "unpaired"
		})
		if got != want {
			t.Errorf("width %d: reason unpaired %t, want %t", width, got, want)
		}
	}
}

func TestAGateClosedToAllWarpsIsClosedToEverySlot(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, smtest.SetOf())
	b := newBenchOf(testSetup(), independent(ir.ClassInt, 1), d,
		&Planes{Gates: []regfile.Gate{{Reason: "lock", Closed: &h.signal}}})
	b.warps(1, 0b10000110)
	for _, w := range []int{1, 2, 7} {
		b.fetch(8, w, 0)
	}
	h.set(4, 0, 1, 2, 3, 4, 5, 6, 7)
	h.set(20)
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{21, 22, 23})
}

func TestAGateIsAskedForAllWarpsOfACycle(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, smtest.SetOf(0, 1, 2))
	ear, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpHeld)
	b := newBenchOf(testSetup(), independent(ir.ClassInt, 1), d, &Planes{Notices: notices,
		Gates: []regfile.Gate{{Reason: "fill", Closed: &h.signal, Asks: true}}})
	b.warps(1, 0b111)
	for w := range 3 {
		b.fetched.Send(2, message.Fetched{Inst: &b.k.Insts[0], Exec: ^uint32(0), Warp: uint16(w)})
	}
	b.d.RunUntil(20)
	want := []notice{{4, regfile.WarpHeld, 0, 0}, {4, regfile.WarpHeld, 1, 0}, {4, regfile.WarpHeld, 2, 0}}
	if d := cmp.Diff(want, noticesOf(ear)); d != "" {
		t.Errorf("asked (-want +got):\n%s", d)
	}
}

func TestInsertedOperationsOfSeveralWarpsIssueInOneCycle(t *testing.T) {
	k := independent(ir.ClassInt, 1)
	p := &Planes{Inserts: "prefetch"}
	b := newBenchOf(testSetup(), k, wire.NewDomain("core", smtest.GHz), p)
	x := &regfile.Insertions{Group: []int32{0, 0}, Ops: []regfile.Inserted{{}}}
	b.load(testSetup(), x, p)
	b.warps(1, 0b1011)
	for _, w := range []uint16{0, 1, 3} {
		b.fetched.Send(2, message.Fetched{Inst: regfile.InsertedInst(), PC: x.PC(0), Warp: w})
	}
	b.d.RunUntil(3)
	if b.s.insertedOps != 3 {
		t.Errorf("%d operations issued in the first cycle, want those of three warps", b.s.insertedOps)
	}
}

func TestAnOperationOnAnMbarrierArrivesThere(t *testing.T) {
	arrive := smtest.Inst(ir.ClassAtomic, nil, 0)
	arrive.Mods.Atomic = ir.AtomArrive
	add := smtest.Inst(ir.ClassAtomic, nil, 0)
	k := smtest.KernelOf(arrive, add, smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.warps(1, 1)
	access := &stream.Access{}
	b.fetched.Send(2, message.Fetched{Inst: &k.Insts[0], Access: access, Exec: 1})
	b.fetched.Send(2, message.Fetched{Inst: &k.Insts[1], Access: access, Exec: 1, PC: 1})
	b.fetched.Send(6, message.Fetched{Inst: &k.Insts[0]}) // no lane takes part
	b.d.RunUntil(20)
	if len(b.arrivals.Got) != 1 || b.arrivals.Got[0].Msg.Phase != message.PhaseOperation {
		t.Errorf("arrivals %+v, want one operation on an mbarrier", b.arrivals.Got)
	}
}

func TestFetchGoesOnAtTheIssueOfABranchThatNoUnitResolves(t *testing.T) {
	for _, atUnit := range []bool{false, true} {
		spec := testSetup()
		if atUnit {
			spec.AtUnit = 1 << ir.ClassInt
		}
		b := newBench(spec, independent(ir.ClassInt, 2))
		b.warps(1, 1)
		b.fetched.Send(2, message.Fetched{Inst: &b.k.Insts[0], Exec: 1, Redirect: true})
		b.fetched.Send(2, message.Fetched{Inst: &b.k.Insts[1], Exec: 1, PC: 1})
		b.d.RunUntil(10)
		if len(b.notes.Got) != 2 || b.notes.Got[0].Msg.Resolved == atUnit || b.notes.Got[1].Msg.Resolved {
			t.Errorf("resolved at units %t: notes %+v, want the first resolved if not", atUnit, b.notes.Got)
		}
	}
}

// The warp gives up registers from 5 on before its second instruction.
func TestADesignIsNoticedOfRegistersGivenUp(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpIssued, regfile.WarpActivated)
	k := independent(ir.ClassInt, 2)
	b := newBenchOf(testSetup(), k, d, &Planes{Notices: notices, vacates: func(in *ir.Inst) int {
		if in == &k.Insts[1] {
			return 5
		}
		return regfile.NumRegisters
	}})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.d.RunUntil(20)
	var got []uint16
	for _, g := range ear.Got {
		got = append(got, g.Msg.From)
	}
	if want := []uint16{0, 0, 5}; !slices.Equal(got, want) {
		t.Errorf("registers given up from %v on, want %v", got, want)
	}
}

func TestADesignWithEventsButWithoutPortsIsNoticedOfNothing(t *testing.T) {
	p := &Planes{Notices: regfile.Notices{Events: everything}}
	b := newBenchOf(testSetup(), independent(ir.ClassInt, 1), wire.NewDomain("core", smtest.GHz), p)
	b.warps(1, 1)
	b.fetch(2, 0, 0)
	b.d.RunUntil(10)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3})
}

// counter counts issued instructions, and ignores everything else.
type counter struct{ n int }

func (c *counter) Issued(wire.Cycle, *message.Fetched, uint32)                               { c.n++ }
func (c *counter) States(wire.Cycle, int, *[reason.Num]uint64, []uint16, int, reason.Reason) {}
func (c *counter) Pending(wire.Cycle, uint16, bool)                                          {}

func TestCountersOfInstructionsStayWhenTheObserverLeaves(t *testing.T) {
	var a Observers
	permanent, observer := &counter{}, &counter{}
	a.Count(permanent)
	a.Observe(observer)
	a.issued(1, nil, 0)
	a.Observe(nil)
	a.issued(2, nil, 0)
	if permanent.n != 2 || observer.n != 1 {
		t.Errorf("%d instructions counted, %d observed; want 2 and 1", permanent.n, observer.n)
	}
}

func TestThePortForResultsHasRoomForTwoCycles(t *testing.T) {
	for results, want := range map[int]int{1: 4, 2: 4, 5: 10} {
		b := newBench(testSetup(), independent(ir.ClassInt, 1))
		s := New("T", b.d, &testSetup().Config, Links{Units: [][]uint8{{0}, {1}}, Planes: &Planes{},
			Observers: &Observers{}, Steady: &Steady{}}, nil)
		s.AddNotices(false, results)
		if got := s.Done[0].Capacity(); got != want {
			t.Errorf("%d results per cycle: room for %d, want %d", results, got, want)
		}
	}
}

// One place in the queue and three loads. Nobody takes the second one out.
func TestAPlaceInTheMemoryQueueIsForOneOperation(t *testing.T) {
	spec := testSetup()
	spec.Queues.Entries = 1
	b := newBench(spec, independent(ir.ClassLoad, 1))
	left := wiretest.NewSource("Left", b.d, &b.s.Queue.Left)
	b.warps(1, 0b111)
	for w := range 3 {
		b.fetch(2, w, 0)
	}
	left.Send(9, op.Taken{})
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 10})
}

func TestATwoLevelSchedulerSuspendsOnKnownEvents(t *testing.T) {
	for on, want := range map[string]twolevel.Event{"": twolevel.Use, "use": twolevel.Use, "miss": twolevel.Miss,
		"missed-use": twolevel.MissedUse} {
		s := *setSpec(2, false, false, 0)
		s.SuspendOn = on
		if err := s.Check(1, 8); err != nil || s.event() != want || s.WantsMisses() != (want != twolevel.Use) {
			t.Errorf("%q: %v, event %v, wants misses %t; want event %v", on, err, s.event(), s.WantsMisses(), want)
		}
		if s.Policy = "lrr"; s.WantsMisses() {
			t.Errorf("%q: a policy without an active set wants misses", on)
		}
	}
	s := *setSpec(2, false, false, 0)
	s.SuspendOn = "sometimes"
	if err := s.Check(1, 8); err == nil {
		t.Error("an unknown event is taken")
	}
}

func TestOperationsGoToTheUnitsOfAKindInTurn(t *testing.T) {
	spec := testSetup()
	b := &bench{d: wire.NewDomain("core", smtest.GHz), k: independent(ir.ClassInt, 5)}
	b.s = New("S", b.d, &spec.Config, Links{Units: [][]uint8{{0, 2, 3}, {1}}, Planes: &Planes{},
		Observers: &Observers{}, Steady: &Steady{}}, nil)
	b.s.AddNotices(false, 2)
	b.start = wiretest.NewSource("Start", b.d, &b.s.Start)
	b.fetched = wiretest.NewSource("Fetched", b.d, &b.s.Fetched)
	b.issue = wiretest.NewSink("Issue", b.d, &b.s.Issue, 2)
	wiretest.NewSink("Notes", b.d, &b.s.Notes, 4)
	wiretest.NewSink("Arrivals", b.d, &b.s.Arrivals, 4)
	wiretest.NewSink("Ended", b.d, &b.s.Ended, 4)
	b.load(spec, nil, &Planes{})
	b.warps(1, 0b11111)
	for w := range 5 {
		b.fetch(2, w, w)
	}
	b.d.RunUntil(20)
	var got []uint8
	for _, g := range b.issue.Got {
		got = append(got, g.Msg.Unit)
	}
	if want := []uint8{0, 2, 3, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("units %v, want %v", got, want)
	}
}

// The register of the memory unit is taken by the load at 3. Another load is fetched at 6.
func TestAnInstructionFetchedWhileItsIssueRegisterIsTakenWaits(t *testing.T) {
	k := smtest.KernelOf(smtest.Inst(ir.ClassLoad, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit, nil))
	spec := testSetup()
	spec.Registers, spec.Units = 1, 2
	b := newBench(spec, k)
	room := wiretest.NewSource("Room", b.d, &b.s.Taken)
	b.warps(1, 0b111)
	b.fetch(2, 0, 0)
	b.fetch(6, 1, 0)
	b.fetch(8, 2, 1)
	room.Send(20, op.Taken{Unit: 1})
	b.d.RunUntil(40)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 9, 21})
}
