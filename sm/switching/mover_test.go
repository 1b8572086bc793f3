package switching

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// full is a bench with a register file of one CTA: 3, issued and stalled from 31
// on. A new CTA waits.
func full() *bench {
	b := newMoverBench(Spec{Switching: "moving"}, true)
	b.x.Load(1)
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.say(30, 1, 1, 1, 0)
	b.script.at[29] = func() { b.vacancy.Set(Vacancy{Waiting: 2, Free: [MostSchedulers]uint8{4, 4}, CTAs: 0}) }
	return b
}

// stand answers where the warps of the CTA stand.
func (b *bench) stand(c wire.Cycle, pcs ...int32) {
	b.standing.Send(c, Standing{Contexts: []uint16{6, 7}, PCs: pcs})
}

func (b *bench) deschedule3(c wire.Cycle) {
	for i := range b.descheduled {
		b.descheduled[i].Send(c, Descheduled{CTA: 3, Warps: []Context{{Warp: uint16(6 + i)}}})
	}
}

func (b *bench) moves() (out []regfile.Move) {
	for _, m := range b.move.Got {
		out = append(out, m.Msg)
	}
	return out
}

// The stall is seen at 31: fetch is asked for the warps' next instructions, the register file for
// room. Then the schedulers vacate the slots. The registers are moved by the next instructions of
// that time, different from the first ones. Afterwards the new CTA may start.
func TestTheRegistersOfACTAThatGoesAreMovedBeforeANewOneStarts(t *testing.T) {
	b := full()
	b.stand(35, 5, 9)
	b.moved.Send(40, regfile.Moved{})
	b.deschedule3(45)
	b.stand(50, 5, regfile.NoPC)
	b.moved.Send(70, regfile.Moved{})
	b.admit(80, 1, 0)
	b.d.RunUntil(100)
	got := b.moves()
	if len(got) != 2 || !got[0].Ask || got[1].Ask || got[0].Out != 3 || got[1].Out != 3 || got[1].In != regfile.NoCTA ||
		got[1].PCs[1] != regfile.NoPC {
		t.Fatalf("orders to move %+v, want CTA 3 asked about and moved", got)
	}
	if len(b.rewind.Got) != 2 || !b.rewind.Got[0].Msg.ReportOnly || b.rewind.Got[1].Msg.ReportOnly {
		t.Errorf("orders to fetch %+v, want one to look and one to go back", b.rewind.Got)
	}
	if o := b.orders.Got; len(o) != 3 || o[1].Msg != (Order{CTA: 3, Kind: Left}) || o[1].Cycle != 72 ||
		o[2].Msg.Kind != Admit {
		t.Errorf("orders %+v, want CTA 3 to have left at 71, when its registers were away", o)
	}
	m := &b.x.monitor
	if b.x.movedOut != 1 || b.x.switches != 1 || b.x.startedNew != 1 || m.held != 1 || m.ctas[3].registers != Pending ||
		m.ctas[1].registers != Pipeline {
		t.Errorf("%d moved out, %d switches, %d new; the file holds %d; CTA 3 is at %d, CTA 1 at %d", b.x.movedOut,
			b.x.switches, b.x.startedNew, m.held, m.ctas[3].registers, m.ctas[1].registers)
	}
}

// It is asked about once; when the new CTA waits for room, its stall is counted so.
func TestACTAForWhoseRegistersThereIsNoRoomStays(t *testing.T) {
	b := full()
	b.stand(35, 5, 9)
	b.moved.Send(40, regfile.Moved{Refused: true})
	b.say(90, 1, 0, 0, 0)
	b.d.RunUntil(100)
	if len(b.move.Got) != 1 || len(b.deschedule[0].Got) != 0 || len(b.x.swaps) != 0 {
		t.Fatalf("orders to move %+v, to deschedule %+v, %d under way; want it asked about once and left alone",
			b.moves(),
			b.deschedule[0].Got, len(b.x.swaps))
	}
	if b.x.stay[noRoom] != 50 { // answered at 41, gone on at 91
		t.Errorf("%d cycles without room, want 50", b.x.stay[noRoom])
	}
}

// The CTA goes on while the register file is asked.
func TestACTAThatGoesOnWhileItIsAskedAboutStays(t *testing.T) {
	b := full()
	b.stand(35, 5, 9)
	b.say(37, 1, 0, 0, 0)
	b.moved.Send(40, regfile.Moved{})
	b.d.RunUntil(100)
	if len(b.deschedule[0].Got) != 0 || len(b.x.swaps) != 0 {
		t.Errorf("orders to deschedule %+v, %d under way; want none", b.deschedule[0].Got, len(b.x.swaps))
	}
}

// There was room when the register file was asked, and there is none when the CTA has given
// up its slots: it gets them back.
func TestACTAForWhichThereIsNoRoomAnyMoreComesBack(t *testing.T) {
	b := full()
	b.stand(35, 5, 9)
	b.moved.Send(40, regfile.Moved{})
	b.deschedule3(45)
	b.stand(50, 6, 9)
	b.moved.Send(60, regfile.Moved{Refused: true})
	s := CTAEvent{CTA: 3, Event: Returned}
	s.Slots[0], s.Slots[1] = 1, 1
	b.events.Send(70, s)
	b.say(75, 1, 0, 0, 0)
	b.d.RunUntil(100)
	if o := b.orders.Got; len(o) != 3 || o[2].Msg != (Order{CTA: 3, Kind: Enter}) {
		t.Fatalf("orders %+v, want CTA 3 to enter again", o)
	}
	if b.x.revoked != 1 || b.x.switches != 0 || b.x.returned != 0 || b.x.movedOut != 0 || b.x.monitor.held != 1 ||
		len(b.x.swaps) != 0 {
		t.Errorf("%d revoked, %d switches, %d returned, %d moved out, %d under way", b.x.revoked, b.x.switches,
			b.x.returned, b.x.movedOut, len(b.x.swaps))
	}
}

// CTA 2 has its registers elsewhere and could issue; there is room in the register file and
// among the slots. Its registers are brought, and then it gets slots.
func TestTheRegistersOfACTAThatComesAreBroughtFirst(t *testing.T) {
	b := newMoverBench(Spec{Switching: "moving", ContextBytes: 128}, true)
	b.x.Load(2)
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(5, 1, 0, 0, 0)
	b.d.RunUntil(6)
	c := &b.x.monitor.ctas[2]
	b.x.monitor.resident++
	*c = ctaState{context: Pending, registers: Pending, launch: 9}
	b.x.monitor.able.Add(2)
	c.warps[0] = 1
	b.x.of[2] = []Context{{Warp: 4, Predicates: 9}}
	b.script.at[9] = func() { b.vacancy.Set(Vacancy{Free: [MostSchedulers]uint8{1, 0}, CTAs: 1}) }
	b.saved.Send(12, req.WarpContext{CTA: 2, Warp: 4, Predicates: 9})
	b.moved.Send(40, regfile.Moved{})
	s := CTAEvent{CTA: 2, Event: Returned}
	s.Slots[0] = 2
	b.events.Send(50, s)
	b.d.RunUntil(100)
	if got := b.moves(); len(got) != 1 || got[0].Out != regfile.NoCTA || got[0].In != 2 || got[0].Ask {
		t.Fatalf("orders to move %+v, want CTA 2 to come", got)
	}
	if o := b.orders.Got; len(o) != 1 || o[0].Msg != (Order{CTA: 2, Kind: Enter}) || o[0].Cycle != 42 {
		t.Errorf("orders %+v, want CTA 2 to enter at 42, seen at 41", o)
	}
	if s := b.save.Got; len(s) != 1 || s[0].Msg != (req.WarpContext{Bytes: 128, CTA: 2, Warp: 4}) {
		t.Errorf("contexts %+v, want that of warp 4 to come", s)
	}
	if s := b.back[0].Got; len(s) != 1 || s[0].Msg != (Context{Warp: 4, Predicates: 9}) || len(b.back[1].Got) != 0 {
		t.Errorf("contexts to scheduler 0 %+v, to 1 %+v; want that of warp 4 to 0", s, b.back[1].Got)
	}
	if b.x.movedIn != 1 || b.x.returned != 0 || b.x.monitor.held != 2 {
		t.Errorf("%d moved in, %d returned, %d held", b.x.movedIn, b.x.returned, b.x.monitor.held)
	}
}

// The register file holds one CTA, 3, now stalled. CTA 2 has its registers elsewhere and
// could issue. The registers of both are moved by one order.
func TestTheRegistersOfTheLeavingAndTheEnteringCTAAreExchanged(t *testing.T) {
	b := newMoverBench(Spec{Switching: "moving"}, true)
	b.x.Load(1)
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.d.RunUntil(6)
	c := &b.x.monitor.ctas[2]
	b.x.monitor.resident++
	*c = ctaState{context: Pending, registers: Pending, launch: 9}
	b.x.monitor.able.Add(2)
	c.warps[0] = 1
	b.say(30, 1, 1, 1, 0)
	b.stand(35, 5, 9)
	b.moved.Send(40, regfile.Moved{})
	b.deschedule3(45)
	b.stand(50, 5, 9)
	b.moved.Send(60, regfile.Moved{})
	s := CTAEvent{CTA: 2, Event: Returned}
	s.Slots[0] = 1
	b.events.Send(70, s)
	b.d.RunUntil(100)
	if got := b.moves(); len(got) != 2 || !got[0].Ask || got[0].Out != 3 || got[0].In != 2 || got[1].Ask ||
		got[1].Out != 3 || got[1].In != 2 {
		t.Fatalf("orders to move %+v, want CTA 3 exchanged for CTA 2, and asked about before", got)
	}
	if o := b.orders.Got; len(o) != 3 || o[2].Msg != (Order{CTA: 2, Kind: Enter}) || o[2].Cycle != 63 {
		t.Errorf("orders %+v, want CTA 2 to enter at 63, a cycle behind the leave of CTA 3", o)
	}
	m := &b.x.monitor
	if b.x.movedOut != 1 || b.x.movedIn != 1 || b.x.returned != 0 || b.x.switches != 1 || m.held != 1 ||
		m.ctas[3].registers != Pending || m.ctas[2].registers != Pipeline {
		t.Errorf("%d moved out, %d in, %d returned, %d switches; the file holds %d; CTA 3 is at %d, CTA 2 at %d",
			b.x.movedOut, b.x.movedIn, b.x.returned, b.x.switches, m.held, m.ctas[3].registers, m.ctas[2].registers)
	}
}

// CTA 3 leaves for a new CTA, its registers at 70. The new CTA has not started yet when the mover is asked
// about CTA 1, stalled too: the mover has been free since 71.
func TestTheMoverServesTheNextSwitchBeforeTheFirstIsOver(t *testing.T) {
	b := full()
	b.x.Load(2)
	b.start(1, 1, 1)
	b.say(3, 0b11, 0, 0, 0b11)
	b.say(10, 0b11, 0, 0, 0)
	b.say(30, 0b11, 0b01, 0b01, 0)
	b.stand(35, 5, 9)
	b.moved.Send(40, regfile.Moved{})
	b.deschedule3(45)
	b.stand(50, 5, 9)
	b.say(60, 0b11, 0b11, 0b11, 0)
	b.script.at[61] = func() {
		c := &b.x.monitor.ctas[2]
		b.x.monitor.resident++
		*c = ctaState{context: Pending, registers: Pending, launch: 1}
		b.x.monitor.able.Add(2)
		c.warps[0] = 1
	}
	b.moved.Send(70, regfile.Moved{})
	b.d.RunUntil(100)
	if len(b.rewind.Got) != 3 || b.rewind.Got[2].Msg.CTA != 1 || !b.rewind.Got[2].Msg.ReportOnly ||
		b.rewind.Got[2].Cycle != 72 {
		t.Errorf("orders to fetch %+v, want CTA 1 looked at, at 72", b.rewind.Got)
	}
	if len(b.x.swaps) != 2 {
		t.Errorf("%d switches under way, want 2", len(b.x.swaps))
	}
}

// CTA 2's registers are elsewhere, it could continue, and slots are free until 50. But CTA 3 is running, and its
// registers fill the file.
func TestACTAThatWaitsForTheRegisterFileIsCounted(t *testing.T) {
	b := newMoverBench(Spec{Switching: "moving"}, true)
	b.x.Load(1)
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 0)
	b.d.RunUntil(5)
	b.pending(2, 9, true, 1, 1)
	b.x.monitor.held--
	b.x.monitor.ctas[2].registers = Pending
	b.vacancyAt(20, 4, 4, 1, 0)
	b.vacancyAt(50, 0, 0, 1, 0)
	b.d.RunUntil(100)
	if n := b.x.blocking[registers]; n != 30 || len(b.move.Got) != 0 {
		t.Errorf("%d cycles, orders to move %+v; want 30 and none", n, b.moves())
	}
}

// Two CTAs have some of ten registers, and CTA 3 stalls. For a new CTA there is room without a move, so that residency
// lets it in; or as soon as CTA 3 has left; or CTA 1 and the new one have more than ten.
func TestANewCTANeedsRoomForAsManyRegistersAsItHas(t *testing.T) {
	for _, k := range []struct {
		stalled, other, fresh Size
		asked                 int
		block                 block
	}{
		{2, 4, 4, 0, free},
		{2, 4, 5, 1, free},
		{2, 6, 5, 0, registers},
		{6, 2, 7, 1, free},
		{5, 3, 8, 0, registers},
	} {
		b := newMoverBench(Spec{Switching: "moving"}, true)
		b.x.Load(10)
		for i, n := range []Size{k.other, k.stalled} {
			s := CTAEvent{CTA: uint16(1 + 2*i), Event: Started, Size: n, Contexts: []uint16{uint16(i), uint16(2 + i)}}
			s.Slots[0], s.Slots[1] = 2>>i, 2>>i
			b.events.Send(1, s)
		}
		b.say(3, 3, 0, 0, 3)
		b.say(10, 3, 0, 0, 0)
		b.say(30, 3, 1, 1, 0)
		b.script.at[29] = func() {
			b.vacancy.Set(Vacancy{Waiting: 2, Size: k.fresh, Free: [MostSchedulers]uint8{4, 4}, CTAs: 1})
		}
		b.d.RunUntil(34)
		if len(b.rewind.Got) != k.asked || b.x.blocked != k.block || len(b.orders.Got) > 0 {
			t.Errorf("%+v: orders %+v, asked about %+v, blocked %d", k, b.orders.Got, b.rewind.Got, b.x.blocked)
		}
	}
}
