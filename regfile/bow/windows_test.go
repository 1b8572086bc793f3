package bow

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// The result is in the window at 10. A request seen at 20 is given to the link of two cycles at 20.
func TestAResultIsGivenToAnInstructionOfItsWindow(t *testing.T) {
	r := newRig(t, nil)
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.pass(11, 1)
	reader := r.issue(12, inst(-1, 4))
	r.ask(20, reader, all)
	r.Run()
	wiretest.Same(t, "given", []operand{{22, reader, 7}}, r.given())
	wiretest.Same(t, "read from the banks", []event(nil), r.missed())
	wiretest.Same(t, "written to the banks, through", []event{{11, 4}}, r.written())
}

func TestAResultIsReadFromTheBanksAfterItsWindow(t *testing.T) {
	r := newRig(t, nil)
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.pass(11, 2)
	r.ask(20, r.issue(13, inst(-1, 4)), all)
	r.Run()
	wiretest.Same(t, "given", []operand(nil), r.given())
	wiretest.Same(t, "read from the banks", []event{{21, 4}}, r.missed())
}

// The third instruction is in the window of the second, and the second in the window of the first.
func TestAReadKeepsARegisterForAnotherWindow(t *testing.T) {
	r := newRig(t, nil)
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.pass(11, 1)
	a := r.issue(12, inst(-1, 4))
	r.ask(20, a, all)
	r.pass(21, 1)
	b := r.issue(22, inst(-1, 4))
	r.ask(30, b, all)
	r.Run()
	wiretest.Same(t, "given", []operand{{22, a, 7}, {32, b, 7}}, r.given())
}

func TestAnOperandKeepsItsEntryUntilItIsCollected(t *testing.T) {
	r := newRig(t, nil)
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	a := r.issue(11, inst(-1, 4))
	r.pass(12, 6) // the window has passed, the request is still to come
	r.ask(30, a, all)
	r.Run()
	wiretest.Same(t, "given", []operand{{32, a, 7}}, r.given())
	r.pass(210, 1)
	r.Domain.RunUntil(220)
	if e := r.w.find(1, 4); e != nil {
		t.Errorf("R4 is still there: %+v", *e)
	}
}

func TestAValueOnItsWayFromTheBanksIsReadOnce(t *testing.T) {
	r := newRig(t, nil)
	a := r.issue(5, inst(-1, 4))
	b := r.issue(6, inst(-1, 4))
	c := r.issue(7, inst(-1, 4))
	r.ask(10, a, all)
	r.ask(12, b, all)
	r.Bring(20, a, 0, all, 3)
	r.ask(30, c, all)
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}}, r.missed())
	wiretest.Same(t, "given", []operand{{22, b, 3}, {32, c, 3}}, r.given())
	if r.Stat("joined") != 1 || r.Stat("read_hits") != 2 || r.Stat("reads") != 3 || r.Stat("filled") != 1 {
		t.Errorf(
			"%d joined, %d hits of %d reads, %d filled; want 1, 2 of 3, 1",
			r.Stat("joined"),
			r.Stat("read_hits"),
			r.Stat("reads"),
			r.Stat("filled"),
		)
	}
}

func TestAnotherWarpsRegisterIsNotGiven(t *testing.T) {
	r := newRig(t, nil)
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	in := inst(-1, 4)
	r.Notice.Send(10, regfile.WarpNotice{Event: regfile.WarpIssued, Warp: 2, Inst: in, Tag: 99, Exec: all})
	r.ops[99] = in
	r.ask(20, 99, all) // of warp 1, whose window has the register, but not for this operation
	r.Run()
	wiretest.Same(t, "given", []operand(nil), r.given())
}

func TestAResultThatComesAfterItsWindowGoesToTheBanks(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Back })
	r.issue(5, inst(4))
	r.pass(6, 3)
	r.result(20, 4, all, 7)
	r.Run()
	wiretest.Same(t, "written", []event{{21, 4}}, r.written())
	if r.Stat("past") != 1 || r.Stat("kept") != 0 {
		t.Errorf("%d past and %d kept, want 1 and 0", r.Stat("past"), r.Stat("kept"))
	}
}

// The third instruction after it is seen at 20, and the register is at the banks at 21.
func TestAResultIsWrittenBackWhenItLeavesTheWindow(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Back })
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.pass(11, 2)
	r.pass(20, 1)
	r.Run()
	wiretest.Same(t, "written", []event{{21, 4}}, r.written())
	if s := r.Write.Got[0].Msg.Content.Lane(5); s != 7 {
		t.Errorf("version %d, want 7", s)
	}
}

func TestAResultThatIsOverwrittenInTheWindowIsWrittenOnce(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Back })
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.issue(11, inst(4))
	r.result(15, 4, all, 8)
	r.pass(20, 3)
	r.Run()
	if len(r.Write.Got) != 1 || r.Write.Got[0].Msg.Content.Lane(0) != 8 || r.Stat("overwritten") != 1 {
		t.Errorf("written %v, overwritten %d; want R4 once, of version 8, and 1", r.written(), r.Stat("overwritten"))
	}
}

// Two registers leave at once, and one may be written back per cycle: the second is a cycle later.
func TestWriteBacksPerCycleAreBounded(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes, s.WriteBacks = Back, 1 })
	in := inst(4)
	in.T.Dst[1], in.T.NDst = 5, 2
	r.issue(5, in)
	r.result(10, 4, all, 7)
	r.result(10, 5, all, 7)
	r.pass(11, 2)
	r.pass(20, 1)
	r.Run()
	wiretest.Same(t, "written", []event{{21, 4}, {22, 5}}, r.written())
	if r.Stat("slide_waits") != 1 {
		t.Errorf("%d cycles waited, want 1", r.Stat("slide_waits"))
	}
}

func TestADeadValueIsNotWrittenBack(t *testing.T) {
	for dead, want := range map[uint16]int{0: 1, 1: 0} {
		r := newRig(t, func(s *Spec) { s.Writes = Hints })
		r.issue(5, inst(4))
		r.result(10, 4, all, 7)
		in := inst(-1, 4)
		in.T.Dead = dead
		r.ask(20, r.issue(11, in), all)
		r.pass(30, 4)
		r.Run()
		if len(r.Write.Got) != want || r.Stat("dead") != uint64(1-want) {
			t.Errorf("dead %d: written %v, %d dropped; want %d written", dead, r.written(), r.Stat("dead"), want)
		}
	}
}

// Half of the lanes read R4 last: the other lanes may need it.
func TestALastReadOfSomeLanesKillsNothing(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Hints })
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	in := inst(-1, 4)
	in.T.Dead = 1
	r.ask(20, r.issue(11, in), 0xffff)
	r.pass(30, 4)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 4}}, r.written())
}

func TestAReadOfMoreLanesThanThereAreHasThemWrittenFirst(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Back })
	r.issue(5, inst(4))
	r.result(10, 4, 0xff, 7)
	a := r.issue(11, inst(-1, 4))
	r.ask(20, a, all)
	r.Run()
	wiretest.Same(t, "written", []event{{21, 4}}, r.written())
	wiretest.Same(t, "read from the banks", []event{{21, 4}}, r.missed())
	if r.Stat("partial_writebacks") != 1 {
		t.Errorf("%d partial write-backs, want 1", r.Stat("partial_writebacks"))
	}
}

// Of two entries, R4's was used least recently.
func TestTheRegisterUsedLeastRecentlyMakesRoom(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes, s.Entries = Back, 2 })
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.issue(11, inst(5))
	r.result(15, 5, all, 8)
	r.issue(20, inst(6))
	r.Domain.RunUntil(30)
	wiretest.Same(t, "written", []event{{21, 4}}, r.written())
	if r.w.find(1, 5) == nil || r.w.find(1, 6) == nil || r.Stat("crowded") != 1 {
		t.Errorf("R5 or R6 has no entry, or %d is not 1 that made room", r.Stat("crowded"))
	}
}

func TestAWarpThatHasEndedWritesNothingBack(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Back })
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.Notify(20, 1, regfile.WarpExited)
	r.Notify(30, 1, regfile.WarpStarted)
	r.pass(40, 5)
	r.Run()
	wiretest.Same(t, "written", []event(nil), r.written())
	if r.Stat("ended") != 1 {
		t.Errorf("%d values of an ended warp, want 1", r.Stat("ended"))
	}
}

// Three reads of one cycle need a port, and there are two.
func TestReadPortsBoundTheOperandsOfACycle(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Reads = 2 })
	in := inst(4)
	in.T.Dst[1], in.T.Dst[2], in.T.NDst = 5, 6, 3
	r.issue(5, in)
	for reg := ir.RegID(4); reg <= 6; reg++ {
		r.result(wire.Cycle(6+reg), reg, all, 7)
	}
	a := r.issue(15, inst(-1, 4, 5, 6))
	r.ask(20, a, all)
	r.Run()
	wiretest.Same(t, "given", []operand{{22, a, 7}, {22, a, 7}, {23, a, 7}}, r.given())
	if r.Stat("read_waits") != 1 {
		t.Errorf("%d cycles waited, want 1", r.Stat("read_waits"))
	}
}

func TestWaitingSaysWhatIsHeldUp(t *testing.T) {
	r := newRig(t, nil)
	if s := r.w.Waiting(); s != "" {
		t.Errorf("idle: %q", s)
	}
	a, b := r.issue(5, inst(-1, 4)), r.issue(6, inst(-1, 4))
	r.ask(10, a, all)
	r.ask(11, b, all)
	r.Domain.RunUntil(20)
	want := "0 requests and 0 results wait, 1 operands wait for registers on their way from the banks"
	if s := r.w.Waiting(); s != want {
		t.Errorf("%q, want %q", s, want)
	}
}

func TestAStaleValueIsGivenStale(t *testing.T) {
	r := newRig(t, nil)
	r.issue(5, inst(4))
	r.result(10, 4, all, 7)
	r.Domain.RunUntil(12)
	e := r.w.find(1, 4)
	if e == nil {
		t.Fatal("no entry for R4")
	}
	e.content.Seq = 2
	a := r.issue(15, inst(-1, 4))
	r.ask(20, a, all)
	r.Run()
	wiretest.Same(t, "given", []operand{{22, a, 2}}, r.given())
}

// The load's instruction has left the window when its reader issues. The result comes later.
func TestAReaderBringsALateResultNoEntry(t *testing.T) {
	for _, writes := range []string{Through, Back} {
		r := newRig(t, func(s *Spec) { s.Writes = writes })
		r.issue(5, inst(4))
		r.pass(6, 3)
		a := r.issue(18, inst(-1, 4))
		r.result(20, 4, all, 7)
		r.ask(22, a, all)
		r.Run()
		wiretest.Same(t, writes+": written", []event{{21, 4}}, r.written())
		wiretest.Same(t, writes+": read from the banks", []event{{23, 4}}, r.missed())
		if r.Stat("past") != 1 {
			t.Errorf("%s: %d results past the window, want 1", writes, r.Stat("past"))
		}
	}
}

// Four warps with twelve entries each: 1024 bits of data, a register number of 16 and a valid bit, two masks of 32
// lanes, and a place of 0 to 3.
func TestTheStorageIsThatOfTheEntries(t *testing.T) {
	r := newRig(t, nil)
	f := &File{File: &conventional.File{}, windows: []*Windows{r.w}, spec: r.w.spec, regs: 16}
	got := map[string]int{}
	for _, s := range f.windowStorage() {
		got[s.What] = s.Bits
	}
	const entries = 4 * 12
	wiretest.Same(
		t,
		"bits",
		map[string]int{"registers": entries * 1024, "tags": entries * 5, "lane masks": entries * 64,
			"places in the window": entries * 2},
		got,
	)
}
