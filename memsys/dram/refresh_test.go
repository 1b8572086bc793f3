package dram

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// refreshed is gddr5 with a refresh of 100 cycles every 1000.
func refreshed() Spec {
	s := gddr5()
	s.Refresh, s.REFI, s.RFC = true, 1000, 100
	return s
}

func (b *bench) stat(t *testing.T, name string, want uint64) {
	t.Helper()
	if got, ok := b.reg.Snapshot()["mem.dram."+name]; !ok || got != want {
		t.Errorf("%s is %d (known: %v), want %d", name, got, ok, want)
	}
}

// The refresh begins at 1000, because no row is open, and ends at 1100: RCD 16, CL 16, burst 2. A read is in the queue
// as it begins, or comes while it lasts.
func TestAReadThatMeetsARefreshWaitsForItsEnd(t *testing.T) {
	for sent, wait := range map[wire.Cycle]uint64{999: 100, 1069: 1100 - 1070} {
		b := newBench(t, refreshed(), 1)
		b.src[0].Send(sent, read(0, 1))
		b.d.RunUntil(2000)
		if got := b.at(t, 0); got != 1100+16+16+2 {
			t.Errorf("sent in cycle %d: reply in cycle %d, want 1134", sent, got)
		}
		b.stat(t, "refreshes", 1)
		b.stat(t, "refresh_wait", wait)
		b.stat(t, "refresh_closed_rows", 0)
	}
}

func TestARefreshClosesARowAsSoonAsItMay(t *testing.T) {
	b := newBench(t, refreshed(), 1)
	b.src[0].Send(998, read(0, 1))
	b.d.RunUntil(2000)
	// Activated at 999. The refresh is due at 1000; the row may be closed at
	// 999 + RAS 37 = 1036, and 999 + RC 52 = 1051 is before 1036 + RP 16 = 1052, when
	// the refresh begins. It ends at 1152; then RCD 16, CL 16, burst 2.
	if got := b.at(t, 0); got != 1152+16+16+2 {
		t.Errorf("reply in cycle %d, want 1186", got)
	}
	b.stat(t, "refresh_closed_rows", 1)
	b.stat(t, "refresh_wait", 152)
	b.stat(t, "row_misses", 1)
}

func TestTheLastColumnCommandBeforeARefreshStillBringsItsData(t *testing.T) {
	b := newBench(t, refreshed(), 1)
	b.src[0].Send(982, read(0, 0b0011)) // two bursts
	b.d.RunUntil(2000)
	// Activated at 983, first burst read at 999; the second would follow at 1003, but
	// the refresh is due at 1000: precharge at max(983 + RAS 37, 999 + RTP 3) = 1020,
	// refresh at 1036 (983 + RC 52 = 1035), until 1136; activate, RCD 16, CL 16, 2.
	if got := b.at(t, 0); got != 1136+16+16+2 {
		t.Errorf("reply in cycle %d, want 1170", got)
	}
	b.stat(t, "column_commands", 2)
	b.stat(t, "row_misses", 1) // one request
}

func TestRefreshesOfAnIdleChannelCloseItsRowsAndDelayNobody(t *testing.T) {
	b := newBench(t, refreshed(), 1)
	b.src[0].Send(1, read(0, 1))
	b.src[0].Send(1499, read(32, 1)) // the row that was open
	b.d.RunUntil(3000)
	if got := b.at(t, 32); got != 1500+16+16+2 {
		t.Errorf("reply in cycle %d, want 1534: the row must be opened again", got)
	}
	b.stat(t, "refreshes", 1)
	b.stat(t, "refresh_closed_rows", 1)
	b.stat(t, "refresh_wait", 0)
	b.stat(t, "row_misses", 2)
}

// 10^9 idle cycles have 10^6 refreshes. Nothing wakes for them. The
// last of them delays a read arriving 50 cycles after its beginning.
func TestAnIdleChannelSleepsThroughItsRefreshes(t *testing.T) {
	b := newBench(t, refreshed(), 1)
	b.src[0].Send(1, read(0, 1))
	b.d.RunUntil(100)
	const far = 1_000_000_000
	if w := b.d.NextWake(); w < far {
		t.Errorf("something wakes in cycle %d", w)
	}
	b.src[0].Send(far+49, read(32, 1))
	b.d.RunUntil(far + 1000)
	if got := b.at(t, 32); got != far+100+16+16+2 {
		t.Errorf("reply in cycle %d, want %d", got, far+134)
	}
	b.stat(t, "refreshes", 1_000_000)
	b.stat(t, "refresh_wait", 50)
	b.stat(t, "refresh_closed_rows", 1)
}

// A stream keeping the pins busy loses to every refresh at least RFC, and at
// most RFC and the time to close the rows (RC and RP) and to open one again (RCD and
// RRD), out of every REFI cycles.
func TestAStreamLosesTheTimeOfTheRefreshes(t *testing.T) {
	const lines = 12000 // 8 cycles of pins each
	last := func(s Spec) float64 {
		b := newBench(t, s, 1)
		for i := range lines {
			b.src[0].Send(1, read(uint64(i)*128, 0xf))
		}
		b.d.RunUntil(1_000_000)
		if len(b.sink[0].Got) != lines {
			t.Fatalf("%d replies, want %d", len(b.sink[0].Got), lines)
		}
		return float64(b.sink[0].Got[lines-1].Cycle)
	}
	s := refreshed()
	plain := gddr5()
	for _, c := range []struct{ every, length int }{{1000, 100}, {2000, 500}, {3603, 61}} {
		s.REFI, s.RFC = c.every, c.length
		every, length := float64(c.every), float64(c.length)
		most := length + float64(s.RC+s.RP+s.RCD+s.RRD)
		low, high := every/(every-length), every/(every-most)
		if got := last(s) / last(plain); got < 0.999*low || got > 1.001*high {
			t.Errorf("every %d for %d: %.4f times as long, want %.4f to %.4f", c.every, c.length, got, low, high)
		}
	}
}

func TestRefreshesThatLeaveNoTimeAreRefused(t *testing.T) {
	for _, change := range []func(*Spec){
		func(s *Spec) { s.RFC = 0 }, func(s *Spec) { s.REFI = 0 }, func(s *Spec) { s.REFI = s.RFC + 4*s.RC - 1 },
	} {
		s := refreshed()
		change(&s)
		if err := s.Check(); err == nil {
			t.Errorf("trefi %d and trfc %d were accepted", s.REFI, s.RFC)
		}
		s.Refresh = false
		if err := s.Check(); err != nil {
			t.Errorf("without refresh: %v", err)
		}
	}
}

// One channel is looked at in every cycle, another when it asks for it: they
// must do the same, however long nobody wants anything of them.
func TestARefreshIsTheSameWhenItIsNoticedLate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := gddr5()
		s.High, s.Low = 6, 2
		s.Refresh, s.RFC = true, rapid.IntRange(1, 300).Draw(t, "rfc")
		s.REFI = s.RFC + 4*s.RC + rapid.IntRange(0, 400).Draw(t, "rest")
		a, b := newBench(t, s, 1), newBench(t, s, 1)
		at := wire.Cycle(1)
		for range rapid.IntRange(1, 40).Draw(t, "requests") {
			at += wire.Cycle(rapid.SampledFrom([]int{0, 0, 1, 5, 50, 500, 5000}).Draw(t, "gap"))
			r := req.MemRequest{Addr: uint64(rapid.IntRange(0, 1023).Draw(t, "line")) * 128, Sectors: 1,
				Write: rapid.Bool().Draw(t, "write")}
			a.src[0].Send(at, r)
			b.src[0].Send(at, r)
		}
		for a.d.Now() < at+3000 {
			a.c.Wake()
			a.d.RunUntil(a.d.Now() + 1)
		}
		b.d.RunUntil(at + 3000)
		x, y := a.sink[0].Got, b.sink[0].Got
		if len(x) != len(y) {
			t.Fatalf("%d and %d replies", len(x), len(y))
		}
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("reply %d: %+v and %+v", i, x[i], y[i])
			}
		}
		m, n := a.reg.Snapshot(), b.reg.Snapshot()
		for k := range m {
			if m[k] != n[k] {
				t.Fatalf("%s: %d and %d", k, m[k], n[k])
			}
		}
	})
}

// released returns the end of the refresh due at cycle due, computed from the commands
// since the refresh before it.
func released(s *Spec, before []command, due uint64) uint64 {
	precharge, ready, open := due, due, [64]bool{}
	for _, c := range before {
		at := c.t + uint64(gap(s, c, command{sort: prechargeCmd, bank: c.bank})) // when the bank may be closed
		switch c.sort {
		case activateCmd:
			open[c.bank] = true
			ready = max(ready, c.t+uint64(s.RC))
		case prechargeCmd:
			open[c.bank] = false
			ready = max(ready, c.t+uint64(s.RP))
		}
		if c.sort != prechargeCmd && !closed(before, c) {
			precharge = max(precharge, at)
		}
	}
	if slices.Contains(open[:], true) {
		ready = max(ready, precharge+uint64(s.RP))
	}
	return ready + uint64(s.RFC)
}

// closed reports whether the row used by a command was precharged after it.
func closed(list []command, c command) bool {
	for _, x := range list {
		if x.t > c.t && x.bank == c.bank && x.sort == prechargeCmd {
			return true
		}
	}
	return false
}

func TestNoCommandIssuesFromWhenARefreshIsDueToItsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := gddr5()
		s.High, s.Low = 6, 2
		s.Refresh, s.RFC = true, rapid.IntRange(1, 200).Draw(t, "rfc")
		s.REFI = s.RFC + 4*s.RC + rapid.IntRange(0, 200).Draw(t, "rest")
		seen := observe(t, s)
		var before []command // since the last refresh, which closed all rows
		due := uint64(s.REFI)
		for i := 0; i < len(seen); {
			if seen[i].t < due {
				before = append(before, seen[i])
				i++
				continue
			}
			if end := released(&s, before, due); seen[i].t < end {
				t.Fatalf("%+v while a refresh, due at %d, lasts until %d", seen[i], due, end)
			}
			before = before[:0]
			due += uint64(s.REFI)
		}
	})
}
