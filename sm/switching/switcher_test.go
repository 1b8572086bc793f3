package switching

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// script is a component setting signals at given cycles.
type script struct {
	wire.Comp
	at map[wire.Cycle]func()
}

func (s *script) Tick(now wire.Cycle) bool {
	if f := s.at[now]; f != nil {
		f()
	}
	return now < 200
}

// bench is a switcher of two schedulers with probes all around.
type bench struct {
	d           *wire.Domain
	x           *Switcher
	script      *script
	status      [2]wire.Signal[Status]
	vacancy     wire.Signal[Vacancy]
	events      *wiretest.Source[CTAEvent]
	orders      *wiretest.Sink[Order]
	rewind      *wiretest.Sink[Rewind]
	save        *wiretest.Sink[req.WarpContext]
	saved       *wiretest.Source[req.WarpContext]
	deschedule  [2]*wiretest.Sink[Deschedule]
	descheduled [2]*wiretest.Source[Descheduled]
	woke        [2]*wiretest.Source[Woke]
	back        [2]*wiretest.Sink[Context]

	move     *wiretest.Sink[regfile.Move]
	moved    *wiretest.Source[regfile.Moved]
	standing *wiretest.Source[Standing]
}

func newBench(s Spec) *bench { return newMoverBench(s, false) }

// newMoverBench is a bench with a register file, with or without a mover.
func newMoverBench(s Spec, moves bool) *bench {
	b := &bench{d: wire.NewDomain("core", 1e9), script: &script{at: map[wire.Cycle]func(){}}}
	b.script.Init("Script", b.d, b.script)
	b.x = New("X", b.d, s, SM{CTAs: 4, Schedulers: 2, Moves: moves}, nil)
	for i := range b.status {
		b.status[i].Init(&b.script.Comp, Status{Stopped: ^uint64(0)})
	}
	b.vacancy.Init(&b.script.Comp, Vacancy{})
	b.x.Watch([]*wire.Signal[Status]{&b.status[0], &b.status[1]}, &b.vacancy)
	b.events = wiretest.NewSource("Events", b.d, &b.x.Events)
	if !s.On() {
		b.script.Wake()
		return b
	}
	b.orders = wiretest.NewSink("Orders", b.d, &b.x.Orders, 4)
	b.rewind = wiretest.NewSink("Rewind", b.d, &b.x.Rewind, 4)
	b.save = wiretest.NewSink("Save", b.d, &b.x.Save, 4)
	b.saved = wiretest.NewSource("Saved", b.d, &b.x.Saved)
	for i := range b.deschedule {
		b.deschedule[i] = wiretest.NewSink("Deschedule", b.d, &b.x.Deschedule[i], 4)
		b.descheduled[i] = wiretest.NewSource("Descheduled", b.d, &b.x.Descheduled[i])
		b.woke[i] = wiretest.NewSource("Woke", b.d, &b.x.Woke[i])
		b.back[i] = wiretest.NewSink("Back", b.d, &b.x.Back[i], 4)
	}
	if moves {
		b.move = wiretest.NewSink("Move", b.d, b.x.Move, 2)
		b.moved = wiretest.NewSource("Moved", b.d, &b.x.Moved)
		b.standing = wiretest.NewSource("Standing", b.d, &b.x.Standing)
	}
	b.script.Wake()
	return b
}

// say sets the status of both schedulers in a cycle.
func (b *bench) say(c wire.Cycle, live, stopped, long, fresh uint64) {
	b.script.at[c] = func() {
		for i := range b.status {
			b.status[i].Set(Status{Live: live, Stopped: stopped | ^live, Long: long, Fresh: fresh})
		}
	}
}

// start starts a CTA with a slot of each scheduler.
func (b *bench) start(c wire.Cycle, cta uint16, slot int) {
	s := CTAEvent{CTA: cta, Event: Started, Contexts: []uint16{2 * cta, 2*cta + 1}}
	s.Slots[0], s.Slots[1] = 1<<slot, 1<<slot
	b.events.Send(c, s)
}

// admit starts a CTA by order of the switcher.
func (b *bench) admit(c wire.Cycle, cta uint16, slot int) {
	s := CTAEvent{CTA: cta, Event: Started, Contexts: []uint16{2 * cta, 2*cta + 1}, Ordered: true}
	s.Slots[0], s.Slots[1] = 1<<slot, 1<<slot
	b.events.Send(c, s)
}

// The CTA is known at 2. Its first issue is seen at 11 (said at 10), its stall at 31.
func TestTheTimeToTheFirstStallIsMeasuredOnce(t *testing.T) {
	b := newBench(Spec{Switching: None, Observe: true})
	b.start(1, 0, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.say(30, 1, 1, 1, 0)
	b.say(40, 1, 0, 0, 0)
	b.say(50, 1, 1, 1, 0)
	b.d.RunUntil(100)
	if b.x.measured != 1 || b.x.measuredTime != 20 {
		t.Errorf("%d first stalls in %d cycles, want 1 in 20", b.x.measured, b.x.measuredTime)
	}
}

// The stall is seen at 31, with a new CTA waiting: the orders go. Both schedulers have
// answered at 36. Of a context of a warp each, two go to shared memory. The slots are free at
// once, and the new CTA may come.
func TestACTAThatStallsGoesForANewOne(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread, ContextBytes: 128})
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.say(30, 1, 1, 1, 0)
	b.script.at[29] = func() { b.vacancy.Set(Vacancy{Waiting: 2}) }
	b.descheduled[0].Send(34, Descheduled{CTA: 3, Warps: []Context{{Warp: 6, Predicates: 11}}})
	b.descheduled[1].Send(35, Descheduled{CTA: 3, Warps: []Context{{Warp: 7, Predicates: 14}}})
	b.saved.Send(39, req.WarpContext{CTA: 3, Warp: 6, Out: true})
	b.saved.Send(40, req.WarpContext{CTA: 3, Warp: 7, Out: true})
	b.admit(50, 1, 0)
	b.d.RunUntil(100)
	if len(b.deschedule[0].Got) != 1 || b.deschedule[0].Got[0].Cycle != 32 || len(b.deschedule[1].Got) != 1 ||
		b.deschedule[1].Got[0].Msg.CTA != 3 {
		t.Errorf("deschedule orders %+v, %+v; want CTA 3 at 32", b.deschedule[0].Got, b.deschedule[1].Got)
	}
	want := []Order{{CTA: 3, Kind: Leave}, {CTA: 3, Kind: Left}, {CTA: 0, Kind: Admit}}
	var got []Order
	for _, o := range b.orders.Got {
		got = append(got, o.Msg)
	}
	if len(got) != 3 || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || b.orders.Got[1].Cycle != 38 ||
		b.orders.Got[2].Cycle != 39 {
		t.Fatalf("orders %+v, want %+v, the latter two at 38 and 39", b.orders.Got, want)
	}
	if len(b.rewind.Got) != 1 || b.rewind.Got[0].Cycle != 37 || b.rewind.Got[0].Msg.CTA != 3 {
		t.Errorf("rewind %+v, want CTA 3 at 37", b.rewind.Got)
	}
	if s := b.save.Got; len(s) != 2 ||
		s[0].Msg != (req.WarpContext{Bytes: 128, CTA: 3, Warp: 6, Predicates: 11, Out: true}) ||
		s[1].Msg != (req.WarpContext{Bytes: 128, CTA: 3, Warp: 7, Predicates: 14, Out: true}) {
		t.Errorf("contexts %+v, want those of warps 6 and 7, of 128 bytes, out", s)
	}
	if b.x.switches != 1 || b.x.startedNew != 1 || b.x.returned != 0 || len(b.x.swaps) != 0 ||
		b.x.monitor.resident != 2 ||
		b.x.monitor.active != 1 {
		t.Errorf("%d switches, %d new, %d returned, %d under way, %d resident, %d active", b.x.switches, b.x.startedNew,
			b.x.returned, len(b.x.swaps), b.x.monitor.resident, b.x.monitor.active)
	}
	if b.x.swapCycles != 20 { // begun at 31, over at 51
		t.Errorf("%d cycles of switches, want 20", b.x.swapCycles)
	}
}

// Nothing could come in: the CTA stays, for 20 cycles.
func TestACTAThatStallsStaysWhereNothingCouldComeIn(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.say(30, 1, 1, 1, 0)
	b.say(50, 1, 0, 0, 0)
	b.d.RunUntil(100)
	if len(b.orders.Got)+len(b.deschedule[0].Got) != 0 || b.x.stay[nothingReady] != 20 {
		t.Errorf("orders %+v, stayed %v; want none, 20 cycles", b.orders.Got, b.x.stay)
	}
}

// A CTA does not leave before it has issued since it entered.
func TestACTAThatHasNotIssuedStays(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 3, 0)
	b.say(3, 1, 1, 1, 1)
	b.script.at[2] = func() { b.vacancy.Set(Vacancy{Waiting: 2}) }
	b.d.RunUntil(100)
	if len(b.deschedule[0].Got) != 0 {
		t.Errorf("deschedule orders %+v, want none", b.deschedule[0].Got)
	}
}

// One of two schedulers has free slots: a CTA with a warp in each cannot enter them.
// This is counted from its first chance on.
func TestACTAWaitsForSlotsOfItsOwnSchedulers(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 3, 0)
	b.script.at[1] = func() { b.vacancy.Set(Vacancy{Free: [MostSchedulers]uint8{2, 0}, CTAs: 1}) }
	b.d.RunUntil(5)
	c := &b.x.monitor.ctas[2]
	b.x.monitor.resident++
	*c = ctaState{context: Pending, registers: Pipeline, launch: 9}
	b.x.monitor.able.Add(2)
	c.warps[0], c.warps[1] = 1, 1
	b.say(30, 1, 0, 0, 0)
	b.script.at[40] = func() { b.vacancy.Set(Vacancy{Free: [MostSchedulers]uint8{1, 1}, CTAs: 1}) }
	b.d.RunUntil(100)
	if len(b.orders.Got) != 1 || b.orders.Got[0].Msg != (Order{CTA: 2, Kind: Enter}) || b.orders.Got[0].Cycle != 43 {
		t.Errorf("orders %+v, want CTA 2 to enter: seen at 41, sent at 42", b.orders.Got)
	}
	if b.x.blocking[slots] != 10 { // seen at 31 first, until 41
		t.Errorf("%d cycles blocked, want 10", b.x.blocking[slots])
	}
}

// gatesAt reports the first slots of both schedulers as waiting for gates.
func (b *bench) gatesAt(c wire.Cycle, gated uint64) {
	b.script.at[c] = func() {
		for i := range b.status {
			b.status[i].Set(Status{Live: 0b11, Stopped: ^uint64(0b11), Gated: gated})
		}
	}
}

// CTA 1 lost its slots to CTA 3, and can go on at 61; CTA 3 waits for gates since 50, and has
// issued nothing.
func TestACTAWaitingForGatesLeavesForAReadyCTAAndNotForANewOne(t *testing.T) {
	for name, ready := range map[string]bool{"could go on": true, "waits for memory": false} {
		b := newBench(Spec{Switching: VirtualThread})
		b.start(1, 1, 0)
		b.say(3, 1, 0, 0, 1)
		b.say(10, 1, 0, 0, 0)
		b.say(20, 1, 1, 1, 0)
		b.script.at[19] = func() { b.vacancy.Set(Vacancy{Waiting: 2}) }
		for i := range b.descheduled {
			b.descheduled[i].Send(24, Descheduled{CTA: 1, Warps: []Context{{Warp: uint16(2 + i)}}})
		}
		b.admit(40, 3, 0)
		b.gatesAt(50, 1)
		if ready {
			b.woke[0].Send(60, Woke{CTA: 1})
		}
		b.d.RunUntil(100)
		want := 1
		if ready {
			want = 2
		}
		if len(b.deschedule[0].Got) != want || ready && (b.deschedule[0].Got[1].Msg.CTA != 3 ||
			b.deschedule[0].Got[1].Cycle != 62) {
			t.Errorf("CTA 1 %s: deschedule orders %+v, want %d, CTA 3's at 62", name, b.deschedule[0].Got, want)
		}
	}
}

// CTA 1, without slots, has a warp of each scheduler and can go on. CTAs 2 and 3 have a slot of
// one scheduler each and wait for gates: neither makes room for CTA 1 alone.
func TestACTAThatWaitsForGatesMakesRoomWithOthers(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 1, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.say(20, 1, 1, 1, 0)
	b.script.at[19] = func() { b.vacancy.Set(Vacancy{Waiting: 1}) }
	for i := range b.descheduled {
		b.descheduled[i].Send(24, Descheduled{CTA: 1, Warps: []Context{{Warp: uint16(2 + i)}}})
	}
	for i := range 2 {
		s := CTAEvent{CTA: uint16(2 + i), Event: Started, Contexts: []uint16{uint16(4 + i)}, Ordered: i == 0}
		s.Slots[i] = 1
		b.events.Send(wire.Cycle(40+i), s)
	}
	b.gatesAt(50, 1)
	b.woke[0].Send(60, Woke{CTA: 1})
	b.script.at[59] = func() { b.vacancy.Set(Vacancy{}) }
	b.descheduled[0].Send(70, Descheduled{CTA: 2, Warps: []Context{{Warp: 4}}})
	b.descheduled[1].Send(71, Descheduled{CTA: 2})
	b.script.at[74] = func() { b.vacancy.Set(Vacancy{Free: [MostSchedulers]uint8{1}, CTAs: 1}) }
	b.d.RunUntil(100)
	var got []uint16
	for _, g := range b.deschedule[0].Got {
		got = append(got, g.Msg.CTA)
	}
	if len(got) != 3 || got[1] != 2 || got[2] != 3 || len(b.x.swaps) != 1 ||
		b.x.swaps[0].out != 3 || b.x.swaps[0].in != 1 {
		t.Fatalf("CTAs %v are to go, the last for CTA %+v; want 1, 2 and 3, for CTA 1", got, b.x.swaps)
	}
	// CTA 2 has left at 73; residency shows its slots two cycles later
	if c := b.deschedule[0].Got[2].Cycle; c != 76 {
		t.Errorf("CTA 3 is to go at %d, want 76", c)
	}
}
