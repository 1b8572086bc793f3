package crossbar

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// grid is a butterfly between sources and sinks.
type grid struct {
	d     *wire.Domain
	b     *Butterfly
	banks []*wiretest.Source[bank.Value]
	ends  []*wiretest.Sink[bank.Value] // by router
	reg   stats.Registry
}

// square has 2 x 2 routers with two banks and two requesters each: banks 0 and 1
// and requesters 0 and 1 are at router 0, 2 and 3 at router 1, beside it, 4 and 5
// at router 2, below, and 6 and 7 at router 3.
func square() ButterflySpec {
	return ButterflySpec{Mesh: Mesh{Rows: 2, Columns: 2, ChannelWidth: 1, HopLatency: 1}, Paths: Paths{OutputWidth: 1,
		Cycles: 1, Latency: 1}, Inputs: 8, Outputs: 8, InputWidth: 1, InputRoom: 4}
}

func newGrid(t interface{ Fatal(...any) }, s ButterflySpec) *grid {
	g := &grid{d: wire.NewDomain("Core", 1e9)}
	var err error
	if g.b, err = NewButterfly("Network", g.d, s, &g.reg); err != nil {
		t.Fatal(err)
	}
	for i, in := range g.b.In {
		g.banks = append(g.banks, wiretest.NewSource(fmt.Sprintf("Bank[%d]", i), g.d, in))
	}
	for i := range g.b.Routers {
		e := wiretest.NewLooseSink[bank.Value](fmt.Sprintf("Collectors[%d]", i), g.d, s.LocalRoom())
		g.b.Connect(i, &e.In)
		g.ends = append(g.ends, e)
	}
	return g
}

// send makes a value for a requester visible to the network at a cycle.
func (g *grid) send(at wire.Cycle, from, to int, tag uint32) {
	g.banks[from].Send(at-1, bank.Value{To: uint8(to), Tag: tag})
}

// arrivals returns the arrival cycles of values at a requester's router.
func (g *grid) arrivals(router int) []wire.Cycle {
	g.d.RunUntil(1000)
	return g.ends[router].Cycles()
}

func TestAValueTakesAHopAlongItsRowAndOneAlongItsColumn(t *testing.T) {
	for _, c := range []struct {
		name        string
		to, hops    int
		hop, cycles int
	}{
		{"same router", 1, 0, 1, 1}, {"same row", 3, 1, 1, 1}, {"same column", 5, 1, 1, 1}, {"neither", 7, 2, 1, 1},
		{"slow hops", 7, 2, 3, 1}, {"quarter width", 7, 2, 1, 4}, {"quarter width, same router", 0, 0, 1, 4},
	} {
		s := square()
		s.HopLatency, s.Cycles = c.hop, c.cycles
		g := newGrid(t, s)
		g.send(10, 0, c.to, 1)
		want := wire.Cycle(10 + c.hops*c.hop + 1 + c.cycles - 1) // the cycles once: hops cut through
		if got := g.arrivals(s.RouterOf(c.to)); len(got) != 1 || got[0] != want {
			t.Errorf("%s: arrives at %v, want %d", c.name, got, want)
		}
		if got := g.reg.Snapshot()["regfile.network.hops"]; got != uint64(c.hops) {
			t.Errorf("%s: %d hops, want %d", c.name, got, c.hops)
		}
	}
}

func TestAChannelCarriesARegisterPerCycleOrPerTwoOrPerFour(t *testing.T) {
	// Both banks of router 0 send eight values each to the requesters of router 1:
	// 16 registers over one channel.
	for _, c := range []struct{ width, cycles, want int }{{1, 1, 16}, {1, 2, 32}, {1, 4, 64}, {2, 1, 8}, {2, 4, 32}} {
		s := square()
		s.ChannelWidth, s.Cycles = c.width, c.cycles
		g := newGrid(t, s)
		for i := range 8 {
			g.send(10, 0, 2, uint32(i))
			g.send(10, 1, 3, uint32(i))
		}
		got := g.arrivals(1)
		if len(got) != 16 {
			t.Fatalf("%d values arrived", len(got))
		}
		// From the first to the last, including the last one's transfer time.
		if n := int(got[15]-got[0]) + c.cycles; n != c.want {
			t.Errorf("width %d, %d cycles per register: 16 registers in %d cycles, want %d", c.width, c.cycles, n,
				c.want)
		}
		if g.reg.Snapshot()["regfile.network.hop_conflicts"] == 0 && c.width == 1 {
			t.Error("no conflict cycle was counted")
		}
	}
}

func TestChannelsOfDifferentRoutersDoNotDisturbEachOther(t *testing.T) {
	g := newGrid(t, square())
	for i := range 8 {
		g.send(10, 0, 2, uint32(i)) // router 0 to 1
		g.send(10, 2, 0, uint32(i)) // router 1 to 0
		g.send(10, 4, 7, uint32(i)) // router 2 to 3
		g.send(10, 1, 4, uint32(i)) // router 0 to 2
	}
	for router := range 4 {
		got := g.arrivals(router)
		if len(got) != 8 || got[0] != 12 || got[7] != 19 {
			t.Errorf("router %d receives at %v, want 12 to 19", router, got)
		}
	}
}

func TestARequesterReceivesOneRegisterPerCycleFromWherever(t *testing.T) {
	g := newGrid(t, square())
	for bank := range 8 {
		for i := range 4 {
			g.send(10, bank, 0, uint32(i))
		}
	}
	got := g.arrivals(0)
	if len(got) != 32 || got[31]-got[0] != 31 {
		t.Errorf("32 values arrive from %d to %d", got[0], got[len(got)-1])
	}
}

func TestAButterflyLosesDoublesAndMisleadsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		s := ButterflySpec{Mesh: Mesh{Rows: n("rows", 1, 4), Columns: n("columns", 1, 4), ChannelWidth: n("channel",
			1, 2), HopLatency: n("hop", 1, 3)}, Paths: Paths{OutputWidth: n("output", 1, 2), Cycles: n("cycles", 1,
			4), Latency: n("latency", 1, 2)}, Outputs: n("outputs", 1, 20), InputWidth: n("input", 1, 2),
			InputRoom: n("room", 1, 4)}
		s.Inputs = s.Rows * s.Columns * n("concentration", 1, 3)
		g := newGrid(t, s)
		tag := uint32(0)
		last := make([][]uint32, s.Outputs) // by requester: tags in the order of each bank
		for b := range s.Inputs {
			for range n("values", 0, 6) {
				to := n("to", 0, s.Outputs-1)
				g.send(10, b, to, tag)
				last[to] = append(last[to], tag)
				tag++
			}
		}
		for i, e := range g.ends {
			g.arrivals(i)
			for _, m := range e.Got {
				at := slices.Index(last[m.Msg.To], m.Msg.Tag)
				if s.RouterOf(int(m.Msg.To)) != i || at < 0 {
					t.Fatalf("value %d for requester %d came out of router %d", m.Msg.Tag, m.Msg.To, i)
				}
				last[m.Msg.To] = slices.Delete(last[m.Msg.To], at, at+1)
			}
		}
		for o := range last {
			if len(last[o]) > 0 {
				t.Fatalf("values %v for requester %d were lost", last[o], o)
			}
		}
		if w := g.d.Waiting(); len(w) > 0 {
			t.Fatal(w)
		}
	})
}
