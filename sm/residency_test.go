package sm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

func ctaOf(warps int) *stream.CTA {
	c := &stream.CTA{Kernel: kernelOf(inst(ir.ClassExit, nil)), Warps: make([]stream.Warp, warps)}
	for i := range c.Warps {
		c.Warps[i] = straight(1)
	}
	return c
}

func TestABarrierCompletesWhenEveryLiveWarpHasArrived(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	b := NewBarrier("B", d, 2, 2, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a0 := wiretest.NewSource("A0", d, &b.Arrivals[0])
	a1 := wiretest.NewSource("A1", d, &b.Arrivals[1])
	r0 := wiretest.NewSink("R0", d, &b.Release[0], 2)
	r1 := wiretest.NewSink("R1", d, &b.Release[1], 2)
	start.Send(1, &Residence{Slot: 1, Contexts: []uint16{2, 3, 4, 5}})
	a0.Send(5, Arrive{Warp: 2, CTA: 1})
	a1.Send(6, Arrive{Warp: 3, CTA: 1})
	a0.Send(8, Arrive{Warp: 4, CTA: 1})
	a1.Send(11, Arrive{Warp: 5, CTA: 1, Exit: true})
	d.RunUntil(30)
	// the exit arrives at 12 and completes it: seen at 13
	if d := cmp.Diff([]wiretest.At[Release]{{Cycle: 13, Msg: Release{Own: [8]uint64{1<<1 | 1<<2}}}}, r0.Got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]wiretest.At[Release]{{Cycle: 13, Msg: Release{Own: [8]uint64{1 << 1}}}}, r1.Got); d != "" {
		t.Error(d)
	}
}

func TestNamedBarriersWithACountAreApart(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	b := NewBarrier("B", d, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &Residence{Contexts: []uint16{0, 1, 2, 3}})
	a.Send(5, Arrive{Warp: 0, Bar: 1, Warps: 2, Stay: true}) // a producer that does not wait
	a.Send(6, Arrive{Warp: 1, Bar: 2, Warps: 2})
	a.Send(7, Arrive{Warp: 2, Bar: 1, Warps: 2})
	d.RunUntil(30)
	if d := cmp.Diff([]wiretest.At[Release]{{Cycle: 9, Msg: Release{Own: [8]uint64{1 << 2}}}}, r.Got); d != "" {
		t.Error(d)
	}
}

// Warps 0 and 1 wait for two and for three operations on an object, warp 2 for one on
// another, which has issued before.
func TestAWaitAtAnMbarrierEndsWithTheOperationThatCompletesItsPhase(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	b := NewBarrier("B", d, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &Residence{Contexts: []uint16{0, 1, 2, 3}})
	for i, m := range []Arrive{{Warp: 0, Phase: PhaseWait, Object: 8, Needed: 2},
		{Warp: 1, Phase: PhaseWait, Object: 8, Needed: 3}, {Warp: 3, Phase: PhaseOperation, Object: 16},
		{Warp: 2, Phase: PhaseWait, Object: 16, Needed: 1}, {Warp: 3, Phase: PhaseOperation, Object: 8},
		{Warp: 3, Phase: PhaseOperation, Object: 8}, {Warp: 3, Phase: PhaseOperation, Object: 8}} {
		a.Send(wire.Cycle(5+i), m)
	}
	d.RunUntil(30)
	// A message of cycle c is there at c+1; what it releases is seen at c+2.
	want := []wiretest.At[Release]{{Cycle: 10, Msg: Release{Own: [8]uint64{1 << 2}}},
		{Cycle: 12, Msg: Release{Own: [8]uint64{1 << 0}}}, {Cycle: 13, Msg: Release{Own: [8]uint64{1 << 1}}}}
	if d := cmp.Diff(want, r.Got); d != "" {
		t.Error(d)
	}
}

func TestANewCTAHasNoOperationsOnMbarriers(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	b := NewBarrier("B", d, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &Residence{Contexts: []uint16{0, 1}})
	a.Send(5, Arrive{Warp: 0, Phase: PhaseOperation, Object: 8})
	start.Send(10, &Residence{Contexts: []uint16{0, 1}})
	a.Send(15, Arrive{Warp: 0, Phase: PhaseWait, Object: 8, Needed: 1})
	d.RunUntil(30)
	if len(r.Got) != 0 {
		t.Errorf("released %v, want nothing", r.Got)
	}
}

type ctaList struct {
	ctas []*stream.CTA
}

func (l *ctaList) Next() *stream.CTA {
	if len(l.ctas) == 0 {
		return nil
	}
	c := l.ctas[0]
	l.ctas = l.ctas[1:]
	return c
}
func (l *ctaList) Err() error { return nil }

// reused is a source that notes which CTAs are given back.
type reused struct {
	ctaList
	back []int
}

func (r *reused) Release(c *stream.CTA) { r.back = append(r.back, c.Index) }

func TestTheDispatcherGivesCTAsThatHaveRetiredBackToTheirSource(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	p := NewDispatcher("D", d, 1, 4)
	room := wiretest.NewSource("R", d, &p.Rooms[0])
	grants := wiretest.NewSink("G", d, &p.Grants[0], 4)
	list := &reused{}
	for i := range 3 {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	p.Launch(list, func(wire.Cycle) {})
	room.Send(1, Room{Free: 3})
	d.RunUntil(10)
	if len(grants.Got) != 3 {
		t.Fatalf("%d CTAs granted, want 3", len(grants.Got))
	}
	room.Send(20, Room{Gone: []*stream.CTA{grants.Got[2].Msg.CTA, grants.Got[0].Msg.CTA}})
	d.RunUntil(30)
	if d := cmp.Diff([]int{2, 0}, list.back); d != "" {
		t.Error(d)
	}
}

func TestTheDispatcherDealsCTAsInGridOrderAndEndsWhenAllHaveRetired(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	p := NewDispatcher("D", d, 2, 4)
	r0 := wiretest.NewSource("R0", d, &p.Rooms[0])
	r1 := wiretest.NewSource("R1", d, &p.Rooms[1])
	g0 := wiretest.NewSink("G0", d, &p.Grants[0], 4)
	g1 := wiretest.NewSink("G1", d, &p.Grants[1], 4)
	list := &ctaList{}
	for i := range 5 {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	var end wire.Cycle
	p.Launch(list, func(now wire.Cycle) { end = now })
	r0.Send(1, Room{Free: 2})
	r1.Send(1, Room{Free: 2})
	r1.Send(10, Room{Free: 1, Gone: make([]*stream.CTA, 1)})
	r0.Send(12, Room{Gone: make([]*stream.CTA, 2)})
	r1.Send(20, Room{Gone: make([]*stream.CTA, 2)})
	d.RunUntil(40)
	index := func(s *wiretest.Sink[Grant]) (out []int) {
		for _, g := range s.Got {
			out = append(out, g.Msg.CTA.Index)
		}
		return out
	}
	if d := cmp.Diff([]int{0, 2}, index(g0)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]int{1, 3, 4}, index(g1)); d != "" {
		t.Error(d)
	}
	if end != 21 {
		t.Errorf("ended at %d, want 21: the last word is sent at 20", end)
	}
}

// A register file holds one CTA of the three that may be resident: the room for another one
// is offered when the first is there, that for the third when the second is.
func TestResidencyOffersRoomForOneCTAMoreThanTheRegisterFileHolds(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	r := NewResidency("R", d, testPlaces(), nil)
	grants := wiretest.NewSource("G", d, &r.Grants)
	room := wiretest.NewSink("Room", d, &r.Room, 4)
	wiretest.NewSink("Fetch", d, &r.ToFetch, 4)
	wiretest.NewSink("Bar", d, &r.ToBar, 4)
	wiretest.NewSink("Sched", d, &r.ToScheds[0], 4)
	r.Limit(regfile.Residency{Resident: 3, Active: 3, Held: 1}, 0)
	for i := range wire.Cycle(3) {
		grants.Send(10+10*i, Grant{ctaOf(1)})
	}
	d.RunUntil(60)
	offers := uint16(0)
	for i, g := range room.Got {
		if at := []wire.Cycle{0, 10, 20}; i < len(at) && (g.Cycle <= at[i] || g.Cycle > at[i]+5) {
			t.Errorf("offer %d came at %d, want it soon after %d", i, g.Cycle, at[i])
		}
		offers += g.Msg.Free
	}
	if len(room.Got) != 3 || offers != 3 {
		t.Errorf("%d CTAs offered in %d messages, want 3 one by one", offers, len(room.Got))
	}
}

func same(a, b *stream.CTA) bool { return a == b }

func TestResidencySaysWhichCTAsHaveEndedInOneCycle(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	places := testPlaces()
	places.Schedulers = 2
	r := NewResidency("R", d, places, nil)
	grants := wiretest.NewSource("G", d, &r.Grants)
	room := wiretest.NewSink("Room", d, &r.Room, 4)
	wiretest.NewSink("Fetch", d, &r.ToFetch, 4)
	wiretest.NewSink("Bar", d, &r.ToBar, 4)
	r.Limit(regfile.Residency{Resident: 3, Active: 3}, 0)
	ctas := []*stream.CTA{ctaOf(1), ctaOf(1), ctaOf(1)}
	for _, c := range ctas {
		grants.Send(3, Grant{c})
	}
	for i := range places.Schedulers {
		wiretest.NewSink("Sched"+string(rune('0'+i)), d, &r.ToScheds[i], 4)
		ended := wiretest.NewSource("E"+string(rune('0'+i)), d, &r.Ended[i])
		ended.Send(10, WarpEnd{Warp: uint16(i)})
	}
	d.RunUntil(40)
	want := []wiretest.At[Room]{{Cycle: 2, Msg: Room{Free: 3}}, {Cycle: 12, Msg: Room{Free: 2, Gone: ctas[:2]}}}
	if d := cmp.Diff(want, room.Got, cmp.Comparer(same)); d != "" {
		t.Error(d)
	}
}

func TestResidencyKeepsToItsLimitAndReusesContexts(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	r := NewResidency("R", d, testPlaces(), nil)
	grants := wiretest.NewSource("G", d, &r.Grants)
	ended := wiretest.NewSource("E", d, &r.Ended[0])
	room := wiretest.NewSink("Room", d, &r.Room, 4)
	fetch := wiretest.NewSink("Fetch", d, &r.ToFetch, 4)
	wiretest.NewSink("Bar", d, &r.ToBar, 4)
	sched := wiretest.NewSink("Sched", d, &r.ToScheds[0], 4)
	r.Limit(regfile.Residency{Resident: 2, Active: 2}, 0)
	first := ctaOf(3)
	grants.Send(3, Grant{first})
	grants.Send(3, Grant{ctaOf(3)})
	for i := range uint16(3) {
		ended.Send(10, WarpEnd{Warp: i})
	}
	grants.Send(15, Grant{ctaOf(3)})
	d.RunUntil(40)
	want := []wiretest.At[Room]{{Cycle: 2, Msg: Room{Free: 2}},
		{Cycle: 12, Msg: Room{Free: 1, Gone: []*stream.CTA{first}}}}
	if d := cmp.Diff(want, room.Got, cmp.Comparer(same)); d != "" {
		t.Error(d)
	}
	var slots []uint64
	for _, g := range sched.Got {
		slots = append(slots, g.Msg.Slots)
	}
	if d := cmp.Diff([]uint64{0b111, 0b111000, 0b111}, slots); d != "" {
		t.Error(d)
	}
	// one CTA per cycle: granted together at 3, seen at 4, started at 4 and 5
	wantCycles(t, "starts", arrivals(fetch), []wire.Cycle{5, 6, 17})
	if r.MostResident() != 2 {
		t.Errorf("most resident %d, want 2", r.MostResident())
	}
}

func TestFetchBringsTwoInstructionsPerWarpRoundRobin(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	f := NewFetch("F", d, testSpec().Fetch, FetchClients{8, 1, 0}, nil)
	start := wiretest.NewSource("Start", d, &f.Start)
	notes := wiretest.NewSource("Notes", d, &f.Notes[0])
	out := wiretest.NewSink("Out", d, &f.Out[0], 16)
	k := kernelOf(inst(ir.ClassInt, nil), inst(ir.ClassInt, nil), inst(ir.ClassInt, nil))
	cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{straight(3), straight(3)}}
	start.Send(1, &Residence{CTA: cta, Contexts: []uint16{4, 6}})
	notes.Send(10, FetchNote{Warp: 4, Freed: 1})
	d.RunUntil(30)
	type got struct {
		Cycle wire.Cycle
		Warp  uint16
		PC    uint32
		Last  bool
	}
	var have []got
	for _, g := range out.Got {
		have = append(have, got{g.Cycle, g.Msg.Warp, g.Msg.PC, g.Msg.Last})
	}
	want := []got{{3, 4, 0, false}, {3, 4, 1, false}, {4, 6, 0, false}, {4, 6, 1, false}, {12, 4, 2, true}}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}

func TestFetchWaitsBehindAnInstructionThatRedirectsIt(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	f := NewFetch("F", d, testSpec().Fetch, FetchClients{8, 1, 0}, nil)
	start := wiretest.NewSource("Start", d, &f.Start)
	notes := wiretest.NewSource("Notes", d, &f.Notes[0])
	out := wiretest.NewSink("Out", d, &f.Out[0], 16)
	k := kernelOf(inst(ir.ClassBranch, nil), inst(ir.ClassInt, nil), inst(ir.ClassExit, nil))
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 1, Mask: 1}, {PC: 2, N: 1, Mask: 1}}}
	start.Send(1, &Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{w}}, Contexts: []uint16{0}})
	notes.Send(8, FetchNote{Warp: 0, Freed: 1, Resolved: true})
	d.RunUntil(30)
	// fetched at 2 and seen at 3; the note is seen at 9, the target fetched then
	wantCycles(t, "fetched", arrivals(out), []wire.Cycle{3, 10})
	if !out.Got[0].Msg.Redirect {
		t.Error("the branch does not say that fetch waits for it")
	}
}

func TestABranchThatFallsThroughDoesNotResolveALaterOne(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	spec := testSpec().Fetch
	spec.Resolve = "execute"
	f := NewFetch("F", d, spec, FetchClients{8, 1, 1}, nil)
	start := wiretest.NewSource("Start", d, &f.Start)
	notes := wiretest.NewSource("Notes", d, &f.Notes[0])
	unit := wiretest.NewSource("Unit", d, &f.Resolved[0])
	out := wiretest.NewSink("Out", d, &f.Out[0], 16)
	k := kernelOf(inst(ir.ClassBranch, nil), inst(ir.ClassBranch, nil), inst(ir.ClassInt, nil), inst(ir.ClassExit, nil))
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 2, Mask: 1}, {PC: 3, N: 1, Mask: 1}}}
	start.Send(1, &Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{w}}, Contexts: []uint16{0}})
	notes.Send(8, FetchNote{Warp: 0, Freed: 2})
	unit.Send(12, FetchNote{Warp: 0, Resolved: true})
	unit.Send(20, FetchNote{Warp: 0, Resolved: true})
	d.RunUntil(40)
	// both branches are fetched at 2; the note of the second is seen at 21
	wantCycles(t, "fetched", arrivals(out), []wire.Cycle{3, 3, 22})
}
