package crossbar

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

// floods joins every input to a flood, for one requester all the time or for changing requesters. It returns the
// requester of each input, -1 for changing ones.
func floods(t *rapid.T, d *wire.Domain, in []*wire.InPort[bank.Value], outputs int) []int {
	target := make([]int, len(in))
	for i := range in {
		target[i] = rapid.IntRange(-1, outputs-1).Draw(t, "target")
		pattern := []int{target[i]}
		if target[i] < 0 {
			pattern = rapid.SliceOfN(rapid.IntRange(0, outputs-1), 1, 6).Draw(t, "targets in turn")
		}
		wiretest.NewFlood("Flood", d, in[i], func(n int) bank.Value {
			return bank.Value{To: uint8(pattern[n%len(pattern)]), Tag: uint32(i)}
		})
	}
	return target
}

const floodCycles = 800

// carried counts values by their input.
func carried(sinks []*wiretest.Sink[bank.Value], inputs int) []int {
	n := make([]int, inputs)
	for _, s := range sinks {
		for _, g := range s.Got {
			n[g.Msg.Tag]++
		}
	}
	return n
}

// equal checks the shares of inputs requesting the same requester all the time.
func equal(t *rapid.T, n, target []int, bound int) {
	for i := range n {
		for j := range i {
			if target[i] == target[j] && target[i] >= 0 && (n[i]-n[j] > bound || n[j]-n[i] > bound) {
				t.Fatalf("inputs %d and %d, both for requester %d, sent %d and %d values; they may differ by %d", j, i,
					target[i], n[j], n[i], bound)
			}
		}
	}
}

func drawSpec(t *rapid.T) Spec {
	return Spec{
		Paths: Paths{Width: rapid.IntRange(0, 3).Draw(t, "width"), OutputWidth: rapid.IntRange(1, 2).Draw(t, "ow"),
			Cycles: rapid.IntRange(1, 4).Draw(t, "cycles"), Latency: 1}, Inputs: rapid.IntRange(2, 8).Draw(t, "in"),
		Outputs: rapid.IntRange(1, 5).Draw(t, "out"), Bundled: rapid.Bool().Draw(t, "bundled"),
		InputWidth: rapid.IntRange(1, 2).Draw(t, "iw"), InputRoom: 8,
	}
}

// build builds a crossbar between floods and sinks. The sinks refuse values in some cycles unless willing.
func build(t *rapid.T, s Spec, willing bool) (r *rig, target []int) {
	r = &rig{d: wire.NewDomain("Core", 1e9)}
	var err error
	if r.x, err = New("Crossbar", r.d, s, nil); err != nil {
		t.Fatal(err)
	}
	var in []*wire.InPort[bank.Value]
	for i := range r.x.In {
		in = append(in, &r.x.In[i])
	}
	target = floods(t, r.d, in, s.Outputs)
	for o := range r.x.Out {
		if willing {
			k := wiretest.NewLooseSink[bank.Value]("Collector", r.d, 2*s.Inputs*s.InputWidth)
			r.x.Connect(o, &k.In)
			r.sink = append(r.sink, k)
			continue
		}
		k := wiretest.NewLooseSink[bank.Value]("Collector", r.d, rapid.IntRange(1, 8).Draw(t, "room"))
		k.PerCycle = rapid.IntRange(0, 2).Draw(t, "per cycle")
		period, refuses := rapid.IntRange(1, 5).Draw(t, "period"), 0
		if period > 1 {
			refuses = rapid.IntRange(0, period-1).Draw(t, "refuses")
		}
		k.Refuse = func(now wire.Cycle) bool { return int(now)%period < refuses }
		r.x.Connect(o, &k.In)
		r.sink = append(r.sink, k)
	}
	return r, target
}

// An input goes to the end of an output's line after every value, so the numbers of values differ by at most one.
// In the first cycle, before the others stand in line, one input can send more. The output may still hold as many
// as the capacity of its port.
func TestInputsThatSaturateAnOutputGetEqualShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		if s.Cycles == 1 {
			s.Bundled, s.Outputs = false, s.Outputs+1
		}
		r, target := build(t, s, false)
		r.d.RunUntil(floodCycles)
		room := 0
		for i := range r.sink {
			room = max(room, r.sink[i].In.Capacity())
		}
		equal(t, carried(r.sink, s.Inputs), target, 1+s.InputWidth+room)
	})
}

// With bundled outputs of one register per cycle, the input going first always sends if the port has space, and the
// first input without a transfer goes first in the next cycle. So an input sends at least once in every n cycles
// with space in the port, for n inputs. Shares may differ within this bound: of inputs 0, 1 and 2 for one requester
// and 3 and 4 for another, 3 sends twice as much as 4.
func TestEveryInputSendsOnceInAsManyCyclesAsThereAreInputs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		s.Bundled, s.Cycles = true, 1
		r, _ := build(t, s, true)
		r.d.RunUntil(floodCycles)
		for i, n := range carried(r.sink, s.Inputs) {
			if least := floodCycles/s.Inputs - 4; n < least {
				t.Fatalf("input %d of %d sent %d values in %d cycles, want at least %d", i, s.Inputs, n, floodCycles,
					least)
			}
		}
	})
}

// Two banks of one router with the same requester use the same path and the same lines. Behind the router the
// difference may still be in flight: in the capacity of two channels and of the port at the end. Banks of different
// routers need not have equal shares: a channel counts as one input, however many banks there are behind it.
func TestBanksOfARouterThatWantTheSameRequesterGetEqualShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		s := ButterflySpec{Mesh: Mesh{Rows: n("rows", 1, 3), Columns: n("columns", 1, 3), ChannelWidth: n("channel",
			1, 2), HopLatency: n("hop", 1, 3)}, Paths: Paths{OutputWidth: n("output", 1, 2), Cycles: n("cycles", 1,
			4), Latency: n("latency", 1, 2)}, Outputs: n("outputs", 1, 9), InputWidth: n("input", 1, 2),
			InputRoom: 16}
		each := n("concentration", 2, 3)
		s.Inputs = s.Rows * s.Columns * each
		d := wire.NewDomain("Core", 1e9)
		b, err := NewButterfly("Network", d, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		target := floods(t, d, b.In, s.Outputs)
		var sinks []*wiretest.Sink[bank.Value]
		for i := range b.Routers {
			k := wiretest.NewLooseSink[bank.Value]("Collectors", d, s.LocalRoom())
			period, refuses := n("period", 1, 5), 0
			if period > 1 {
				refuses = n("refuses", 0, period-1)
			}
			k.Refuse = func(now wire.Cycle) bool { return int(now)%period < refuses }
			b.Connect(i, &k.In)
			sinks = append(sinks, k)
		}
		d.RunUntil(floodCycles)
		got := carried(sinks, s.Inputs)
		bound := 1 + s.InputWidth + 2*(s.HopLatency+s.Cycles)*s.ChannelWidth + s.LocalRoom()
		for first := 0; first < s.Inputs; first += each {
			equal(t, got[first:first+each], target[first:first+each], bound)
		}
	})
}
