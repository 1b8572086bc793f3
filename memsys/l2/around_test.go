package l2

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

func around(p req.Packet) req.Packet {
	p.Flags |= req.NoAllocate
	p.Cause = req.Context
	return p
}

func TestAReadThatPassesByIsAnsweredAndNotKept(t *testing.T) {
	b := newBench(t, small())
	for range 2 {
		b.send(around(read(0, 0b0011)))
		b.Run(10)
		if len(b.req.Got) != 1 || b.req.Got[0].Msg.Sectors != 0b0011 || b.req.Got[0].Msg.Cause != req.Context {
			t.Fatalf("asked for %+v, want sectors 0 and 1 of the context", b.req.Got)
		}
		b.answer()
		b.Run(10)
	}
	b.Stat("misses.context", 2)
	b.Stat("fills_not_kept", 2)
	if len(b.out.Got) != 2 {
		t.Errorf("%d answers, want 2", len(b.out.Got))
	}
}

func TestAWriteThatPassesByGoesToTheDRAM(t *testing.T) {
	b := newBench(t, small())
	b.send(around(write(0, 0b0011, 0b0011)))
	b.Run(10)
	want := req.MemRequest{Addr: 0, Sectors: 0b0011, Write: true, Cause: req.Context}
	if len(b.req.Got) != 1 || b.req.Got[0].Msg != want {
		t.Fatalf("sent %+v, want %+v", b.req.Got, want)
	}
	if len(b.out.Got) != 1 {
		t.Errorf("%d acknowledgements, want 1", len(b.out.Got))
	}
	b.req.Got = nil
	b.send(read(0, 0b0001))
	b.Run(10)
	if len(b.req.Got) != 1 {
		t.Error("the line is there")
	}
}

// A present line is newer than the DRAM: it is read and written in its place.
func TestABypassingPacketUsesAPresentLine(t *testing.T) {
	b := newBench(t, small())
	b.warm(0)
	b.send(around(read(0, 0xf)))
	b.send(around(write(0, 0b0001, 0b0001)))
	b.Run(10)
	if len(b.out.Got) != 2 || len(b.req.Got) != 0 {
		t.Fatalf("%d answers and %d requests, want 2 and none", len(b.out.Got), len(b.req.Got))
	}
	b.Stat("hits.context", 2)
	b.warm(512, 1024)
	b.Stat("write_backs", 1) // of what was written
}

func TestWhatPassesByDrivesOutNoLine(t *testing.T) {
	b := newBench(t, small())
	b.warm(0, 512) // a set of two
	for i := range uint64(8) {
		b.send(around(read(1024+512*i, 0xf)))
		b.send(around(write(8192+512*i, 0xf, 0xf)))
		b.Run(10)
		b.answer()
		b.Run(10)
	}
	if len(b.out.Got) != 16 {
		t.Errorf("%d answers, want 16", len(b.out.Got))
	}
	b.Stat("evictions", 0)
}

// Two bypassing packets share a read. A packet in need of a place for the line finds
// the register without one and waits until it is free.
func TestALineThatIsWantedWhileItPassesByIsAskedForAgain(t *testing.T) {
	b := newBench(t, small())
	b.send(around(read(0, 0xf)))
	b.send(around(read(0, 0xf)))
	b.send(read(0, 0xf))
	b.Run(10)
	if len(b.req.Got) != 1 {
		t.Fatalf("%d reads, want 1", len(b.req.Got))
	}
	b.Stat("hits_on_miss.context", 1)
	b.answer()
	b.Run(10)
	if len(b.out.Got) != 2 || len(b.req.Got) != 1 {
		t.Fatalf("%d answers and %d more reads, want 2 and 1", len(b.out.Got), len(b.req.Got))
	}
	b.answer()
	b.Run(10)
	b.send(read(0, 0xf))
	b.Run(10)
	if len(b.out.Got) != 4 || len(b.req.Got) != 0 {
		t.Errorf("%d answers and %d more reads, want 4 and none: the line has its place now", len(b.out.Got),
			len(b.req.Got))
	}
	b.Stat("reservation_failures.no_mshr_merge", 1)
}

func TestAWriteThatPassesByWaitsForRoom(t *testing.T) {
	s := small()
	s.MissQueue = 2
	b := newBench(t, s)
	b.req.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i := range uint64(3) {
		p := around(write(128*i, 1, 1))
		p.Flags |= req.Posted
		b.send(p)
	}
	b.Run(40)
	b.Stat("reservation_failures.miss_queue", 1)
	b.Run(40)
	if len(b.req.Got) != 3 || len(b.out.Got) != 0 {
		t.Errorf("%d writes and %d acknowledgements, want 3 and none", len(b.req.Got), len(b.out.Got))
	}
}

func TestAnAtomicHasAPlaceInAnyCase(t *testing.T) {
	b := newBench(t, small())
	b.send(around(atomic(0, 4, 1)))
	b.Run(5)
	b.answer()
	b.Run(20)
	b.send(read(0, 1))
	b.Run(10)
	if len(b.out.Got) != 2 || len(b.req.Got) != 0 {
		t.Errorf("%d answers and %d requests, want 2 and none", len(b.out.Got), len(b.req.Got))
	}
}

// As at the end of a launch with an instruction line still on its way.
func TestALineThatComesAfterAFlushIsAnsweredAndNotKept(t *testing.T) {
	b := newBench(t, small())
	b.send(read(0, 0xf))
	b.Run(10)
	b.l.Tags.Flush()
	b.answer()
	b.Run(10)
	if len(b.out.Got) != 1 {
		t.Errorf("%d answers, want 1", len(b.out.Got))
	}
	b.Stat("fills_not_kept", 1)
}
