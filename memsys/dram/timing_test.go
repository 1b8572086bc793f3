package dram

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// command is a command as observed on the command bus.
type command struct {
	t     uint64
	sort  int // readCmd, writeCmd, prechargeCmd, activateCmd
	bank  int
	group int
}

// patience bounds the cycles of a random run: 150 requests of 4 bursts, each opening
// a row anew and meeting a refresh, take less than 600 * (52 + 100).
const patience = 100_000

// observe steps a channel through random requests and derives its commands from
// their effects.
func observe(t *rapid.T, s Spec) []command {
	c, err := New("DRAM", wire.NewDomain("D", 1e9), s, Clients{1, 64}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var seen []command
	rows := rapid.IntRange(1, 4).Draw(t, "rows")
	left := rapid.IntRange(1, 150).Draw(t, "requests")
	for now := uint64(1); left > 0 || c.queue.n > 0; now++ {
		if left > 0 && !c.queue.full() && rapid.IntRange(0, 3).Draw(t, "arrive") == 0 {
			left--
			c.add(now, &req.MemRequest{
				Addr: uint64(rapid.IntRange(0, rows-1).Draw(t, "row"))*2048*16 +
					uint64(rapid.IntRange(0, 255).Draw(t, "line"))*128,
				Sectors: uint8(rapid.IntRange(1, 15).Draw(t, "sectors")), Write: rapid.Bool().Draw(t, "write"),
			}, 0)
		}
		if now > patience {
			t.Fatalf("%d requests wait for ever", c.queue.n)
		}
		if c.queue.n == 0 {
			continue
		}
		before, commands, refreshes := c.banks, c.counts.commands, c.counts.refreshes
		waiting := c.queue.entries
		c.step(now)
		c.n, c.first = 0, 0 // replies leave at once
		for i := range s.Banks {
			x, y := &before.bank[i], &c.banks.bank[i]
			if c.counts.refreshes != refreshes {
				x.open = false // closed by the refresh, not by a command
			}
			switch {
			case x.open && !y.open:
				seen = append(seen, command{now, prechargeCmd, i, i % s.Groups})
			case !x.open && y.open:
				seen = append(seen, command{now, activateCmd, i, i % s.Groups})
			}
		}
		if c.counts.commands != commands {
			i := bits.TrailingZeros64(moved(&waiting, &c.queue.entries))
			seen = append(seen, command{now, b2i(waiting[i].write), int(waiting[i].bank),
				int(waiting[i].bank) % s.Groups})
		}
	}
	return seen
}

// moved returns the entries with a column command issued.
func moved(x, y *[64]entry) (m uint64) {
	for i := range x {
		if x[i].atoms != y[i].atoms {
			m |= 1 << i
		}
	}
	return m
}

func b2i(b bool) int {
	if b {
		return writeCmd
	}
	return readCmd
}

// gap is the least distance between two commands, a before b, or 0.
func gap(s *Spec, a, b command) (n int) {
	same, beat := a.bank == b.bank, s.beat()
	column := a.sort <= writeCmd && b.sort <= writeCmd
	switch {
	case a.sort == activateCmd && b.sort == activateCmd:
		n = s.RRD
		if same {
			n = s.RC
		}
	case a.sort == activateCmd && b.sort == prechargeCmd && same:
		n = s.RAS
	case a.sort == activateCmd && b.sort <= writeCmd && same:
		n = s.RCD
	case a.sort == prechargeCmd && b.sort == activateCmd && same:
		n = s.RP
	case a.sort == readCmd && b.sort == prechargeCmd && same:
		n = s.RTP
	case a.sort == writeCmd && b.sort == prechargeCmd && same:
		n = s.WL + beat + s.WR
	case column && a.sort == b.sort && a.group == b.group:
		n = max(s.CCDL, beat)
	case column && a.sort == b.sort:
		n = max(s.CCD, beat)
	case a.sort == writeCmd && b.sort == readCmd:
		n = s.WL + beat + s.CDLR
	case a.sort == readCmd && b.sort == writeCmd:
		n = s.CL + beat + 2 - s.WL
	}
	return n
}

func TestNoTimingConstraintIsEverBroken(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := gddr5()
		s.Policy = rapid.SampledFrom([]string{"frfcfs", "fcfs"}).Draw(t, "policy")
		s.BankHash = rapid.Bool().Draw(t, "hash")
		s.Starve = rapid.SampledFrom([]int{50, 1000}).Draw(t, "starve")
		s.High, s.Low = 6, 2
		s.Queue = rapid.IntRange(8, 64).Draw(t, "queue")
		open := [64]bool{}
		seen := observe(t, s)
		for j, b := range seen {
			if b.sort <= writeCmd && !open[b.bank] {
				t.Fatalf("column command to closed bank %d at %d", b.bank, b.t)
			}
			if b.sort >= prechargeCmd {
				open[b.bank] = b.sort == activateCmd
			}
			for i := j - 1; i >= 0 && b.t-seen[i].t < 64; i-- {
				if n := gap(&s, seen[i], b); b.t-seen[i].t < uint64(max(n, 1)) {
					t.Fatalf("%+v only %d cycles after %+v, want %d", b, b.t-seen[i].t, seen[i], n)
				}
			}
		}
	})
}

func TestSkippingIdleCyclesChangesNoCommand(t *testing.T) {
	// step returns the next cycle in which a command may issue. An earlier call must
	// issue nothing, unless another request has arrived.
	rapid.Check(t, func(t *rapid.T) {
		s := gddr5()
		s.High, s.Low, s.Starve = 6, 2, rapid.IntRange(1, 80).Draw(t, "starve")
		s.Banks = 1 << rapid.IntRange(0, 2).Draw(t, "log2 banks")
		s.Groups = 1
		c, err := New("DRAM", wire.NewDomain("D", 1e9), s, Clients{1, 64}, nil)
		if err != nil {
			t.Fatal(err)
		}
		left := rapid.IntRange(1, 60).Draw(t, "requests")
		promise := uint64(0)
		for now := uint64(1); left > 0 || c.queue.n > 0; now++ {
			if left > 0 && !c.queue.full() && rapid.IntRange(0, 9).Draw(t, "arrive") == 0 {
				left--
				promise = 0
				c.add(now, &req.MemRequest{
					Addr:    uint64(rapid.IntRange(0, 255).Draw(t, "line")) * 128,
					Sectors: uint8(rapid.IntRange(1, 15).Draw(t, "sectors")), Write: rapid.Bool().Draw(t, "write"),
				}, 0)
			}
			if now > patience {
				t.Fatalf("%d requests wait for ever", c.queue.n)
			}
			if c.queue.n == 0 {
				continue
			}
			banks, commands := c.banks.bank, c.counts.commands
			next := c.step(now)
			c.n = 0
			if (c.banks.bank != banks || c.counts.commands != commands) && now < promise {
				t.Fatalf("a command issued at %d, though step had said %d", now, promise)
			}
			promise = max(promise, next)
		}
	})
}
