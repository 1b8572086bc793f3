package collector

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

//go:generate go tool mockgen -source=collector_test.go -destination=mock_test.go -package=collector

// executionUnit is the receiver of a collector set's operations.
type executionUnit interface {
	Accept(now wire.Cycle, o op.Op)
}

type rig struct {
	t     testing.TB
	d     *wire.Domain
	x     *Set
	issue []*wiretest.Source[op.Op]
	asked *wiretest.Sink[bank.Request]
	give  *wiretest.Source[bank.Value]
	units []*wiretest.Sink[op.Op]
	reads []*wiretest.Sink[op.Read]
	reg   stats.Registry
	check *version.Checker
	tag   uint32
}

// general is n collectors for two units and one scheduler.
func general(n int) Spec {
	return Spec{Intake: Intake{Inputs: 8}, Kinds: []Kind{{n, 3}}, Accept: 1, Room: 4, Schedulers: 1, Units: 2}
}

func newRig(t testing.TB, s Spec, check bool) *rig {
	r := &rig{t: t, d: wire.NewDomain("Core", 1e9)}
	if check {
		r.check = version.NewChecker(8, 32, 0)
	}
	x, err := bank.NewIndex(bank.ByRegister, 4, 8, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.Index = x
	if r.x, err = New("Collectors", r.d, s, r.check, &r.reg); err != nil {
		t.Fatal(err)
	}
	for i := range r.x.Issue {
		r.issue = append(r.issue, wiretest.NewSource("Scheduler", r.d, &r.x.Issue[i]))
		r.reads = append(r.reads, wiretest.NewSink("Notices", r.d, &r.x.Read[i], 4))
	}
	r.asked = wiretest.NewSink("Arbiter", r.d, &r.x.Request, s.RequestRoom())
	r.give = wiretest.NewSource("Crossbar", r.d, &r.x.Operand)
	for u := range r.x.Ready {
		r.units = append(r.units, wiretest.NewSink("Unit", r.d, &r.x.Ready[u], 2))
	}
	return r
}

// send issues an operation that is visible to the collectors at cycle at.
func (r *rig) send(at wire.Cycle, unit int, src ...ir.RegID) op.Op {
	return r.sendFrom(0, at, unit, src...)
}

func (r *rig) sendFrom(sched int, at wire.Cycle, unit int, src ...ir.RegID) op.Op {
	in := &ir.Inst{}
	in.T.NSrc = uint8(copy(in.T.Src[:], src))
	r.tag++
	o := op.Op{Inst: in, Tag: r.tag, Exec: version.FullMask, Unit: uint8(unit), Sched: uint8(sched), Warp: 1}
	r.check.Issue(&o)
	r.issue[sched].Send(at-1, o)
	return o
}

// answer makes the value of a source visible to collector c at cycle at.
func (r *rig) answer(at wire.Cycle, c, slot int) {
	r.give.Send(at-1, bank.Value{To: uint8(c), Slot: uint8(slot)})
}

// requests returns the requests of collector c.
func (r *rig) requests(c int) []wiretest.At[bank.Request] {
	var out []wiretest.At[bank.Request]
	for _, g := range r.asked.Got {
		if int(g.Msg.To) == c {
			out = append(out, g)
		}
	}
	return out
}

// asks returns the arrival cycles of collector c's requests.
func (r *rig) asks(c int) (out []wire.Cycle) {
	for _, g := range r.requests(c) {
		out = append(out, g.Cycle)
	}
	return out
}

func same(t testing.TB, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s (-want +got):\n%s", what, d)
	}
}

func cycles(c ...wire.Cycle) []wire.Cycle { return c }

// tags returns the operations received by a unit.
func tags(s *wiretest.Sink[op.Op]) []uint32 {
	var out []uint32
	for _, g := range s.Got {
		out = append(out, g.Msg.Tag)
	}
	return out
}

func TestSourcesAreRequestedInTheCycleOfAllocationAndPresentedInThatOfTheLastValue(t *testing.T) {
	ctl := gomock.NewController(t)
	defer ctl.Finish()
	mock := NewMockexecutionUnit(ctl)
	var unit executionUnit = mock
	r := newRig(t, general(2), false)
	r.units[1].Receive = unit.Accept
	o := r.send(10, 1, 5, 6)
	r.answer(14, 0, 1)
	r.answer(16, 0, 0)
	mock.EXPECT().Accept(wire.Cycle(17), o)
	r.d.RunUntil(50)
	same(t, "request", []wiretest.At[bank.Request]{{Cycle: 11, Msg: bank.Request{
		// warp 1: row 8 on
		Tag: o.Tag, Lanes: o.Exec, N: 2, To: 0, Slot: [4]uint8{0, 1}, Bank: [4]uint8{1, 2},
		Entry: [4]uint32{8 + 1, 8 + 1},
		Warp:  1, Reg: [4]ir.RegID{5, 6},
	}}}, r.requests(0))
	if got := r.reg.Snapshot()["regfile.collector.operand_latency"]; got != 16-10 {
		t.Fatalf("operand latency %d, want 6", got)
	}
}

func TestACollectorRequestsAsManySourcesPerCycleAsItHasInputs(t *testing.T) {
	for inputs, want := range map[int][]wire.Cycle{1: cycles(11, 12, 13, 14, 15), 2: cycles(11, 12, 13),
		4: cycles(11, 12), 8: cycles(11, 11)} {
		s := general(1)
		s.Inputs = inputs
		r := newRig(t, s, false)
		r.send(10, 0, 1, 2, 3, 4, 5)
		r.d.RunUntil(50)
		same(t, "requests", want, r.asks(0))
		n := 0
		for _, g := range r.requests(0) {
			n += int(g.Msg.N)
		}
		if n != 5 {
			t.Fatalf("%d inputs: %d sources requested", inputs, n)
		}
	}
}

func TestARegisterNamedTwiceIsReadOnceUnlessToldOtherwise(t *testing.T) {
	for _, twice := range []bool{false, true} {
		s := general(1)
		s.ReadTwice = twice
		r := newRig(t, s, false)
		r.send(10, 0, 7, 3, 7)
		r.answer(20, 0, 0)
		r.answer(21, 0, 1)
		if twice {
			r.answer(25, 0, 2)
		}
		r.d.RunUntil(50)
		want, saved, ready := uint8(2), uint64(1), wire.Cycle(22)
		if twice {
			want, saved, ready = 3, 0, 26
		}
		if got := r.requests(0)[0].Msg.N; got != want {
			t.Fatalf("twice %v: %d reads, want %d", twice, got, want)
		}
		if got := r.reg.Snapshot()["regfile.collector.merged_reads"]; got != saved {
			t.Fatalf("twice %v: %d reads saved", twice, got)
		}
		same(t, "ready", cycles(ready), r.units[0].Cycles())
	}
}

func TestAnOperationWithoutSourcesIsReadyInTheNextCycle(t *testing.T) {
	r := newRig(t, general(1), false)
	r.send(10, 0)
	r.d.RunUntil(50)
	same(t, "ready", cycles(12), r.units[0].Cycles())
	if len(r.requests(0)) != 0 {
		t.Fatal("something was requested")
	}
}

func TestBusyCollectorsHoldUpTheScheduler(t *testing.T) {
	r := newRig(t, general(2), false)
	for i := 0; i < 6; i++ {
		r.send(10, 0, 1)
	}
	r.d.RunUntil(30)
	if r.x.Busy() != 2 || r.issue[0].Left() != 2 { // two allocated, two in the Issue port
		t.Fatalf("%d collectors allocated, %d operations held up, want 2 and 2", r.x.Busy(), r.issue[0].Left())
	}
	r.answer(40, 1, 0) // collector 1 is free again at 40, and at once allocated
	r.d.RunUntil(60)
	same(t, "requests of collector 1", cycles(12, 41), r.asks(1))
	// The third operation finds no collector from 12 on until 40.
	if got := r.reg.Snapshot()["regfile.collector.full"]; got != 28 {
		t.Fatalf("full for %d cycles, want 28", got)
	}
	if r.x.Waiting() == "" {
		t.Fatal("allocated collectors wait for something")
	}
}

func TestCollectorsSetApartServeTheirUnitsOnly(t *testing.T) {
	s := general(1)
	s.Kinds = []Kind{{1, 1}, {2, 2}} // collector 0 for unit 0; 1 and 2 for unit 1
	r := newRig(t, s, false)
	r.send(10, 1, 1)
	r.send(11, 1, 2)
	r.send(12, 1, 3) // unit 1 has no third: waits, and holds up
	r.send(13, 0, 4)
	r.d.RunUntil(30)
	for c, want := range []int{0, 1, 1} {
		if got := len(r.requests(c)); got != want {
			t.Fatalf("collector %d made %d requests, want %d", c, got, want)
		}
	}
	r.answer(40, 2, 0)
	r.d.RunUntil(60)
	same(t, "collector 2", cycles(12, 41), r.asks(2))
	same(t, "collector 0", cycles(42), r.asks(0))
}

func TestAUnitGetsOneOperationPerCycleAndItsCollectorsTakeTurns(t *testing.T) {
	r := newRig(t, general(3), false)
	for i := 0; i < 3; i++ {
		r.send(10, 0, 1)
	}
	for c := 0; c < 3; c++ {
		r.answer(20, c, 0)
	}
	r.d.RunUntil(30)
	same(t, "arrivals", cycles(21, 22, 23), r.units[0].Cycles())
	same(t, "order", []uint32{1, 2, 3}, tags(r.units[0]))
	r = newRig(t, general(3), false)
	for i := 0; i < 3; i++ {
		r.send(10, 0, 1)
	}
	r.answer(20, 1, 0) // collector 1 goes, so that it is 2's turn, before 0's
	r.answer(22, 0, 0)
	r.answer(22, 2, 0)
	r.d.RunUntil(30)
	same(t, "order", []uint32{2, 3, 1}, tags(r.units[0]))
}

func TestOperationsForDifferentUnitsGoInTheSameCycle(t *testing.T) {
	r := newRig(t, general(2), false)
	r.send(10, 0, 1)
	r.send(10, 1, 1)
	r.answer(20, 0, 0)
	r.answer(20, 1, 0)
	r.d.RunUntil(30)
	same(t, "unit 0", cycles(21), r.units[0].Cycles())
	same(t, "unit 1", cycles(21), r.units[1].Cycles())
}

func TestAUnitWithoutRoomKeepsItsOperationsInTheirCollectors(t *testing.T) {
	r := newRig(t, general(3), false)
	r.units[0].Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i := 0; i < 3; i++ {
		r.send(10, 0, 1)
		r.answer(20, i, 0)
	}
	r.d.RunUntil(40)
	if r.x.Busy() != 1 { // two are in the unit's port
		t.Fatalf("%d collectors allocated, want 1", r.x.Busy())
	}
	r.d.RunUntil(60)
	same(t, "arrivals", cycles(50, 50, 52), r.units[0].Cycles()) // room of 50 is seen at 51
	if got := r.reg.Snapshot()["regfile.collector.dispatch_wait"]; got != 0+1+31 {
		t.Fatalf("dispatch wait %d, want 32", got)
	}
}

func TestAReadNoticeIsSentWhenTheLastOperandIsThere(t *testing.T) {
	s := general(2)
	s.Notice = true
	r := newRig(t, s, false)
	r.units[0].Refuse = func(now wire.Cycle) bool { return now < 80 }
	o := r.send(10, 0, 1, 2)
	r.send(11, 0) // without sources: none
	r.answer(20, 0, 0)
	r.answer(24, 0, 1)
	r.d.RunUntil(100)
	same(t, "notices", []wiretest.At[op.Read]{{Cycle: 25, Msg: op.Read{Inst: o.Inst, Tag: o.Tag, Warp: o.Warp}}},
		r.reads[0].Got)
}

func TestNoNoticeIsLostWhenTheSchedulerHasNoRoom(t *testing.T) {
	s := general(8)
	s.Notice = true
	r := newRig(t, s, false)
	r.reads[0].Refuse = func(now wire.Cycle) bool { return now < 60 }
	for i := 0; i < 8; i++ {
		r.send(10, i%2, 1)
		r.answer(30, i, 0)
	}
	r.d.RunUntil(100)
	if len(r.reads[0].Got) != 8 || len(r.units[0].Got)+len(r.units[1].Got) != 8 {
		t.Fatalf("%d notices, %d and %d operations", len(r.reads[0].Got), len(r.units[0].Got), len(r.units[1].Got))
	}
}

func TestSchedulersThatShareCollectorsTakeTurns(t *testing.T) {
	s := general(1)
	s.Schedulers = 2
	r := newRig(t, s, false)
	for i := 0; i < 3; i++ {
		r.sendFrom(0, 10, 0, 1) // tags 1, 3, 5
		r.sendFrom(1, 10, 0, 1) // tags 2, 4, 6
	}
	for at := wire.Cycle(20); at < 80; at += 10 {
		r.answer(at, 0, 0)
	}
	r.d.RunUntil(100)
	same(t, "order", []uint32{1, 2, 3, 4, 5, 6}, tags(r.units[0]))
}

func TestAWrongOperandIsReportedWithTheCycleAndTheCollectors(t *testing.T) {
	r := newRig(t, general(1), true)
	w := op.Op{Inst: &ir.Inst{T: ir.Timing{NDst: 1, Dst: [4]ir.RegID{9}}}, Tag: 100, Exec: version.FullMask, Warp: 1}
	r.check.Issue(&w)
	r.send(10, 0, 9, 9)
	r.give.Send(19, bank.Value{Content: version.Content{Seq: 100, Lanes: version.FullMask &^ 4}.Write(50, 4)})
	r.d.RunUntil(30)
	want := []version.Violation{
		{Block: "Collectors", Cycle: 20, Warp: 1, Register: 9, Lane: 2, Expected: 100, Found: 50},
		// the second use shares the access
		{Block: "Collectors", Cycle: 20, Warp: 1, Register: 9, Lane: 2, Expected: 100, Found: 50},
	}
	same(t, "violations", want, r.check.Violations())
}

func TestAnOperationForAUnitThatNobodyServesIsAMistake(t *testing.T) {
	s := general(1)
	s.Kinds = []Kind{{1, 1}}
	r := newRig(t, s, false)
	if r.x.Serves(1) || !r.x.Serves(0) {
		t.Fatal("Serves")
	}
	r.send(10, 1, 1)
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	r.d.RunUntil(30)
}
