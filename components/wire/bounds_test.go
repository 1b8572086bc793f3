package wire

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
)

// clocked is a component with a function as its Tick.
type clocked struct {
	Comp
	in  InPort[int]
	out OutPort[int]
	do  func(now Cycle) bool
}

func newClocked(d *Domain, name string, do func(now Cycle) bool) *clocked {
	c := &clocked{do: do}
	c.Init(name, d, c)
	return c
}

func (c *clocked) Tick(now Cycle) bool { return c.do != nil && c.do(now) }

// handle is an event at a given time. It calls a function.
type handle struct {
	at sim.VTimeInSec
	f  func()
}

func (h *handle) Time() sim.VTimeInSec   { return h.at }
func (h *handle) Handler() sim.Handler   { return h }
func (h *handle) IsSecondary() bool      { return false }
func (h *handle) Handle(sim.Event) error { h.f(); return nil }

func refused(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
			t.Errorf("panic %v, want one with %q", r, want)
		}
	}()
	f()
}

func TestFrequenciesFromOneHertzToAPetahertzAreTaken(t *testing.T) {
	for _, f := range []sim.Freq{1, 1e15} {
		if d := NewDomain("D", f); d.Freq() != f {
			t.Errorf("%v Hz, want %v", d.Freq(), f)
		}
	}
	for _, f := range []sim.Freq{0, 0.5, 1e15 + 1, sim.Freq(math.NaN())} {
		refused(t, "frequency", func() { NewDomain("D", f) })
	}
}

func TestWindowsAndWatchdogsTakeTheirLeastSettings(t *testing.T) {
	e := NewEngine()
	e.SetWindow(1, 1)
	e.SetWatchdog(0, 0) // off
	e.SetWatchdog(1, 1)
	refused(t, "window", func() { e.SetWindow(0, 1) })
	refused(t, "window", func() { e.SetWindow(1, 0.5) })
	refused(t, "watchdog", func() { e.SetWatchdog(-1, 1) })
	refused(t, "watchdog", func() { e.SetWatchdog(1, 0.5) })
}

func TestAWatchdogBitesWhenMoreThanItsPatienceHasPassed(t *testing.T) {
	w := watchdog{patience: 10, hz: 1e9}
	w.start(7)
	for _, c := range []struct {
		at    Cycle
		moves uint64
		bites bool
	}{{5, 7, false}, {15, 7, false}, {16, 7, true}, {17, 8, false}, {27, 8, false}, {28, 8, true}} {
		if got := w.bites(edge{c.at, 1e9}, c.moves); got != c.bites {
			t.Errorf("cycle %d, %d moves: bites %v, want %v", c.at, c.moves, got, c.bites)
		}
	}
}

func TestMessagesProgressAndEventsAreMoves(t *testing.T) {
	e := NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	to := newClocked(d, "To", nil)
	to.in.Init(&to.Comp, "In", 8)
	from := newClocked(d, "From", nil)
	from.out.Init(&from.Comp, "Out")
	Connect(&from.out, &to.in, 1)
	from.do = func(now Cycle) bool {
		from.out.Put(int(now))
		from.Progress()
		return now < 3
	}
	e.Schedule(&handle{5e-9, func() {}})
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if n := e.Moves(); n != 3+3+1 {
		t.Errorf("%d moves, want 7: of 3 messages, 3 times progress and an event", n)
	}
}

func TestADomainThatRunsAloneStandsAtItsLimit(t *testing.T) {
	d := NewDomain("D", 1e9)
	newClocked(d, "C", nil)
	d.RunUntil(100)
	if d.Now() != 100 {
		t.Errorf("cycle %d, want 100", d.Now())
	}
	d.RunUntil(50)
	if d.Now() != 100 {
		t.Errorf("cycle %d after a limit that is past, want 100", d.Now())
	}
}

func TestMoreThan64ComponentsTickAsLongAsTheyWantTo(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		d := NewDomain("D", 1e9)
		ticks := make([][]Cycle, 200)
		var order []int32
		for i := range ticks {
			newClocked(d, fmt.Sprint(i), func(now Cycle) bool {
				ticks[i] = append(ticks[i], now)
				return now%60 < uint64(i%50)
			})
			order = append(order, int32(len(ticks)-1-i))
		}
		if shuffled {
			d.SetTickOrder(order)
		}
		d.RunUntil(55)
		for i, got := range ticks {
			want := make([]Cycle, max(1, i%50))
			for k := range want {
				want[k] = Cycle(1 + k)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("shuffled %v: component %d ticked in %v, want %v", shuffled, i, got, want)
			}
		}
	}
}

func TestAClockIsNotAdvancedOverAWake(t *testing.T) {
	d := NewDomain("D", 1e9)
	c := newClocked(d, "C", nil)
	d.RunUntil(1)
	c.WakeAt(10)
	for _, x := range []struct{ to, want Cycle }{{5, 5}, {3, 5}, {10, 9}, {20, 9}} {
		if d.advance(x.to); d.Now() != x.want {
			t.Errorf("advanced to %d: in cycle %d, want %d", x.to, d.Now(), x.want)
		}
	}
}

func TestATickOrderNamesComponentsThatThereAre(t *testing.T) {
	d := NewDomain("D", 1e9)
	newClocked(d, "A", nil)
	newClocked(d, "B", nil)
	for _, perm := range [][]int32{{0, 2}, {-1, 0}, {0, 0}} {
		refused(t, "no permutation", func() { d.SetTickOrder(perm) })
	}
	refused(t, "want 2", func() { d.SetTickOrder([]int32{1}) })
}

func TestEqualEdgesCompareEqual(t *testing.T) {
	for _, c := range []struct {
		a, b edge
		want int
	}{
		{edge{5, 3}, edge{5, 3}, 0}, {edge{4, 3}, edge{5, 3}, -1}, {edge{6, 3}, edge{5, 3}, 1},
		{edge{2, 4}, edge{1, 2}, 0},
	} {
		if got := c.a.compare(c.b); got != c.want {
			t.Errorf("%v against %v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestTimeBeyond64BitsOfCyclesIsRefused(t *testing.T) {
	refused(t, "exceeds", func() { edge{1 << 63, 1}.floorTo(2) })
	if c := (edge{1<<63 - 1, 1}).floorTo(2); c != 1<<64-2 {
		t.Errorf("cycle %d, want 2^64 - 2", c)
	}
}

func TestATimeJustBeforeAnEdgeIsOfTheEdgeBefore(t *testing.T) {
	rounded := 0
	for c := Cycle(1); c < 20_000; c++ {
		const hz = 1_126_000_000
		at := edge{c, hz}.seconds()
		before := sim.VTimeInSec(math.Nextafter(float64(at), 0))
		if Cycle(math.Floor(float64(before)*hz)) == c {
			rounded++
		}
		if x, y := lastEdgeAt(before, hz), lastEdgeAt(at, hz); x != c-1 || y != c {
			t.Fatalf("edge %d: before it %d, at it %d", c, x, y)
		}
	}
	if rounded == 0 {
		t.Error("no product was rounded up to an edge: the test looks at nothing")
	}
}

func TestABoundIsOpenOrClosed(t *testing.T) {
	open, closed := bound{edge{10, 1e9}, false}, bound{edge{10, 1e9}, true}
	at := open.seconds()
	if open.covers(at) || !closed.covers(at) || !open.covers(at-1e-10) || closed.covers(at+1e-10) {
		t.Error("an open bound covers what is before it, a closed one that and itself")
	}
	if open.earlier(closed) != open || closed.earlier(open) != open {
		t.Error("of an open and a closed bound at one edge the open one is the tighter")
	}
	if later := (bound{edge{11, 1e9}, false}); closed.earlier(later) != closed || later.earlier(closed) != closed {
		t.Error("the earlier of two bounds is the tighter")
	}
}

func TestTheFinestClockIsTheFastestOfAllDomains(t *testing.T) {
	e := NewEngine()
	if hz := e.finestClock(); hz != 1e9 {
		t.Errorf("%d Hz without domains, want 1 GHz", hz)
	}
	e.NewDomain("Slow", 5e8)
	e.NewPartition("P").NewDomain("Fast", 2e9)
	if hz := e.finestClock(); hz != 2e9 {
		t.Errorf("%d Hz, want 2 GHz", hz)
	}
}

// hook calls a function.
type hook struct{ f func(sim.HookCtx) }

func (h *hook) Func(ctx sim.HookCtx) { h.f(ctx) }

func TestHooksOfTheEngineSeeEveryEventBeforeAndAfterIt(t *testing.T) {
	e := NewEngine()
	e.NewDomain("D", sim.GHz)
	var seen []string
	e.AcceptHook(&hook{func(ctx sim.HookCtx) { seen = append(seen, ctx.Pos.Name) }})
	e.Schedule(&handle{1e-9, func() { seen = append(seen, "event") }})
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []string{sim.HookPosBeforeEvent.Name, "event", sim.HookPosAfterEvent.Name}; !slices.Equal(seen, want) {
		t.Errorf("seen %v, want %v", seen, want)
	}
}

func TestAnEventBeforeTheNextWakeIsHandledWithinTheLimit(t *testing.T) {
	e := NewEngine()
	d := e.NewDomain("D", sim.GHz)
	c := newClocked(d, "C", nil)
	if _, err := e.RunUntil(d, 2); err != nil {
		t.Fatal(err)
	}
	c.WakeAt(1000)
	handled := false
	e.Schedule(&handle{5e-9, func() { handled = true }})
	if out, err := e.RunUntil(d, 10); out != LimitReached || err != nil || !handled {
		t.Errorf("%v, %v, handled %v; want the limit reached behind the event", out, err, handled)
	}
}

func TestTheEnginesTimeIsThatOfTheEventAtHand(t *testing.T) {
	e := NewEngine()
	d := e.NewDomain("D", sim.GHz)
	var times []sim.VTimeInSec
	var cycles []Cycle
	for _, at := range []sim.VTimeInSec{0, 5e-9, 7.5e-9} {
		e.Schedule(&handle{at, func() { times, cycles = append(times, e.CurrentTime()), append(cycles, d.Now()) }})
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(times, []sim.VTimeInSec{0, 5e-9, 7.5e-9}) || !slices.Equal(cycles, []Cycle{0, 4, 7}) {
		t.Errorf("events at %v, in cycles %v; want 0, 5 and 7.5 ns, cycles 0, 4 and 7", times, cycles)
	}
}

func TestWhileHooksLookOnPartitionsAreInTheOrderOfTime(t *testing.T) {
	e := NewEngine()
	var times []float64
	for i, hz := range []sim.Freq{1e9, 7e8, 13e8} {
		d := e.NewPartition(fmt.Sprint(i)).NewDomain(fmt.Sprint(i), hz)
		c := newClocked(d, fmt.Sprint(i), nil)
		c.do = func(now Cycle) bool { times = append(times, float64(now)/float64(hz)); return now < 20 }
	}
	e.AcceptHook(&hook{func(sim.HookCtx) {}})
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if len(times) != 60 || !slices.IsSorted(times) {
		t.Errorf("%d ticks, sorted %v; want 60 in the order of time", len(times), slices.IsSorted(times))
	}
}

func TestMessagesFromAConnectionKeepTheirOrderAroundTheRing(t *testing.T) {
	e := NewEngine()
	d := e.NewDomain("D", sim.GHz)
	c := newClocked(d, "C", nil)
	c.in.Init(&c.Comp, "In", 3)
	PlugIn(&c.in, &wireTo{}, 1)
	next, want := 0, 0
	message := func(body int) sim.Msg { return &Env[int]{MsgMeta: sim.MsgMeta{RecvTime: d.Time()}, Body: body} }
	give := func() {
		if c.in.Sink().Recv(message(next)) == nil {
			next++
		}
	}
	for range 3 {
		give()
	}
	if c.in.Sink().Recv(message(9)) == nil {
		t.Fatal("a fourth message was taken by a port for three")
	}
	for limit := Cycle(2); limit < 12; limit++ {
		d.RunUntil(limit)
		m := c.in.Head()
		if m == nil || *m != want {
			t.Fatalf("cycle %d: head %v, want %d", limit, m, want)
		}
		c.in.Pop()
		want++
		give()
	}
	if next < 10 {
		t.Errorf("%d messages were taken, want 10 at least", next)
	}
}

func TestTheChangesThatATapRemembersDoNotGrow(t *testing.T) {
	var q changes[int]
	for i := range 1000 {
		q.push(change[int]{v: i})
		if i >= 2 {
			if q.list[q.head].v != i-2 {
				t.Fatalf("the oldest change is %d, want %d", q.list[q.head].v, i-2)
			}
			q.head++
		}
	}
	if cap(q.list) > 8 {
		t.Errorf("room for %d changes, want as many as there are at once: 3, rounded up", cap(q.list))
	}
}

func TestARunEndsAtItsLimitBeforeAnEventInTheSameCycle(t *testing.T) {
	e := NewEngine()
	p := e.NewPartition("P")
	d := p.NewDomain("D", 6)
	handled := 0
	p.Schedule(sim.NewEventBase(8.05, counted{&handled}))
	out, err := e.RunUntil(d, 48) // at 8 s
	if out != LimitReached || err != nil || handled != 0 {
		t.Errorf("outcome %v, error %v, %d events handled; want the limit, and none", out, err, handled)
	}
	if out, err := e.RunUntil(d, 49); out != Idle || err != nil || handled != 1 {
		t.Errorf("outcome %v, error %v, %d events handled; want one, and nothing left", out, err, handled)
	}
}

func TestADomainAddedWithItsComponentsIsBuiltWhenItIsAdded(t *testing.T) {
	e := NewEngine()
	p := e.NewPartition("P")
	late := NewDomain("Late", sim.GHz)
	for range 2 {
		c := &clocked{}
		c.Init("Late", late, c)
	}
	c := &clocked{}
	d := p.NewDomain("D", sim.GHz)
	c.Init("C", d, c)
	p.Add(late)
	if got := slices.Concat(d.built, late.built); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("components are numbered %v, want 0 to 2", got)
	}
}

// counted counts the events that it handles.
type counted struct{ n *int }

func (c counted) Handle(sim.Event) error { *c.n++; return nil }
