package wire_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

func TestARunEndsWhenNothingIsAwake(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	s.do = func(now wire.Cycle) bool {
		if now == 10 {
			s.WakeAt(5000)
		}
		return now < 10
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if d.Now() != 5000 || e.CurrentTime() != 5000/1e9 {
		t.Errorf("ended at cycle %d, %v s; want 5000", d.Now(), e.CurrentTime())
	}
}

func TestStopEndsTheRunAfterTheCycle(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	var last wire.Cycle
	a, b := newScript(d, "A", 1), newScript(d, "B", 1)
	a.do = func(now wire.Cycle) bool {
		if now == 77 {
			e.Stop()
		}
		return true
	}
	b.do = func(now wire.Cycle) bool { last = now; return true }
	out, err := e.RunUntil(d, 1000)
	if out != wire.Stopped || err != nil || last != 77 || d.Now() != 77 {
		t.Errorf("%v, %v at %d, B ticked last at %d; want stopped at 77", out, err, d.Now(), last)
	}
	if out, _ = e.RunUntil(d, 100); out != wire.LimitReached || last != 100 || d.Now() != 100 {
		t.Errorf("%v at %d after going on; want limit reached at 100", out, d.Now())
	}
}

func TestRunUntilLeavesEveryClockAtTheLimit(t *testing.T) {
	e := wire.NewEngine()
	fast := e.NewPartition("A").NewDomain("Fast", 3*sim.GHz)
	slow := e.NewPartition("B").NewDomain("Slow", 2*sim.GHz)
	newScript(fast, "F", 1).do = func(wire.Cycle) bool { return true }
	out, err := e.RunUntil(slow, 100)
	if out != wire.LimitReached || err != nil || fast.Now() != 150 || slow.Now() != 100 {
		t.Errorf("%v, %v: fast %d, slow %d; want limit reached at 150, 100", out, err, fast.Now(), slow.Now())
	}
}

type waits struct {
	script
	line string
}

func (w *waits) Waiting() string { return w.line }

func newWaits(d *wire.Domain, name, line string) *waits {
	w := &waits{line: line}
	w.Init(name, d, w)
	w.in.Init(&w.Comp, "In", 1)
	w.out.Init(&w.Comp, "Out")
	return w
}

func TestARunThatStopsByItselfWithWorkLeftTellsWhoWaitsForWhom(t *testing.T) {
	e := wire.NewEngine()
	a := newWaits(e.NewPartition("P[0]").NewDomain("D[0]", sim.GHz), "A", "room in B")
	b := newWaits(e.NewPartition("P[1]").NewDomain("D[1]", sim.GHz), "B", "reply from A")
	wire.Connect(&a.out, &b.in, 4)
	a.do = func(wire.Cycle) bool {
		if a.out.CanPut() {
			a.out.Put(1)
			return true
		}
		return false
	}
	var stuck *wire.StuckError
	if err := e.Run(); !errors.As(err, &stuck) {
		t.Fatalf("got %v", err)
	}
	want := []string{"A: room in B", "B: reply from A", "A.Out: no room in B.In"}
	if !cmp.Equal(stuck.Waiting, want) {
		t.Errorf("report %q, want %q", stuck.Waiting, want)
	}
	if !strings.HasPrefix(stuck.Error(), "stuck at 5e-09 s: nothing is awake\n  A: room in B") {
		t.Errorf("message %q", stuck.Error())
	}
	a.line, b.line = "", ""
	if err := e.Run(); err != nil {
		t.Errorf("nobody waits, but %v", err)
	}
}

func TestTheWatchdogEndsARunInWhichComponentsTickButNothingMoves(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	s.do = func(now wire.Cycle) bool {
		if now < 5000 {
			s.Progress()
		}
		return true
	}
	e.SetWatchdog(2000, sim.GHz)
	out, err := e.RunUntil(d, 100_000)
	// The last progress is at 4999; windows of 1024 cycles delay the bite.
	if out != wire.Stuck || err == nil || d.Now() < 7000 || d.Now() > 10_000 {
		t.Errorf("%v, %v at %d; want stuck soon after 7000", out, err, d.Now())
	}
}

func TestPauseHoldsTheSimulationUntilContinue(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	n := 0
	newScript(d, "S", 1).do = func(wire.Cycle) bool { n++; return true }
	done := make(chan error)
	go func() { done <- e.Run() }()
	for e.CurrentTime() == 0 {
		time.Sleep(time.Microsecond)
	}
	e.Pause()
	e.Pause() // a second one changes nothing
	before, at := n, e.CurrentTime()
	time.Sleep(5 * time.Millisecond)
	if n != before || e.CurrentTime() != at {
		t.Errorf("went on from %d to %d while paused", before, n)
	}
	e.Continue()
	e.Continue()
	for e.CurrentTime() == at {
		time.Sleep(time.Microsecond)
	}
	e.Stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAWakeFromAnotherGoroutineIsNotLost(t *testing.T) {
	e := wire.NewEngine()
	s := newScript(e.NewPartition("P[0]").NewDomain("D[0]", sim.GHz), "S", 1)
	busy := newScript(e.NewPartition("P[1]").NewDomain("D[1]", sim.GHz), "Busy", 1)
	woken := 0
	s.do = func(now wire.Cycle) bool {
		if now > 1 {
			woken++
			e.Stop()
		}
		return false
	}
	busy.do = func(wire.Cycle) bool { return true }
	done := make(chan error)
	go func() { done <- e.Run() }()
	for e.CurrentTime() == 0 {
		time.Sleep(time.Microsecond)
	}
	posted := e.CurrentTime()
	s.TickLater(0)
	if err := <-done; err != nil || woken != 1 {
		t.Errorf("woken %d times, %v", woken, err)
	}
	if at := s.seen[1]; sim.VTimeInSec(at)/1e9 <= posted {
		t.Errorf("posted at %v s, but woken at cycle %d", posted, at)
	}
	busy.do = nil
	_ = e.Run()
	s.TickLater(0) // nothing runs: the next run finds it
	if err := e.Run(); err != nil || woken != 2 {
		t.Errorf("woken %d times, %v", woken, err)
	}
}

func TestALaneShorterThanTheWindowIsRefused(t *testing.T) {
	e := wire.NewEngine()
	e.SetWindow(8, sim.GHz)
	a := newScript(e.NewPartition("A").NewDomain("D[0]", sim.GHz), "A", 1)
	b := newScript(e.NewPartition("B").NewDomain("D[1]", 2*sim.GHz), "B", 1)
	mustPanic(t, "link A.Out -> B.In joins partitions A and B with a latency of 7 cycles at 1000000000 Hz, shorter "+
		"than the window of 8 cycles at 1000000000 Hz",
		func() { wire.Connect(&a.out, &b.in, 7) })
	mustPanic(t, "latency of 15 cycles at 2000000000 Hz", func() { wire.Connect(&b.out, &a.in, 15) })
	wire.Connect(&b.out, &a.in, 16)
	mustPanic(t, "shorter than the window of 9 cycles", func() { e.SetWindow(9, sim.GHz) })
	var s wire.Signal[int]
	s.Init(&a.Comp, 0)
	mustPanic(t, "signal of A -> B joins partitions", func() { wire.NewTap(&s, &b.Comp, 3) })
	mustPanic(t, "watches a signal of domain", func() { s.Watch(&b.Comp) })
	other := newScript(wire.NewEngine().NewDomain("Other", sim.GHz), "O", 1)
	mustPanic(t, "different engines", func() { wire.Connect(&a.out, &other.in, 8) })
}

func TestAPanicInAWorkerReachesTheCallerOfRun(t *testing.T) {
	e := wire.NewEngine()
	e.SetWorkers(3)
	for i := range 4 {
		s := newScript(e.NewPartition(fmt.Sprintf("P[%d]", i)).NewDomain("D", sim.GHz), "S", 1)
		s.do = func(now wire.Cycle) bool {
			if now == 9 && i >= 2 {
				panic(fmt.Sprintf("oops %d", i))
			}
			return true
		}
	}
	mustPanic(t, "oops 2 (in partition P[2])", func() { _ = e.Run() })
}

func TestATapShowsASignalLatencyCyclesLateWhateverThePartition(t *testing.T) {
	for _, partitions := range []int{1, 2} {
		e := wire.NewEngine()
		d := e.NewPartition("P[0]").NewDomain("Writer", 4)
		p := e.Home()
		if partitions == 2 {
			p = e.NewPartition("P[1]")
		}
		w := newScript(d, "W", 1)
		r := newScript(p.NewDomain("Reader", 6), "R", 1)
		var s wire.Signal[int]
		s.Init(&w.Comp, -1)
		tap := wire.NewTap(&s, &r.Comp, 3)
		w.do = func(now wire.Cycle) bool {
			if now == 2 || now == 3 || now == 40 {
				s.Set(0)
				s.Set(int(now))
			}
			return now < 40
		}
		got := map[wire.Cycle]int{} // by the first cycle of a value
		seen := 0
		r.do = func(now wire.Cycle) bool {
			if v := tap.Get(); v != seen {
				seen, got[now] = v, v
			}
			return now < 70
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		// Set at 2/4 s, seen from (2+3)/4 s = 7.5/6 s on: cycle 8; set at 3: 9;
		// set at 40: 64.5, so 65.
		if want := (map[wire.Cycle]int{1: -1, 8: 2, 9: 3, 65: 40}); !cmp.Equal(got, want) {
			t.Errorf("%d partitions: %v, want %v", partitions, got, want)
		}
	}
}
