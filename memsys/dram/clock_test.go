package dram

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// newClockedBench is a channel at hz whose surroundings run at coreHz.
func newClockedBench(t *testing.T, s Spec, coreHz, hz uint64) (b *bench, e *wire.Engine) {
	e = wire.NewEngine()
	b = &bench{d: e.NewDomain("Core", sim.Freq(coreHz))}
	var err error
	if b.c, err = New("DRAM", e.NewDomain("DRAM", sim.Freq(hz)), s, Clients{1, 64}, &b.reg); err != nil {
		t.Fatal(err)
	}
	b.src = append(b.src, wiretest.NewSource("Src", b.d, &b.c.In[0]))
	b.sink = append(b.sink, wiretest.NewLooseSink[req.MemReply]("Sink", b.d, 2*s.Back+1))
	wire.Connect(&b.c.Out[0], &b.sink[0].In, s.Back)
	return b, e
}

// ceil returns the first cycle of a clock of rate to not before cycle c of a clock of rate
// from.
func ceil(c, from, to uint64) uint64 { return (c*to + from - 1) / from }

// Clocks without a simple ratio keep their ratio for ever: every reply of a long
// stream arrives in exactly the core cycle given by the command clock.
func TestAwkwardClocksGiveTheExactRate(t *testing.T) {
	for _, c := range []struct{ core, command uint64 }{
		{1_127_000_000, 876_250_000}, {1_126_000_000, 1_377_000_000}, {999_999_937, 1_000_000_007},
		{700_000_000, 924_000_000},
	} {
		t.Run(fmt.Sprintf("%d and %d Hz", c.core, c.command), func(t *testing.T) {
			s := gddr5()
			s.Back = 2
			b, e := newClockedBench(t, s, c.core, c.command)
			const lines = 20000
			for i := range lines {
				b.src[0].Send(1, read(uint64(i%16*16)*128, 0xf)) // the 16 lines of a row
			}
			if err := e.Run(); err != nil {
				t.Fatal(err)
			}
			// Sent in core cycle 1 over a link of 1. Activated when it is there, RCD 16;
			// then a burst every CCDL 4, so a line every 16; the last burst of the i-th line
			// is read 16 i + 12 later, CL 16, burst 2, and the way back of 2.
			first := ceil(1+1, c.core, c.command) + 16
			if n := len(b.sink[0].Got); n != lines {
				t.Fatalf("%d replies, want %d", n, lines)
			}
			for i, g := range b.sink[0].Got {
				end := first + 16*uint64(i) + 12 + 16 + 2
				if want := ceil(end+2, c.command, c.core); g.Cycle != want {
					t.Fatalf("reply %d in core cycle %d, want %d", i, g.Cycle, want)
				}
			}
			b.stat(t, "row_hits", lines-1)
			b.stat(t, "bus_busy", 4*2*lines) // command cycles
		})
	}
}

func TestAStreamUsesThePinsWhateverTheCoreClock(t *testing.T) {
	for _, core := range []uint64{643, 1000, 1700} {
		s := gddr5()
		b, e := newClockedBench(t, s, core*1e6, 1e9)
		const lines = 2000
		for i := range lines {
			b.src[0].Send(1, read(uint64(i)*128, 0xf))
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		got := b.sink[0].Got
		if len(got) != lines {
			t.Fatalf("%d replies, want %d", len(got), lines)
		}
		// bytes / (core cycles x command cycles per core cycle x 16 bytes)
		used := lines * 128 / (float64(got[lines-1].Cycle) * 1000 / float64(core) * 16)
		if used < 0.9 {
			t.Errorf("core clock %d MHz: %.3f of the pins used, want 0.9", core, used)
		}
	}
}

// An idle channel has no wake, and while it waits for a bank it has one.
func TestAChannelSleepsUntilItHasSomethingToDo(t *testing.T) {
	b, e := newClockedBench(t, gddr5(), 1126e6, 1377e6)
	d := b.c.Domain()
	if _, err := e.RunUntil(b.d, 10); err != nil {
		t.Fatal(err)
	}
	if w := d.NextWake(); w != wire.Never {
		t.Errorf("an idle channel wakes in cycle %d", w)
	}
	b.src[0].Send(11, read(0, 1))
	if _, err := e.RunUntil(b.d, 13); err != nil {
		t.Fatal(err)
	}
	// Seen in core cycle 12, so in command cycle ceil(12 x 1377 / 1126) = 15, where the row is opened. The
	// channel finds in 16 that nothing else can issue. Read in 15 + RCD 16.
	if _, err := e.RunUntil(d, 16); err != nil {
		t.Fatal(err)
	}
	if w := d.NextWake(); w != 15+16 {
		t.Errorf("a channel whose only request waits for its row wakes in cycle %d, want 31", w)
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if w := d.NextWake(); w != wire.Never {
		t.Errorf("a channel that has served its request wakes in cycle %d", w)
	}
}

// The first request waits for its row from 2 to 18. A request for another bank,
// arriving at 12, is served at once: RRD 8 has passed, RCD 16, CL 16, burst 2.
func TestARequestIsServedWhileOthersWait(t *testing.T) {
	b := newBench(t, gddr5(), 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(11, read(128, 1))
	b.d.RunUntil(200)
	if got := b.at(t, 128); got != 12+16+16+2 {
		t.Errorf("reply in cycle %d, want 46", got)
	}
}
