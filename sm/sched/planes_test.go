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
	"kumiko/sm/smtest"
)

// hand sets a signal at given cycles.
type hand struct {
	wire.Comp
	signal wire.Signal[message.WarpSet]
	todo   []wiretest.At[message.WarpSet]
}

func newHand(name string, d *wire.Domain, first message.WarpSet) *hand {
	h := &hand{}
	h.Init(name, d, h)
	h.signal.Init(&h.Comp, first)
	return h
}

func (h *hand) set(c wire.Cycle, warps ...int) {
	h.todo = append(h.todo, wiretest.At[message.WarpSet]{Cycle: c, Msg: smtest.SetOf(warps...)})
	h.WakeAt(c)
}

func (h *hand) Tick(now wire.Cycle) bool {
	for _, x := range h.todo {
		if x.Cycle == now {
			h.signal.Set(x.Msg)
		}
	}
	return false
}

// notice has what tests compare of a notice.
type notice struct {
	Cycle wire.Cycle
	Event regfile.WarpEvent
	Warp  uint16
	PC    uint32
}

func noticesOf(s *wiretest.Sink[regfile.WarpNotice]) (out []notice) {
	for _, g := range s.Got {
		out = append(out, notice{g.Cycle, g.Msg.Event, g.Msg.Warp, g.Msg.PC})
	}
	return out
}

var everything = regfile.Events(regfile.WarpStarted, regfile.WarpActivated, regfile.WarpIssued, regfile.WarpHeld,
	regfile.WarpSuspended,
	regfile.WarpAtBarrier, regfile.WarpReleased, regfile.WarpFinished)

func listener(d *wire.Domain, capacity int) (*wiretest.Sink[regfile.WarpNotice], regfile.Notices) {
	s := wiretest.NewLooseSink[regfile.WarpNotice]("Listener", d, capacity)
	return s, regfile.Notices{Warp: []*wire.InPort[regfile.WarpNotice]{&s.In}, Events: everything}
}

// slotsOf is the account of the scheduler by reason, closed at a cycle; reasons
// without a slot are left out.
func (b *bench) slotsOf(end wire.Cycle) map[string]uint64 {
	b.s.account.Finish(end)
	out := map[string]uint64{}
	for _, r := range b.reasons {
		if n := b.s.account.Slots[r.Reason]; n > 0 {
			out[r.Name] = n
		}
	}
	return out
}

func TestAGateHoldsAWarpUntilItOpensAndTheLostSlotsAreItsOwn(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, smtest.SetOf(0))
	gates := []regfile.Gate{{Reason: "lock", Closed: &h.signal}}
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Gates: gates})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 0, 2)
	h.set(20)
	for i := range 2 {
		b.done.Send(40, op.Done{Inst: &k.Insts[i], Tag: uint32(i + 1)})
	}
	b.d.RunUntil(100)
	// in the buffer at 3; the signal set at 20 is seen at 21
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{21, 22})
	want := map[string]uint64{"empty": 1 + 60, "no_instruction": 1, "lock": 18, "issued": 3, "drain": 17}
	if d := cmp.Diff(want, b.slotsOf(100)); d != "" {
		t.Errorf("slots (-want +got):\n%s", d)
	}
}

func TestOfAGateInPartsASchedulerSeesItsOwn(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	own, other := newHand("Own", d, smtest.SetOf()), newHand("Other", d, smtest.SetOf(0))
	gates := []regfile.Gate{{Reason: "lock", Parts: []*wire.Signal[regfile.WarpSet]{&own.signal, &other.signal}}}
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Gates: gates})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	own.set(3, 0)
	own.set(20)
	b.d.RunUntil(60)
	// in the buffer at 3; closed from 4 to 20
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 21})
}

// Where two instructions may issue in a cycle, the second one is held too.
func TestAGateHoldsOnlyTheInstructionsThatItSays(t *testing.T) {
	for _, width := range []int{1, 2} {
		d := wire.NewDomain("core", smtest.GHz)
		h := newHand("H", d, smtest.SetOf(0))
		gates := []regfile.Gate{{Reason: "lock", Closed: &h.signal,
			Holds: func(in *ir.Inst) bool { return in.T.Class == ir.ClassLoad }}}
		spec := testSetup()
		spec.Width = width
		b := newBenchOf(spec, smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0),
			smtest.Inst(ir.ClassLoad, []int{2}, 0), smtest.Inst(ir.ClassExit, nil)), d, &Planes{Gates: gates})
		b.warps(1, 1)
		b.fetch(2, 0, 0, 1)
		h.set(30)
		b.d.RunUntil(60)
		smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 31})
	}
}

func TestAGateThatAsksIsAskedOncePerInstructionWhenItCouldIssue(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, smtest.SetOf(0))
	ear, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpHeld)
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 1),
		smtest.Inst(ir.ClassExit,
			nil))
	gates := []regfile.Gate{{Reason: "fill", Closed: &h.signal, Asks: true}}
	b := newBenchOf(testSetup(), k, d, &Planes{Gates: gates, Notices: notices})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	h.set(10)    // open from 11 on
	h.set(11, 0) // and shut from 12 on
	b.done.Send(25, op.Done{Inst: &k.Insts[0], Tag: 1})
	h.set(40)
	b.d.RunUntil(60)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{11, 41})
	// the second waits for the first's result, seen at 26, before it is asked for
	if d := cmp.Diff([]notice{{4, regfile.WarpHeld, 0, 0}, {27, regfile.WarpHeld, 0, 1}}, noticesOf(ear)); d != "" {
		t.Errorf("asked (-want +got):\n%s", d)
	}
}

func TestOfSeveralGatesTheFirstThatHoldsIsTheReasonAndIsAsked(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h0, h1 := newHand("H0", d, smtest.SetOf(0)), newHand("H1", d, smtest.SetOf(0))
	ear, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpHeld)
	gates := []regfile.Gate{{Reason: "lock", Closed: &h0.signal}, {Reason: "fill", Closed: &h1.signal, Asks: true}}
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassExit, nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Gates: gates, Notices: notices})
	b.warps(1, 1)
	b.fetch(2, 0, 0)
	h0.set(10)
	h1.set(20)
	b.d.RunUntil(30)
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{21})
	if len(ear.Got) != 1 || ear.Got[0].Cycle != 12 || ear.Got[0].Msg.Gate != 1 {
		t.Errorf("asked %+v, want gate 1, sent at 11", ear.Got)
	}
	got := b.slotsOf(30)
	if got["lock"] != 8 || got["fill"] != 10 { // 3 to 10, 11 to 20
		t.Errorf("slots %v, want 8 of lock and 10 of fill", got)
	}
}

func TestAnUrgentWarpGoesFirstAndThePolicyDecidesWithinAClass(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h0, h1 := newHand("H0", d, smtest.SetOf(3)), newHand("H1", d, smtest.SetOf(1, 2))
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBenchOf(testSetup(), k, d, &Planes{classes: []*wire.Signal[message.WarpSet]{&h0.signal, &h1.signal}})
	b.warps(2, 0b1111)
	for slot := range 4 {
		b.fetch(4, slot, 0, 1)
	}
	h0.set(6) // the class is empty from 7 on, when warp 3 has issued at 5 and 6
	b.d.RunUntil(30)
	if d := cmp.Diff([]int{3, 3, 1, 2, 1, 2, 0, 0}, b.warpOrder()); d != "" {
		t.Error(d)
	}
}

// Events of a warp: it issues an arithmetic instruction, waits at a barrier and
// ends. A notice sent at cycle c is seen at c+1.
func TestNoticesComeInTheOrderOfEventsAndOnce(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 4)
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassBarrier, nil),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Notices: notices})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.fetch(5, 0, 2)
	b.read.Send(6, op.Read{Inst: &k.Insts[0], Tag: 1})
	b.released.Send(9, message.Release{Own: [8]uint64{1}})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(40)
	want := []notice{
		{3, regfile.WarpStarted, 0, 0}, {3, regfile.WarpActivated, 0, 0}, {4, regfile.WarpIssued, 0, 0},
		{5, regfile.WarpIssued, 0, 1}, {5, regfile.WarpAtBarrier, 0, 0}, {11, regfile.WarpReleased, 0, 0},
		{11, regfile.WarpIssued, 0, 2}, {22, regfile.WarpFinished, 0, 0},
	}
	if d := cmp.Diff(want, noticesOf(ear)); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
}

func TestAWarpDoesNotFinishBeforeItsOperandsAreRead(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpFinished)
	k := smtest.KernelOf(smtest.Inst(ir.ClassBranch, nil, 3), smtest.Inst(ir.ClassExit, nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Notices: notices})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.read.Send(30, op.Read{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(40)
	if len(ear.Got) != 1 || ear.Got[0].Cycle != 32 {
		t.Errorf("notices %v, want the end, sent at 31", ear.Got)
	}
}

func TestAWarpHasExitedWhenItsOperandsAreReadAndIsFinishedWhenItsResultsAreThere(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpExited, regfile.WarpFinished)
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassExit, nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Notices: notices})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.read.Send(10, op.Read{Inst: &k.Insts[0], Tag: 1}) // there at 11
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Tag: 1})
	b.d.RunUntil(40)
	if d := cmp.Diff([]notice{{12, regfile.WarpExited, 0, 0}, {22, regfile.WarpFinished, 0, 0}},
		noticesOf(ear)); d != "" {
		t.Error(d)
	}
}

func TestOnlyTheEventsThatAreWantedAreNoticed(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 4)
	notices.Events = regfile.Events(regfile.WarpAtBarrier)
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassBarrier, nil),
		smtest.Inst(ir.ClassExit,
			nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Notices: notices})
	b.warps(1, 1)
	b.fetch(2, 0, 0, 1)
	b.d.RunUntil(40)
	if d := cmp.Diff([]notice{{5, regfile.WarpAtBarrier, 0, 0}}, noticesOf(ear)); d != "" {
		t.Error(d)
	}
}

func TestAnIssueWaitsForRoomForItsNotice(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	ear, notices := listener(d, 4)
	ear.Refuse = func(now wire.Cycle) bool { return now < 20 }
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, []int{1}, 0), smtest.Inst(ir.ClassInt, []int{2}, 0),
		smtest.Inst(ir.ClassInt, []int{3},
			0),
		smtest.Inst(ir.ClassExit, nil))
	b := newBenchOf(testSetup(), k, d, &Planes{Notices: notices})
	b.warps(1, 0b1111)
	b.fetch(3, 2, 0, 1)
	b.d.RunUntil(60)
	// Two warps' starts fill the port; the others' come when it is emptied at
	// 20, from 21 on. That of warp 2 comes first, and fills it again.
	want := []notice{
		{20, regfile.WarpStarted, 0, 0}, {20, regfile.WarpActivated, 0, 0}, {20, regfile.WarpStarted, 1, 0},
		{20, regfile.WarpActivated, 1, 0},
		{22, regfile.WarpStarted, 2, 0}, {22, regfile.WarpActivated, 2, 0}, {22, regfile.WarpStarted, 3, 0},
		{22, regfile.WarpActivated, 3, 0},
		{24, regfile.WarpIssued, 2, 0}, {25, regfile.WarpIssued, 2, 1},
	}
	if d := cmp.Diff(want, noticesOf(ear)); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
	smtest.WantCycles(t, "issue", b.issuedAt(), []wire.Cycle{23, 24})
	if got := b.slotsOf(60); got["regfile_full"] != 19 { // ready at 4, to 22
		t.Errorf("slots %v, want 19 of regfile_full", got)
	}
}

// wants is a register file with the planes of a test.
type wants struct{ p Planes }

func (w *wants) DataPorts() *regfile.Ports                { return nil }
func (w *wants) Gates() []regfile.Gate                    { return w.p.Gates }
func (w *wants) Classes() []*wire.Signal[regfile.WarpSet] { return w.p.classes }
func (w *wants) Notices() regfile.Notices                 { return w.p.Notices }

func TestPlanesThatNoSMCouldServeAreRefused(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	h := newHand("H", d, message.WarpSet{})
	ok := regfile.Gate{Reason: "lock", Closed: &h.signal}
	_, notices := listener(d, 4)
	small := wiretest.NewLooseSink[regfile.WarpNotice]("Small", d, 3)
	for want, p := range map[string]Planes{
		"5 gates":                      {Gates: []regfile.Gate{ok, ok, ok, ok, ok}},
		`gate 1 is named "lock"`:       {Gates: []regfile.Gate{ok, ok}},
		`gate 0 is named "memory"`:     {Gates: []regfile.Gate{{Reason: "memory", Closed: &h.signal}}},
		"lock has no signal for sched": {Gates: []regfile.Gate{{Reason: "lock"}}},
		"no signal for scheduler 1": {Gates: []regfile.Gate{{Reason: "lock",
			Parts: []*wire.Signal[regfile.WarpSet]{&h.signal}}}},
		"class 1 has no signal":        {classes: []*wire.Signal[regfile.WarpSet]{&h.signal, nil}},
		"does not listen to WarpHeld":  {Gates: []regfile.Gate{{Reason: "lock", Closed: &h.signal, Asks: true}}},
		"notice ports for 1 scheduler": {Notices: regfile.Notices{Warp: notices.Warp}},
		"holds 3 notices": {Notices: regfile.Notices{Warp: []*wire.InPort[regfile.WarpNotice]{nil,
			&small.In}}},
		"listen to scheduler 1": {Gates: []regfile.Gate{{Reason: "lock", Closed: &h.signal, Asks: true}},
			Notices: regfile.Notices{Warp: []*wire.InPort[regfile.WarpNotice]{notices.Warp[0], nil},
				Events: everything}},
	} {
		if _, err := PlanesOf(&wants{p}, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := PlanesOf(&wants{Planes{Gates: []regfile.Gate{ok}}}, 2); err != nil {
		t.Errorf("a good gate is refused: %v", err)
	}
}
