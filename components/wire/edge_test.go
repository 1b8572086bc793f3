package wire

import (
	"cmp"
	"math/big"
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"pgregory.net/rapid"
)

func drawEdge(t *rapid.T, name string) edge {
	return edge{
		rapid.Uint64Range(0, 1<<50).Draw(t, name),
		rapid.SampledFrom([]uint64{1, 3, 7, 924e6, 1126e6, 1e9, 1753e6, 1e15}).Draw(t, name+" hz"),
	}
}

func rat(e edge) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(e.at), new(big.Int).SetUint64(e.hz))
}

func TestEdgesCompareAsFractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawEdge(t, "a"), drawEdge(t, "b")
		if got, want := a.compare(b), rat(a).Cmp(rat(b)); got != want {
			t.Fatalf("%v against %v: %d, want %d", a, b, got, want)
		}
	})
}

func TestEdgesRoundToTheEdgesOfAnotherClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := edge{rapid.Uint64Range(1, 1<<40).Draw(t, "a"), rapid.SampledFrom([]uint64{3, 924e6, 1126e6, 1e9}).Draw(t,
			"hz")}
		hz := rapid.SampledFrom([]uint64{3, 7, 924e6, 1e9, 1753e6}).Draw(t, "to")
		if float64(a.at)/float64(a.hz)*float64(hz) > 1e18 {
			t.Skip("beyond 64 bits")
		}
		floor, ceil := a.floorTo(hz), a.ceilTo(hz)
		if rat(edge{floor, hz}).Cmp(rat(a)) > 0 || rat(edge{floor + 1, hz}).Cmp(rat(a)) <= 0 {
			t.Fatalf("floor of %v at %d Hz: %d", a, hz, floor)
		}
		if rat(edge{ceil, hz}).Cmp(rat(a)) < 0 || rat(edge{ceil - 1, hz}).Cmp(rat(a)) >= 0 {
			t.Fatalf("ceiling of %v at %d Hz: %d", a, hz, ceil)
		}
		open, closed := bound{a, false}, bound{a, true}
		if closed.last(hz) != floor || rat(edge{open.last(hz), hz}).Cmp(rat(a)) >= 0 ||
			rat(edge{open.last(hz) + 1, hz}).Cmp(rat(a)) < 0 {
			t.Fatalf("last edges before %v: open %d, closed %d", a, open.last(hz), closed.last(hz))
		}
	})
}

func TestTheLastEdgeAtATimeInSecondsIsTheEdgeOfThatTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hz := rapid.SampledFrom([]uint64{1, 7, 924e6, 1126e6, 1e9, 1753e6}).Draw(t, "hz")
		c := rapid.Uint64Range(0, 1<<45).Draw(t, "cycle")
		if got := lastEdgeAt(edge{c, hz}.seconds(), hz); got != c {
			t.Fatalf("cycle %d at %d Hz: %d", c, hz, got)
		}
		later := edge{c, hz}.seconds() + sim.VTimeInSec(0.5/float64(hz))
		if got := lastEdgeAt(later, hz); got != c {
			t.Fatalf("half a cycle after %d at %d Hz: %d", c, hz, got)
		}
	})
}

func TestEventsComeByTimePrimaryFirstThenInTheOrderOfScheduling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q events
		var list []*plainEvent
		n := rapid.IntRange(1, 60).Draw(t, "events")
		for i := 0; i < n; i++ {
			e := &plainEvent{sim.VTimeInSec(rapid.IntRange(0, 4).Draw(t, "time")), rapid.Bool().Draw(t, "secondary"), i}
			q.push(e)
			list = append(list, e)
		}
		slices.SortStableFunc(list, func(a, b *plainEvent) int { // by the rule itself
			switch {
			case a.time != b.time:
				return cmp.Compare(a.time, b.time)
			case a.secondary != b.secondary && a.secondary:
				return 1
			case a.secondary != b.secondary:
				return -1
			}
			return 0
		})
		for _, want := range list {
			if at, secondary, ok := q.peek(); !ok || at != want.time || secondary != want.secondary {
				t.Fatalf("the first event is at %v, secondary %v, want %+v", at, secondary, want)
			}
			if got := q.pop(); got != want {
				t.Fatalf("got %v, want %v", got, want)
			}
		}
		if _, _, ok := q.peek(); ok {
			t.Fatal("events left over")
		}
	})
}

type plainEvent struct {
	time      sim.VTimeInSec
	secondary bool
	index     int
}

func (e *plainEvent) Time() sim.VTimeInSec { return e.time }
func (e *plainEvent) Handler() sim.Handler { return nil }
func (e *plainEvent) IsSecondary() bool    { return e.secondary }

func TestTheWindowFollowsTheLinksThatThereAre(t *testing.T) {
	e := NewEngine()
	a := e.NewPartition("A").NewDomain("A", sim.GHz)
	b := e.NewPartition("B").NewDomain("B", sim.GHz)
	join := func(name string, latency int) {
		from, to := &idle{}, &idle{}
		from.Init(name+".From", a, from)
		to.Init(name+".To", b, to)
		from.out.Init(&from.Comp, "Out")
		to.in.Init(&to.Comp, "In", 4)
		Connect(&from.out, &to.in, latency)
	}
	want := func(cycles Cycle) {
		t.Helper()
		if w := e.spanOfWindow(); w != (window{cycles, 1e9}) {
			t.Errorf("window of %d cycles of %d Hz, want %d of 1 GHz", w.cycles, w.hz, cycles)
		}
	}
	join("Slow", 10)
	want(10)
	join("Fast", 4)
	want(4)
	e.SetWindow(2, sim.GHz)
	want(2)
}

// idle is a component without work.
type idle struct {
	Comp
	in  InPort[int]
	out OutPort[int]
}

func (*idle) Tick(Cycle) bool { return false }
