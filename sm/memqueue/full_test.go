package memqueue

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// asleep fails the test if a block of a domain would still tick.
func asleep(t *testing.T, d *wire.Domain) {
	t.Helper()
	if at := d.NextWake(); at != wire.Never {
		t.Errorf("a block with nothing to do ticks at %d", at)
	}
}

// Each result takes the path for 8 cycles, so more results arrive than the path holds.
func TestResultsWaitBeforeAFullPathAndComeInOrder(t *testing.T) {
	const n = 3 * mostReturning
	b := newBench(testSpec())
	for i := range n {
		b.back.Send(100+wire.Cycle(i), op.Result{Inst: load(ir.Global, 4, false), Tag: uint32(i)})
	}
	b.d.RunUntil(1000)
	if len(b.result.Got) != n {
		t.Fatalf("%d results, want %d", len(b.result.Got), n)
	}
	for i, g := range b.result.Got {
		if at := wire.Cycle(110 + 8*i); g.Cycle != at || g.Msg.Tag != uint32(i) {
			t.Fatalf("result %d in cycle %d, want %d in %d", g.Msg.Tag, g.Cycle, i, at)
		}
	}
	asleep(t, b.d)
}

// The queue holds three operations; the first leaves at 150.
func TestOperationsWaitForTheGrantsAndLeaveInOrder(t *testing.T) {
	const n = 7
	b := newBench(testSpec())
	b.out.Refuse = func(now wire.Cycle) bool { return now < 150 }
	for i := range n {
		b.issue(100+wire.Cycle(i), load(ir.Shared, 1, true), uint32(i))
	}
	b.d.RunUntil(300)
	if len(b.out.Got) != n || len(b.read.Got) != n {
		t.Fatalf("%d operations have left, %d have read; want %d", len(b.out.Got), len(b.read.Got), n)
	}
	for i, g := range b.out.Got {
		if g.Msg.Tag != uint32(i) || g.Cycle < 150 {
			t.Errorf("operation %d leaves in cycle %d, want %d, not before 150", g.Msg.Tag, g.Cycle, i)
		}
	}
	asleep(t, b.d)
}

func TestAQueueThatWaitsForATimeSleepsUntilThen(t *testing.T) {
	b := newBench(testSpec())
	b.issue(100, load(ir.Global, 1, true), 1)
	b.d.RunUntil(104)
	if at := b.d.NextWake(); at != 109 {
		t.Errorf("the next tick is in cycle %d, want 109, when the operation leaves", at)
	}
	b.d.RunUntil(200)
	asleep(t, b.d)
}

func TestAQueueSaysWhatItHolds(t *testing.T) {
	s := testSpec()
	d := wire.NewDomain("core", 1)
	q := NewQueue("Q", d, s, nil)
	in, back := wiretest.NewSource("In", d, &q.In), wiretest.NewSource("Back", d, &q.Back)
	out, result := wiretest.NewSink("Out", d, &q.Out, 1), wiretest.NewSink("Result", d, &q.Result, 1)
	wiretest.NewSink("Read", d, &q.Read, 8)
	wiretest.NewSink("Done", d, &q.Done, 8)
	if got := q.Waiting(); got != "" {
		t.Errorf("an empty queue says %q", got)
	}
	refuse := func(now wire.Cycle) bool { return now < 200 }
	out.Refuse, result.Refuse = refuse, refuse
	for i := range wire.Cycle(6) { // one is before the grants
		in.Send(101+i, op.Op{Inst: load(ir.Shared, 1, true), Issued: 100 + i})
	}
	for range 4 { // one is before the writeback stage
		back.Send(100, op.Result{Inst: load(ir.Shared, 1, false)})
	}
	d.RunUntil(180)
	const want = "5 memory operations wait to leave the sub-core, 3 results on the way to the registers"
	if got := q.Waiting(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.RunUntil(400)
	if got := q.Waiting(); got != "" {
		t.Errorf("an empty queue says %q", got)
	}
}

func TestGrantsPassOverQueuesWithoutAnOperation(t *testing.T) {
	d := wire.NewDomain("core", 1)
	g := NewGrants("G", d, testSpec(), 4)
	for i := range 4 {
		wiretest.NewSink("Left", d, &g.Left[i], 8)
		in := wiretest.NewSource("In", d, &g.In[i])
		if i == 1 || i == 3 {
			in.Send(10, op.Op{Inst: load(ir.Shared, 1, true), Sched: uint8(i)})
			in.Send(10, op.Op{Inst: load(ir.Shared, 1, true), Sched: uint8(i)})
		}
	}
	out := wiretest.NewSink("Out", d, &g.Out, 8)
	d.RunUntil(11)
	if got, want := g.Waiting(), "3 memory operations wait for the load/store unit"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.RunUntil(100)
	var got []uint8
	for _, x := range out.Got {
		got = append(got, x.Msg.Sched)
	}
	if len(got) != 4 || got[0] != 1 || got[1] != 3 || got[2] != 1 || got[3] != 3 {
		t.Errorf("operations of queues %v, want 1, 3, 1, 3", got)
	}
	if s := g.Waiting(); s != "" {
		t.Errorf("%q, want nothing", s)
	}
	asleep(t, d)
}

// An operation may be taken each second cycle; a result of four registers of the L1 takes four.
func TestALoadIsFollowedWhenItsRegistersHaveComeBack(t *testing.T) {
	s := testSpec()
	s.Interval, s.Global.Register = 2, 1
	d := wire.NewDomain("core", 1)
	g := NewGrants("G", d, s, 1)
	wiretest.NewSink("Left", d, &g.Left[0], 8)
	in := wiretest.NewSource("In", d, &g.In[0])
	out := wiretest.NewSink("Out", d, &g.Out, 8)
	for _, registers := range []int{1, 4, 3, 2} {
		in.Send(10, op.Op{Inst: load(ir.Global, registers, true)})
	}
	in.Send(10, op.Op{Inst: load(ir.Shared, 4, true)})
	in.Send(10, op.Op{Inst: load(ir.Shared, 1, true)})
	d.RunUntil(100)
	for i, after := range []wire.Cycle{0, 2, 6, 9, 11, 13} {
		if got := out.Got[i].Cycle - out.Got[0].Cycle; got != after {
			t.Errorf("operation %d is taken %d cycles after the first, want %d", i, got, after)
		}
	}
}

func TestAStoreKeepsTheLoadStoreUnitForItsTime(t *testing.T) {
	s := testSpec()
	s.Interval, s.Global.Store = 1, 3
	d := wire.NewDomain("core", 1)
	g := NewGrants("G", d, s, 1)
	wiretest.NewSink("Left", d, &g.Left[0], 8)
	in := wiretest.NewSource("In", d, &g.In[0])
	out := wiretest.NewSink("Out", d, &g.Out, 8)
	for _, x := range []*ir.Inst{store(1), load(ir.Global, 1, true), store(4), load(ir.Shared, 1, true)} {
		in.Send(10, op.Op{Inst: x})
	}
	d.RunUntil(100)
	for i, after := range []wire.Cycle{0, 3, 4, 7} {
		if got := out.Got[i].Cycle - out.Got[0].Cycle; got != after {
			t.Errorf("operation %d is taken %d cycles after the first, want %d", i, got, after)
		}
	}
}

func TestTimesMayBeAThousandCycles(t *testing.T) {
	p := testSpec().Global
	p.Leave = []int{1000, 1000}
	if err := p.check(); err != nil {
		t.Error(err)
	}
	if p.Leave[1] = 1001; p.check() == nil {
		t.Error("1001 cycles are accepted")
	}
}

// Addresses are ready at 104, 105 and 106. The sink takes nothing from 106 to 149, so the second operation stays on the
// link until then. When it has been taken, the third leaves, at 152.
func TestWhatLeavesAndHowLongItWaitsIsCounted(t *testing.T) {
	d := wire.NewDomain("core", 1)
	q := NewQueue("Q", d, testSpec(), nil)
	in, out := wiretest.NewSource("In", d, &q.In), wiretest.NewSink("Out", d, &q.Out, 1)
	wiretest.NewSink("Read", d, &q.Read, 8)
	out.Refuse = func(now wire.Cycle) bool { return now > 105 && now < 150 }
	for i := range wire.Cycle(3) {
		in.Send(101+i, op.Op{Inst: load(ir.Shared, 1, true), Issued: 100 + i})
	}
	d.RunUntil(300)
	if q.ops != 3 || q.waited != 46 {
		t.Errorf("%d operations have waited for %d cycles, want 3 and 46", q.ops, q.waited)
	}
}

// Waiting names every operation and result, wherever it is: also an operation that only waits for its time, and one
// that has arrived and is not taken yet.
func TestEveryPlaceOfAQueueIsToldAlone(t *testing.T) {
	for name, send := range map[string]func(b *bench){
		"in the queue":    func(b *bench) { b.issue(100, load(ir.Global, 1, true), 1) },
		"read later":      func(b *bench) { b.issue(100, store(4), 1) },
		"on the path":     func(b *bench) { b.back.Send(103, op.Result{Inst: load(ir.Global, 4, false)}) },
		"before the path": func(b *bench) { b.back.Send(104, op.Result{Inst: load(ir.Global, 4, false)}) },
		"on both sides":   func(b *bench) { b.issue(100, store(1), 1); sendBack(b, 103) },
		"on the path, and behind it": func(b *bench) {
			sendBack(b, 103)
			sendBack(b, 105)
		},
		"one that reads, and two on the path": func(b *bench) {
			b.issue(100, store(4), 1)
			sendBack(b, 101)
			sendBack(b, 102)
		},
		"in the queue, and before it": func(b *bench) {
			b.issue(100, store(4), 1)
			b.issue(104, store(4), 2)
			b.issue(104, store(4), 3)
		},
	} {
		b := newBench(testSpec())
		q := b.d.Components()[0].(*Queue)
		send(b)
		b.d.RunUntil(105)
		if q.Waiting() == "" {
			t.Errorf("%s: nothing is told", name)
		}
		b.d.RunUntil(300)
		if got := q.Waiting(); got != "" {
			t.Errorf("%s: an empty queue says %q", name, got)
		}
	}
}

func sendBack(b *bench, at wire.Cycle) { b.back.Send(at, op.Result{Inst: load(ir.Global, 4, false)}) }

func TestResultsBehindAFullPathAreCountedWithThoseOnIt(t *testing.T) {
	b := newBench(testSpec())
	for range 2 * mostReturning {
		sendBack(b, 103)
	}
	b.d.RunUntil(126)
	const want = "0 memory operations wait to leave the sub-core, 18 results on the way to the registers"
	if got := b.d.Components()[0].(*Queue).Waiting(); got != want { // 16 on the path, 2 before
		t.Errorf("%q, want %q", got, want)
	}
}

// With a width of 0 a result takes the path for the least time of a transfer. Three of its four lines have been
// transferred when the last one arrives, so this time is reduced, but not below one cycle.
func TestAResultTakesThePathForACycleAtLeast(t *testing.T) {
	s := testSpec()
	s.Global.Width = 0
	b := newBench(s)
	b.back.Send(100, op.Result{Inst: load(ir.Global, 4, true)})
	b.d.RunUntil(200)
	want(t, "result", cycles(b.result), []wire.Cycle{101 + 1 + 1 + 1})
}

// One operation is before the grants, three in the queue, and as many before it.
func TestAFullQueueIsToldWithWhatIsBeforeIt(t *testing.T) {
	d := wire.NewDomain("core", 1)
	q := NewQueue("Q", d, testSpec(), nil)
	in, out := wiretest.NewSource("In", d, &q.In), wiretest.NewSink("Out", d, &q.Out, 1)
	wiretest.NewSink("Read", d, &q.Read, 8)
	out.Refuse = func(wire.Cycle) bool { return true }
	for i := range wire.Cycle(7) {
		in.Send(101+i, op.Op{Inst: load(ir.Shared, 1, true), Issued: 100 + i})
	}
	d.RunUntil(180)
	const want = "6 memory operations wait to leave the sub-core, 0 results on the way to the registers"
	if got := q.Waiting(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
