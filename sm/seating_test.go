package sm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

// seatBench is residency of one scheduler with four slots and eight contexts, of three
// CTAs of two warps, of which two may be active.
type seatBench struct {
	d      *wire.Domain
	r      *Residency
	orders *wiretest.Source[switching.Order]
	ended  *wiretest.Source[WarpEnd]
	grants *wiretest.Source[Grant]
	seats  *wiretest.Sink[switching.Seat]
	fetch  *wiretest.Sink[*Residence]
	sched  *wiretest.Sink[WarpsStart]
}

func newSeatBench() *seatBench {
	b := &seatBench{d: wire.NewDomain("core", ghz)}
	b.r = NewResidency("R", b.d, testPlaces(), nil)
	b.r.seat(4)
	b.orders = wiretest.NewSource("Orders", b.d, &b.r.seating.Orders)
	b.ended = wiretest.NewSource("Ended", b.d, &b.r.Ended[0])
	b.grants = wiretest.NewSource("Grants", b.d, &b.r.Grants)
	b.seats = wiretest.NewSink("Seats", b.d, &b.r.seating.Seats, 4)
	b.fetch = wiretest.NewSink("Fetch", b.d, &b.r.ToFetch, 4)
	b.sched = wiretest.NewSink("Sched", b.d, &b.r.ToScheds[0], 4)
	wiretest.NewSink("Room", b.d, &b.r.Room, 4)
	wiretest.NewSink("Bar", b.d, &b.r.ToBar, 4)
	b.r.Limit(regfile.Residency{Resident: 3, Active: 2}, 0)
	for range 3 {
		b.grants.Send(1, Grant{ctaOf(2)})
	}
	return b
}

// events are what the switcher hears, without the contexts.
func (b *seatBench) events() (out []switching.Seat) {
	for _, g := range b.seats.Got {
		g.Msg.Contexts = nil
		out = append(out, g.Msg)
	}
	return out
}

func seatOf(cta uint16, e switching.SeatEvent, slots uint64) switching.Seat {
	s := switching.Seat{CTA: cta, Event: e}
	s.Slots[0] = slots
	return s
}

func TestACTAWithoutSlotsStaysResidentAndANewOneTakesThem(t *testing.T) {
	b := newSeatBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(21, switching.Order{Kind: switching.Admit})
	b.orders.Send(30, switching.Order{CTA: 1, Kind: switching.Leave})
	b.orders.Send(40, switching.Order{CTA: 1, Kind: switching.Left})
	b.orders.Send(41, switching.Order{CTA: 0, Kind: switching.Enter})
	b.d.RunUntil(60)
	want := []switching.Seat{seatOf(0, switching.Started, 0b11), seatOf(1, switching.Started, 0b1100),
		seatOf(2, switching.Started, 0b11),
		seatOf(0, switching.Returned, 0b1100)}
	if d := cmp.Diff(want, b.events()); d != "" {
		t.Errorf("seats (-want +got):\n%s", d)
	}
	wantCycles(t, "fetch", arrivals(b.fetch), []wire.Cycle{3, 4, 23, 43})
	if got := b.sched.Got[3].Msg; !got.Returned || got.Slots != 0b1100 || got.Contexts[0] != 0 || got.Contexts[1] != 1 {
		t.Errorf("the scheduler gets %+v, want contexts 0 and 1 in slots 2 and 3", got)
	}
	if w := b.r.Waiting(); !strings.Contains(w, "3 CTAs resident, 1 of them without slots") {
		t.Errorf("waiting: %s", w)
	}
}

// All warps of the CTA end while it gives up its slots: it retires when it has.
func TestACTAThatEndsWhileItLeavesRetiresAfterwards(t *testing.T) {
	b := newSeatBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.ended.Send(10, WarpEnd{Warp: 0})
	b.ended.Send(12, WarpEnd{Warp: 1})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.d.RunUntil(60)
	got := b.events()
	if len(got) != 4 || !cmp.Equal(got[2], seatOf(0, switching.Finished, 0)) || b.seats.Got[2].Cycle != 22 ||
		!cmp.Equal(got[3], seatOf(0, switching.Started, 0b11)) {
		t.Errorf("seats %+v at %v, want CTA slot 0 to finish at 22 and to start again", got, arrivals(b.seats))
	}
	if b.r.seating.parked != 0 || b.r.seating.seated != 2 {
		t.Errorf("%d CTAs without slots, %d with; want 0 and 2", b.r.seating.parked, b.r.seating.seated)
	}
}

// Warp 1 of the CTA without slots ends there: warp 0 alone needs a slot.
func TestAWarpThatHasEndedNeedsNoSlot(t *testing.T) {
	b := newSeatBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.ended.Send(30, WarpEnd{Warp: 1})
	b.orders.Send(40, switching.Order{CTA: 0, Kind: switching.Enter})
	b.d.RunUntil(60)
	got := b.events()
	if n := len(got); n != 3 || !cmp.Equal(got[2], seatOf(0, switching.Returned, 0b1)) {
		t.Errorf("seats %+v, want CTA slot 0 back in slot 0 alone", got)
	}
}

func TestAnOrderWithoutRoomOrWithoutACTAIsRefused(t *testing.T) {
	b := newSeatBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(21, switching.Order{Kind: switching.Admit})
	b.orders.Send(30, switching.Order{CTA: 0, Kind: switching.Enter}) // no slot is free
	b.orders.Send(40, switching.Order{Kind: switching.Admit})         // no CTA waits
	b.d.RunUntil(60)
	got := b.events()
	if len(got) != 5 || got[3].Event != switching.Refused || got[4].Event != switching.Refused {
		t.Errorf("seats %+v, want two refusals in the end", got)
	}
}

// Two instructions are on their way to the buffer and none has issued: both come again,
// with the number of the next life, once the warp has a slot.
func TestFetchGoesBackToTheFirstInstructionThatHasNotIssued(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	f := NewFetch("F", d, testSpec().Fetch, FetchClients{8, 1, 0}, nil)
	f.rewindable()
	start := wiretest.NewSource("Start", d, &f.Start)
	rewind := wiretest.NewSource("Rewind", d, &f.Rewind)
	notes := wiretest.NewSource("Notes", d, &f.Notes[0])
	out := wiretest.NewSink("Out", d, &f.Out[0], 16)
	c := ctaOf(1)
	c.Kernel = kernelOf(inst(ir.ClassInt, nil), inst(ir.ClassInt, nil), inst(ir.ClassInt, nil), inst(ir.ClassExit, nil))
	c.Warps[0] = straight(4)
	start.Send(1, &Residence{CTA: c, Slot: 3, Contexts: []uint16{5}})
	notes.Send(5, FetchNote{Warp: 5, Freed: 1})
	rewind.Send(10, switching.Rewind{CTA: 3, Contexts: []uint16{5}})
	rewind.Send(12, switching.Rewind{CTA: 4, Contexts: []uint16{5}}) // another CTA's
	start.Send(20, &Residence{Slot: 3, Contexts: []uint16{5}, Returned: true})
	d.RunUntil(40)
	type one struct {
		PC   uint32
		Life uint8
	}
	var got []one
	for _, g := range out.Got {
		got = append(got, one{g.Msg.PC, g.Msg.Life})
	}
	if d := cmp.Diff([]one{{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}}, got); d != "" {
		t.Errorf("fetched (-want +got):\n%s", d)
	}
}
