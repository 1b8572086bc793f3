package l1

import (
	"slices"
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

func TestTheCacheTellsOfWhatItDoesNotAnswerByItself(t *testing.T) {
	b := newBench(t, small())
	b.c.Tags.NoteMisses()
	notes := wiretest.NewSink("Notes", b.D, &b.c.Tags.Missed, 4)
	miss := b.send(1, load(0, 1))
	merged := b.send(2, load(0, 1))
	around := load(256, 1)
	around.Bypass = true
	passes := b.send(3, around)
	b.D.RunUntil(20)
	if len(b.miss.Got) == 0 {
		t.Fatal("no miss was sent")
	}
	b.mem.Send(21, req.Packet{Tag: b.miss.Got[0].Msg.Tag, Sectors: 1, Cause: req.GlobalLoad})
	b.send(40, load(0, 1)) // hits
	b.send(41, store(512, 1, 1, req.GlobalStore))
	b.D.RunUntil(100)
	var got []uint16
	for _, g := range notes.Got {
		got = append(got, g.Msg.Slot)
	}
	if want := []uint16{miss, merged, passes}; !slices.Equal(got, want) {
		t.Errorf("told of the accesses in slots %v, want %v", got, want)
	}
	if len(b.hit.Got) != 1 {
		t.Errorf("%d hits, want 1", len(b.hit.Got))
	}
}

func TestATransactionWaitsForRoomToTellOfItsMiss(t *testing.T) {
	b := newBench(t, small())
	b.c.Tags.NoteMisses()
	notes := wiretest.NewSink("Notes", b.D, &b.c.Tags.Missed, 1)
	blocked := true
	notes.Refuse = func(wire.Cycle) bool { return blocked }
	b.send(1, load(0, 1))
	b.send(1, load(128, 1))
	b.send(1, load(256, 1))
	b.D.RunUntil(50)
	if n := len(b.miss.Got); n == 0 || n == 3 {
		t.Fatalf("%d misses sent with room to tell of one or two", n)
	}
	blocked = false
	b.D.RunUntil(100)
	if len(b.miss.Got) != 3 || len(notes.Got) != 3 {
		t.Errorf("%d misses sent, %d told of, want 3", len(b.miss.Got), len(notes.Got))
	}
}
