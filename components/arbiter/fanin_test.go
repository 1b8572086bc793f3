package arbiter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

func build(capacity int) (*wire.Domain, []*wiretest.Source[uint64], *wiretest.Sink[uint64], *stats.Registry) {
	d, reg := wire.NewDomain("Core", 1e9), &stats.Registry{}
	x := NewRoundRobin[uint64]("Join", d, FaninSpec{Inputs: 3, Capacity: 8, Stat: "join"}, reg)
	sink := wiretest.NewLooseSink[uint64]("Sink", d, capacity)
	wire.Connect(&x.Out, &sink.In, 1)
	var src []*wiretest.Source[uint64]
	for i := range x.In {
		src = append(src, wiretest.NewSource("Source", d, &x.In[i]))
	}
	return d, src, sink, reg
}

func values(s *wiretest.Sink[uint64]) []uint64 {
	var out []uint64
	for _, g := range s.Got {
		out = append(out, g.Msg)
	}
	return out
}

func TestRoundRobinTakesOneMessagePerCycleFromEachInputInTurn(t *testing.T) {
	d, src, sink, reg := build(4)
	for i := uint64(0); i < 2; i++ {
		for s := range src {
			src[s].Send(5, 10*uint64(s)+i)
		}
	}
	d.RunUntil(50)
	if diff := cmp.Diff([]uint64{0, 10, 20, 1, 11, 21}, values(sink)); diff != "" {
		t.Fatal(diff)
	}
	if diff := cmp.Diff([]wire.Cycle{7, 8, 9, 10, 11, 12}, sink.Cycles()); diff != "" {
		t.Fatal(diff)
	}
	// Two inputs wait in each of the first four cycles (the input served first
	// has its second message at its head by then), one in the fifth.
	if got := reg.Snapshot()["join.conflicts"]; got != 4*2+1 {
		t.Fatalf("%d conflict cycles, want 9", got)
	}
}

func TestAJoinWaitsWhileItsOutputIsFull(t *testing.T) {
	d, src, sink, _ := build(1)
	sink.Refuse = func(now wire.Cycle) bool { return now < 40 }
	for s := range src {
		src[s].Send(5, uint64(s))
		src[s].Send(5, 10+uint64(s))
	}
	d.RunUntil(100)
	if len(sink.Got) != 6 {
		t.Fatalf("%d of 6 messages", len(sink.Got))
	}
}
