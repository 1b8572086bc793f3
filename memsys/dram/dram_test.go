package dram

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// gddr5 is a channel of a GTX 980. By default its surroundings
// have the command clock too, so a test counts in one unit.
func gddr5() Spec {
	return Spec{
		Channels: 1, Clock: 1000, Bus: 4, Rate: 4, Burst: 8, Banks: 16, Groups: 4, Row: 2048, Stripe: 128,
		Queue: 64, Return: 64, Policy: "frfcfs", Starve: 1000, High: 32, Low: 8, Latency: 1, Back: 1,
		RCD: 16, RAS: 37, RP: 16, RC: 52, CL: 16, WL: 6, RRD: 8, CCD: 2, CCDL: 4, WR: 16, CDLR: 7, RTP: 3,
	}
}

type bench struct {
	d    *wire.Domain
	c    *Channel
	src  []*wiretest.Source[req.MemRequest]
	sink []*wiretest.Sink[req.MemReply]
	reg  stats.Registry
}

func newBench(t interface{ Fatal(...any) }, s Spec, slices int) *bench {
	b := &bench{d: wire.NewDomain("D", 1e9)}
	var err error
	if b.c, err = New("DRAM", b.d, s, Clients{slices, 64}, &b.reg); err != nil {
		t.Fatal(err)
	}
	for i := range slices {
		b.src = append(b.src, wiretest.NewSource("Src", b.d, &b.c.In[i]))
		b.sink = append(b.sink, wiretest.NewSink("Sink", b.d, &b.c.Out[i], 8))
	}
	return b
}

func read(addr uint64, sectors uint8) req.MemRequest {
	return req.MemRequest{Addr: addr, Tag: uint32(addr), Sectors: sectors}
}

// at returns the cycle in which the reply to the read of addr left the channel.
func (b *bench) at(t *testing.T, addr uint64) wire.Cycle {
	for _, g := range b.sink[0].Got {
		if g.Msg.Tag == uint32(addr) {
			return g.Cycle - 1
		}
	}
	t.Fatalf("no reply for %#x", addr)
	return 0
}

// row is an address in the given row of bank 0.
func row(n int) uint64 { return uint64(n) * 2048 * 16 }

func TestAReadOfAClosedBankTakesActivateReadAndBurst(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, read(0, 1))
	b.d.RunUntil(200)
	// in the queue at 2, activated at once; RCD 16, CL 16, burst 2
	if got := b.at(t, 0); got != 2+16+16+2 {
		t.Errorf("reply in cycle %d, want 36", got)
	}
	if b.reg.Snapshot()["mem.dram.row_misses"] != 1 {
		t.Error("not counted as a row miss")
	}
}

func TestARowHitTakesReadAndBurst(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(99, read(32, 1))
	b.d.RunUntil(200)
	if got := b.at(t, 32); got != 100+16+2 {
		t.Errorf("reply in cycle %d, want 118", got)
	}
	if b.reg.Snapshot()["mem.dram.row_hits"] != 1 {
		t.Error("not counted as a row hit")
	}
}

func TestARowConflictPrechargesFirst(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(99, read(row(1), 1))
	b.d.RunUntil(300)
	// RP 16, RCD 16, CL 16, burst 2
	if got := b.at(t, row(1)); got != 100+16+16+16+2 {
		t.Errorf("reply in cycle %d, want 150", got)
	}
	if b.reg.Snapshot()["mem.dram.row_conflicts"] != 1 {
		t.Error("not counted as a row conflict")
	}
}

func TestAnEarlyConflictWaitsForTheRowCycle(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(2, read(row(1), 1))
	b.d.RunUntil(300)
	// Activated at 2. Precharge at 2 + RAS 37 = 39, activate at max(39 + RP 16, 2 + RC 52) = 55;
	// then RCD 16, CL 16, burst 2.
	if got := b.at(t, row(1)); got != 55+16+16+2 {
		t.Errorf("reply in cycle %d, want 89", got)
	}
}

func TestARowHitOvertakesAConflict(t *testing.T) {
	for _, c := range []struct {
		policy string
		first  bool
	}{{"frfcfs", true}, {"fcfs", false}} {
		s := gddr5()
		s.Policy = c.policy
		b := newBench(t, s, 1)
		b.src[0].Send(1, read(0, 1))
		b.src[0].Send(2, read(row(1), 1))
		b.src[0].Send(3, read(64, 1)) // row 0 again
		b.d.RunUntil(500)
		if got := b.at(t, 64) < b.at(t, row(1)); got != c.first {
			t.Errorf("%s: row hit first: %v, want %v", c.policy, got, c.first)
		}
	}
}

func TestARequestThatHasWaitedTooLongGoesBeforeRowHits(t *testing.T) {
	s := gddr5()
	s.Starve = 200
	b := newBench(t, s, 1)
	b.src[0].Send(1, read(row(1), 1)) // opens row 1
	b.src[0].Send(2, read(row(2), 1)) // conflicts
	for i := range 500 {
		b.src[0].Send(wire.Cycle(3+i), read(row(1)+uint64(i%64/4)*2048+uint64(i%4)*32, 1)) // hits for ever
	}
	b.d.RunUntil(5000)
	// Arrived at 3, starved at 203, then at most precharge .. burst.
	if got := b.at(t, row(2)); got < 203 || got > 203+4+16+16+16+2+8 {
		t.Errorf("reply in cycle %d, want soon after 203", got)
	}
}

func TestAStarvedRequestGoesAheadInTheVeryCycle(t *testing.T) {
	s := gddr5()
	s.Starve = 42
	b := newBench(t, s, 1)
	b.src[0].Send(1, read(0, 0xf))
	b.src[0].Send(2, read(row(1), 1))
	for i := range 10 {
		b.src[0].Send(3, read(uint64(i)*2048, 0xf)) // hits in row 0
	}
	b.d.RunUntil(500)
	// Row 0 is activated at 2 and read from 18 on every CCDL 4 cycles, also at 42.
	// The conflict arrived at 3 and starves at 45, when RTP 3 allows the precharge
	// and the next read would be one cycle away: RP 16, RCD 16, CL 16, burst 2.
	if got := b.at(t, row(1)); got != 45+16+16+16+2 {
		t.Errorf("reply in cycle %d, want 95", got)
	}
}

func TestAWriteThatHasWaitedTooLongGoesBeforeReads(t *testing.T) {
	s := gddr5()
	s.Starve = 200
	b := newBench(t, s, 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(2, req.MemRequest{Addr: 32, Sectors: 1, Write: true}) // in the row that is open
	for i := range 500 {
		b.src[0].Send(wire.Cycle(3+i), read(uint64(i%64/4)*2048+uint64(i%4)*32, 1)) // hits, so that a read always waits
	}
	// Arrived at 3, starved at 203. The last read is issued at 202 at the latest, and
	// the bus is turned around CL 16 + burst 2 + 2 - WL 6 = 14 cycles behind it.
	b.d.RunUntil(202)
	if b.c.queue.writes == 0 {
		t.Error("the write went before reads that came later, although it had not waited too long")
	}
	b.d.RunUntil(203 + 14)
	if b.c.queue.writes != 0 {
		t.Error("the write still waits in cycle 217")
	}
}

// A stream of lines from different banks must use at least 90 % of the pins:
// 16 bytes per command cycle. Activates are hidden behind the data of other
// banks.
func TestAStreamUsesThePins(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	const lines = 2000
	for i := range lines {
		b.src[0].Send(1, read(uint64(i)*128, 0xf))
	}
	b.d.RunUntil(200000)
	if len(b.sink[0].Got) != lines {
		t.Fatalf("%d replies, want %d", len(b.sink[0].Got), lines)
	}
	if used := lines * 128 / (float64(b.sink[0].Got[lines-1].Cycle) * 16); used < 0.9 {
		t.Errorf("%.3f of the pins used, want 0.9", used)
	}
}

func TestBurstsWiderThanASectorWasteTheRest(t *testing.T) {
	s := gddr5()
	s.Bus = 8 // 64 bytes per burst
	for _, c := range []struct {
		sectors uint8
		bursts  uint64
	}{{0b0001, 1}, {0b0011, 1}, {0b0110, 2}, {0b1111, 2}} {
		b := newBench(t, s, 1)
		b.src[0].Send(1, read(0, c.sectors))
		b.d.RunUntil(200)
		if got := b.reg.Snapshot()["mem.dram.column_commands"]; got != c.bursts {
			t.Errorf("sectors %04b: %d bursts, want %d", c.sectors, got, c.bursts)
		}
	}
}

func TestAReadAfterAWriteWaitsForTheTurnaround(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, req.MemRequest{Addr: 0, Sectors: 1, Write: true})
	b.src[0].Send(20, read(32, 1))
	b.d.RunUntil(200)
	// Write: activated at 2, issued at 18, data until 18 + WL 6 + 2 = 26; the read may
	// issue at 26 + CDLR 7 = 33 and is done at 33 + CL 16 + 2.
	if got := b.at(t, 32); got != 33+16+2 {
		t.Errorf("reply in cycle %d, want 51", got)
	}
}

func TestBothSlicesOfAChannelAreServedAlike(t *testing.T) {
	b := newBench(t, gddr5(), 2)
	for i := range 400 {
		b.src[0].Send(1, read(uint64(i)*256, 0xf))
		b.src[1].Send(1, read(uint64(i)*256+128, 0xf))
	}
	b.d.RunUntil(3000) // less than all needs
	x, y := len(b.sink[0].Got), len(b.sink[1].Got)
	if x+y < 300 || x-y > 20 || y-x > 20 {
		t.Errorf("%d and %d replies, want about as many", x, y)
	}
}

// A bus of 8 bytes brings 64 bytes with a burst: a line is two bursts, or four
// when each sector is read by itself. Writes are not concerned.
func TestReadsBySectorTakeABurstForEachSector(t *testing.T) {
	for _, c := range []struct {
		bySector, write bool
		commands        uint64
	}{{false, false, 2}, {true, false, 4}, {true, true, 2}} {
		s := gddr5()
		s.Bus, s.BySector = 8, c.bySector
		b := newBench(t, s, 1)
		b.src[0].Send(1, req.MemRequest{Sectors: req.AllSectors, Write: c.write})
		b.d.RunUntil(200)
		if got := b.reg.Snapshot()["mem.dram.column_commands"]; got != c.commands {
			t.Errorf("by sector %v, write %v: %d column commands, want %d", c.bySector, c.write, got, c.commands)
		}
	}
}

// Bank 0 serves the first request (row 0), bank 1 the third; the second, a
// conflict in bank 0, holds the third up when requests are served in order.
func TestFirstComeFirstServedOverlapsBanksUntilOneIsTaken(t *testing.T) {
	s := gddr5()
	s.Policy = "fcfs"
	other := uint64(128) // bank 1
	b := newBench(t, s, 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(2, read(other, 1))
	b.d.RunUntil(300)
	// in the queue at 3, activated at 2 + RRD 8 = 10 while bank 0 is being read
	if got := b.at(t, other); got != 10+16+16+2 {
		t.Errorf("another bank: reply in cycle %d, want 44", got)
	}
	b = newBench(t, s, 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(2, read(row(1), 1))
	b.src[0].Send(3, read(other, 1))
	b.d.RunUntil(300)
	// The first is read at 2 + RCD 16 = 18; the two others can start in the next cycle.
	if got := b.at(t, other); got != 19+16+16+2 {
		t.Errorf("behind a conflict: reply in cycle %d, want 53", got)
	}
}
