package switching

import (
	"slices"
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
	"kumiko/memsys/shared"
)

// Eight contexts out and eight back, of a pass each, take 16 passes and shared memory's latency, for any
// latency.
func TestContextsComeFromSharedMemoryOneACycleAfterItsLatency(t *testing.T) {
	for _, latency := range []int{4, 10, 24, 60, 200} {
		d := wire.NewDomain("core", 1e9)
		x := New("X", d, Spec{Switching: VirtualThread, ContextBytes: 64}, SM{CTAs: 4, Schedulers: 2}, nil)
		m, err := shared.New("M", d, shared.Spec{Banks: 32, Word: 4, Latency: latency, Atomic: 1, Queue: 4}, nil)
		if err != nil {
			t.Fatal(err)
		}
		in, out := m.AddContexts(64, nil)
		wire.Connect(&x.Save, in, 1)
		wire.Connect(out, &x.Saved, m.Pipeline())
		var back [2]*wiretest.Sink[Context]
		for i := range back {
			back[i] = wiretest.NewSink("Back", d, &x.Back[i], 4)
		}
		const n = 8
		for w := range uint16(n) {
			x.of[1] = append(x.of[1], Context{Warp: w, Predicates: uint32(w)})
		}
		d.RunUntil(10)
		x.contexts.move(1, true)
		x.contexts.move(1, false)
		x.Wake()
		d.RunUntil(600)
		got := back[1].Got
		if len(back[0].Got) != n/2 || len(got) != n/2 {
			t.Fatalf("latency %d: %d and %d contexts came back, want %d each", latency, len(back[0].Got), len(got), n/2)
		}
		if last := got[n/2-1]; last.Msg != (Context{Warp: n - 1, Predicates: n - 1}) ||
			last.Cycle != wire.Cycle(10+2*n+latency) {
			t.Errorf("latency %d: %+v came last, want that of warp %d after %d", latency, last, n-1, 10+2*n+latency)
		}
	}
}

// The context of the entering CTA, 0, is requested in the cycle after the orders for CTA 3 to leave
// its slots, long before CTA 3 has left them at 61.
func TestAContextIsBroughtWhileTheLeavingCTAIsDescheduled(t *testing.T) {
	b := newBench(Spec{Switching: VirtualThread, ContextBytes: 128})
	b.start(1, 3, 0)
	b.say(3, 1, 0, 0, 1)
	b.say(10, 1, 0, 0, 0)
	b.d.RunUntil(5)
	c := &b.x.monitor.ctas[0]
	b.x.monitor.resident++
	*c = ctaState{context: Pending, registers: Pipeline, launch: 9}
	b.x.monitor.able.Add(0)
	c.warps[0] = 1
	b.x.of[0] = []Context{{Warp: 4, Predicates: 9}}
	b.say(30, 1, 1, 1, 0)
	b.saved.Send(50, req.WarpContext{CTA: 0, Warp: 4, Predicates: 9})
	for i := range b.descheduled {
		b.descheduled[i].Send(60, Descheduled{CTA: 3, Warps: []Context{{Warp: uint16(6 + i)}}})
	}
	b.d.RunUntil(100)
	if len(b.save.Got) != 3 || b.save.Got[0].Cycle != 32 || b.save.Got[0].Msg.Warp != 4 || b.save.Got[0].Msg.Out {
		t.Fatalf("contexts %+v, want warp 4's at 32 and then two out", b.save.Got)
	}
	want := []wiretest.At[Order]{{Cycle: 32, Msg: Order{CTA: 3, Kind: Leave}},
		{Cycle: 63, Msg: Order{CTA: 3, Kind: Left}},
		{Cycle: 64, Msg: Order{CTA: 0, Kind: Enter}}}
	if !slices.Equal(want, b.orders.Got) {
		t.Errorf("orders %+v, want %+v", b.orders.Got, want)
	}
}
