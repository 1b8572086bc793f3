package wire_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// watched runs a component that ticks at the given cycles, in windows of a cycle, with a watcher of cycles from to to
// that wants to be called for ends times. It returns the log of ticks and calls.
func watched(t *testing.T, ticks []wire.Cycle, from, to wire.Cycle, ends int) (log []string) {
	t.Helper()
	e := wire.NewEngine()
	e.SetWindow(1, sim.GHz)
	d := e.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	s.do = func(now wire.Cycle) bool {
		log = append(log, fmt.Sprint(now))
		for _, c := range ticks {
			if c > now {
				s.WakeAt(c)
				break
			}
		}
		return false
	}
	e.Watch(d, from, to, func() { log = append(log, "begin") }, func() bool {
		log = append(log, "end")
		ends--
		return ends <= 0
	})
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	return log
}

func TestAWatcherIsCalledBeforeItsFirstCycleAndAfterItsLast(t *testing.T) {
	for _, c := range []struct {
		ticks    []wire.Cycle
		from, to wire.Cycle
		ends     int
		want     []string
	}{
		{[]wire.Cycle{1, 2, 3, 4}, 2, 4, 1, []string{"1", "begin", "2", "3", "end", "4"}},
		{[]wire.Cycle{1, 2, 3, 4}, 2, 3, 2, []string{"1", "begin", "2", "end", "3", "end", "4"}},
		{[]wire.Cycle{1, 9}, 3, 5, 1, []string{"1", "9"}}, // nothing happens in the cycles watched
		{[]wire.Cycle{1, 5, 6}, 3, 5, 1, []string{"1", "5", "6"}},
		{[]wire.Cycle{1, 3}, 3, 9, 1, []string{"1", "begin", "3"}}, // the run is over earlier
	} {
		if got := watched(t, c.ticks, c.from, c.to, c.ends); !slices.Equal(got, c.want) {
			t.Errorf("ticks %v, watched from %d to %d: %v, want %v", c.ticks, c.from, c.to, got, c.want)
		}
	}
}

func TestEveryComponentOfALargeDomainWakesItself(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	var cs []*script
	for i := range 130 {
		cs = append(cs, newScript(d, fmt.Sprintf("C[%d]", i), 1))
	}
	d.RunUntil(5)
	for i, c := range cs {
		if i%3 == 0 {
			c.Wake()
		}
	}
	d.RunUntil(10)
	for i, c := range cs {
		want := []wire.Cycle{1}
		if i%3 == 0 {
			want = []wire.Cycle{1, 6}
		}
		if !cmp.Equal(c.seen, want) {
			t.Errorf("component %d ticked at %v, want %v", i, c.seen, want)
		}
	}
}

func TestATickAtTheLimitOfARunIsOfTheRun(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 1)
	s.do = func(wire.Cycle) bool { s.WakeAt(10); return false }
	if _, err := e.RunUntil(d, 5); err != nil {
		t.Fatal(err)
	}
	out, err := e.RunUntil(d, 10)
	if err != nil || out != wire.LimitReached || !cmp.Equal(s.seen, []wire.Cycle{1, 10}) {
		t.Errorf("%v, %v after ticks at %v, want the limit reached after one at 10", out, err, s.seen)
	}
}

func TestARunGoesOnAsLongAsAnyDomainOfAPartitionHasATickWithinTheLimit(t *testing.T) {
	e := wire.NewEngine()
	a := newScript(e.NewDomain("A", sim.GHz), "A", 1)
	b := newScript(e.NewDomain("B", 2*sim.GHz), "B", 1)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	a.WakeAt(5)
	b.WakeAt(1000)
	out, err := e.RunUntil(a.Domain(), 6)
	if err != nil || out != wire.LimitReached || !cmp.Equal(a.seen, []wire.Cycle{1, 5}) || len(b.seen) != 1 {
		t.Errorf("%v, %v: A ticked at %v, B at %v; want A at 5 too", out, err, a.seen, b.seen)
	}
}

func TestHooksSeeEventsAndTicksOfAllPartitionsInTheOrderOfTime(t *testing.T) {
	e := wire.NewEngine()
	var times []sim.VTimeInSec
	note := func() { times = append(times, e.CurrentTime()) }
	for i := range 2 {
		p := e.NewPartition(fmt.Sprintf("P[%d]", i))
		s := newScript(p.NewDomain("D", sim.GHz), "S", 1)
		s.do = func(now wire.Cycle) bool { note(); return now < 9 }
		for _, at := range []sim.VTimeInSec{2.25e-9, 4.75e-9, 20e-9} {
			p.Schedule(named{sim.NewEventBase(at, handlerFunc(note)), "", false})
		}
	}
	e.AcceptHook(hookFunc(func(sim.HookCtx) {}))
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if len(times) != 2*(9+3) || !slices.IsSorted(times) {
		t.Errorf("%d times %v, want 24 in order", len(times), times)
	}
}

func TestAWakeFromOutsideOfASleepingPartitionIsNotBeforeTheTimeOfTheOthers(t *testing.T) {
	e := wire.NewEngine()
	e.SetWindow(4, sim.GHz)
	sleeper := newScript(e.NewPartition("P[0]").NewDomain("D[0]", sim.GHz), "Sleeper", 1)
	busy := newScript(e.NewPartition("P[1]").NewDomain("D[1]", sim.GHz), "Busy", 1)
	busy.do = func(now wire.Cycle) bool {
		if now == 42 { // in the window of cycles 41 to 44
			sleeper.TickLater(0)
		}
		return now < 60
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []wire.Cycle{1, 45}; !cmp.Equal(sleeper.seen, want) {
		t.Errorf("ticks at %v, want %v: the first cycle after the window", sleeper.seen, want)
	}
}

func TestASenderWithoutCreditSleepsUntilThereIsRoom(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	a, b, c := newScript(d, "A", 1), newScript(d, "B", 4), newScript(d, "C", 2)
	wire.Connect(&a.out, &b.in, 1)
	wire.Connect(&b.out, &c.in, 1)
	credit := wire.NewCredit(&a.out, &b.out)
	sent := 0
	a.do = func(wire.Cycle) bool {
		if sent < 3 && credit.CanPut() {
			a.out.Put(sent)
			sent++
			return true
		}
		return false
	}
	b.do = func(wire.Cycle) bool {
		if m := b.in.Take(); m != nil {
			b.out.Put(*m)
		}
		return false
	}
	c.WakeAt(50)
	c.do = func(now wire.Cycle) bool {
		if now == 50 {
			c.in.Take()
		}
		return false
	}
	d.RunUntil(60)
	// Two messages fill C. A asks at 3 in vain, and at 4 when B has passed on the second one; then it sleeps until
	// the pop at 50.
	if last := a.seen[len(a.seen)-2]; sent != 3 || last != 51 || len(a.seen) > 6 {
		t.Errorf("%d sent, ticks at %v; want the third message at 51, and no ticks while C is full", sent, a.seen)
	}
}

func TestTheGoroutinesOfARunEndWithIt(t *testing.T) {
	before := runtime.NumGoroutine()
	e := wire.NewEngine()
	e.SetWorkers(4)
	for i := range 4 {
		s := newScript(e.NewPartition(fmt.Sprintf("P[%d]", i)).NewDomain("D", sim.GHz), "S", 1)
		s.do = func(now wire.Cycle) bool { return now < 5000 }
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before the run", runtime.NumGoroutine(), before)
}

func TestAWindowEndsWhenItsSlowestPartitionDoes(t *testing.T) {
	e := wire.NewEngine()
	e.SetWorkers(2)
	e.SetWindow(4, sim.GHz)
	fast := newScript(e.NewPartition("P[0]").NewDomain("D[0]", sim.GHz), "Fast", 1)
	slow := newScript(e.NewPartition("P[1]").NewDomain("D[1]", sim.GHz), "Slow", 1)
	wire.Connect(&fast.out, &slow.in, 4)
	begun := make(chan bool)
	fast.do = func(now wire.Cycle) bool {
		if now == 1 {
			<-begun // the other worker has the slow partition
		}
		return now < 20
	}
	slow.do = func(now wire.Cycle) bool {
		if now == 1 {
			begun <- true
			time.Sleep(50 * time.Millisecond) // the worker of the fast partition falls asleep meanwhile
		}
		return now < 20
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if len(fast.seen) != 20 || len(slow.seen) != 20 {
		t.Errorf("ticks at %v and %v, want 20 each", fast.seen, slow.seen)
	}
}
