package switching

import (
	"slices"
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// receive takes the orders of the switcher.
func (w *world) receive(now wire.Cycle) {
	for o := w.Orders.Head(); o != nil; o = w.Orders.Head() {
		w.order(*o, now)
		w.Orders.Pop()
	}
	for i := range w.Deschedule {
		for m := w.Deschedule[i].Head(); m != nil; m = w.Deschedule[i].Head() {
			w.deschedule(i, m.CTA, now)
			w.Deschedule[i].Pop()
		}
		for w.Back[i].Head() != nil {
			w.Back[i].Pop()
		}
	}
	for m := w.Save.Head(); m != nil && w.Saved.CanPut(); m = w.Save.Head() {
		if b := &w.ctas[m.CTA]; !m.Out && b.hasSlots && !b.goes {
			w.fail("context of CTA %d is read while it has slots", m.CTA)
		}
		w.Saved.Put(*m)
		w.Save.Pop()
	}
	for m := w.Rewind.Head(); m != nil; m = w.Rewind.Head() {
		if (m.Report || m.ReportOnly) && w.Stands.Connected() {
			s := Standing{Contexts: m.Contexts, PCs: []int32{1, 2}}
			w.after(now, 3, func() { w.Stands.Put(s) })
		}
		w.Rewind.Pop()
	}
	if !w.Moved.Connected() {
		return
	}
	for m := w.Move.Head(); m != nil; m = w.Move.Head() {
		w.move(*m, now)
		w.Move.Pop()
	}
}

// deschedule answers as one of the schedulers vacating a CTA's slots.
func (w *world) deschedule(sched int, cta uint16, now wire.Cycle) {
	b := &w.ctas[cta]
	if sched == 0 {
		if w.deschedules++; w.deschedules > 1 {
			w.fail("two CTAs are taken from their slots at once")
		}
	}
	if !b.in || !b.hasSlots {
		w.fail("CTA %d is to give up slots that it has not", cta)
	}
	b.goes = true
	w.after(now, 9, func() {
		w.Descheduled[sched].Put(Descheduled{CTA: cta, Warps: []Context{{Warp: 2*cta + uint16(sched)}}})
		if sched == 0 {
			w.deschedules--
		}
	})
}

// move answers an order to move registers: every third CTA finds no room.
func (w *world) move(m regfile.Move, now wire.Cycle) {
	if w.moves++; w.moves > 1 {
		w.fail("two orders to move registers at once")
	}
	refused := m.Out != regfile.NoCTA && w.r.IntN(3) == 0
	w.after(now, 60, func() {
		w.moves--
		if !m.Ask && !refused {
			if m.Out != regfile.NoCTA {
				w.ctas[m.Out].file = false
			}
			if m.In != regfile.NoCTA {
				w.ctas[m.In].file = true
			}
			w.held()
		}
		w.Moved.Put(regfile.Moved{Refused: refused})
	})
}

// held checks that the register file does not hold more CTAs than fit.
func (w *world) held() {
	n := 0
	for i := range w.ctas {
		if w.ctas[i].file {
			n++
		}
	}
	if w.Moved.Connected() && n > w.files {
		w.fail("%d CTAs have their registers in a file of %d", n, w.files)
	}
}

// order answers as residency.
func (w *world) order(o Order, now wire.Cycle) {
	b := &w.ctas[o.CTA]
	switch o.Kind {
	case Left:
		b.hasSlots, b.goes = false, false
		if !b.stalls { // it went on before the schedulers got the order
			b.stalls, b.until = true, now
		}
	case Admit:
		w.admit = true
	case Enter:
		if !b.in || b.hasSlots {
			w.fail("CTA %d is to enter where it is", o.CTA)
		}
		slot, _, _ := w.free()
		if slot < 0 {
			w.fail("CTA %d is to enter without a slot for it", o.CTA)
			return
		}
		if w.Moved.Connected() && !b.file {
			w.fail("CTA %d enters without its registers", o.CTA)
		}
		w.assign(int(o.CTA), slot, Returned, now)
	}
}

// start starts a new CTA if one may start.
func (w *world) start(now wire.Cycle) {
	outside, at := 0, -1
	for i := range w.ctas {
		b := &w.ctas[i]
		if b.in && (!b.hasSlots || b.goes) {
			outside++
		}
		if !b.in {
			at = i
		}
	}
	slot, _, _ := w.free()
	fits := w.left > 0 && slot >= 0 && at >= 0
	switch {
	case fits && (w.admit || outside == 0):
		w.left--
		w.ctas[at] = body{runs: 1 + w.r.IntN(4), file: true}
		w.held()
		w.assign(at, slot, Started, now)
	case w.admit:
		w.Events.Put(CTAEvent{Event: Refused})
	}
	w.admit = false
}

// show sets the signals of residency and the schedulers.
func (w *world) show(now wire.Cycle) {
	var r Vacancy
	_, n, vacant := w.free()
	r.Free[0], r.Free[1], r.CTAs = uint8(n), uint8(n), uint16(vacant)
	resident := 0
	st := Status{Stopped: ^uint64(0)}
	for i := range w.ctas {
		b := &w.ctas[i]
		if !b.in {
			continue
		}
		resident++
		if bit := uint64(1) << b.slot; b.hasSlots && !b.goes {
			st.Live |= bit
			if now < b.born+3 {
				st.Fresh |= bit
			}
			if b.stalls {
				st.Long |= bit
			} else {
				st.Stopped &^= bit
			}
		}
	}
	if w.left > 0 && resident < len(w.ctas) {
		r.Waiting = 2
	}
	w.vacancy.Set(r)
	for i := range w.status {
		w.status[i].Set(st)
	}
}

// Whatever the times and the order of the answers, every CTA of a grid comes to its end, no contract of a
// neighbour is broken, and several switches are under way where they may be.
func TestSwitchesAtOnceEndInAnyOrderOfAnswers(t *testing.T) {
	for _, k := range []struct {
		switches int
		moves    bool
	}{{0, false}, {1, false}, {2, false}, {0, true}, {1, true}} {
		most := 0
		for seed := range uint64(300) {
			s := Spec{Switching: VirtualThread, ContextBytes: 64, Switches: k.switches, PreferNew: seed%2 == 0}
			w, d := newWorld(seed, s, k.moves)
			d.RunUntil(100_000)
			if w.fault != "" || w.ended != 30 {
				t.Fatalf("%+v, seed %d: %d of 30 CTAs have ended; %s; switcher: %s", k, seed, w.ended, w.fault,
					w.x.Waiting())
			}
			if len(w.x.swaps)+int(w.x.monitor.resident) != 0 {
				t.Fatalf("%+v, seed %d: %d switches and %d CTAs are left", k, seed, len(w.x.swaps),
					w.x.monitor.resident)
			}
			most = max(most, w.most)
		}
		if k.switches > 0 && most > k.switches || k.switches == 0 && most < 2 {
			t.Errorf("%+v: %d switches at once", k, most)
		}
	}
}

// CTAs 1 and 3 stall, CTAs 0 and 2 could go on: the second switch deschedules its CTA as soon as the first one's
// has left its slots, while contexts of the first are still on their way, or, one at a time, when
// the first is over.
func TestASecondCTALeavesWhileTheFirstSwitchIsUnderWay(t *testing.T) {
	for most, want := range map[int]wire.Cycle{0: 52, 1: 92} {
		b := newBench(Spec{Switching: VirtualThread, ContextBytes: 128, Switches: most})
		b.start(1, 1, 0)
		b.start(1, 3, 1)
		b.say(3, 0b11, 0, 0, 0b11)
		b.say(10, 0b11, 0, 0, 0)
		b.d.RunUntil(12)
		for i, cta := range []int{0, 2} {
			b.pending(cta, uint64(9+i), true, 1, 1)
			b.x.of[cta] = []Context{{Warp: uint16(2 * cta)}}
		}
		b.vacancyAt(20, 0, 0, 0, 0)
		b.say(30, 0b11, 0b11, 0b11, 0)
		for i := range b.descheduled {
			b.descheduled[i].Send(50, Descheduled{CTA: 1, Warps: []Context{{Warp: uint16(2 + i)}}})
		}
		b.saved.Send(80, req.WarpContext{CTA: 0, Warp: 0})
		s := CTAEvent{CTA: 0, Event: Returned}
		s.Slots[0], s.Slots[1] = 1, 1
		b.events.Send(90, s)
		b.d.RunUntil(120)
		got := b.deschedule[0].Got
		if len(got) != 2 || got[0].Msg.CTA != 1 || got[0].Cycle != 32 || got[1].Msg.CTA != 3 || got[1].Cycle != want {
			t.Errorf("at most %d: deschedule orders %+v, want CTA 1 at 32, CTA 3 at %d", most, got, want)
		}
	}
}

// CTA 1 has left for CTA 0, whose context is on its way until 80. CTA 1 could continue at 60. One more slot of
// each scheduler is free from 65 on, so CTA 1 returns at once.
func TestACTAReturnsWhileItsSuccessorIsStillOnItsWay(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread, ContextBytes: 128})
	b.start(1, 1, 0)
	b.start(1, 3, 1)
	b.say(3, 0b11, 0, 0, 0b11)
	b.say(10, 0b11, 0, 0, 0)
	b.d.RunUntil(12)
	b.pending(0, 9, true, 1, 1)
	b.x.of[0] = []Context{{Warp: 0}}
	b.vacancyAt(20, 0, 0, 0, 0)
	b.say(30, 0b11, 0b01, 0b01, 0)
	for i := range b.descheduled {
		b.descheduled[i].Send(40, Descheduled{CTA: 1, Warps: []Context{{Warp: uint16(2 + i)}}})
	}
	b.vacancyAt(45, 1, 1, 1, 0)
	b.woke[0].Send(60, Woke{CTA: 1})
	b.vacancyAt(65, 2, 2, 2, 0)
	for w := range uint16(2) {
		b.saved.Send(70, req.WarpContext{CTA: 1, Warp: 2 + w})
	}
	b.saved.Send(80, req.WarpContext{CTA: 0, Warp: 0})
	b.d.RunUntil(100)
	want := []Order{{CTA: 1, Kind: Leave}, {CTA: 1, Kind: Left}, {CTA: 1, Kind: Enter}}
	var got []Order
	for _, o := range b.orders.Got {
		got = append(got, o.Msg)
	}
	if !slices.Equal(got, want) || len(b.x.swaps) != 2 {
		t.Errorf("orders %+v with %d switches under way, want %+v with 2", got, len(b.x.swaps), want)
	}
}

// A slot of each scheduler is free from 40 on. CTA 1 stalls, and leaves for CTA 0. CTA 2 needs the free slots,
// not the slots of the switch, and enters at once.
func TestFreeSlotsBesideThoseOfASwitchAreGivenAtOnce(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread})
	b.start(1, 1, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.d.RunUntil(12)
	b.pending(0, 8, true, 1, 1)
	b.pending(2, 9, true, 1, 1)
	b.vacancyAt(20, 0, 0, 0, 0)
	b.say(30, 1, 1, 1, 0)
	b.vacancyAt(40, 1, 1, 1, 0)
	b.d.RunUntil(100)
	want := []wiretest.At[Order]{{Cycle: 32, Msg: Order{CTA: 1, Kind: Leave}},
		{Cycle: 43, Msg: Order{CTA: 2, Kind: Enter}}}
	if !slices.Equal(b.orders.Got, want) {
		t.Errorf("orders %+v, want %+v", b.orders.Got, want)
	}
}

// CTA 0 returns by itself. So residency starts CTA 1 by itself while the order to start a new CTA is on
// its way. The order is then refused, and the switch is over.
func TestACTAThatResidencyStartsByItselfEndsNoSwitch(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread, PreferNew: true})
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 0)
	b.d.RunUntil(5)
	b.pending(0, 9, false, 1, 1)
	b.vacancyAt(9, 2, 2, 2, 2)
	b.start(11, 1, 1)
	b.d.RunUntil(20)
	b.wantOrder(t, Order{CTA: 0, Kind: Admit}, 12)
	if len(b.x.swaps) != 1 || b.x.startedNew != 0 {
		t.Fatalf("%d switches under way, %d started; want 1 and none", len(b.x.swaps), b.x.startedNew)
	}
	b.vacancyAt(21, 0, 0, 0, 0)
	b.events.Send(30, CTAEvent{Event: Refused})
	b.d.RunUntil(40)
	if len(b.x.swaps) != 0 || b.x.swapCycles != 21 { // 10 to 31
		t.Errorf("%d switches under way, %d cycles; want none after 21", len(b.x.swaps), b.x.swapCycles)
	}
}
