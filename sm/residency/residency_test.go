package residency

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

// A register file holds one of the three allowed CTAs: the second slot
// is offered when the first CTA is resident, and the third when the second is.
func TestResidencyOffersRoomForOneCTAMoreThanTheRegisterFileHolds(t *testing.T) {
	b := newBench(testPlaces())
	b.r.Limit(regfile.Residency{Resident: 3, Active: 3, Held: 1}, 0)
	for i := range wire.Cycle(3) {
		b.grants.Send(10+10*i, message.Grant{CTA: smtest.CtaOf(1)})
	}
	b.d.RunUntil(60)
	offers := uint16(0)
	for i, g := range b.room.Got {
		if at := []wire.Cycle{0, 10, 20}; i < len(at) && (g.Cycle <= at[i] || g.Cycle > at[i]+5) {
			t.Errorf("offer %d came at %d, want it soon after %d", i, g.Cycle, at[i])
		}
		offers += g.Msg.Free
	}
	if len(b.room.Got) != 3 || offers != 3 {
		t.Errorf("%d CTAs offered in %d messages, want 3 one by one", offers, len(b.room.Got))
	}
}

func same(a, b *stream.CTA) bool { return a == b }

func TestResidencySaysWhichCTAsHaveEndedInOneCycle(t *testing.T) {
	places := testPlaces()
	places.Schedulers = 2
	b := newBench(places)
	wiretest.NewSink("Sched1", b.d, &b.r.ToScheds[1], 4)
	ended := wiretest.NewSource("Ended1", b.d, &b.r.Ended[1])
	b.r.Limit(regfile.Residency{Resident: 3, Active: 3}, 0)
	ctas := []*stream.CTA{smtest.CtaOf(1), smtest.CtaOf(1), smtest.CtaOf(1)}
	for _, c := range ctas {
		b.grants.Send(3, message.Grant{CTA: c})
	}
	b.ended.Send(10, message.WarpEnd{Warp: 0})
	ended.Send(10, message.WarpEnd{Warp: 1})
	b.d.RunUntil(40)
	want := []wiretest.At[message.CTACredit]{{Cycle: 2, Msg: message.CTACredit{Free: 3}},
		{Cycle: 12, Msg: message.CTACredit{Free: 2,
			Gone: ctas[:2]}}}
	if d := cmp.Diff(want, b.room.Got, cmp.Comparer(same)); d != "" {
		t.Error(d)
	}
}

func TestResidencyKeepsToItsLimitAndReusesContexts(t *testing.T) {
	b := newBench(testPlaces())
	b.r.Limit(regfile.Residency{Resident: 2, Active: 2}, 0)
	first := smtest.CtaOf(3)
	b.grants.Send(3, message.Grant{CTA: first})
	b.grants.Send(3, message.Grant{CTA: smtest.CtaOf(3)})
	for i := range uint16(3) {
		b.ended.Send(10, message.WarpEnd{Warp: i})
	}
	b.grants.Send(15, message.Grant{CTA: smtest.CtaOf(3)})
	b.d.RunUntil(40)
	want := []wiretest.At[message.CTACredit]{{Cycle: 2, Msg: message.CTACredit{Free: 2}},
		{Cycle: 12, Msg: message.CTACredit{Free: 1, Gone: []*stream.CTA{first}}}}
	if d := cmp.Diff(want, b.room.Got, cmp.Comparer(same)); d != "" {
		t.Error(d)
	}
	var slots []uint64
	for _, g := range b.sched.Got {
		slots = append(slots, g.Msg.Slots)
	}
	if d := cmp.Diff([]uint64{0b111, 0b111000, 0b111}, slots); d != "" {
		t.Error(d)
	}
	// one CTA per cycle: granted together at 3, seen at 4, started at 4 and 5
	smtest.WantCycles(t, "starts", smtest.Arrivals(b.fetch), []wire.Cycle{5, 6, 17})
	if b.r.MostResident() != 2 {
		t.Errorf("most resident %d, want 2", b.r.MostResident())
	}
}

func TestACTAThatFindsNoContextsIsAMistake(t *testing.T) {
	r := New("R", wire.NewDomain("core", smtest.GHz), testPlaces(), nil)
	for w := range 7 {
		r.free.Remove(w)
	}
	defer func() {
		if e, _ := recover().(string); !strings.Contains(e, "without free warp contexts") {
			t.Errorf("panic %q", e)
		}
	}()
	r.deal(make([]uint16, 2)) // context 7 alone is free
	t.Error("two warps find contexts")
}

// A warp of 4 registers runs from 10 to 30; the warps of another CTA run from 20 to 40 and to 50.
func TestResidentWarpsAndTheirRegistersAreSummedOverCycles(t *testing.T) {
	b := newBench(testPlaces())
	b.r.Limit(regfile.Residency{Resident: 2, Active: 2}, 4)
	b.grants.Send(9, message.Grant{CTA: smtest.CtaOf(1)})  // admitted at 10
	b.grants.Send(19, message.Grant{CTA: smtest.CtaOf(2)}) // at 20
	for _, e := range []struct {
		at   wire.Cycle
		warp uint16
	}{{29, 0}, {39, 1}, {49, 2}} {
		b.ended.Send(e.at, message.WarpEnd{Warp: e.warp})
	}
	b.d.RunUntil(60)
	// one warp for 20 cycles, one for 20, one for 30; the registers until the CTA has ended
	if r := b.r; r.warpTime != 20+20+30 || r.heldTime != 4*20+2*4*30 || r.launched != 2 {
		t.Errorf("%d warp-cycles, %d register-cycles of %d CTAs; want 70, 320 of 2", r.warpTime, r.heldTime,
			r.launched)
	}
}

func TestCTAsAreNoticedWhenTheyBeginAndEndInOrder(t *testing.T) {
	b := newBench(testPlaces())
	ear := wiretest.NewLooseSink[regfile.CTANotice]("Listener", b.d, 1)
	ear.Refuse = func(now wire.Cycle) bool { return now > 10 && now < 30 }
	b.r.Listen(&ear.In)
	b.r.Limit(regfile.Residency{Resident: 2, Active: 2}, 0)
	b.grants.Send(3, message.Grant{CTA: smtest.CtaOf(2)})
	b.grants.Send(3, message.Grant{CTA: smtest.CtaOf(3)})
	for i := range uint16(5) {
		b.ended.Send(15, message.WarpEnd{Warp: i})
	}
	b.d.RunUntil(60)
	want := []wiretest.At[regfile.CTANotice]{
		{Cycle: 5, Msg: regfile.CTANotice{CTA: 0, Contexts: []uint16{0, 1}}},
		{Cycle: 7, Msg: regfile.CTANotice{CTA: 1, Contexts: []uint16{2, 3, 4}}},
		{Cycle: 30, Msg: regfile.CTANotice{CTA: 0, Contexts: []uint16{0, 1}, Finished: true}},
		{Cycle: 32, Msg: regfile.CTANotice{CTA: 1, Contexts: []uint16{2, 3, 4}, Finished: true}},
	}
	if d := cmp.Diff(want, ear.Got); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
}

func testPlaces() Places { return Places{Contexts: 8, CTAs: 4, Schedulers: 1} }
