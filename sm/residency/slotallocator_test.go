package residency

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// bench is residency between sources and sinks. Those of further schedulers are a test's own.
type bench struct {
	d      *wire.Domain
	r      *Residency
	ended  *wiretest.Source[message.WarpEnd]
	grants *wiretest.Source[message.Grant]
	room   *wiretest.Sink[message.CTACredit]
	fetch  *wiretest.Sink[*message.Residence]
	sched  *wiretest.Sink[message.WarpsStart]
}

func newBench(p Places) *bench {
	b := &bench{d: wire.NewDomain("core", smtest.GHz)}
	b.r = New("R", b.d, p, nil)
	b.ended = wiretest.NewSource("Ended", b.d, &b.r.Ended[0])
	b.grants = wiretest.NewSource("Grants", b.d, &b.r.Grants)
	b.room = wiretest.NewSink("Credits", b.d, &b.r.Credits, 4)
	b.fetch = wiretest.NewSink("Fetch", b.d, &b.r.ToFetch, 4)
	b.sched = wiretest.NewSink("Sched", b.d, &b.r.ToScheds[0], 4)
	wiretest.NewSink("Bar", b.d, &b.r.ToBar, 4)
	return b
}

// slotBench is residency of one scheduler with four slots and eight contexts, for three
// CTAs of two warps. Two CTAs may be active.
type slotBench struct {
	*bench
	orders *wiretest.Source[switching.Order]
	events *wiretest.Sink[switching.CTAEvent]
}

func newSlotBench() *slotBench { return slotBenchOf(0, 0, 0) }

// slotBenchOf is a bench of CTAs of so many registers each.
func slotBenchOf(registers ...uint32) *slotBench {
	b := &slotBench{bench: newBench(testPlaces())}
	b.r.ShareSlots(4)
	b.orders = wiretest.NewSource("Orders", b.d, &b.r.SlotAllocator.Orders)
	b.events = wiretest.NewSink("Events", b.d, &b.r.SlotAllocator.Events, 4)
	b.r.Limit(regfile.Residency{Resident: 3, Active: 2}, 0)
	for _, n := range registers {
		b.grants.Send(1, message.Grant{CTA: smtest.CtaOf(2), Role: regfile.Role{Registers: n}})
	}
	return b
}

// changes returns the messages to the switcher, without the contexts.
func (b *slotBench) changes() (out []switching.CTAEvent) {
	for _, g := range b.events.Got {
		g.Msg.Contexts = nil
		out = append(out, g.Msg)
	}
	return out
}

func eventOf(cta uint16, e switching.CTAEventKind, slots uint64) switching.CTAEvent {
	s := switching.CTAEvent{CTA: cta, Event: e}
	s.Slots[0] = slots
	return s
}

func TestACTAWithoutSlotsStaysResidentAndANewOneTakesThem(t *testing.T) {
	b := newSlotBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(21, switching.Order{Kind: switching.Admit})
	b.orders.Send(30, switching.Order{CTA: 1, Kind: switching.Leave})
	b.orders.Send(40, switching.Order{CTA: 1, Kind: switching.Left})
	b.orders.Send(41, switching.Order{CTA: 0, Kind: switching.Enter})
	b.d.RunUntil(60)
	ordered := eventOf(2, switching.Started, 0b11)
	ordered.Ordered = true
	want := []switching.CTAEvent{eventOf(0, switching.Started, 0b11), eventOf(1, switching.Started, 0b1100), ordered,
		eventOf(0, switching.Returned, 0b1100)}
	if d := cmp.Diff(want, b.changes()); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	smtest.WantCycles(t, "fetch", smtest.Arrivals(b.fetch), []wire.Cycle{3, 4, 23, 43})
	if got := b.sched.Got[3].Msg; !got.Returned || got.Slots != 0b1100 || got.Contexts[0] != 0 || got.Contexts[1] != 1 {
		t.Errorf("the scheduler gets %+v, want contexts 0 and 1 in slots 2 and 3", got)
	}
	if w := b.r.Waiting(); !strings.Contains(w, "3 CTAs resident, 1 of them without slots") {
		t.Errorf("waiting: %s", w)
	}
}

// CTA 1 is still giving up its slots when CTA 0 has left and comes back: no new CTA starts by itself.
func TestTwoCTAsGiveUpTheirSlotsAtOnce(t *testing.T) {
	b := newSlotBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(12, switching.Order{CTA: 1, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(22, switching.Order{CTA: 0, Kind: switching.Enter})
	b.orders.Send(40, switching.Order{CTA: 1, Kind: switching.Left})
	b.orders.Send(42, switching.Order{CTA: 1, Kind: switching.Enter})
	b.d.RunUntil(60)
	want := []switching.CTAEvent{eventOf(0, switching.Started, 0b11), eventOf(1, switching.Started, 0b1100),
		eventOf(0, switching.Returned, 0b11), eventOf(1, switching.Returned, 0b1100)}
	if d := cmp.Diff(want, b.changes()); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
}

// All warps of the CTA end while it gives up its slots: it retires when it has.
func TestACTAThatEndsWhileItLeavesRetiresAfterwards(t *testing.T) {
	b := newSlotBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.ended.Send(10, message.WarpEnd{Warp: 0})
	b.ended.Send(12, message.WarpEnd{Warp: 1})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.d.RunUntil(60)
	got := b.changes()
	if len(got) != 4 || !cmp.Equal(got[2], eventOf(0, switching.Finished, 0)) || b.events.Got[2].Cycle != 22 ||
		!cmp.Equal(got[3], eventOf(0, switching.Started, 0b11)) {
		t.Errorf("events %+v at %v, want CTA slot 0 to finish at 22 and to start again", got, smtest.Arrivals(b.events))
	}
	if b.r.SlotAllocator.pendingCTAs != 0 || b.r.SlotAllocator.slottedCTAs != 2 {
		t.Errorf("%d CTAs without slots, %d with; want 0 and 2", b.r.SlotAllocator.pendingCTAs,
			b.r.SlotAllocator.slottedCTAs)
	}
}

// Warp 1 of the CTA without slots ends there: warp 0 alone needs a slot.
func TestAWarpThatHasEndedNeedsNoSlot(t *testing.T) {
	b := newSlotBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.ended.Send(30, message.WarpEnd{Warp: 1})
	b.orders.Send(40, switching.Order{CTA: 0, Kind: switching.Enter})
	b.d.RunUntil(60)
	got := b.changes()
	if n := len(got); n != 3 || !cmp.Equal(got[2], eventOf(0, switching.Returned, 0b1)) {
		t.Errorf("events %+v, want CTA slot 0 back in slot 0 alone", got)
	}
}

func TestAnOrderWithoutRoomOrWithoutACTAIsRefused(t *testing.T) {
	b := newSlotBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(21, switching.Order{Kind: switching.Admit})
	b.orders.Send(30, switching.Order{CTA: 0, Kind: switching.Enter}) // no slot is free
	b.orders.Send(40, switching.Order{Kind: switching.Admit})         // no CTA waits
	b.d.RunUntil(60)
	got := b.changes()
	if len(got) != 5 || got[3].Event != switching.Refused || got[4].Event != switching.Refused {
		t.Errorf("events %+v, want two refusals in the end", got)
	}
}

// Context 2 of two schedulers is the second of its own, and gets the second slot if it is free.
func TestAContextHasTheSlotOfItsNumberIfItCan(t *testing.T) {
	s := &slotAllocator{schedulers: 2}
	for _, k := range []struct {
		context int
		free    uint64
		want    int
	}{{2, 0b111, 1}, {2, 0b101, 0}, {2, 0b100, 2}, {300, 0b110, 1}} {
		free := [message.MaxSchedulers]uint64{k.free}
		if slot, ok := s.take(k.context, &free); !ok || slot != k.want || free[0] != k.free&^(1<<k.want) {
			t.Errorf("context %d of free slots %b has %d, and %b are left", k.context, k.free, slot, free[0])
		}
	}
}

// One CTA may be active: the second starts when the first has ended, at 31.
func TestNoMoreCTAsStartThanMayHaveSlots(t *testing.T) {
	b := newSlotBench()
	b.r.Limit(regfile.Residency{Resident: 3, Active: 1}, 0)
	for w := range uint16(2) {
		b.ended.Send(30, message.WarpEnd{Warp: w})
	}
	b.d.RunUntil(20)
	if n := b.r.SlotAllocator.Vacancy.Get(); n.CTAs != 0 || n.Waiting != 2 {
		t.Errorf("rooms %+v, want none, and two warps waiting", n)
	}
	b.d.RunUntil(60)
	if d := cmp.Diff([]switching.CTAEvent{eventOf(0, switching.Started, 0b11), eventOf(0, switching.Finished, 0),
		eventOf(0, switching.Started, 0b11)}, b.changes()); d != "" {
		t.Errorf("events (-want +got):\n%s", d)
	}
	if b.r.SlotAllocator.slottedCTAs != 1 {
		t.Errorf("%d CTAs have slots, want 1", b.r.SlotAllocator.slottedCTAs)
	}
}

// Two CTAs have slots, one of them after its return; then this one ends.
func TestResidencyKnowsHowManyCTAsHaveSlots(t *testing.T) {
	b := newSlotBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(30, switching.Order{CTA: 0, Kind: switching.Enter})
	b.d.RunUntil(25)
	if s := b.r.SlotAllocator; s.slottedCTAs != 1 || s.Vacancy.Get().CTAs != 1 {
		t.Errorf("%d have slots, %d more may; want 1, 1", s.slottedCTAs, s.Vacancy.Get().CTAs)
	}
	b.d.RunUntil(40)
	if s := b.r.SlotAllocator; s.slottedCTAs != 2 || s.Vacancy.Get().CTAs != 0 {
		t.Errorf("%d have slots, %d more may; want 2, 0", s.slottedCTAs, s.Vacancy.Get().CTAs)
	}
}

// Of 7 slots of two schedulers the first has 4, the second 3.
func TestSlotsAreDealtToSchedulersInTurn(t *testing.T) {
	r := New("R", wire.NewDomain("core", smtest.GHz), Places{Contexts: 9, CTAs: 4, Schedulers: 2}, nil)
	r.ShareSlots(7)
	if s := r.SlotAllocator; s.free[0] != 0b1111 || s.free[1] != 0b111 {
		t.Errorf("slots %b and %b are free, want four and three", s.free[0], s.free[1])
	}
}

// CTAs of four, five and one of eight registers: the second waits until the switcher says that there is room for it.
func TestCTAsOfSeveralSizesStartAsTheRegisterFileHasRoom(t *testing.T) {
	for room, want := range map[switching.Size]switching.CTAEventKind{4: switching.Refused, 5: switching.Started} {
		b := slotBenchOf(4, 5, 1)
		b.r.Limit(regfile.Residency{Resident: 3, Active: 3, Held: 1, Registers: 8}, OfKernel)
		b.orders.Send(30, switching.Order{Kind: switching.Admit, Size: room})
		b.d.RunUntil(20)
		if n := b.r.SlotAllocator.Vacancy.Get(); n.Waiting != 2 || n.Size != 5 || len(b.events.Got) != 1 {
			t.Errorf("%+v, %d CTAs started; want one, and one of five registers to wait", n, len(b.events.Got))
		}
		b.d.RunUntil(32)
		if got := b.changes(); len(got) != 2 || got[0].Size != 4 || got[1].Event != want {
			t.Errorf("with room for %d: %+v", room, got)
		}
	}
}
