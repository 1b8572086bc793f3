package l1

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Sector 0 is fetched alone. Sector 2 of the line is then a miss fetching 32
// bytes more, and both hit afterwards.
func TestAFillBringsTheSectorsThatWereAskedForAndNoOthers(t *testing.T) {
	for _, allocate := range []string{"on_miss", "on_fill"} {
		s := small()
		s.Allocate = allocate
		b := newBench(t, s)
		for _, sector := range []uint8{0b0001, 0b0100} {
			b.send(b.Next(), load(0, sector))
			b.Run(5)
			if len(b.miss.Got) != 1 || b.miss.Got[0].Msg.Sectors != sector {
				t.Fatalf("%s: asked for %+v, want sectors %04b", allocate, b.miss.Got, sector)
			}
			b.answer()
			b.Run(10)
		}
		b.send(b.Next(), load(0, 0b0101))
		b.Run(5)
		if len(b.hit.Got) != 1 {
			t.Errorf("%s: %d hits of what has come, want 1", allocate, len(b.hit.Got))
		}
		b.Stat("bytes_in.global_load", 64)
		b.Stat("fills", 2)
	}
}

// A cache without sectors brings 128 bytes for whatever is asked for.
func TestACacheWithoutSectorsFetchesWholeLines(t *testing.T) {
	s := small()
	s.Tags.Sector = 128
	b := newBench(t, s)
	b.send(1, load(0, 0b0001))
	b.Run(5)
	b.answer()
	b.Run(10)
	b.send(b.Next(), load(0, 0b1000))
	b.Run(5)
	if len(b.hit.Got) != 1 {
		t.Errorf("%d hits of another sector of the line, want 1", len(b.hit.Got))
	}
	b.Stat("bytes_in.global_load", 128)
}

// Both ways of the set are dirty, and the queue towards the L2 has no room for a
// write-back: the arrived line is passed on and not kept.
func TestALineForWhichADirtyOneCannotGiveWayIsNotKept(t *testing.T) {
	s := small()
	s.Allocate, s.MissQueue = "on_fill", 2
	b := newBench(t, s)
	b.send(1, store(0, 0xf, 0xf, req.LocalStore))
	b.send(2, store(512, 0xf, 0xf, req.LocalStore))
	b.send(3, load(1024, 0xf))
	b.Run(10)
	full := true
	b.miss.Refuse = func(wire.Cycle) bool { return full }
	b.send(b.Next(), load(128, 0xf))
	b.send(b.Next(), load(256, 0xf)) // these two fill the queue before the line comes
	b.Run(5)
	b.answer()
	b.Run(10)
	b.Stat("fills", 1)
	if len(b.fill.Got) != 1 {
		t.Errorf("%d answers, want 1", len(b.fill.Got))
	}
	b.Stat("write_backs", 0)
	b.Stat("fills_not_kept", 1)
	full = false
	b.Run(10)
	b.send(b.Next(), load(0, 0xf))
	b.Run(5)
	if len(b.hit.Got) != 3 { // the stores, and line 0, which is still there
		t.Errorf("%d hits, want 3", len(b.hit.Got))
	}
}
