package crossbar

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

type rig struct {
	d    *wire.Domain
	x    *Crossbar
	src  []*wiretest.Source[bank.Value]
	sink []*wiretest.Sink[bank.Value]
	reg  stats.Registry
}

func newRig(t testing.TB, s Spec) *rig {
	for _, p := range []*int{&s.InputWidth, &s.OutputWidth, &s.Cycles, &s.Latency} {
		if *p == 0 {
			*p = 1
		}
	}
	s.InputRoom = 16
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	x, err := New("Crossbar", r.d, s, &r.reg)
	if err != nil {
		t.Fatal(err)
	}
	r.x = x
	for i := range x.In {
		r.src = append(r.src, wiretest.NewSource("Bank", r.d, &x.In[i]))
	}
	for o := range x.Out {
		k := wiretest.NewLooseSink[bank.Value]("Collector", r.d, 16)
		x.Connect(o, &k.In)
		r.sink = append(r.sink, k)
	}
	return r
}

func (r *rig) send(put wire.Cycle, in, out int, tag uint32) {
	r.src[in].Send(put, bank.Value{To: uint8(out), Tag: tag})
}

func (r *rig) arrivals(t *testing.T, out int, want ...wire.Cycle) {
	t.Helper()
	r.d.RunUntil(r.d.Now() + 200)
	if d := cmp.Diff(want, r.sink[out].Cycles()); d != "" {
		t.Fatalf("output %d (-want +got):\n%s", out, d)
	}
}

func (r *rig) conflicts() uint64 { return r.reg.Snapshot()["regfile.crossbar.conflicts"] }

func TestAValueArrivesItsLatencyAfterItIsVisible(t *testing.T) {
	for latency := 1; latency <= 4; latency++ {
		r := newRig(t, Spec{Paths: Paths{Latency: latency}, Inputs: 2, Outputs: 2})
		r.send(10, 1, 0, 1) // visible at 11
		r.arrivals(t, 0, 11+wire.Cycle(latency))
	}
}

// Values sent at 10 are there at 12 where nothing is in the way.
func TestValuesWaitForTheirOutputTheirInputAndTheWidthOfAll(t *testing.T) {
	for name, c := range map[string]struct {
		spec      Spec
		sends     [][2]int       // input and output
		arrivals  [][]wire.Cycle // by output
		conflicts uint64
	}{
		"different outputs": {Spec{Inputs: 4, Outputs: 4}, [][2]int{{0, 3}, {1, 2}, {2, 1}, {3, 0}},
			[][]wire.Cycle{{12}, {12}, {12}, {12}}, 0},
		// Two wait in the first cycle, one in the second.
		"one output": {Spec{Inputs: 3, Outputs: 2}, [][2]int{{0, 1}, {1, 1}, {2, 1}},
			[][]wire.Cycle{{}, {12, 13, 14}}, 2 + 1},
		"a wider output": {Spec{Paths: Paths{OutputWidth: 2}, Inputs: 3, Outputs: 2},
			[][2]int{{0, 1}, {1, 1}, {2, 1}}, [][]wire.Cycle{{}, {12, 12, 13}}, 1},
		"a wider output of a bundle": {Spec{Paths: Paths{OutputWidth: 2}, Inputs: 3, Outputs: 2, Bundled: true},
			[][2]int{{0, 1}, {1, 1}, {2, 1}}, [][]wire.Cycle{{12, 12, 13}}, 1},
		"one input": {Spec{Inputs: 1, Outputs: 2}, [][2]int{{0, 0}, {0, 1}}, [][]wire.Cycle{{12}, {13}}, 1},
		"a wider input": {Spec{Inputs: 1, Outputs: 2, InputWidth: 2}, [][2]int{{0, 0}, {0, 1}},
			[][]wire.Cycle{{12}, {12}}, 0},
		"the width of all": {Spec{Paths: Paths{Width: 2}, Inputs: 4, Outputs: 4},
			[][2]int{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, [][]wire.Cycle{{12}, {12}, {13}, {13}}, 2},
		// LTRF's crossbar is four times narrower than a register.
		"four cycles each": {Spec{Paths: Paths{Cycles: 4}, Inputs: 2, Outputs: 1}, [][2]int{{0, 0}, {1, 0}},
			[][]wire.Cycle{{15, 19}}, 4},
		"a free output behind a lost one": {Spec{Inputs: 2, Outputs: 2}, [][2]int{{0, 0}, {1, 0}, {1, 1}},
			[][]wire.Cycle{{12, 13}, {14}}, 2},
	} {
		r := newRig(t, c.spec)
		for i, s := range c.sends {
			r.send(10, s[0], s[1], uint32(i))
		}
		for out, want := range c.arrivals {
			r.arrivals(t, out, want...)
		}
		if r.conflicts() != c.conflicts {
			t.Errorf("%s: %d conflict cycles, want %d", name, r.conflicts(), c.conflicts)
		}
	}
}

func TestTheInputThatLostGoesFirstInTheNextCycle(t *testing.T) {
	r := newRig(t, Spec{Inputs: 2, Outputs: 1})
	for i := 0; i < 4; i++ {
		r.send(10, 0, 0, 0)
		r.send(10, 1, 0, 1)
	}
	r.arrivals(t, 0, 12, 13, 14, 15, 16, 17, 18, 19)
	for i, g := range r.sink[0].Got {
		if g.Msg.Tag != uint32(i%2) {
			t.Fatalf("value %d is of input %d", i, g.Msg.Tag)
		}
	}
}

func TestABundledCrossbarLimitsItsOutputsAllTheSame(t *testing.T) {
	r := newRig(t, Spec{Inputs: 4, Outputs: 3, Bundled: true})
	r.send(10, 0, 2, 0)
	r.send(10, 1, 0, 1)
	r.send(10, 2, 2, 2)
	r.send(10, 3, 1, 3)
	r.arrivals(t, 0, 12, 12, 12, 13)
	if g := r.sink[0].Got[3].Msg; g.To != 2 || g.Tag != 2 {
		t.Fatalf("the last value is %+v", g)
	}
}

func TestAnOutputApartHasAPortOfItsOwn(t *testing.T) {
	r := newRig(t, Spec{Inputs: 4, Outputs: 4, Bundled: true, Apart: 1})
	if len(r.sink) != 2 {
		t.Fatalf("%d ports, want that of the bundle and one apart", len(r.sink))
	}
	r.send(10, 0, 3, 0)
	r.send(10, 1, 0, 1)
	r.send(10, 2, 3, 2) // loses the output apart
	r.send(10, 3, 2, 3)
	r.arrivals(t, 0, 12, 12)
	r.arrivals(t, 1, 12, 13)
	for i, g := range r.sink[1].Got {
		if g.Msg.To != 3 || g.Msg.Tag != uint32(2*i) {
			t.Errorf("value %d apart is %+v", i, g.Msg)
		}
	}
}

func TestSeveralOutputsApartAreTheLastOnes(t *testing.T) {
	r := newRig(t, Spec{Inputs: 4, Outputs: 4, Bundled: true, Apart: 2})
	for i := range 4 {
		r.send(10, i, i, uint32(i))
	}
	r.arrivals(t, 0, 12, 12)
	for o, to := range []uint8{2, 3} {
		r.arrivals(t, 1+o, 12)
		if g := r.sink[1+o].Got[0].Msg; g.To != to {
			t.Errorf("port %d got a value for output %d, want %d", 1+o, g.To, to)
		}
	}
}

func TestEveryValueArrivesOnceAtItsOutputInTheOrderOfItsInput(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := Spec{
			Paths: Paths{Width: rapid.IntRange(0, 3).Draw(rt, "width"), OutputWidth: rapid.IntRange(1, 2).Draw(rt,
				"ow"), Cycles: rapid.IntRange(1, 3).Draw(rt, "cycles"), Latency: rapid.IntRange(1, 3).Draw(rt,
				"latency")}, Inputs: rapid.IntRange(1, 5).Draw(rt, "in"), Outputs: rapid.IntRange(1, 5).Draw(rt,
				"out"), InputWidth: rapid.IntRange(1, 2).Draw(rt, "iw"),
		}
		r := newRig(t, s)
		for i := range r.sink {
			r.sink[i].PerCycle = rapid.IntRange(0, 2).Draw(rt, "sink")
		}
		n := uint32(0)
		for at := wire.Cycle(1); at < 30; at++ {
			for i := 0; i < s.Inputs; i++ {
				if rapid.Bool().Draw(rt, "send") {
					n++
					r.send(at, i, rapid.IntRange(0, s.Outputs-1).Draw(rt, "to"), n<<3|uint32(i))
				}
			}
		}
		r.d.RunUntil(2000)
		total := uint32(0)
		for o := range r.sink {
			last := map[uint32]uint32{}
			for _, g := range r.sink[o].Got {
				total++
				if int(g.Msg.To) != o {
					rt.Fatalf("a value for %d at output %d", g.Msg.To, o)
				}
				in := g.Msg.Tag & 7
				if g.Msg.Tag <= last[in] {
					rt.Fatalf("output %d: values of input %d out of order", o, in)
				}
				last[in] = g.Msg.Tag
			}
		}
		if total != n {
			rt.Fatalf("%d of %d values arrived", total, n)
		}
	})
}

// Three values of input 0 and two of input 1 are visible at 11. Of these input 0 may send two, and the crossbar
// carries three.
func TestInputsOfABundleSendUpToTheirWidthAndThatOfTheCrossbar(t *testing.T) {
	r := newRig(t, Spec{Paths: Paths{OutputWidth: 3, Width: 3}, Inputs: 2, Outputs: 2, Bundled: true, InputWidth: 2})
	for k := range 3 {
		r.send(10, 0, 0, uint32(k))
	}
	r.send(10, 1, 1, 7)
	r.send(10, 1, 1, 8)
	r.arrivals(t, 0, 12, 12, 12, 13, 13)
	var got []uint32
	for _, g := range r.sink[0].Got {
		got = append(got, g.Msg.Tag)
	}
	if d := cmp.Diff([]uint32{0, 1, 7, 2, 8}, got); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	if c, n := r.conflicts(), r.reg.Snapshot()["regfile.crossbar.transfers"]; c != 2 || n != 5 {
		t.Errorf("%d conflict cycles, %d transfers; want 2 and 5", c, n)
	}
}
