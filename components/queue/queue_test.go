package queue

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

type rig struct {
	d    *wire.Domain
	q    *Queue[int]
	src  *wiretest.Source[int]
	sink *wiretest.Sink[int]
}

func newRig(t testing.TB, s Spec, room int) *rig {
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	q, err := New[int]("Queue", r.d, s)
	if err != nil {
		t.Fatal(err)
	}
	r.q = q
	r.src = wiretest.NewSource("Source", r.d, &q.In)
	r.sink = wiretest.NewLooseSink[int]("Sink", r.d, room)
	wire.Connect(&q.Out, &r.sink.In, 1)
	return r
}

func TestAMessagePassesAnEmptyQueueInOneCycle(t *testing.T) {
	r := newRig(t, Spec{Capacity: 4, Width: 1}, 4)
	r.src.Send(10, 7)
	r.d.RunUntil(20)
	if d := cmp.Diff([]wire.Cycle{12}, r.sink.Cycles()); d != "" {
		t.Fatal(d)
	}
}

func TestAQueuePassesAsManyMessagesPerCycleAsItIsWide(t *testing.T) {
	r := newRig(t, Spec{Capacity: 8, Width: 2}, 8)
	for i := 0; i < 5; i++ {
		r.src.Send(10, i)
	}
	r.d.RunUntil(20)
	if d := cmp.Diff([]wire.Cycle{12, 12, 13, 13, 14}, r.sink.Cycles()); d != "" {
		t.Fatal(d)
	}
}

func TestAFullQueueHoldsUpItsSource(t *testing.T) {
	r := newRig(t, Spec{Capacity: 3, Width: 1}, 1)
	r.sink.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i := 0; i < 6; i++ {
		r.src.Send(10, i)
	}
	r.d.RunUntil(40)
	if held := 6 - r.src.Left(); held != 4 { // three in the queue, one at the sink
		t.Fatalf("%d messages accepted, want 4", held)
	}
	if r.q.Waiting() == "" {
		t.Fatal("a full queue waits for something")
	}
	r.d.RunUntil(100)
	if len(r.sink.Got) != 6 || r.q.Waiting() != "" {
		t.Fatalf("%d messages came out", len(r.sink.Got))
	}
}

func TestEveryMessageComesOutOnceInOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t, Spec{Capacity: rapid.IntRange(1, 4).Draw(rt, "capacity"), Width: rapid.IntRange(1, 3).Draw(rt, "width")}, rapid.IntRange(1, 4).Draw(rt, "room"))
		r.sink.PerCycle = rapid.IntRange(0, 2).Draw(rt, "per cycle")
		at := wire.Cycle(1)
		for i := 0; i < 40; i++ {
			at += wire.Cycle(rapid.IntRange(0, 3).Draw(rt, "gap"))
			r.src.Send(at, i)
		}
		r.d.RunUntil(1000)
		for i, g := range r.sink.Got {
			if g.Msg != i {
				rt.Fatalf("message %d is number %d", i, g.Msg)
			}
		}
		if len(r.sink.Got) != 40 {
			rt.Fatalf("%d messages", len(r.sink.Got))
		}
	})
}

func TestAQueueThatCannotBeIsRefused(t *testing.T) {
	for _, s := range []Spec{{0, 1}, {1, 0}} {
		if _, err := New[int]("Queue", wire.NewDomain("Core", 1e9), s); err == nil {
			t.Errorf("%+v accepted", s)
		}
	}
}
