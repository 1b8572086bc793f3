package barrier

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
)

func TestABarrierCompletesWhenEveryLiveWarpHasArrived(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	b := New("B", d, Spec{}, 2, 2, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a0 := wiretest.NewSource("A0", d, &b.Arrivals[0])
	a1 := wiretest.NewSource("A1", d, &b.Arrivals[1])
	r0 := wiretest.NewSink("R0", d, &b.Release[0], 2)
	r1 := wiretest.NewSink("R1", d, &b.Release[1], 2)
	start.Send(1, &message.Residence{Slot: 1, Contexts: []uint16{2, 3, 4, 5}})
	a0.Send(5, message.Arrive{Warp: 2, CTA: 1})
	a1.Send(6, message.Arrive{Warp: 3, CTA: 1})
	a0.Send(8, message.Arrive{Warp: 4, CTA: 1})
	a1.Send(11, message.Arrive{Warp: 5, CTA: 1, Exit: true})
	d.RunUntil(30)
	// the exit arrives at 12 and completes it: seen at 13
	if d := cmp.Diff([]wiretest.At[message.Release]{{Cycle: 13, Msg: message.Release{Own: [8]uint64{1<<1 | 1<<2}}}},
		r0.Got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]wiretest.At[message.Release]{{Cycle: 13, Msg: message.Release{Own: [8]uint64{1 << 1}}}},
		r1.Got); d != "" {
		t.Error(d)
	}
}

func TestNamedBarriersWithACountAreApart(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	b := New("B", d, Spec{}, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &message.Residence{Contexts: []uint16{0, 1, 2, 3}})
	a.Send(5, message.Arrive{Warp: 0, Bar: 1, Warps: 2, Stay: true}) // a producer that does not wait
	a.Send(6, message.Arrive{Warp: 1, Bar: 2, Warps: 2})
	a.Send(7, message.Arrive{Warp: 2, Bar: 1, Warps: 2})
	d.RunUntil(30)
	if d := cmp.Diff([]wiretest.At[message.Release]{{Cycle: 9, Msg: message.Release{Own: [8]uint64{1 << 2}}}},
		r.Got); d != "" {
		t.Error(d)
	}
}

// Warps 0 and 1 wait for two and for three operations on an object, warp 2 for one on
// another object. Its operation has issued before.
func TestAWaitAtAnMbarrierEndsWithTheOperationThatCompletesItsPhase(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	b := New("B", d, Spec{}, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &message.Residence{Contexts: []uint16{0, 1, 2, 3}})
	for i, m := range []message.Arrive{{Warp: 0, Phase: message.PhaseWait, Object: 8, Needed: 2},
		{Warp: 1, Phase: message.PhaseWait, Object: 8, Needed: 3}, {Warp: 3, Phase: message.PhaseOperation, Object: 16},
		{Warp: 2, Phase: message.PhaseWait, Object: 16, Needed: 1}, {Warp: 3, Phase: message.PhaseOperation, Object: 8},
		{Warp: 3, Phase: message.PhaseOperation, Object: 8}, {Warp: 3, Phase: message.PhaseOperation, Object: 8}} {
		a.Send(wire.Cycle(5+i), m)
	}
	d.RunUntil(30)
	// A message of cycle c is there at c+1. Its release is seen at c+2.
	want := []wiretest.At[message.Release]{{Cycle: 10, Msg: message.Release{Own: [8]uint64{1 << 2}}},
		{Cycle: 12, Msg: message.Release{Own: [8]uint64{1 << 0}}}, {Cycle: 13,
			Msg: message.Release{Own: [8]uint64{1 << 1}}}}
	if d := cmp.Diff(want, r.Got); d != "" {
		t.Error(d)
	}
}

func TestANewCTAHasNoOperationsOnMbarriers(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	b := New("B", d, Spec{}, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &message.Residence{Contexts: []uint16{0, 1}})
	a.Send(5, message.Arrive{Warp: 0, Phase: message.PhaseOperation, Object: 8})
	start.Send(10, &message.Residence{Contexts: []uint16{0, 1}})
	a.Send(15, message.Arrive{Warp: 0, Phase: message.PhaseWait, Object: 8, Needed: 1})
	d.RunUntil(30)
	if len(r.Got) != 0 {
		t.Errorf("released %v, want nothing", r.Got)
	}
}

// Of three live warps one is at barrier 2 of the CTA; then a second is at one for two warps.
func TestABarrierUnitSaysWhoseArrivalsItLacks(t *testing.T) {
	for _, k := range []struct {
		arrivals []message.Arrive
		want     string
	}{
		{nil, ""},
		{[]message.Arrive{{Warp: 1, CTA: 1, Bar: 2}}, "CTA slot 1, barrier 2: 1 of 3 warps have arrived"},
		{[]message.Arrive{{Warp: 1, CTA: 1, Bar: 4, Warps: 2}}, "CTA slot 1, barrier 4: 1 of 2 warps have arrived"},
		{[]message.Arrive{{Warp: 1, CTA: 1, Phase: message.PhaseOperation, Object: 24},
			{Warp: 1, CTA: 1, Phase: message.PhaseWait, Object: 24, Needed: 2}},
			"CTA slot 1, mbarrier at 0x18 of shared memory: 1 operations have issued, warp 1 waits for 2"},
	} {
		d := wire.NewDomain("core", smtest.GHz)
		b := New("B", d, Spec{}, 2, 1, nil)
		start := wiretest.NewSource("Start", d, &b.Start)
		in := wiretest.NewSource("A", d, &b.Arrivals[0])
		wiretest.NewSink("R", d, &b.Release[0], 2)
		start.Send(1, &message.Residence{Slot: 1, Contexts: []uint16{0, 1, 2}})
		for _, a := range k.arrivals {
			in.Send(5, a)
		}
		d.RunUntil(20)
		if got := b.Waiting(); got != k.want {
			t.Errorf("%q, want %q", got, k.want)
		}
	}
}

// The warps of a barrier arrive in one cycle, from two schedulers.
func TestArrivalsAreTakenOneEachInterval(t *testing.T) {
	for _, c := range []struct {
		interval int
		last     wire.Cycle // in which the release is seen
	}{{0, 7}, {1, 9}, {2, 12}, {5, 21}} {
		d := wire.NewDomain("core", smtest.GHz)
		b := New("B", d, Spec{Interval: c.interval}, 1, 2, nil)
		start := wiretest.NewSource("Start", d, &b.Start)
		a := []*wiretest.Source[message.Arrive]{wiretest.NewSource("A0", d, &b.Arrivals[0]),
			wiretest.NewSource("A1", d, &b.Arrivals[1])}
		r := wiretest.NewSink("R0", d, &b.Release[0], 2)
		wiretest.NewSink("R1", d, &b.Release[1], 2)
		start.Send(1, &message.Residence{Contexts: []uint16{0, 1, 2, 3}})
		for w := range 4 {
			a[w%2].Send(wire.Cycle(4+w/2), message.Arrive{Warp: uint16(w)})
		}
		d.RunUntil(60)
		want := []wiretest.At[message.Release]{{Cycle: c.last, Msg: message.Release{Own: [8]uint64{1<<0 | 1<<1}}}}
		if d := cmp.Diff(want, r.Got); d != "" {
			t.Errorf("interval %d (-want +got):\n%s", c.interval, d)
		}
	}
}

func TestEndsOfWarpsAndOperationsOnMbarriersTakeNoTimeOfTheUnit(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	b := New("B", d, Spec{Interval: 20}, 1, 1, nil)
	start := wiretest.NewSource("Start", d, &b.Start)
	a := wiretest.NewSource("A", d, &b.Arrivals[0])
	r := wiretest.NewSink("R", d, &b.Release[0], 2)
	start.Send(1, &message.Residence{Contexts: []uint16{0, 1, 2}})
	a.Send(4, message.Arrive{Warp: 0})
	a.Send(5, message.Arrive{Warp: 1, Exit: true})
	a.Send(6, message.Arrive{Warp: 2, Phase: message.PhaseOperation, Object: 8})
	a.Send(7, message.Arrive{Warp: 2, Exit: true})
	d.RunUntil(60)
	if d := cmp.Diff([]wiretest.At[message.Release]{{Cycle: 9, Msg: message.Release{Own: [8]uint64{1}}}},
		r.Got); d != "" {
		t.Error(d)
	}
}
