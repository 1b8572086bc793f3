package collector

import (
	"testing"

	"kumiko/components/bypass"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// passing is a rig with a bypass: operations take 8 cycles in unit 0, and operations in unit 1 are not announced.
// An operation without sources, visible at 10, leaves its collector at 11 and enters its unit at 12, so its result
// arrives at 20. With forward 6 it is announced at 14, seen by the scheduler at 15.
type passing struct {
	*rig
	early  *wiretest.Sink[op.Done]
	result *wiretest.Source[bypass.Result]
}

func newPassing(t *testing.T, tune func(*Spec)) *passing {
	t.Helper()
	times := &op.Times{}
	times.Class[ir.ClassNop] = op.Time{Latency: 8, Initiation: 1}
	s := general(4)
	s.Accept = 4
	s.Bypass = &BypassSpec{Entries: 4, Forward: 6, Units: []*op.Times{times, nil}, Warps: 8, Results: 4}
	if tune != nil {
		tune(&s)
	}
	p := &passing{rig: newRig(t, s, true)}
	p.early = wiretest.NewSink("Early", p.d, &p.x.Early[0], 4)
	p.result = wiretest.NewSource("Bus", p.d, &p.x.Result)
	return p
}

// issue sends an operation of warp 1 that is visible at a cycle.
func (p *passing) issue(at wire.Cycle, unit int, exec uint32, dst, src []ir.RegID) op.Op {
	in := &ir.Inst{}
	in.T.NDst, in.T.NSrc = uint8(copy(in.T.Dst[:], dst)), uint8(copy(in.T.Src[:], src))
	p.tag++
	o := op.Op{Inst: in, Tag: p.tag, Exec: exec, Unit: uint8(unit), Warp: 1}
	p.check.Issue(&o)
	p.rig.issue[0].Send(at-1, o)
	return o
}

// arrive makes an operation's result visible on the bus at a cycle.
func (p *passing) arrive(at wire.Cycle, o op.Op) {
	p.result.Send(at-1, bypass.Result{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp,
		Content: version.Content{Seq: o.Tag, Lanes: o.Exec}})
}

// counts compares the bypass's counters.
func (p *passing) counts(announced, captures, deferred, holds, untracked uint64) {
	p.t.Helper()
	got := p.reg.Snapshot()
	same(p.t, "announced, captures, deferred, holds, untracked",
		[]uint64{announced, captures, deferred, holds, untracked},
		[]uint64{got["regfile.bypass.announced"], got["regfile.bypass.captures"], got["regfile.bypass.deferred"],
			got["regfile.bypass.holds"], got["regfile.bypass.untracked"]})
}

const all = version.FullMask

func r(regs ...ir.RegID) []ir.RegID { return regs }

func TestAResultIsAnnouncedForwardCyclesBeforeItArrives(t *testing.T) {
	for forward, want := range map[int]wire.Cycle{0: 21, 1: 20, 6: 15, 8: 13, 9: 12, 40: 12} {
		p := newPassing(t, func(s *Spec) { s.Bypass.Forward = forward })
		o := p.issue(10, 0, all, r(5), nil)
		p.arrive(20, o)
		p.d.RunUntil(60)
		same(t, "announced", []wiretest.At[op.Done]{{Cycle: want, Msg: op.Done{Inst: o.Inst, Tag: o.Tag, Warp: 1}}},
			p.early.Got)
		p.counts(1, 0, 0, 0, 0)
		if got := p.units[0].Got; len(got) != 1 || !got[0].Msg.Announced {
			t.Errorf("forward %d: the unit has %+v, want one operation that is announced", forward, got)
		}
	}
}

func TestResultsOfAUnitThatTakesOneOperationInSeveralCyclesAreAnnouncedLater(t *testing.T) {
	p := newPassing(t, func(s *Spec) { s.Bypass.Units[0].Class[ir.ClassNop].Initiation = 4 })
	a := p.issue(10, 0, all, r(5), nil)
	b := p.issue(10, 0, all, r(6), nil) // leaves at 12, enters at 16, arrives at 24
	p.arrive(20, a)
	p.arrive(24, b)
	p.d.RunUntil(60)
	same(t, "announced", cycles(15, 19), p.early.Cycles())
}

func TestAnOperandOnItsWayIsTakenFromTheBusAndNotRead(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	p.issue(16, 1, all, nil, r(5))
	p.arrive(20, a)
	p.d.RunUntil(60)
	if len(p.asked.Got) != 0 {
		t.Errorf("the banks were asked: %+v", p.asked.Got)
	}
	same(t, "dispatched", cycles(21), p.units[1].Cycles())
	p.counts(1, 1, 0, 0, 0)
	if n := p.check.Total(); n != 0 {
		t.Errorf("%d wrong operands: %v", n, p.check.Violations())
	}
}

func TestACapturedValueServesEverySourceOfItsRegister(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	p.issue(16, 1, all, nil, r(5, 5))
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "dispatched", cycles(21), p.units[1].Cycles())
	if n := p.check.Total(); n != 0 {
		t.Errorf("%d wrong operands: %v", n, p.check.Violations())
	}
}

func TestAnOperandOnItsWayInSomeLanesIsReadWhenTheseAreThere(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, 0x0f, r(5), nil)
	p.issue(16, 1, 0x1f, nil, r(5))
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "requests", cycles(21), p.asked.Cycles())
	p.counts(1, 0, 1, 0, 0)
}

func TestAnOperandWithFewerLanesThanTheResultIsCaptured(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, 0x0f, r(5), nil)
	p.issue(16, 1, 0x03, nil, r(5))
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "dispatched", cycles(21), p.units[1].Cycles())
	p.counts(1, 1, 0, 0, 0)
}

func TestOtherSourcesAreReadMeanwhile(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	p.issue(16, 1, all, nil, r(5, 6))
	p.arrive(20, a)
	p.answer(30, 0, 1)
	p.d.RunUntil(60)
	got := p.asked.Got
	if len(got) != 1 || got[0].Cycle != 17 || got[0].Msg.N != 1 || got[0].Msg.Reg[0] != 6 {
		t.Fatalf("requests %+v, want one for R6 at 17", got)
	}
	if n := len(p.units[1].Got); n != 1 {
		t.Errorf("%d operations dispatched, want 1", n)
	}
}

func TestASecondWriterOfARegisterIsHeldUntilTheFirstHasArrived(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	p.issue(14, 1, all, r(5), nil) // held from 14 to 20
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "dispatched", cycles(21), p.units[1].Cycles())
	p.counts(1, 0, 0, 6, 0)
}

func TestAnotherWarpsRegisterOfTheSameNumberIsAnotherOne(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	in := &ir.Inst{}
	in.T.NSrc = uint8(copy(in.T.Src[:], r(5)))
	p.tag++
	o := op.Op{Inst: in, Tag: p.tag, Exec: all, Unit: 1, Warp: 2}
	p.check.Issue(&o)
	p.rig.issue[0].Send(15, o)
	p.arrive(20, a)
	p.d.RunUntil(60)
	same(t, "requests", cycles(17), p.asked.Cycles())
	p.counts(1, 0, 0, 0, 0)
}

func TestResultsBeyondTheEntriesAreNotFollowed(t *testing.T) {
	p := newPassing(t, func(s *Spec) { s.Bypass.Entries = 1 })
	a := p.issue(10, 0, all, r(5), nil)
	p.issue(10, 0, all, r(6), nil)
	p.arrive(20, a)
	c := p.issue(30, 0, all, r(7), nil) // the entry is free again
	p.arrive(40, c)
	p.d.RunUntil(60)
	same(t, "announced", cycles(15, 35), p.early.Cycles())
	p.counts(2, 0, 0, 0, 1)
	got := p.units[0].Got
	if len(got) != 3 || !got[0].Msg.Announced || got[1].Msg.Announced || !got[2].Msg.Announced {
		t.Errorf("the unit has %+v, want the second of three not announced", got)
	}
}

func TestOperationsWhoseResultNobodyCanAwaitAreNotFollowed(t *testing.T) {
	for name, change := range map[string]func(*op.Op){
		"no destination":       func(o *op.Op) { o.Inst.T.NDst = 0 },
		"no lane":              func(o *op.Op) { o.Exec = 0 },
		"a predicate":          func(o *op.Op) { o.Inst.T.DstPreds = 1 },
		"a time unknown":       func(o *op.Op) { o.Inst.T.Class = ir.ClassLoad },
		"a unit of such times": func(o *op.Op) { o.Unit = 1 },
	} {
		p := newPassing(t, nil)
		in := &ir.Inst{}
		in.T.NDst = uint8(copy(in.T.Dst[:], r(5)))
		o := op.Op{Inst: in, Tag: 1, Exec: all, Warp: 1}
		change(&o)
		p.check.Issue(&o)
		p.rig.issue[0].Send(9, o)
		p.d.RunUntil(60)
		if got := append(p.units[0].Got, p.units[1].Got...); len(got) != 1 || got[0].Msg.Announced {
			t.Errorf("%s: %+v dispatched, want one operation that is not announced", name, got)
		}
		p.counts(0, 0, 0, 0, 0)
	}
}

func TestAResultThatComesBeforeItsAnnouncementIsAnnouncedAtOnce(t *testing.T) {
	p := newPassing(t, nil)
	a := p.issue(10, 0, all, r(5), nil)
	p.arrive(13, a)
	b := p.issue(30, 0, all, r(5), nil)
	p.arrive(40, b)
	p.d.RunUntil(60)
	same(t, "announced", cycles(14, 35), p.early.Cycles())
	p.counts(2, 0, 0, 0, 0)
}

func TestAnnouncementsWaitForRoomAndAreNotLost(t *testing.T) {
	p := newPassing(t, func(s *Spec) { s.Bypass.Units[0].Class[ir.ClassNop].Initiation = 0 })
	p.early.Refuse = func(now wire.Cycle) bool { return now < 30 }
	var ops []op.Op
	for i := range 6 {
		if i == 4 { // the table has four entries, so the others come when the first are there
			for _, o := range ops {
				p.arrive(20, o)
			}
		}
		at := wire.Cycle(10)
		if i > 3 {
			at = 24
		}
		ops = append(ops, p.issue(at, 0, all, r(ir.RegID(i)), nil))
	}
	p.arrive(34, ops[4])
	p.arrive(34, ops[5])
	p.d.RunUntil(80)
	if got := len(p.early.Got); got != 6 {
		t.Errorf("%d results announced, want 6", got)
	}
	for i, g := range p.early.Got {
		if g.Cycle < 30 {
			t.Errorf("announcement %d at %d", i, g.Cycle)
		}
	}
}
