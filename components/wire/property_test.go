package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"
	"pgregory.net/rapid"

	"kumiko/components/wire"
)

var compareTakes = cmp.AllowUnexported(take{})

// anyNetwork draws a network of routers in up to three clock domains.
func anyNetwork(t *rapid.T, clocks []uint64, maxNodes int) *netSpec {
	s := &netSpec{hz: clocks}
	n := rapid.IntRange(2, maxNodes).Draw(t, "nodes")
	for range n {
		ns := nodeSpec{
			domain: rapid.IntRange(0, len(clocks)-1).Draw(t, "domain"),
			budget: rapid.IntRange(1, 3).Draw(t, "budget"),
			moody:  rapid.Bool().Draw(t, "moody"),
		}
		at := uint64(0)
		for range rapid.IntRange(0, 20).Draw(t, "tokens") {
			at += uint64(rapid.SampledFrom([]int{0, 1, 1, 1, 2, 5, 63, 64, 65, 130}).Draw(t, "gap"))
			ns.inject = append(ns.inject, at)
		}
		s.nodes = append(s.nodes, ns)
	}
	for range rapid.IntRange(1, 2*n).Draw(t, "links") {
		s.links = append(s.links, linkSpec{
			from:     rapid.IntRange(0, n-1).Draw(t, "from"),
			to:       rapid.IntRange(0, n-1).Draw(t, "to"),
			latency:  rapid.SampledFrom([]int{1, 1, 1, 2, 3, 7, 63, 64, 65}).Draw(t, "latency"),
			capacity: rapid.IntRange(1, 5).Draw(t, "capacity"),
		})
	}
	return s
}

func TestSleepingBlocksDoWhatBlocksTickedEveryCycleDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyNetwork(t, []uint64{1000}, 12)
		want := newNaive(s).run(400)
		got := build(s, layout{partition: []int{0}}).run(400)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatal(d)
		}
	})
}

func TestClockDomainsAndPartitionsDoWhatTheNaiveModelDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clocks := rapid.SampledFrom([][]uint64{{6, 6}, {6, 4}, {2, 6, 3}, {7, 5, 7}}).Draw(t, "clocks")
		s := anyNetwork(t, clocks, 10)
		want := newNaive(s).run(300)
		lay := layout{partition: make([]int, len(clocks))}
		for i := range lay.partition {
			lay.partition[i] = rapid.IntRange(0, len(clocks)-1).Draw(t, "partition")
		}
		lay.workers = rapid.IntRange(1, 3).Draw(t, "workers")
		got := build(s, lay).run(300)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatal(d)
		}
	})
}

func TestATapShowsTheLastValueThatIsOldEnough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hz := []uint64{2, 3, 5, 6}
		from, to := rapid.SampledFrom(hz).Draw(t, "from"), rapid.SampledFrom(hz).Draw(t, "to")
		latency := rapid.IntRange(1, 9).Draw(t, "latency")
		e := wire.NewEngine()
		e.SetWorkers(rapid.IntRange(1, 2).Draw(t, "workers"))
		w := newScript(e.NewPartition("P[0]").NewDomain("D[0]", sim.Freq(from)), "W", 1)
		p := e.Home()
		if rapid.Bool().Draw(t, "apart") {
			p = e.NewPartition("P[1]")
		}
		r := newScript(p.NewDomain("D[1]", sim.Freq(to)), "R", 1)
		var s wire.Signal[int]
		s.Init(&w.Comp, 0)
		tap := wire.NewTap(&s, &r.Comp, latency)
		values := rapid.SliceOfN(rapid.IntRange(0, 2), 60, 60).Draw(t, "values")
		w.do = func(now wire.Cycle) bool {
			if now < 60 {
				s.Set(values[now])
			}
			return now < 60
		}
		values[0] = 0
		every := rapid.Uint64Range(1, 4).Draw(t, "every")
		r.do = func(now wire.Cycle) bool {
			// The writer's last cycle c with (c+latency)/from <= now/to.
			want := 0
			if c := int(now*from/to) - latency; c >= 0 {
				want = values[min(c, 59)]
			}
			if got := tap.Get(); got != want {
				t.Fatalf("cycle %d: %d, want %d", now, got, want)
			}
			if now < 200 {
				r.WakeAt(now + every)
			}
			return false
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
	})
}
