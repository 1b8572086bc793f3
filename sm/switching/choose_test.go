package switching

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// pending gives the switcher a CTA without slots, the n-th to be launched, with its
// registers in the register file and warps of each scheduler.
func (b *bench) pending(cta int, n uint64, ready bool, warps ...uint8) {
	b.x.monitor.resident++
	b.x.monitor.held++
	c := &b.x.monitor.ctas[cta]
	*c = ctaState{context: Pending, registers: Pipeline, launch: n}
	if ready {
		b.x.monitor.able.Add(cta)
	}
	copy(c.warps[:], warps)
}

// vacancyAt sets the free slots of both schedulers, the number of CTAs allowed to have slots, and the
// warps of a new one.
func (b *bench) vacancyAt(c wire.Cycle, free0, free1 uint8, vacant, waiting uint16) {
	b.script.at[c] = func() {
		b.vacancy.Set(Vacancy{Free: [MostSchedulers]uint8{free0, free1}, CTAs: vacant, Waiting: waiting})
	}
}

func (b *bench) wantOrder(t *testing.T, o Order, c wire.Cycle) {
	t.Helper()
	if len(b.orders.Got) != 1 || b.orders.Got[0].Msg != o || b.orders.Got[0].Cycle != c {
		t.Errorf("orders %+v, want %+v alone, there at %d", b.orders.Got, o, c)
	}
}

// CTA 2 has no slots; one slot of each scheduler is free at 10, as many as both CTA 2 and a
// new CTA need. The order is sent a cycle after the choice.
func TestAResidentCTAThatCouldGoOnComesBeforeANewOneUnlessNewOnesArePreferred(t *testing.T) {
	for _, k := range []struct {
		what         string
		ready, fresh bool
		want         Order
	}{
		{"a resident one could go on", true, false, Order{CTA: 2, Kind: Enter}},
		{"none could go on", false, false, Order{Kind: Admit}},
		{"new ones are preferred", true, true, Order{Kind: Admit}},
	} {
		b := newBench(Spec{Switching: VirtualThread, PreferNew: k.fresh})
		b.start(1, 3, 0)
		b.say(3, 1, 0, 0, 0)
		b.d.RunUntil(5)
		b.pending(2, 9, k.ready, 1, 1)
		b.vacancyAt(9, 1, 1, 1, 2)
		b.d.RunUntil(60)
		t.Log(k.what)
		b.wantOrder(t, k.want, 12)
	}
}

// Every resident CTA has slots, and there are free ones: nobody has to go.
func TestANewCTAForWhichThereAreSlotsIsResidencysToStart(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.say(30, 1, 1, 1, 0)
	b.vacancyAt(29, 4, 4, 1, 2)
	b.d.RunUntil(60)
	if len(b.orders.Got)+len(b.deschedule[0].Got) != 0 {
		t.Errorf("orders %+v, to deschedule %+v; want none", b.orders.Got, b.deschedule[0].Got)
	}
}

// CTA 2 finds slots from 10 on, and as many CTAs as may have slots until 40.
func TestNoMoreCTAsHaveSlotsThanMay(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 0)
	b.d.RunUntil(5)
	b.pending(2, 9, true, 1, 1)
	b.vacancyAt(9, 1, 1, 0, 0)
	b.vacancyAt(40, 1, 1, 1, 0)
	b.d.RunUntil(60)
	b.wantOrder(t, Order{CTA: 2, Kind: Enter}, 43)
	if n := b.x.blocking[slots]; n != 0 {
		t.Errorf("%d cycles kept out by schedulers, want 0: the slots are of the right ones", n)
	}
}

func TestTheCTAThatWasLaunchedFirstComesBackFirstIfItFits(t *testing.T) {
	for _, k := range []struct {
		what         string
		launch       [2]uint64 // of CTAs 0 and 1, which have a warp of scheduler 0 and 1
		free0, free1 uint8
		want         uint16
	}{
		{"the first", [2]uint64{5, 9}, 1, 1, 0},
		{"the first has the higher number", [2]uint64{9, 5}, 1, 1, 1},
		{"the first does not fit", [2]uint64{5, 9}, 0, 1, 1},
	} {
		b := newBench(Spec{Switching: VirtualThread})
		b.start(1, 3, 0)
		b.say(3, 1, 0, 0, 0)
		b.d.RunUntil(5)
		b.pending(0, k.launch[0], true, 1, 0)
		b.pending(1, k.launch[1], true, 0, 1)
		b.vacancyAt(9, k.free0, k.free1, 1, 0)
		b.d.RunUntil(60)
		t.Log(k.what)
		b.wantOrder(t, Order{CTA: k.want, Kind: Enter}, 12)
	}
}

// CTA 1 has slot 0 of each scheduler, CTA 3 slot 1. Both stall, and a new CTA comes at 41.
func TestTheCTAThatHasStalledForLongestGoes(t *testing.T) {
	for _, k := range []struct {
		what  string
		first uint64 // slots that stall at 21; the others stall at 31
		want  uint16
	}{{"CTA 3 stalls first", 0b10, 3}, {"CTA 1 stalls first", 0b01, 1}, {"at the same time", 0b11, 1}} {
		b := newBench(Spec{Switching: VirtualThread})
		b.start(1, 1, 0)
		b.start(1, 3, 1)
		b.say(3, 0b11, 0, 0, 0b11)
		b.say(10, 0b11, 0, 0, 0)
		b.say(20, 0b11, k.first, k.first, 0)
		b.say(30, 0b11, 0b11, 0b11, 0)
		b.vacancyAt(40, 0, 0, 0, 2)
		b.d.RunUntil(60)
		if len(b.deschedule[1].Got) != 1 || b.deschedule[1].Got[0].Msg.CTA != k.want ||
			b.deschedule[1].Got[0].Cycle != 42 {
			t.Errorf("%s: deschedule orders %+v, want CTA %d at 42", k.what, b.deschedule[1].Got, k.want)
		}
	}
}

// CTA 0 needs a slot of scheduler 0, where one is free, and two of scheduler 1, where none
// is. CTA 1 has one of scheduler 0, CTAs 2 and 3 have one of scheduler 1 each; all have
// waited for gates since 21.
func TestOnlyACTAWithSlotsThatAreLackingMakesRoomWithOthers(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	for i, slots := range [][2]uint64{{1, 0}, {0, 1}, {0, 2}} {
		s := CTAEvent{CTA: uint16(i + 1), Event: Started, Contexts: []uint16{uint16(i)}}
		s.Slots[0], s.Slots[1] = slots[0], slots[1]
		b.events.Send(1, s)
	}
	b.say(3, 0b11, 0, 0, 0)
	b.d.RunUntil(5)
	b.pending(0, 9, true, 1, 2)
	b.vacancyAt(9, 1, 0, 1, 0)
	b.gatesAt(20, 0b11)
	b.d.RunUntil(60)
	if len(b.deschedule[0].Got) != 1 || b.deschedule[0].Got[0].Msg.CTA != 2 || b.deschedule[0].Got[0].Cycle != 22 {
		t.Errorf("deschedule orders %+v, want CTA 2 at 22", b.deschedule[0].Got)
	}
}

// CTA 3 has one slot of each of the two schedulers, and stalls from 31 to 51. It keeps them because no other CTA would
// fit: the one without slots needs two of scheduler 0, and the new one needs three slots.
func TestAStallCountsWhyTheCTAKeptItsSlots(t *testing.T) {
	for _, k := range []struct {
		what    string
		waiting uint16
		want    stay
		blocked uint64
	}{{"warps of one scheduler", 0, noSlots, 20}, {"too many warps", 3, nothingReady, 0}} {
		b := newBench(Spec{Switching: VirtualThread})
		b.start(1, 3, 0)
		b.say(3, 1, 0, 0, 1)
		b.say(10, 1, 0, 0, 0)
		b.d.RunUntil(12)
		if k.waiting == 0 {
			b.pending(2, 9, true, 2, 0)
		}
		b.vacancyAt(20, 0, 0, 1, k.waiting)
		b.say(30, 1, 1, 1, 0)
		b.say(50, 1, 0, 0, 0)
		b.d.RunUntil(100)
		want := [numStays]uint64{}
		want[k.want] = 20
		if b.x.stay != want || b.x.blocking[slots] != k.blocked || len(b.deschedule[0].Got) != 0 {
			t.Errorf("%s: stayed %v, blocked %d cycles; want %v, %d", k.what, b.x.stay, b.x.blocking[slots], want,
				k.blocked)
		}
	}
}

// CTA 0's registers are in the register file, now full. Its context comes
// from shared memory, is there at 31, and CTA 0 enters.
func TestACTAWhoseRegistersStayedComesBackWithoutAMove(t *testing.T) {
	b := newMoverBench(Spec{Switching: "moving", ContextBytes: 128}, true)
	b.x.Load(2)
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 0)
	b.d.RunUntil(5)
	b.pending(0, 9, true, 1, 0)
	b.x.of[0] = []Context{{Warp: 4, Predicates: 9}}
	b.vacancyAt(9, 1, 0, 1, 0)
	b.saved.Send(30, req.WarpContext{CTA: 0, Warp: 4, Predicates: 9})
	s := CTAEvent{CTA: 0, Event: Returned}
	s.Slots[0] = 2
	b.events.Send(40, s)
	b.d.RunUntil(60)
	b.wantOrder(t, Order{CTA: 0, Kind: Enter}, 32)
	if len(b.save.Got) != 1 || b.save.Got[0].Cycle != 11 || len(b.move.Got) != 0 {
		t.Errorf("contexts %+v, moves %+v; want a context at 11 and no move", b.save.Got, b.move.Got)
	}
	if b.x.returned != 1 || b.x.movedIn != 0 || b.x.monitor.active != 2 || b.x.swapCycles != 31 { // 10 to 41
		t.Errorf("%d returned, %d moved in, %d active, %d cycles; want 1, 0, 2, 31", b.x.returned, b.x.movedIn,
			b.x.monitor.active, b.x.swapCycles)
	}
}
