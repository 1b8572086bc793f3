package ltrf

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
)

func clock() *wire.Domain { return wire.NewDomain("Core", 1e9) }

// at is a message and the first cycle in which it is visible.
type at[T any] struct {
	Cycle wire.Cycle
	Msg   T
}

func got[T any](s *wiretest.Sink[T]) (out []at[T]) {
	c := s.Cycles()
	for i := range s.Got {
		out = append(out, at[T]{c[i], s.Got[i].Msg})
	}
	return out
}

func TestTheSequencerNamesOneRegisterOfEitherKindPerCycleAndWarp(t *testing.T) {
	d := clock()
	x := newSequencer("Sequencer", d, 4, 1)
	in := wiretest.NewSource("WCB", d, &x.In)
	leave, want := wiretest.NewSink("Leaves", d, &x.Leave, 16), wiretest.NewSink("Wants", d, &x.Want, 16)
	in.Send(9, Job{Warp: 1, Leave: setOf(3, 70, 255), Enter: setOf(9), Answer: true})
	in.Send(9, Job{Warp: 2, Enter: setOf(0, 64)})
	d.RunUntil(50)
	wiretest.Same(t, "leaves", []at[Leave]{{11, Leave{1, 3}}, {12, Leave{1, 70}}, {13, Leave{1, 255}}}, got(leave))
	wiretest.Same(
		t,
		"wants",
		[]at[Want]{{11, Want{Warp: 1, Reg: 9}}, {11, Want{Warp: 2}}, {12, Want{Warp: 2, Reg: 64}},
			{13, Want{Warp: 1, Kind: End}}},
		got(want),
	)
}

func TestTheSequencerDoesAWarpsJobsInOrderAndWhatIsInBothVectorsLeavesFirst(t *testing.T) {
	d := clock()
	x := newSequencer("Sequencer", d, 4, 1)
	in := wiretest.NewSource("WCB", d, &x.In)
	leave, want := wiretest.NewSink("Leaves", d, &x.Leave, 16), wiretest.NewSink("Wants", d, &x.Want, 16)
	in.Send(9, Job{Warp: 1, Leave: setOf(1, 2), Enter: setOf(2, 5), Release: true})
	in.Send(10, Job{Warp: 1, Enter: setOf(1), Answer: true})
	d.RunUntil(50)
	wiretest.Same(t, "leaves", []at[Leave]{{11, Leave{1, 1}}, {12, Leave{1, 2}}}, got(leave))
	wiretest.Same(t, "wants", []at[Want]{{13, Want{Warp: 1, Reg: 2}}, {14, Want{Warp: 1, Reg: 5}},
		{14, Want{Warp: 1, Kind: Release}},
		{15, Want{Warp: 1, Reg: 1}}, {15, Want{Warp: 1, Kind: End}}}, got(want))
}

func TestTheSequencerLosesNothingWhereItsReceiversAreFull(t *testing.T) {
	d := clock()
	x := newSequencer("Sequencer", d, 2, 1)
	in := wiretest.NewSource("WCB", d, &x.In)
	leave, want := wiretest.NewSink("Leaves", d, &x.Leave, 1), wiretest.NewSink("Wants", d, &x.Want, 2)
	slow := func(now wire.Cycle) bool { return now%7 != 0 }
	leave.Refuse, want.Refuse = slow, slow
	in.Send(9, Job{Warp: 1, Leave: from(0, 16), Enter: from(20, 16), Release: true, Answer: true})
	d.RunUntil(500)
	if len(leave.Got) != 16 || len(want.Got) != 18 || want.Got[17].Msg.Kind != End {
		t.Errorf("%d registers leave, want 16; %d wants, want 18", len(leave.Got), len(want.Got))
	}
}

// allocation is the units of four warps, with three banks and so many offsets.
type allocation struct {
	d       *wire.Domain
	x       *Allocation
	reg     stats.Registry
	want    *wiretest.Source[Want]
	dropped *wiretest.Source[Freed]
	freed   *wiretest.Source[Freed]
	grants  *wiretest.Sink[Grant]
}

func newUnits(offsets int) *allocation { return newUnitsOf(offsets, 1, true) }

func newUnitsOf(offsets, rate int, whole bool) *allocation {
	r := &allocation{d: clock()}
	r.x = newAllocation("Allocation", r.d, allocationSpec{shape{4, 3, offsets}, rate, whole}, &r.reg)
	r.want = wiretest.NewSource("Sequencer", r.d, &r.x.In)
	r.dropped, r.freed = wiretest.NewSource("WCB", r.d, &r.x.Dropped), wiretest.NewSource("Back", r.d, &r.x.Freed)
	r.grants = wiretest.NewSink("Grants", r.d, &r.x.Out, 16)
	return r
}

func TestAUnitGivesTheBankThatHasBeenFreeForLongest(t *testing.T) {
	r := newUnits(2)
	for i := range ir.RegID(3) {
		r.want.Send(9, Want{Warp: 1, Reg: 10 + i})
	}
	r.freed.Send(19, Freed{Bank: 2})
	r.dropped.Send(20, Freed{Bank: 0})
	r.want.Send(29, Want{Warp: 1, Reg: 20})
	r.want.Send(29, Want{Warp: 1, Reg: 21})
	r.want.Send(29, Want{Warp: 1, Reg: 22}) // none is free
	r.freed.Send(49, Freed{Bank: 1})
	r.d.RunUntil(100)
	wiretest.Same(t, "grants", []at[Grant]{
		{11, Grant{Warp: 1, Reg: 10, Bank: 0}}, {12, Grant{Warp: 1, Reg: 11, Bank: 1}},
		{13, Grant{Warp: 1, Reg: 12, Bank: 2}},
		{31, Grant{Warp: 1, Reg: 20, Bank: 2}}, {32, Grant{Warp: 1, Reg: 21, Bank: 0}},
		{51, Grant{Warp: 1, Reg: 22, Bank: 1}},
	}, got(r.grants))
	wiretest.Same(t, "waits", uint64(18), r.x.bankWaits)
}

func TestAnOffsetIsGivenBackWhenTheWarpsBanksAreEmptyAndGoesToWhoAskedFirst(t *testing.T) {
	r := newUnits(1)
	r.want.Send(9, Want{Warp: 3, Reg: 1})
	r.want.Send(9, Want{Warp: 3, Kind: Release})
	r.want.Send(12, Want{Warp: 2, Reg: 2})
	r.want.Send(13, Want{Warp: 0, Reg: 3})
	r.freed.Send(29, Freed{Bank: 0})
	r.want.Send(39, Want{Warp: 2, Kind: Release})
	r.freed.Send(49, Freed{Bank: 1})
	r.d.RunUntil(100)
	wiretest.Same(t, "grants", []at[Grant]{{11, Grant{Warp: 3, Reg: 1}}, {32, Grant{Warp: 2, Reg: 2, Bank: 1}},
		{52, Grant{Warp: 0, Reg: 3, Bank: 2}}}, got(r.grants))
	if r.x.offsetWaits == 0 {
		t.Error("nobody waited")
	}
}

// Warp 3 has all three banks of the only offset and gives it up at 12. Warp 2, with a request at 13, gets bank 1
// when it is unused, and then the others; no bank is granted twice.
func TestBankByBankAnOffsetGoesOverAsItsBanksBecomeUnused(t *testing.T) {
	r := newUnitsOf(1, 4, false)
	for i := range ir.RegID(3) {
		r.want.Send(9, Want{Warp: 3, Reg: i})
	}
	r.want.Send(11, Want{Warp: 3, Kind: Release})
	for i := range ir.RegID(3) {
		r.want.Send(12, Want{Warp: 2, Reg: 10 + i})
	}
	r.freed.Send(19, Freed{Bank: 1})
	r.freed.Send(29, Freed{Bank: 2})
	r.freed.Send(29, Freed{Bank: 0})
	r.d.RunUntil(100)
	wiretest.Same(t, "grants", []at[Grant]{{11, Grant{Warp: 3}}, {11, Grant{Warp: 3, Reg: 1, Bank: 1}},
		{11, Grant{Warp: 3, Reg: 2, Bank: 2}}, {21, Grant{Warp: 2, Reg: 10, Bank: 1}},
		{31, Grant{Warp: 2, Reg: 11, Bank: 2}}, {31, Grant{Warp: 2, Reg: 12}}}, got(r.grants))
	wiretest.Same(t, "waits for an offset", uint64(0), r.x.offsetWaits)
}

// A warp active again while its old banks are still read has another offset. The banks of the old offset go to the
// new owner of that offset as they become free.
func TestAWarpMayHaveAnotherOffsetBeforeItsOldBanksAreUnused(t *testing.T) {
	r := newUnitsOf(2, 4, false)
	r.want.Send(9, Want{Warp: 1, Reg: 1})
	r.want.Send(9, Want{Warp: 1, Kind: Release})
	r.want.Send(19, Want{Warp: 1, Reg: 2})
	for i := range ir.RegID(3) {
		r.want.Send(29, Want{Warp: 2, Reg: 10 + i})
	}
	r.freed.Send(39, Freed{Bank: 0}) // of offset 0, which is warp 2's
	r.d.RunUntil(100)
	wiretest.Same(t, "grants", []at[Grant]{{11, Grant{Warp: 1, Reg: 1}}, {21, Grant{Warp: 1, Reg: 2, Offset: 1}},
		{31, Grant{Warp: 2, Reg: 10, Bank: 1}}, {31, Grant{Warp: 2, Reg: 11, Bank: 2}},
		{41, Grant{Warp: 2, Reg: 12}}}, got(r.grants))
}

func TestAtARateOfFourFourRegistersOfEachWarpAreNamedAndPlacedInACycle(t *testing.T) {
	d := clock()
	x := newSequencer("Sequencer", d, 2, 4)
	in := wiretest.NewSource("WCB", d, &x.In)
	leave, want := wiretest.NewSink("Leaves", d, &x.Leave, 32), wiretest.NewSink("Wants", d, &x.Want, 32)
	in.Send(9, Job{Warp: 0, Leave: from(0, 9), Enter: from(20, 5)})
	in.Send(9, Job{Warp: 1, Enter: from(0, 4)})
	d.RunUntil(50)
	wiretest.Same(t, "leaves", []wire.Cycle{11, 11, 11, 11, 12, 12, 12, 12, 13}, leave.Cycles())
	wiretest.Same(t, "wants", []wire.Cycle{11, 11, 11, 11, 11, 11, 11, 11, 12}, want.Cycles())
	r := newUnitsOf(2, 2, false)
	for i := range ir.RegID(3) {
		r.want.Send(9, Want{Warp: 1, Reg: i})
		r.want.Send(9, Want{Warp: 2, Reg: i})
	}
	r.d.RunUntil(50)
	wiretest.Same(t, "grants", []wire.Cycle{11, 11, 11, 11, 12, 12}, r.grants.Cycles())
}

func TestTheEndOfAJobComesBehindItsRegisters(t *testing.T) {
	r := newUnits(1)
	r.want.Send(9, Want{Warp: 1, Reg: 1})
	r.want.Send(9, Want{Warp: 1, Kind: End})
	r.want.Send(19, Want{Warp: 2, Kind: End}) // needs no offset
	r.d.RunUntil(100)
	wiretest.Same(t, "grants", []at[Grant]{{11, Grant{Warp: 1, Reg: 1}}, {12, Grant{Warp: 1, End: true}},
		{21, Grant{Warp: 2, End: true}}}, got(r.grants))
}

// filling is the fill arbiter of four warps.
func filling(t *testing.T, grants int) (*wire.Domain, *wiretest.Source[Fetch], *wiretest.Sink[bank.Request], *Fill) {
	t.Helper()
	index, err := bank.NewIndex(bank.ByRegister, 4, 8, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	d := clock()
	x := newFill("Fill", d, fillSpec{shape{4, 16, 2}, grants, index}, &stats.Registry{})
	return d, wiretest.NewSource("WCB", d, &x.In), wiretest.NewSink("Reads", d, &x.Read, 32), x
}

func TestLinesOfTheFillArbiterTakeTurns(t *testing.T) {
	for grants, want := range map[int][]wire.Cycle{1: {11, 12, 13, 14, 15}, 2: {11, 11, 12, 12, 13},
		16: {11, 11, 11, 11, 11}} {
		d, in, out, x := filling(t, grants)
		for i := range ir.RegID(3) {
			in.Send(9, Fetch{Warp: 1, Reg: 4 + i, Bank: uint8(i), Cause: bank.Prefetch})
		}
		in.Send(9, Fetch{Warp: 2, Reg: 9, Bank: 7, Cause: bank.Flush})
		in.Send(9, Fetch{Warp: 0, Reg: 8, Bank: 6, Cause: bank.Prefetch})
		d.RunUntil(50)
		wiretest.Same(t, "cycles", want, out.Cycles())
		var regs []ir.RegID
		for _, g := range out.Got {
			regs = append(regs, g.Msg.Reg[0])
		}
		wiretest.Same(t, "order", []ir.RegID{8, 4, 9, 5, 6}, regs)
		first := out.Got[2].Msg
		w, r := named(first.Tag)
		if w != 2 || r != 9 || first.To != 7 || first.Bank[0] != 1 || first.Entry[0] != 2*8+2 ||
			first.Cause != bank.Flush || first.Lanes != all || first.N != 1 {
			t.Errorf("request %+v", first)
		}
		if x.granted != 5 {
			t.Errorf("%d granted", x.granted)
		}
	}
}

// backRig is the way back of a cache of two banks, with everything around it.
type backRig struct {
	d      *wire.Domain
	x      *Back
	take   *wiretest.Source[Move]
	past   *wiretest.Source[bank.Access]
	in     [2]*wiretest.Source[bank.Value]
	cross  *wiretest.Source[bank.Value]
	read   *wiretest.Sink[bank.Request]
	freed  *wiretest.Sink[Freed]
	out    [2]*wiretest.Sink[bank.Value]
	main   *wiretest.Sink[bank.Access]
	landed *wiretest.Sink[Landed]
}

func newBackRig(t *testing.T) *backRig {
	t.Helper()
	index, err := bank.NewIndex(bank.ByRegister, 4, 8, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := &backRig{d: clock()}
	r.x = newBack("Back", r.d, backSpec{warps: 8, banks: 2, offsets: 4, buffers: 2, room: 8, crossed: 8, to: 24,
		index: index}, &stats.Registry{})
	r.take, r.past = wiretest.NewSource("Moves", r.d, &r.x.Take), wiretest.NewSource("Results", r.d, &r.x.Past)
	r.cross = wiretest.NewSource("Crossbar", r.d, &r.x.Crossed)
	r.read, r.freed = wiretest.NewSink("Reads", r.d, &r.x.Read, 16), wiretest.NewSink("Freed", r.d, &r.x.Freed, 16)
	r.main, r.landed = wiretest.NewSink("Main", r.d, &r.x.Main, 16), wiretest.NewSink("Landed", r.d, &r.x.Landed, 16)
	for b := range 2 {
		r.in[b], r.out[b] = wiretest.NewSource("Bank"+string(rune('A'+b)), r.d, &r.x.In[b]),
			wiretest.NewSink("Out"+string(rune('A'+b)), r.d, &r.x.Out[b], 1)
	}
	return r
}

// value returns the value of a register of warp 3, read from the cache.
func value(reg ir.RegID, to uint8) bank.Value {
	return bank.Value{Content: version.Content{Seq: uint32(reg), Lanes: all}, Tag: label(3, reg), To: to,
		Cause: bank.Eviction}
}

func TestARegisterIsReadCrossesAndIsWritten(t *testing.T) {
	r := newBackRig(t)
	r.take.Send(9, Move{Warp: 3, Reg: 6, Bank: 1, Offset: 2, Cause: bank.Eviction})
	v := value(6, 0)
	v.Tag = labelAt(3, 6, 2)
	r.in[1].Send(19, v)
	r.cross.Send(29, value(6, 2))
	r.d.RunUntil(50)
	q := r.read.Got[0].Msg
	wiretest.Same(t, "read", []wire.Cycle{11}, r.read.Cycles())
	if q.Bank[0] != 1 || q.Entry[0] != 2 || q.To != 24 || q.Tag != labelAt(3, 6, 2) || q.Cause != bank.Eviction ||
		q.Lanes != all || q.N != 1 {
		t.Errorf("read %+v", q)
	}
	wiretest.Same(t, "freed", []at[Freed]{{21, Freed{Bank: 1, Offset: 2}}}, got(r.freed))
	if len(r.out[1].Got) != 1 || r.out[1].Got[0].Msg.To != 2 {
		t.Errorf("to the crossbar: %+v, want it for bank 2 of the main file", r.out[1].Got)
	}
	wiretest.Same(t, "landed", []at[Landed]{{31, Landed{Warp: 3, Reg: 6}}}, got(r.landed))
	a := r.main.Got[0].Msg
	if a.Bank != 2 || a.Entry != 3*8+1 || a.Kind != bank.Write || a.Cause != bank.Eviction || a.Warp != 3 ||
		a.Reg != 6 || a.Content.Lane(5) != 6 {
		t.Errorf("written %+v", a)
	}
}

func TestOnlyWhatThereIsRoomForIsReadOfABank(t *testing.T) {
	r := newBackRig(t)
	r.out[0].Refuse = func(now wire.Cycle) bool { return now < 60 } // holds one
	for i := range ir.RegID(4) {
		r.take.Send(9, Move{Warp: 3, Reg: i, Offset: uint8(i)})
	}
	for i := range ir.RegID(4) {
		r.in[0].Send(19+wire.Cycle(i), value(i, 0))
	}
	r.d.RunUntil(40)
	// Two at once; a third when the first is on its way.
	wiretest.Same(t, "read", []wire.Cycle{11, 11, 21}, r.read.Cycles())
	r.d.RunUntil(100)
	wiretest.Same(t, "read and freed in the end", [2]int{4, 4}, [2]int{len(r.read.Got), len(r.freed.Got)})
}

func TestAResultWaitsForTheOlderValueOfItsRegisterAlone(t *testing.T) {
	r := newBackRig(t)
	r.take.Send(9, Move{Warp: 3, Reg: 6, Bank: 1})
	r.past.Send(9, bank.Access{Warp: 3, Reg: 7, Kind: bank.Write, Tag: 1})
	r.past.Send(10, bank.Access{Warp: 3, Reg: 6, Kind: bank.Write, Tag: 2})
	r.past.Send(11, bank.Access{Warp: 2, Reg: 6, Kind: bank.Write, Tag: 3}) // behind it in the queue
	r.cross.Send(29, value(6, 2))
	r.d.RunUntil(50)
	var tags []uint32
	for _, g := range r.main.Got {
		tags = append(tags, g.Msg.Tag)
	}
	wiretest.Same(t, "order", []uint32{1, 0, 2, 3}, tags)
	wiretest.Same(t, "cycles", []wire.Cycle{11, 31, 31, 31}, r.main.Cycles())
	wiretest.Same(t, "landed", []Landed{{3, 7, true}, {3, 6, false}, {3, 6, true}, {2, 6, true}}, messages(r.landed))
}

func messages[T any](s *wiretest.Sink[T]) (out []T) {
	for _, g := range s.Got {
		out = append(out, g.Msg)
	}
	return out
}

func TestVectorsOfEveryWordAreTakenApart(t *testing.T) {
	var s intervals.Set
	for _, r := range []int{0, 63, 64, 127, 128, 255} {
		s.Add(r)
	}
	var out []int
	for !s.Empty() {
		r := s.First()
		s.Remove(r)
		out = append(out, r)
	}
	wiretest.Same(t, "registers", []int{0, 63, 64, 127, 128, 255}, out)
}
