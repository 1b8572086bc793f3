package sm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/sm/switching"
)

func TestAWarpIsSortedAmongThoseThatAreOlderAndYounger(t *testing.T) {
	for age, want := range map[int][]int8{1: {5, 0, 1, 2}, 3: {0, 5, 1, 2}, 5: {0, 1, 5, 2}, 7: {0, 1, 2, 5}} {
		p := &oldest{}
		ages := map[int]int{0: 2, 1: 4, 2: 6, 5: age}
		for _, s := range []int{0, 1, 2, 5} {
			p.Started(s)
		}
		p.Resort(5, func(other int) bool { return ages[5] > ages[other] })
		if d := cmp.Diff(want, p.order[:p.n]); d != "" {
			t.Errorf("age %d (-want +got):\n%s", age, d)
		}
	}
}

func TestWarpsMayStartAndEndAnyNumberOfTimes(t *testing.T) {
	p := &oldest{}
	p.Started(7)
	for range 200 {
		p.Started(3)
		p.Finished(3)
	}
	if p.n != 1 || p.Pick(1<<7) != 7 {
		t.Errorf("%d warps are there, want warp 7 alone", p.n)
	}
}

// Slot 3 issued last and its warp ends: the oldest is next, though a new warp has the slot.
func TestGreedyThenOldestForgetsAWarpThatHasEnded(t *testing.T) {
	p := newPolicy("gto")
	for _, s := range []int{0, 1, 3} {
		p.Started(s)
	}
	p.Issued(3)
	p.Finished(1) // another one
	p.Started(1)
	if s := p.Pick(0b1011); s != 3 {
		t.Errorf("slot %d is picked, want 3, which issued last", s)
	}
	p.Finished(3)
	p.Started(3)
	if s := p.Pick(0b1011); s != 0 {
		t.Errorf("slot %d is picked, want 0, the oldest", s)
	}
}

// Warp 0 starts before warp 1, loses its slot and is back from 30 on. At 41 both have an
// instruction that can issue.
func TestAWarpThatComesBackIsAsOldAsItWas(t *testing.T) {
	k := loadAndUse()
	spec := testSetup()
	spec.Slots, spec.Contexts, spec.Switch.Switching, spec.Choice.Policy = 4, 8, switching.VirtualThread, "oldest"
	b := newBench(spec, k)
	park := wiretest.NewSource("Park", b.d, &b.s.parking.Park)
	wiretest.NewSink("Parked", b.d, &b.s.parking.Parked, 4)
	wiretest.NewSink("Woke", b.d, &b.s.parking.Woke, 4)
	b.start.Send(1, WarpsStart{Slots: 1, Contexts: []uint16{0}, CTA: 5})
	b.start.Send(1, WarpsStart{Slots: 2, Contexts: []uint16{1}, CTA: 6})
	b.fetch(2, 0, 0, 1)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1})
	park.Send(10, switching.Park{CTA: 5})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.start.Send(30, WarpsStart{Slots: 1 << 3, Contexts: []uint16{0}, CTA: 5, Returned: true})
	b.fetched.Send(40, Fetched{Inst: &k.Insts[0], Exec: 1, Warp: 1})
	b.fetched.Send(40, Fetched{Inst: &k.Insts[1], PC: 1, Exec: 1, Life: 1})
	b.d.RunUntil(60)
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 41, 42})
	if d := cmp.Diff([]int{0, 0, 1}, b.warpOrder()); d != "" {
		t.Errorf("warps (-want +got):\n%s", d)
	}
}

// Guarded instructions that no lane executes go nowhere beyond the scheduler, unless they
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
		in := inst(k.class, k.dst, 0)
		in.T.Guarded = true
		b := newBench(testSetup(), kernelOf(in, inst(ir.ClassExit, nil)))
		b.warps(1, 1)
		b.fetched.Send(2, Fetched{Inst: &b.k.Insts[0], Exec: k.exec})
		b.d.RunUntil(20)
		if b.s.issuedInsts != 1 || len(b.issue.Got) != k.sent || len(b.arrivals.Got) != k.arrivals {
			t.Errorf("class %s, lanes %b: %d issued, %d sent, %d arrivals; want 1, %d, %d", k.class, k.exec,
				b.s.issuedInsts, len(b.issue.Got), len(b.arrivals.Got), k.sent, k.arrivals)
		}
	}
}

func TestAMissIsNotedWhileALoadIsOutstanding(t *testing.T) {
	b := newBench(testSetup(), kernelOf(inst(ir.ClassInt, []int{1}, 0), inst(ir.ClassExit, nil)))
	b.warps(1, 1)
	b.stores.Send(5, StoreNote{Missed: true})
	b.d.RunUntil(20)
	if b.s.missed != 0 {
		t.Error("a miss is noted of a warp without loads")
	}
}

// unitOf is a unit with these times for every class, and room for so many results.
func unitOf(latency, initiation, room int) (*wire.Domain, *Unit, *wiretest.Source[op.Op], *wiretest.Sink[op.Result]) {
	spec := testSpec().Units["alu"]
	spec.Latency, spec.Initial, spec.Class = latency, initiation, nil
	d := wire.NewDomain("core", ghz)
	u := NewUnit("ALU", d, spec, unitLinks{kind: "alu", part: parts{0}}, nil)
	return d, u, wiretest.NewSource("In", d, &u.In), wiretest.NewSink("Out", d, &u.Out[0], room)
}

// In from 10 on, one per cycle: a unit sends 2 cycles before its latency is over, and its
// pipeline is as long as that.
func TestAPipelineHoldsAnOperationForEachCycleOfItsLatency(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	for _, latency := range []int{4, 10, 31} {
		d, _, in, out := unitOf(latency, 1, 4)
		var want []wire.Cycle
		for i := range wire.Cycle(80) {
			in.Send(9+i, op.Op{Inst: &k.Insts[0], Tag: uint32(i)})
			want = append(want, 10+i+wire.Cycle(latency)-2+1)
		}
		d.RunUntil(200)
		wantCycles(t, "results", arrivals(out), want)
	}
}

// The second enters at 13, though the first is not done before 30.
func TestAnOperationEntersWhenTheIntervalIsOverWhateverIsUnderWay(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0), inst(ir.ClassInt, nil, 0))
	for i, want := range [][]wire.Cycle{{29, 32, 35}, nil} {
		d, u, in, out := unitOf(20, 3, 4)
		for range 3 {
			in.Send(9, op.Op{Inst: &k.Insts[i]})
		}
		d.RunUntil(100)
		wantCycles(t, "results", arrivals(out), want)
		if u.ops != 3 || u.busy != 9 {
			t.Errorf("%d operations, busy for %d cycles; want 3, 9", u.ops, u.busy)
		}
	}
}

// The second result finds no room until 100; the third operation enters at 70 all the same.
func TestAUnitThatCannotSendGoesOnTakingOperations(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d, u, in, out := unitOf(4, 30, 1)
	out.Refuse = func(now wire.Cycle) bool { return now < 100 }
	for range 3 {
		in.Send(9, op.Op{Inst: &k.Insts[0]})
	}
	d.RunUntil(80)
	if u.ops != 3 {
		t.Errorf("%d operations entered by 80, want 3: at 10, 40, 70", u.ops)
	}
}

// A division of 30 cycles enters 26 cycles before an addition of 4.
func TestOperationsThatEndTogetherLeaveInTheOrderOfTheirEntry(t *testing.T) {
	spec := testSpec().Units["alu"]
	spec.Class = map[string][]int{"fdiv": {30, 1}}
	k := kernelOf(inst(ir.ClassFDiv, []int{1}, 0), inst(ir.ClassInt, []int{2}, 0))
	d := wire.NewDomain("core", ghz)
	u := NewUnit("ALU", d, spec, unitLinks{kind: "alu", part: parts{0}}, nil)
	in := wiretest.NewSource("In", d, &u.In)
	out := wiretest.NewSink("Out", d, &u.Out[0], 4)
	in.Send(9, op.Op{Inst: &k.Insts[0], Tag: 1})
	in.Send(35, op.Op{Inst: &k.Insts[1], Tag: 2})
	d.RunUntil(80)
	wantCycles(t, "results", arrivals(out), []wire.Cycle{39, 40})
	if out.Got[0].Msg.Tag != 1 {
		t.Errorf("operation %d leaves first, want 1", out.Got[0].Msg.Tag)
	}
}

// Two results of a unit come in one cycle.
func TestResultsOfOneUnitPassAWritebackPortOneByOne(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", ghz)
	w := NewWriteback("WB", d, 1, 1, nil)
	s := wiretest.NewSource("In", d, &w.In[0])
	s.Send(4, op.Result{Inst: &k.Insts[0]})
	s.Send(4, op.Result{Inst: &k.Insts[0]})
	out := wiretest.NewSink("Out", d, &w.Out[0], 4)
	d.RunUntil(20)
	wantCycles(t, "results", arrivals(out), []wire.Cycle{6, 7})
}

func TestAnOperationOnARegisterThatIsGivenUpIsToldFromOnesBelow(t *testing.T) {
	load, add := inst(ir.ClassLoad, []int{70}, 0), inst(ir.ClassInt, []int{71}, 0)
	for _, k := range []struct {
		in                 ir.Inst
		from               int
		wait, memory, long bool
	}{{load, 70, true, true, true}, {load, 71, false, false, false}, {add, 71, true, false, false},
		{add, 64, true, false, false}} {
		p := NewProgram(kernelOf(k.in), testSpec().Target(), nil)
		var b scoreboard
		b.issue(&k.in, &p.info[0])
		b.read(&k.in)
		if wait, memory, long := b.occupied(k.from); wait != k.wait || memory != k.memory || long != k.long {
			t.Errorf("class %s, from %d: waits %t, for memory %t, long %t", k.in.T.Class, k.from, wait, memory, long)
		}
	}
}

func TestAPredicateFromAfarIsALongLatencyResult(t *testing.T) {
	load, use := inst(ir.ClassAtomic, nil, 0), inst(ir.ClassInt, nil, 0)
	load.T.DstPreds, use.T.SrcPreds, load.T.Space = 4, 4, ir.Global
	p := NewProgram(kernelOf(load, use), testSpec().Target(), nil)
	var b scoreboard
	b.issue(&load, &p.info[0])
	if !b.awaitsLong(&p.info[1]) {
		t.Error("the use of the predicate does not wait for a long-latency result")
	}
	b.done(&load)
	if b.awaitsLong(&p.info[1]) {
		t.Error("it still waits")
	}
}

// 8 of 32 registers are 25 %; a kernel of no registers has no share.
func TestAShareOfAWindowIsExactWhereItIsWhole(t *testing.T) {
	c, issue := counted()
	issue(0, 1000, 8, false)
	c.footprint, c.held = 0, 0
	issue(1, 1000, 1, false)
	var reg stats.Registry
	reg.Histogram("share", "percent", "", &c.scopes[ofSM].share)
	want := stats.Histogram{}
	want.Add(25)
	reg.Histogram("want", "percent", "", &want)
	if a, b := reg.Distributions()[0].Counts(), reg.Distributions()[1].Counts(); a != b {
		t.Errorf("%v, want one window with 25 %%", a)
	}
}
