package l1

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// dataBench is a data array alone.
type dataBench struct {
	d    *wire.Domain
	data *Data
	src  *wiretest.Source[Access]
	hit  *wiretest.Sink[req.Done]
}

func newDataBench(s Spec) *dataBench {
	b := &dataBench{d: wire.NewDomain("D", 1e9)}
	b.data = newData("Data", b.d, &s)
	b.src, b.hit = wiretest.NewSource("Src", b.d, &b.data.In), wiretest.NewSink("Hit", b.d, &b.data.Hit, 8)
	return b
}

// send sends an access to a sector in cycle 1, to be answered to a slot.
func (b *dataBench) send(slot uint16, addr uint64) {
	p := Place{Addr: addr &^ (req.LineBytes - 1), Sectors: 1 << (addr / req.SectorBytes % req.Sectors)}
	b.src.Send(1, Access{Place: p, Done: req.Done{Slot: slot, Of: 1}})
}

// wantAnswers compares the answered slots and the cycles of the answers, counted from the first possible one.
func (b *dataBench) wantAnswers(t *testing.T, slots []uint16, cycles []wire.Cycle) {
	t.Helper()
	if len(b.hit.Got) != len(slots) {
		t.Fatalf("%d answers, want %d", len(b.hit.Got), len(slots))
	}
	for i, g := range b.hit.Got {
		if g.Msg.Slot != slots[i] || g.Cycle-3 != cycles[i] { // in the array in cycle 2
			t.Errorf("answer %d is to slot %d in cycle %d, want slot %d in cycle %d", i, g.Msg.Slot, g.Cycle-3,
				slots[i], cycles[i])
		}
	}
}

// Of four banks of 32 bytes, the third access wants the one of the first.
func TestTheDataArrayServesInOrderEachAccessWhenItsBanksAreFree(t *testing.T) {
	b := newDataBench(banked(4))
	for i, addr := range []uint64{0, 32, 128, 64} {
		b.send(uint16(i), addr)
	}
	b.d.RunUntil(20)
	b.wantAnswers(t, []uint16{0, 1, 2, 3}, []wire.Cycle{0, 0, 1, 1})
}

func TestAFullHitPipelineHoldsAccesses(t *testing.T) {
	b := newDataBench(banked(4))
	b.hit.Refuse = func(now wire.Cycle) bool { return now < 10 }
	for i := range uint16(12) {
		b.send(i, uint64(i)*32)
	}
	b.d.RunUntil(9)
	if b.data.Waiting() == "" {
		t.Error("accesses without room do not wait")
	}
	b.d.RunUntil(30)
	if n := len(b.hit.Got); n != 12 {
		t.Errorf("%d answers, want 12", n)
	}
}

func TestACacheWhoseHitsTakeACycleAnswersFromItsTags(t *testing.T) {
	s := small()
	s.Latency = Overhead + 1
	b := newBench(t, s)
	if b.c.Data != nil {
		t.Fatal("there is a data array behind the tags")
	}
	if p := b.c.Sides(); p.HitLatency != 1 || p.HitStages != 1 {
		t.Fatalf("a link of %d cycles, %d stages, want 1 and 1", p.HitLatency, p.HitStages)
	}
	b.warm(0)
	b.send(b.Next(), load(0, 1))
	start := b.D.Now()
	b.Run(10)
	wantHits(t, b.cycles(), start+firstHit-toData)
}
