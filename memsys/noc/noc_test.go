package noc

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/addrmap"
	"kumiko/memsys/req"
)

type bench struct {
	d    *wire.Domain
	x    *Crossbar
	src  []*wiretest.Source[req.Packet]
	sink []*wiretest.Sink[req.Packet]
	reg  stats.Registry
}

// newBench is a crossbar with packets routed by their SM.
func newBench(t interface{ Fatal(...any) }, flit, inputs, outputs, queue int) *bench {
	b := &bench{d: wire.NewDomain("D", 1e9)}
	b.build(t, flit, inputs, outputs, queue)
	for i := range inputs {
		b.src = append(b.src, wiretest.NewSource("Src", b.d, &b.x.In[i]))
	}
	return b
}

// build makes the crossbar and its sinks.
func (b *bench) build(t interface{ Fatal(...any) }, flit, inputs, outputs, queue int) {
	capacity := make([]int, inputs)
	for i := range capacity {
		capacity[i] = queue
	}
	var err error
	b.x, err = New("X", b.d, Spec{Flit: flit, Latency: 2, Lane: 1, Buffer: 4},
		Net{Direction: "reply", Inputs: capacity, Outputs: outputs}, &b.reg)
	if err != nil {
		t.Fatal(err)
	}
	for i := range outputs {
		b.sink = append(b.sink, wiretest.NewSink("Sink", b.d, &b.x.Out[i], 4))
	}
}

// data is a reply with n sectors to an SM: 8 + 32 n bytes.
func data(sm, n int, tag uint32) req.Packet {
	return req.Packet{SM: uint16(sm), Tag: tag, Reply: true, Sectors: 1<<n - 1}
}

func TestAPacketOfOneFlitPassesInOneCycle(t *testing.T) {
	b := newBench(t, 40, 2, 2, 4)
	b.src[0].Send(1, data(1, 1, 7)) // 40 bytes
	b.d.RunUntil(50)
	// sent 1, at the crossbar 2, at the sink 3
	if got := b.sink[1].Got; len(got) != 1 || got[0].Cycle != 3 {
		t.Errorf("got %+v, want one packet in cycle 3", got)
	}
}

func TestAPacketOfFFlitsTakesFMinusOneCyclesLonger(t *testing.T) {
	b := newBench(t, 40, 2, 2, 4)
	b.src[0].Send(1, data(1, 4, 7)) // 136 bytes: 4 flits of 40
	b.d.RunUntil(50)
	if got := b.sink[1].Got; len(got) != 1 || got[0].Cycle != 3+3 {
		t.Errorf("got %+v, want one packet in cycle 6", got)
	}
	if got := b.reg.Snapshot()["mem.noc.reply.flits"]; got != 4 {
		t.Errorf("%d flits, want 4", got)
	}
}

func TestAnOutputMovesOneFlitPerCycle(t *testing.T) {
	b := newBench(t, 32, 4, 1, 4)
	const each = 50
	for i := range 4 {
		for range each {
			b.src[i].Send(1, data(0, 4, uint32(i))) // 136 bytes: 5 flits
		}
	}
	b.d.RunUntil(5000)
	got := b.sink[0].Got
	if len(got) != 4*each {
		t.Fatalf("%d packets, want %d", len(got), 4*each)
	}
	// the first arrives at 3 + 4, then one every 5 cycles
	if last := got[len(got)-1].Cycle; last != 7+5*(4*each-1) {
		t.Errorf("last packet in cycle %d, want %d", last, 7+5*(4*each-1))
	}
}

func TestOutputsWorkAtTheSameTime(t *testing.T) {
	b := newBench(t, 40, 4, 4, 4)
	for i := range 4 {
		for range 100 {
			b.src[i].Send(1, data((i+1)%4, 1, 0))
		}
	}
	b.d.RunUntil(1000)
	for o, s := range b.sink {
		if n := len(s.Got); n != 100 || s.Got[n-1].Cycle != 3+99 {
			t.Errorf("output %d: %d packets %+v, want 100, the last in cycle 102", o, n, s.Got)
		}
	}
}

func TestAnInputMovesOneFlitPerCycle(t *testing.T) {
	b := newBench(t, 40, 1, 2, 4)
	for k := range 10 {
		b.src[0].Send(1, data(k%2, 4, 0)) // 4 flits, to each output in turn
	}
	b.d.RunUntil(200)
	// first at 3 + 3, then one every 4 cycles over both outputs
	if got := b.sink[1].Got; len(got) != 5 || got[4].Cycle != 6+4*9 {
		t.Errorf("got %+v, want 5 packets, the last in cycle 42", got)
	}
}

func TestInputsTakeTurns(t *testing.T) {
	b := newBench(t, 40, 3, 1, 8)
	for i := range 3 {
		for range 10 {
			b.src[i].Send(1, data(0, 1, uint32(i)))
		}
	}
	b.d.RunUntil(200)
	if n := len(b.sink[0].Got); n != 30 {
		t.Fatalf("%d packets, want 30", n)
	}
	for k, g := range b.sink[0].Got {
		if g.Msg.Tag != uint32(k%3) {
			t.Fatalf("packet %d is from input %d, want %d", k, g.Msg.Tag, k%3)
		}
	}
}

func TestAPacketBehindOneThatMustWaitWaitsToo(t *testing.T) {
	b := newBench(t, 40, 1, 2, 4)
	b.sink[0].Refuse = func(now wire.Cycle) bool { return now < 100 }
	for range 5 { // four fill the sink, the fifth stays at the input
		b.src[0].Send(1, data(0, 1, 0))
	}
	b.src[0].Send(1, data(1, 1, 9))
	b.d.RunUntil(300)
	if got := b.sink[1].Got; len(got) != 1 || got[0].Cycle < 100 {
		t.Errorf("got %+v, want one packet, not before cycle 100: it would overtake the head of its input", got)
	}
}

func TestRequestsGoToTheSliceOfTheirAddress(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	m, err := addrmap.New(addrmap.Spec{Block: 256, Policy: "linear"}, 4, 2)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New("X", d, Spec{Flit: 40, Latency: 2, Lane: 1, Buffer: 4},
		Net{Direction: "request", Inputs: []int{8}, Outputs: 4, Route: m}, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := wiretest.NewSource("Src", d, &x.In[0])
	src.Send(1, req.Packet{Addr: 3 * 256})
	var sinks []*wiretest.Sink[req.Packet]
	for o := range 4 {
		sinks = append(sinks, wiretest.NewSink("Sink", d, &x.Out[o], 4))
	}
	d.RunUntil(50)
	if len(sinks[3].Got) != 1 {
		t.Error("the packet for block 3 is not at slice 3")
	}
}

func TestEveryPacketArrivesOnceAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ports := rapid.OneOf(rapid.IntRange(1, 5), rapid.IntRange(60, 140))
		in, out := ports.Draw(t, "inputs"), ports.Draw(t, "outputs")
		b := newBench(t, rapid.SampledFrom([]int{8, 32, 40, 136}).Draw(t, "flit"), in, out,
			rapid.IntRange(1, 4).Draw(t, "queue"))
		stop := rapid.Uint64Range(0, 3).Draw(t, "refuse")
		for _, s := range b.sink {
			s.Refuse = func(now wire.Cycle) bool { return now%4 < stop }
		}
		n := rapid.IntRange(0, 100).Draw(t, "packets")
		sent := map[int]int{}
		for k := range n {
			i, o := rapid.IntRange(0, in-1).Draw(t, "from"), rapid.IntRange(0, out-1).Draw(t, "to")
			p := data(o, rapid.IntRange(0, 4).Draw(t, "sectors"), uint32(k))
			p.Client = uint8(i) // below 256
			b.src[i].Send(1, p)
			sent[o]++
		}
		b.d.RunUntil(20000)
		for o, s := range b.sink {
			if len(s.Got) != sent[o] {
				t.Fatalf("output %d got %d packets, want %d; %v", o, len(s.Got), sent[o], b.d.Waiting())
			}
			last := map[uint8]uint32{}
			for _, g := range s.Got {
				if prev, ok := last[g.Msg.Client]; ok && g.Msg.Tag <= prev {
					t.Fatalf("output %d: packet %d after %d of the same input", o, g.Msg.Tag, prev)
				}
				last[g.Msg.Client] = g.Msg.Tag
			}
		}
	})
}
