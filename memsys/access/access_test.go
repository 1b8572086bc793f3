package access

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

type bench struct {
	d              *wire.Domain
	u              *Unit
	src            *wiretest.Source[req.Access]
	out            *wiretest.Sink[req.Reply]
	memory, shared *wiretest.Sink[req.Part]
	constant       *wiretest.Sink[req.Part]
	done           *wiretest.Source[req.Done]
}

func newBench(t *testing.T, inFlight int) *bench {
	b := &bench{d: wire.NewDomain("D", 1e9)}
	var err error
	if b.u, err = New("U", b.d, Spec{InFlight: inFlight, Queue: 4}, nil); err != nil {
		t.Fatal(err)
	}
	b.src = wiretest.NewSource("Src", b.d, &b.u.In)
	b.out = wiretest.NewSink("Out", b.d, &b.u.Out, 4)
	b.memory = wiretest.NewSink("Memory", b.d, &b.u.Memory, 8)
	b.shared = wiretest.NewSink("Shared", b.d, &b.u.Shared, 8)
	b.constant = wiretest.NewSink("Constant", b.d, &b.u.Constant, 8)
	b.u.Completions[FromL1Fill].Init(&b.u.Comp, "Fill", 8)
	b.done = wiretest.NewSource("Done", b.d, &b.u.Completions[FromL1Fill])
	return b
}

func access(tag uint32, op ir.Op, space ir.Space, addrs ...uint64) req.Access {
	acc := blocktest.Listed(space, addrs...)
	return req.Access{Tag: tag, Warp: 3, Inst: &ir.Inst{Op: op}, Acc: &acc,
		Exec: 1<<len(addrs) - 1}
}

func TestAnAccessIsCompleteWithTheLastOfItsTransactions(t *testing.T) {
	b := newBench(t, 4)
	b.src.Send(1, access(9, ir.OpLd, ir.Global, 0, 128, 256))
	b.d.RunUntil(10)
	slot := b.memory.Got[0].Msg.Slot
	for i := range 3 {
		b.done.Send(wire.Cycle(20+10*i), req.Done{Slot: slot, Of: 3})
	}
	b.d.RunUntil(100)
	// the third is sent at 40, here at 41, the reply visible at 42
	if got := b.out.Got; len(got) != 1 || got[0].Cycle != 42 || got[0].Msg != (req.Reply{Tag: 9, Warp: 3}) {
		t.Errorf("replies %+v, want one for tag 9 in cycle 42", got)
	}
}

func TestAGenericAccessIsSplitBySpaceAndAnsweredOnce(t *testing.T) {
	b := newBench(t, 4)
	b.src.Send(1, access(1, ir.OpLd, ir.Generic, ir.SharedWindow+64, ir.GlobalBase, ir.LocalWindow+4, ir.SharedWindow))
	b.d.RunUntil(10)
	if len(b.shared.Got) != 1 || len(b.memory.Got) != 2 {
		t.Fatalf("%d parts to shared memory and %d to the coalescer, want 1 and 2", len(b.shared.Got),
			len(b.memory.Got))
	}
	s := b.shared.Got[0].Msg
	if s.Mask != 0b1001 || s.Base != ir.SharedWindow || s.Space != ir.Shared {
		t.Errorf("shared part %+v, want lanes 0 and 3 relative to the window", s)
	}
	masks := map[ir.Space]uint32{}
	for _, g := range b.memory.Got {
		masks[g.Msg.Space] = g.Msg.Mask
	}
	if masks[ir.Global] != 0b0010 || masks[ir.Local] != 0b0100 {
		t.Errorf("parts %v, want lane 1 global and lane 2 local", masks)
	}
	for i, p := range []req.Part{s, b.memory.Got[0].Msg, b.memory.Got[1].Msg} {
		if len(b.out.Got) != 0 {
			t.Fatal("answered before all parts are complete")
		}
		b.done.Send(wire.Cycle(20+10*i), req.Done{Slot: p.Slot, Index: p.Index, Of: 1})
		b.d.RunUntil(wire.Cycle(25 + 10*i))
	}
	if len(b.out.Got) != 1 {
		t.Errorf("%d replies, want 1", len(b.out.Got))
	}
}

func TestStoresAndReductionsReplyAsStores(t *testing.T) {
	for op, want := range map[ir.Op]bool{ir.OpLd: false, ir.OpSt: true, ir.OpAtom: false, ir.OpRed: true,
		ir.OpTex: false, ir.OpPrefetch: false} {
		b := newBench(t, 4)
		b.src.Send(1, access(1, op, ir.Global, 0))
		b.d.RunUntil(10)
		b.done.Send(11, req.Done{Slot: b.memory.Got[0].Msg.Slot, Of: 1})
		b.d.RunUntil(20)
		if got := b.out.Got[0].Msg.Store; got != want {
			t.Errorf("%v: Store is %v, want %v", op, got, want)
		}
	}
}

func TestNoMoreAccessesAreUnderWayThanThereAreSlots(t *testing.T) {
	b := newBench(t, 2)
	for i := range 3 {
		b.src.Send(1, access(uint32(i), ir.OpLd, ir.Global, 0))
	}
	b.d.RunUntil(10)
	if len(b.memory.Got) != 2 {
		t.Fatalf("%d accesses under way, want 2", len(b.memory.Got))
	}
	b.done.Send(11, req.Done{Slot: b.memory.Got[0].Msg.Slot, Of: 1})
	b.d.RunUntil(20)
	if len(b.memory.Got) != 3 {
		t.Error("a slot became free, but the third access has not gone on")
	}
}

func TestOneResultIsAnsweredPerCycle(t *testing.T) {
	b := newBench(t, 8)
	for i := range 4 {
		b.src.Send(1, access(uint32(i), ir.OpLd, ir.Global, 0))
	}
	b.d.RunUntil(10)
	for _, g := range b.memory.Got {
		b.done.Send(11, req.Done{Slot: g.Msg.Slot, Of: 1})
	}
	b.d.RunUntil(30)
	if d := cmp.Diff([]wire.Cycle{13, 14, 15, 16}, b.out.Cycles()); d != "" {
		t.Errorf("cycles of replies (-want +got):\n%s", d)
	}
}

func TestConstantAndParameterLoadsGoToTheConstantCache(t *testing.T) {
	b := newBench(t, 4)
	b.src.Send(1, access(1, ir.OpLd, ir.Const, 0))
	b.src.Send(1, access(2, ir.OpLd, ir.Param, 0))
	b.d.RunUntil(10)
	if len(b.constant.Got) != 2 {
		t.Errorf("%d loads at the constant cache, want 2", len(b.constant.Got))
	}
}

// completed sends n loads and stores, of two transactions each, and completes them all over two pipelines.
// The replies are not accepted until release.
func completed(t *testing.T, n int, sink bool) (b *bench, hits *wiretest.Source[req.Done], release *bool) {
	b = newBench(t, n)
	b.u.Completions[FromL1Hit].Init(&b.u.Comp, "Hit", 3)
	hits = wiretest.NewSource("Hits", b.d, &b.u.Completions[FromL1Hit])
	if sink {
		b.u.Sink()
	}
	release = new(bool)
	b.out.Refuse = func(wire.Cycle) bool { return !*release }
	for i := range n {
		op := ir.OpLd
		if i%3 == 0 {
			op = ir.OpSt
		}
		b.src.Send(wire.Cycle(1+i), access(uint32(i), op, ir.Global, 0, 128))
	}
	b.d.RunUntil(wire.Cycle(n + 10))
	if len(b.memory.Got) != n {
		t.Fatalf("%d accesses under way, want %d", len(b.memory.Got), n)
	}
	for _, g := range b.memory.Got {
		b.done.Send(b.d.Now()+1, req.Done{Slot: g.Msg.Slot, Of: 2})
		hits.Send(b.d.Now()+1, req.Done{Slot: g.Msg.Slot, Of: 2})
	}
	b.d.RunUntil(b.d.Now() + 500)
	return b, hits, release
}

func TestEveryCompletionSinksHoweverLongNobodyTakesReplies(t *testing.T) {
	const n = 60
	b, hits, release := completed(t, n, true)
	if left := b.done.Left() + hits.Left() + b.u.Completions[FromL1Fill].Len() +
		b.u.Completions[FromL1Hit].Len(); left != 0 {
		t.Fatalf("%d completions have not been taken", left)
	}
	if len(b.out.Got) != 0 || b.u.InFlight() != n-4 { // four replies are in the sink's port
		t.Fatalf("%d replies taken, %d accesses in their slots, want 0 and %d", len(b.out.Got), b.u.InFlight(), n-4)
	}
	*release = true
	b.d.RunUntil(b.d.Now() + 200)
	seen := map[uint32]bool{}
	for i, g := range b.out.Got {
		if seen[g.Msg.Tag] || g.Msg.Store != (g.Msg.Tag%3 == 0) {
			t.Errorf("reply %d: %+v", i, g.Msg)
		}
		seen[g.Msg.Tag] = true
	}
	if len(seen) != n || b.u.InFlight() != 0 {
		t.Errorf("%d accesses answered, %d not; want %d and 0", len(seen), b.u.InFlight(), n)
	}
}

// Loads and stores are answered in the order of their completion, one of each a
// cycle, as if they had waited in the pipeline.
func TestWhatTheSlotsHaveKeptIsAnsweredInOrder(t *testing.T) {
	b, _, release := completed(t, 30, true)
	*release = true
	b.d.RunUntil(b.d.Now() + 200)
	if len(b.out.Got) != 30 {
		t.Fatalf("%d replies, want 30", len(b.out.Got))
	}
	last, at := map[bool]int{true: -1, false: -1}, map[bool]wire.Cycle{}
	for i, g := range b.out.Got {
		// the first four wait in the sink's port
		if s := g.Msg.Store; int(g.Msg.Tag) < last[s] || i >= 4 && at[s] == g.Cycle {
			t.Errorf("reply %d, tag %d, in cycle %d comes behind tag %d in cycle %d", i, g.Msg.Tag, g.Cycle, last[s],
				at[s])
		}
		last[g.Msg.Store], at[g.Msg.Store] = int(g.Msg.Tag), g.Cycle
	}
}

func TestCompletionsOtherwiseWaitInTheirPipelines(t *testing.T) {
	b, hits, release := completed(t, 60, false)
	if b.done.Left() == 0 && hits.Left() == 0 {
		t.Error("all completions have been taken")
	}
	*release = true
	b.d.RunUntil(b.d.Now() + 500)
	if len(b.out.Got) != 60 {
		t.Errorf("%d accesses answered, want 60", len(b.out.Got))
	}
}
