package collector

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// counted compares counters of collectors by name.
func (r *rig) counted(want map[string]uint64) {
	r.t.Helper()
	got := r.reg.Snapshot()
	for name, n := range want {
		if v, ok := got["regfile.collector."+name]; !ok || v != n {
			r.t.Errorf("%s is %d (known: %v), want %d", name, v, ok, n)
		}
	}
}

func TestWhatPassesACollectorIsCounted(t *testing.T) {
	r := newRig(t, general(1), false)
	r.send(10, 0, 5, 6, 6) // the third is the second
	r.send(11, 1)          // waits for the collector from 11 to 16
	r.answer(13, 0, 1)
	r.answer(15, 0, 0)
	r.d.RunUntil(50)
	same(t, "dispatched", cycles(16), r.units[0].Cycles())
	r.counted(map[string]uint64{"operations": 2, "operands": 2, "merged_reads": 1, "operand_latency": 5})
}

func TestASetOfLaterSchedulersAnswersThemByTheirNumbers(t *testing.T) {
	s := general(2)
	s.First, s.Schedulers, s.Notice = 2, 2, true
	r := newRig(t, s, false)
	for i := range 2 {
		in := &ir.Inst{T: ir.Timing{NSrc: 1}}
		r.issue[i].Send(9, op.Op{Inst: in, Tag: uint32(i), Sched: uint8(2 + i)})
		r.answer(wire.Cycle(20+i), i, 0)
	}
	r.d.RunUntil(50)
	for i := range 2 {
		if got := r.reads[i].Got; len(got) != 1 || got[0].Msg.Tag != uint32(i) {
			t.Errorf("scheduler %d: notices %+v, want one of operation %d", 2+i, got, i)
		}
	}
}

func TestStagesHoldUpEveryOperationThatReadsNothing(t *testing.T) {
	s := general(4)
	s.Stages, s.Accept = 2, 2
	r := newRig(t, s, false)
	r.send(10, 0)
	r.send(10, 1)
	r.d.RunUntil(50)
	same(t, "arrival at unit 0", cycles(14), r.units[0].Cycles())
	same(t, "arrival at unit 1", cycles(14), r.units[1].Cycles())
}

func TestASourceThatIsNotNamedIsNotCompared(t *testing.T) {
	r := newRig(t, general(1), true)
	w := op.Op{Inst: &ir.Inst{T: ir.Timing{NDst: 2, Dst: [4]ir.RegID{0, 9}}}, Tag: 100, Exec: version.FullMask, Warp: 1}
	r.check.Issue(&w) // R0 too has a version
	r.send(10, 0, 9)
	r.give.Send(19, bank.Value{Content: version.Content{Seq: 100, Lanes: version.FullMask}})
	r.d.RunUntil(30)
	same(t, "dispatched", 1, len(r.units[0].Got))
	same(t, "violations", uint64(0), r.check.Total())
}

func TestWhatASetWaitsForIsSaid(t *testing.T) {
	r := newRig(t, general(2), false)
	same(t, "idle", "", r.x.Waiting())
	for u := range r.units {
		r.units[u].Refuse = func(now wire.Cycle) bool { return now < 40 }
	}
	r.send(10, 1)
	r.send(11, 1)
	r.d.RunUntil(14)
	same(t, "with a link that is full", "", r.x.Waiting())
	r.send(15, 1)
	r.d.RunUntil(18)
	same(t, "refused", "1 of 2 collectors allocated, 0 operations wait for one; "+r.x.Ready[1].Name()+" is awaited",
		r.x.Waiting())
	r.send(20, 0, 7)
	r.send(21, 0, 8)
	r.d.RunUntil(24)
	same(t, "full", "2 of 2 collectors allocated, 1 operations wait for one; warp 1 waits for R7 (operation 4); "+
		r.x.Ready[1].Name()+" is awaited", r.x.Waiting())
}

func TestASchedulerWithIssueRegistersThatHasWaitedGoesFirst(t *testing.T) {
	s := general(1)
	s.Schedulers, s.Registers = 3, 4
	r := newRig(t, s, false)
	for i := range r.x.Taken {
		wiretest.NewSink("Room", r.d, &r.x.Taken[i], 8)
	}
	for i := range 3 {
		r.sendFrom(i, 10, 0, 1)
	}
	r.sendFrom(0, 12, 0, 1)
	for at := wire.Cycle(20); at < 60; at += 10 {
		r.answer(at, 0, 0)
	}
	r.d.RunUntil(100)
	same(t, "order", []uint32{1, 2, 3, 4}, tags(r.units[0]))
	same(t, "dispatched", cycles(21, 31, 41, 51), r.units[0].Cycles())
}

func TestSchedulersWithIssueRegistersTakeTurnsHoweverManyOperationsTheyHave(t *testing.T) {
	s := general(1)
	s.Schedulers, s.Registers = 3, 4
	r := newRig(t, s, false)
	for i := range r.x.Taken {
		wiretest.NewSink("Room", r.d, &r.x.Taken[i], 8)
	}
	for i := range 3 {
		for k := range 3 {
			r.sendFrom(i, wire.Cycle(10+k), 0, 1) // tags 1 to 3, 4 to 6, 7 to 9
		}
	}
	for at := wire.Cycle(20); at < 110; at += 10 {
		r.answer(at, 0, 0)
	}
	r.d.RunUntil(150)
	same(t, "order", []uint32{1, 4, 7, 2, 5, 8, 3, 6, 9}, tags(r.units[0]))
}

func TestAnOperationWaitsInAnIssueRegisterForAsLongAsNoCollectorServesIt(t *testing.T) {
	s := general(1)
	s.Registers = 3
	r, _ := withRegisters(t, s)
	r.send(10, 0, 1)
	r.send(14, 0, 1) // waits from 14 to 21, when the first has gone
	r.answer(20, 0, 0)
	r.answer(30, 0, 0)
	r.d.RunUntil(60)
	same(t, "dispatched", cycles(21, 31), r.units[0].Cycles())
	n := r.reg.Snapshot()["regfile.collector.full"]
	q := general(1)
	r = newRig(t, q, false)
	r.send(10, 0, 1)
	r.send(14, 0, 1)
	r.answer(20, 0, 0)
	r.answer(30, 0, 0)
	r.d.RunUntil(60)
	if m := r.reg.Snapshot()["regfile.collector.full"]; n != m || n == 0 {
		t.Errorf("%d cycles with registers, %d with a queue, want the same number", n, m)
	}
}

func TestAGuestIsNotifiedOfTheWordsOfCapturedOperands(t *testing.T) {
	p := newPassing(t, func(s *Spec) { s.Hints = words })
	told := wiretest.NewSink("Block", p.d, &p.x.Captured, 8)
	a := p.issue(10, 0, all, r(5, 6), nil)
	o := p.issue(16, 1, 0xff, nil, r(5, 6))
	o.Inst.T.FarSrc = 0b11
	p.arrive(20, a)
	p.d.RunUntil(60)
	if len(told.Got) != 2 {
		t.Fatalf("told of %+v, want two operands", told.Got)
	}
	for i, reg := range []ir.RegID{5, 6} {
		same(t, "told", bank.Capture{Lanes: 0xff, Warp: 1, Reg: reg, Hint: 2}, told.Got[i].Msg)
	}
	same(t, "dispatched", cycles(21), p.units[1].Cycles())
}

func TestAnOperandsCaptureIsNotToldWithoutAGuest(t *testing.T) {
	p := newPassing(t, nil)
	told := wiretest.NewSink("Block", p.d, &p.x.Captured, 8)
	a := p.issue(10, 0, all, r(5), nil)
	p.issue(16, 1, all, nil, r(5))
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "told", 0, len(told.Got))
	same(t, "dispatched", cycles(21), p.units[1].Cycles())
}

func TestAnOperationTakesEachOfTwoResultsOnTheirWay(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	b := p.issue(11, 0, all, r(6), nil)
	p.issue(16, 1, all, nil, r(6, 5))
	p.arrive(20, a)
	p.arrive(25, b)
	p.d.RunUntil(60)
	same(t, "requests", 0, len(p.asked.Got))
	same(t, "dispatched", cycles(26), p.units[1].Cycles())
	p.counts(2, 2, 0, 0, 0)
}

func TestAResultServesEveryCollectorThatWaitsForIt(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5, 6), nil)
	p.issue(16, 1, all, nil, r(5))
	p.issue(16, 0, all, nil, r(6, 5))
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "dispatched to unit 1", cycles(21), p.units[1].Cycles())
	same(t, "dispatched to unit 0", cycles(11+1, 21), p.units[0].Cycles())
	p.counts(1, 3, 0, 0, 0)
}

func TestAResultLetsGoEveryCollectorThatItHasHeld(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5, 6), nil)
	p.issue(14, 1, all, r(5), nil)
	p.issue(14, 1, all, r(6), nil)
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "dispatched", cycles(21, 22), p.units[1].Cycles())
	p.counts(1, 0, 0, 6+6, 0)
}

func TestAResultThatArrivesSoonerThanItCouldBeAnnouncedIsAnnouncedAtOnce(t *testing.T) {
	p := newPassing(t, func(s *Spec) { s.Bypass.Forward = 30 }) // at the beginning of time
	o := p.issue(3, 0, all, r(5), nil)
	p.arrive(13, o)
	p.d.RunUntil(60)
	same(t, "announced", cycles(5), p.early.Cycles())
}

func TestASetOfALaterSchedulerAnnouncesToIt(t *testing.T) {
	p := newPassing(t, func(s *Spec) { s.First = 1 })
	in := &ir.Inst{T: ir.Timing{NDst: 1, Dst: [4]ir.RegID{5}}}
	o := op.Op{Inst: in, Tag: 1, Exec: all, Warp: 1, Sched: 1}
	p.check.Issue(&o)
	p.rig.issue[0].Send(9, o)
	p.arrive(20, o)
	p.d.RunUntil(60)
	same(t, "announced", cycles(15), p.early.Cycles())
}

func TestAWordOfTheLastReadIsNotForOneThatAnotherCollectorIsStillToRequest(t *testing.T) {
	for _, c := range []struct {
		warp uint16 // of the operation that reads R7 later
		want bank.Hint
	}{{1, 0}, {2, 1}} {
		s := general(4)
		s.Hints, s.Inputs, s.Accept = words, 1, 4
		r := newRig(t, s, false)
		r.send(10, 0, 1, 2, 3, 4)
		in := &ir.Inst{T: ir.Timing{NSrc: 3}}
		copy(in.T.Src[:], []ir.RegID{5, 6, 7})
		r.issue[0].Send(9, op.Op{Inst: in, Tag: 50, Exec: 1, Warp: c.warp})
		r.sendKnown(10, 0b1, 0, 7)
		r.d.RunUntil(50)
		if n := len(r.requests(2)); n != 1 {
			t.Fatalf("%d requests, want 1", n)
		}
		same(t, "word", c.want, r.requests(2)[0].Msg.Hint[0])
	}
}
