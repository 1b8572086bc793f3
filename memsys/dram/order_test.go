package dram

import (
	"errors"
	"math/bits"
	"testing"

	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

func write(addr uint64) req.MemRequest { return req.MemRequest{Addr: addr, Sectors: 1, Write: true} }

// pending is the writes in the queue.
func (b *bench) pending() int { return bits.OnesCount64(b.c.queue.writes) }

// stream lets a slice read the open row 0 of bank 0 in every cycle of [from, to), so that a read always waits.
func (b *bench) stream(slice int, from, to wire.Cycle) {
	for c := from; c < to; c++ {
		b.src[slice].Send(c, read(uint64(c%64/4)*2048+uint64(c%4)*32, 1))
	}
}

func TestWhatAChannelServesIsCountedToTheCycle(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, req.MemRequest{Addr: 0, Sectors: 1, Cause: 1}) // activated at 2, read at 18, done at 36
	b.src[0].Send(99, read(32, 0b110))                              // read at 100 and 104, done at 122
	b.src[0].Send(199, write(64))                                   // written at 200, done at 208
	b.d.RunUntil(400)
	for name, want := range map[string]uint64{
		"reads": 2, "writes": 1, "column_commands": 4, "bus_busy": 4 * 2, "latency": 34 + 22 + 8,
		"queue_occupancy": 16 + 4, "bytes." + req.Cause(0).String(): 3 * 32, "bytes." + req.Cause(1).String(): 32,
	} {
		b.stat(t, name, want)
	}
}

func TestTheOlderOfTwoRequestsOpensItsRowFirst(t *testing.T) {
	for _, c := range []struct{ older, younger uint64 }{{3, 1}, {1, 3}, {0, 2}, {2, 0}} {
		b := newBench(t, gddr5(), 2)
		b.src[0].Send(1, read(c.older*128, 1)) // the first slice is served first
		b.src[1].Send(1, read(c.younger*128, 1))
		b.d.RunUntil(200)
		if len(b.sink[1].Got) != 1 {
			t.Fatalf("%d replies to the second slice, want 1", len(b.sink[1].Got))
		}
		// RRD 8 lies between the activates.
		if at := b.at(t, c.older*128); at != 36 || b.sink[1].Got[0].Cycle-1 != 44 {
			t.Errorf("banks %d, %d: replies in cycles %d and %d, want 36 and 44", c.older, c.younger, at,
				b.sink[1].Got[0].Cycle-1)
		}
	}
}

func TestTheOlderOfTwoRowHitsIsReadFirst(t *testing.T) {
	for _, c := range []struct{ older, younger uint64 }{{3, 1}, {1, 3}, {0, 2}, {2, 0}} {
		b := newBench(t, gddr5(), 2)
		b.src[1].Send(1, read(c.older*128, 1))
		b.src[1].Send(2, read(c.younger*128, 1)) // now it is the first slice's turn
		b.src[0].Send(199, read(c.older*128+32, 1))
		b.src[1].Send(199, read(c.younger*128+32, 1))
		b.d.RunUntil(400)
		if len(b.sink[1].Got) != 3 {
			t.Fatalf("%d replies to the second slice, want 3", len(b.sink[1].Got))
		}
		// CCD 2 lies between the reads.
		if at := b.at(t, c.older*128+32); at != 218 || b.sink[1].Got[2].Cycle-1 != 220 {
			t.Errorf("banks %d, %d: replies in cycles %d and %d, want 218 and 220", c.older, c.younger, at,
				b.sink[1].Got[2].Cycle-1)
		}
	}
}

func TestWritesAreDrainedFromTheHighMarkDownToTheLowOne(t *testing.T) {
	for _, c := range []struct{ sent, left int }{{3, 3}, {4, 2}, {5, 2}} {
		s := gddr5()
		s.High, s.Low = 4, 2
		b := newBench(t, s, 2)
		b.stream(0, 1, 500)
		for i := range c.sent {
			b.src[1].Send(100, write(uint64(64+i)))
		}
		b.d.RunUntil(400)
		if n := b.pending(); n != c.left {
			t.Errorf("%d writes: %d are left beside reads, want %d", c.sent, n, c.left)
		}
	}
}

// starving is a channel on which a write waits at most 200 cycles beside a stream of reads.
func starving(t *testing.T) *bench {
	s := gddr5()
	s.Starve = 200
	return newBench(t, s, 2)
}

// served checks for `before` writes in the queue up to a cycle, and one less soon after.
func (b *bench) served(t *testing.T, at wire.Cycle, before int) {
	t.Helper()
	b.d.RunUntil(at - 1)
	if n := b.pending(); n != before {
		t.Errorf("%d writes wait in cycle %d, want %d", n, at-1, before)
	}
	b.d.RunUntil(at + 20) // the bus is turned around
	if n := b.pending(); n != before-1 {
		t.Errorf("%d writes wait in cycle %d, want %d", n, at+20, before-1)
	}
}

func TestEveryWriteWaitsForItsOwnTimeAlone(t *testing.T) {
	b := starving(t)
	b.stream(0, 1, 2000)
	b.src[1].Send(49, write(64)) // in the queue at 50
	b.src[1].Send(149, write(64))
	b.src[1].Send(999, write(64))
	b.served(t, 250, 2)
	b.served(t, 350, 1)
	b.served(t, 1200, 1)
}

func TestAWriteInTheFirstEntryWaitsNoLongerThanAnother(t *testing.T) {
	b := starving(t)
	b.src[0].Send(1, write(0)) // opens the row at 2
	b.stream(1, 1, 1000)
	b.src[0].Send(99, write(64))
	b.served(t, 202, 2)
	b.served(t, 300, 1)
}

func TestAReadWaitsForAPlaceForItsData(t *testing.T) {
	s := gddr5()
	s.Return = 1
	b := newBench(t, s, 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(99, read(32, 1))
	b.src[0].Send(100, read(64, 1))
	b.d.RunUntil(400)
	if len(b.sink[0].Got) != 3 {
		t.Fatalf("%d replies, want 3", len(b.sink[0].Got))
	}
	// The second is read at 100, and gives its place up with the reply.
	if x, y := b.at(t, 32), b.at(t, 64); x != 118 || y != 118+16+2 {
		t.Errorf("replies in cycles %d and %d, want 118 and 136", x, y)
	}
}

func TestABurstOfALineBringsItWhole(t *testing.T) {
	for bus, commands := range map[int]uint64{16: 1, 32: 1, 2: 8} {
		s := gddr5()
		s.Bus = bus
		b := newBench(t, s, 1)
		b.src[0].Send(1, read(0, req.AllSectors))
		b.d.RunUntil(400)
		b.stat(t, "column_commands", commands)
	}
}

func TestAnInputHoldsWhatIsOnTheLinkBothWaysAndTheSlicesMisses(t *testing.T) {
	s := gddr5()
	s.Latency = 3
	if n := newBench(t, s, 1).c.In[0].Capacity(); n != 2*3+64 {
		t.Errorf("room for %d requests, want 70", n)
	}
}

func TestTheBoundsOfASpecAreAsStated(t *testing.T) {
	most := spec.MostBytes
	for _, c := range []struct {
		what   string
		key    string // refused; empty: accepted
		change func(s *Spec)
	}{
		{"banks that are no power of two", "banks", func(s *Spec) { s.Banks = 12 }},
		{"an unknown order", "scheduler", func(s *Spec) { s.Policy = "open" }},
		{"columns of a group closer than others", "tccdl", func(s *Spec) { s.CCDL = s.CCD - 1 }},
		{"a stripe of less than a line", "stripe_bytes", func(s *Spec) { s.Stripe = 32 }},
		{"the largest stripe", "", func(s *Spec) { s.Stripe, s.Row = most, most }},
		{"a larger stripe", "stripe_bytes", func(s *Spec) { s.Stripe, s.Row = 2*most, 2*most }},
		{"a row of a stripe", "", func(s *Spec) { s.Row = s.Stripe }},
		{"a row of less", "row_bytes", func(s *Spec) { s.Row = s.Stripe / 2 }},
		{"a larger row", "row_bytes", func(s *Spec) { s.Row = 2 * most }},
		{"a high mark below the queue", "", func(s *Spec) { s.High = s.Queue - 1 }},
		{"a high mark of the queue", "write_high", func(s *Spec) { s.High = s.Queue }},
		{"a low mark below the high one", "", func(s *Spec) { s.Low = s.High - 1 }},
		{"a low mark of the high one", "write_low", func(s *Spec) { s.Low = s.High }},
		{"the longest refresh", "", func(s *Spec) { s.Refresh, s.RFC, s.REFI = true, 1<<20, 1<<30 }},
		{"a longer refresh", "trfc", func(s *Spec) { s.Refresh, s.RFC, s.REFI = true, 1<<20+1, 1<<30 }},
		{"a later refresh", "trefi", func(s *Spec) { s.Refresh, s.RFC, s.REFI = true, 100, 1<<30+1 }},
		{"a row closed when it is read", "", func(s *Spec) { s.RAS = s.RCD }},
		{"a row closed before", "tras", func(s *Spec) { s.RAS = s.RCD - 1 }},
	} {
		s := gddr5()
		c.change(&s)
		err := s.Check()
		var e *spec.Error
		switch {
		case c.key == "" && err != nil:
			t.Errorf("%s: %v", c.what, err)
		case c.key != "" && (!errors.As(err, &e) || e.Key != c.key):
			t.Errorf("%s: %v, want a refusal of %s", c.what, err, c.key)
		}
	}
}
