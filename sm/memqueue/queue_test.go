package memqueue

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// testSpec has distinct times.
func testSpec() *Spec {
	return &Spec{Entries: 3, Interval: 2, Data: 2,
		Global: Path{Leave: []int{9, 11}, Every: []int{2, 4}, Loads: []int{8, 10}, Stores: []int{7, 12},
			Return: []int{0, 1}, Width: 2},
		Shared: Path{Leave: []int{6, 6}, Every: []int{1, 1}, Loads: []int{6, 6}, Stores: []int{6, 6},
			Return: []int{0, 0}, Width: 1},
		Constant: Path{Leave: []int{5, 5}, Every: []int{1, 1}, Loads: []int{5, 5}, Stores: []int{5, 5},
			Return: []int{0, 0}, Width: 1},
		Copy: Path{Leave: []int{11, 11}, Every: []int{4, 4}, Loads: []int{13, 13}, Stores: []int{13, 13},
			Return: []int{3, 3}, Width: 4}}
}

// load is a load of a number of registers. Its address is in a register, or one for all lanes.
func load(space ir.Space, words int, regular bool) *ir.Inst {
	in := &ir.Inst{Op: ir.OpLd}
	in.T = ir.Timing{Class: ir.ClassLoad, Space: space, NDst: uint8(words), Bytes: uint8(4 * words)}
	if regular {
		in.T.NAddr, in.T.NSrc = 1, 1
	}
	return in
}

// store is a store of so many registers to an address in a register.
func store(words int) *ir.Inst {
	in := &ir.Inst{Op: ir.OpSt}
	in.T = ir.Timing{Class: ir.ClassStore, Space: ir.Global, NAddr: 1, NSrc: uint8(1 + words), Bytes: uint8(4 * words)}
	return in
}

// asyncCopy is a copy to shared memory of so many words.
func asyncCopy(words int) *ir.Inst {
	in := load(ir.Global, words, true)
	in.T.NDst = 0
	return in
}

type bench struct {
	d      *wire.Domain
	in     *wiretest.Source[op.Op]
	back   *wiretest.Source[op.Result]
	out    *wiretest.Sink[op.Op]
	read   *wiretest.Sink[op.Read]
	result *wiretest.Sink[op.Result]
	done   *wiretest.Sink[op.Done]
}

func newBench(s *Spec) *bench {
	d := wire.NewDomain("core", 1)
	q := NewQueue("Q", d, s, nil)
	return &bench{d: d, in: wiretest.NewSource("In", d, &q.In), back: wiretest.NewSource("Back", d, &q.Back),
		out: wiretest.NewSink("Out", d, &q.Out, 8), read: wiretest.NewSink("Read", d, &q.Read, 8),
		result: wiretest.NewSink("Result", d, &q.Result, 8), done: wiretest.NewSink("Done", d, &q.Done, 8)}
}

// issue sends an operation issued at a cycle; it arrives two cycles later.
func (b *bench) issue(at wire.Cycle, in *ir.Inst, tag uint32) {
	b.in.Send(at+1, op.Op{Inst: in, Issued: at, Tag: tag})
}

func cycles[T any](s *wiretest.Sink[T]) (out []wire.Cycle) {
	for _, g := range s.Got {
		out = append(out, g.Cycle)
	}
	return out
}

func want(t *testing.T, what string, got, want []wire.Cycle) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// The grant is seen at the scheduler Leave cycles after issue: the operation is at the grants, a
// link after it has left, one cycle before.
func TestAnOperationIsAtTheGrantsACycleBeforeItsSchedulerMayKnowTheGrant(t *testing.T) {
	for _, c := range []struct {
		in *ir.Inst
		at wire.Cycle
	}{{load(ir.Global, 1, false), 8}, {load(ir.Global, 1, true), 10}, {load(ir.Shared, 1, true), 5}, {store(1), 10},
		{asyncCopy(1), 10}} {
		b := newBench(testSpec())
		b.issue(100, c.in, 1)
		b.d.RunUntil(200)
		want(t, "at the grants", cycles(b.out), []wire.Cycle{100 + c.at})
	}
}

func TestOperationsLeaveInOrderAsFarApartAsTheirAddressesTake(t *testing.T) {
	b := newBench(testSpec())
	b.issue(100, load(ir.Global, 1, true), 1)
	b.issue(101, load(ir.Global, 1, false), 2)
	b.issue(102, load(ir.Shared, 1, true), 3)
	b.d.RunUntil(200)
	// 4 cycles behind the first, 2 behind the second
	want(t, "at the grants", cycles(b.out), []wire.Cycle{110, 114, 116})
	for i, g := range b.out.Got {
		if g.Msg.Tag != uint32(i+1) {
			t.Errorf("operation %d is number %d", g.Msg.Tag, i+1)
		}
	}
}

func TestAnOperationThatComesLateLeavesAtOnce(t *testing.T) {
	b := newBench(testSpec())
	b.in.Send(140, op.Op{Inst: load(ir.Global, 1, true), Issued: 100, Tag: 1})
	b.d.RunUntil(200)
	want(t, "at the grants", cycles(b.out), []wire.Cycle{142})
}

// The notice is at the scheduler when an instruction overwriting a source may issue.
func TestSourcesAreReadWhenAddressesAreAndAStoresDataAfterThem(t *testing.T) {
	for _, c := range []struct {
		in *ir.Inst
		at wire.Cycle
	}{{load(ir.Global, 1, false), 8}, {load(ir.Global, 1, true), 10}, {store(1), 14}, {store(4), 20},
		{asyncCopy(4), 13}} {
		b := newBench(testSpec())
		b.issue(100, c.in, 1)
		b.d.RunUntil(200)
		want(t, "read", cycles(b.read), []wire.Cycle{100 + c.at})
	}
}

func TestSourcesAreReadLaterWhereAddressesAreComputedLater(t *testing.T) {
	b := newBench(testSpec())
	b.issue(100, load(ir.Global, 1, true), 1)
	b.issue(101, load(ir.Global, 1, true), 2)
	b.d.RunUntil(200)
	want(t, "read", cycles(b.read), []wire.Cycle{110, 114})
}

// A store's data may be read after the address of the load behind it.
func TestALoadMayHaveReadBeforeTheStoreBeforeIt(t *testing.T) {
	b := newBench(testSpec())
	b.issue(100, store(4), 1)
	b.issue(101, load(ir.Global, 1, true), 2)
	b.d.RunUntil(200)
	want(t, "read", cycles(b.read), []wire.Cycle{114, 120})
	if len(b.read.Got) == 2 && b.read.Got[0].Msg.Tag != 2 {
		t.Error("the store has read first")
	}
}

// A result seen at t and taking n cycles is at the writeback stage at t + n + 1.
func TestARegisterTakesThePathOfResultsForItsTime(t *testing.T) {
	for _, c := range []struct {
		in *ir.Inst
		at wire.Cycle
	}{
		{load(ir.Global, 1, false), 2}, {load(ir.Global, 4, false), 8},
		{load(ir.Global, 1, true), 3}, // of which 1 is Return
		// four registers less the three lines before the last, and 1
		{load(ir.Global, 4, true), 6},
		{load(ir.Shared, 1, false), 2}, {load(ir.Shared, 4, false), 4},
	} {
		b := newBench(testSpec())
		b.back.Send(100, op.Result{Inst: c.in, Tag: 1})
		b.d.RunUntil(200)
		want(t, "result", cycles(b.result), []wire.Cycle{101 + c.at + 1})
	}
}

func TestResultsTakeThePathOneBehindTheOther(t *testing.T) {
	b := newBench(testSpec())
	for i := range 3 {
		b.back.Send(100, op.Result{Inst: load(ir.Global, 2, false), Tag: uint32(i)})
	}
	b.d.RunUntil(200)
	want(t, "results", cycles(b.result), []wire.Cycle{106, 110, 114})
}

func TestTheEndOfACopyIsToldToTheSchedulerAndHasNoResult(t *testing.T) {
	b := newBench(testSpec())
	b.back.Send(100, op.Result{Inst: asyncCopy(1), Tag: 9, Warp: 5})
	b.back.Send(150, op.Result{Inst: asyncCopy(4), Tag: 9, Warp: 5})
	b.d.RunUntil(200)
	// 4 cycles, or 1 after three lines before the last, and Return
	want(t, "done", cycles(b.done), []wire.Cycle{101 + 4 + 3 + 1, 151 + 1 + 3 + 1})
	if len(b.result.Got) != 0 {
		t.Error("a copy has a result")
	}
}

func TestGrantsGoRoundOnePerInterval(t *testing.T) {
	d := wire.NewDomain("core", 1)
	g := NewGrants("G", d, testSpec(), 3)
	var left [3]*wiretest.Sink[op.Taken]
	for i := range 3 {
		in := wiretest.NewSource("In", d, &g.In[i])
		for k := range 2 {
			in.Send(10, op.Op{Inst: load(ir.Shared, 1, true), Tag: uint32(10*i + k), Sched: uint8(i)})
		}
		left[i] = wiretest.NewSink("Left", d, &g.Left[i], 8)
	}
	out := wiretest.NewSink("Out", d, &g.Out, 8)
	d.RunUntil(100)
	want(t, "at the load/store unit", cycles(out), []wire.Cycle{12, 14, 16, 18, 20, 22})
	for i := range 3 {
		c := wire.Cycle(12 + 2*i)
		want(t, "left", cycles(left[i]), []wire.Cycle{c, c + 6})
	}
}

func TestRegistersOfALoadTakeTheirCyclesOfTheLoadStoreUnit(t *testing.T) {
	s := testSpec()
	s.Global.Register, s.Shared.Register = 2, 0
	for space, want1 := range map[ir.Space][]wire.Cycle{ir.Global: {12, 20, 28}, ir.Shared: {12, 14, 16}} {
		d := wire.NewDomain("core", 1)
		g := NewGrants("G", d, s, 1)
		in := wiretest.NewSource("In", d, &g.In[0])
		for range 3 {
			in.Send(10, op.Op{Inst: load(space, 4, true)})
		}
		wiretest.NewSink("Left", d, &g.Left[0], 8)
		out := wiretest.NewSink("Out", d, &g.Out, 8)
		d.RunUntil(100)
		want(t, space.String(), cycles(out), want1)
	}
}

// accessed is an access to words at a stride.
func accessed(space ir.Space, stride int32) *stream.Access {
	a := new(stream.Access)
	a.SetRegular(space, 0, stride)
	return a
}

func TestAnOperationWaitsForThePassesOfTheOneBeforeIt(t *testing.T) {
	for name, c := range map[string]struct {
		in     *ir.Inst
		stride int32
		apart  wire.Cycle
	}{
		"a load from shared memory without conflict": {load(ir.Shared, 1, true), 4, 2},
		"one of two words":                           {load(ir.Shared, 2, true), 8, 4},
		"one with eight ways":                        {load(ir.Shared, 1, true), 32, 16},
		"a load from global memory, eight ways":      {load(ir.Global, 1, true), 32, 16},
		"one that its addresses take longer":         {load(ir.Global, 1, true), 4, 4},
		"a store to global memory":                   {store(1), 32, 4},
		"a copy to shared memory":                    {asyncCopy(1), 32, 4},
		"a read of constants":                        {load(ir.Const, 1, true), 32, 1},
	} {
		s := testSpec()
		s.Pass = 2
		b := newBench(s)
		for i := range wire.Cycle(2) {
			b.in.Send(101+i, op.Op{Inst: c.in, Issued: 100 + i, Access: accessed(c.in.T.Space, c.stride),
				Exec: 1<<32 - 1})
		}
		b.d.RunUntil(300)
		if got := cycles(b.out); got[1]-got[0] != c.apart {
			t.Errorf("%s: the next one leaves after %d cycles, want %d", name, got[1]-got[0], c.apart)
		}
	}
}

func TestAnOperationWaitsForTheDataOfTheStoreBeforeIt(t *testing.T) {
	atomic := store(2)
	atomic.T.Class = ir.ClassAtomic
	for name, c := range map[string]struct {
		in    *ir.Inst
		apart wire.Cycle
	}{
		"a store of one register": {store(1), 4 + 2}, "a store of four": {store(4), 4 + 8},
		"an atomic operation of two": {atomic, 4 + 4}, "a load": {load(ir.Global, 4, true), 4},
	} {
		s := testSpec()
		s.Behind = 2
		b := newBench(s)
		b.issue(100, c.in, 1)
		b.issue(101, c.in, 2)
		b.d.RunUntil(300)
		if got := cycles(b.out); got[1]-got[0] != c.apart {
			t.Errorf("%s: the next one leaves after %d cycles, want %d", name, got[1]-got[0], c.apart)
		}
	}
}
