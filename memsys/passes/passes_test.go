package passes_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/passes"
	"kumiko/memsys/req"
)

type block struct{ passes.Server }

// Parts put at 1 are seen at 2. The first takes passes in 2, 3 and 4 and leaves at
// 4; the second takes one, at 5, and the third two, at 6 and 7. The link of Out
// adds latency - 2 = 4 cycles.
func TestInstructionsLeaveInOrderInTheCycleOfTheirLastPass(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	b := &block{}
	b.Setup("Block", d, b, 6, 4, func(p *req.Part) int { return int(p.Warp) })
	in := wiretest.NewSource("In", d, &b.In)
	out := wiretest.NewLooseSink[req.Done]("Out", d, 8)
	wire.Connect(&b.Out, &out.In, b.Pipeline())
	for slot, n := range []uint16{3, 1, 2} {
		in.Send(1, req.Part{Slot: uint16(slot), Warp: n, Index: 2})
	}
	d.RunUntil(40)
	want := []wiretest.At[req.Done]{
		{Cycle: 8, Msg: req.Done{Slot: 0, Index: 2, Of: 1}},
		{Cycle: 9, Msg: req.Done{Slot: 1, Index: 2, Of: 1}},
		{Cycle: 11, Msg: req.Done{Slot: 2, Index: 2, Of: 1}},
	}
	if d := cmp.Diff(want, out.Got); d != "" {
		t.Error(d)
	}
}

// Contexts and instructions take turns where both wait: a context in cycle 2, an
// instruction in 3, the context of two passes in 4 and 5, instructions in 6 and 7.
func TestContextsTakeTurnsWithInstructions(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	b := &block{}
	b.Setup("Block", d, b, 6, 4, func(p *req.Part) int { return 1 })
	contexts, kept := b.AddContexts(4, func(c *req.WarpContext) int { return int(c.Bytes) })
	in := wiretest.NewSource("In", d, &b.In)
	beside := wiretest.NewSource("Beside", d, contexts)
	out := wiretest.NewSink("Out", d, &b.Out, 8)
	answers := wiretest.NewSink("Answers", d, kept, 8)
	for slot := range 3 {
		in.Send(1, req.Part{Slot: uint16(slot)})
	}
	beside.Send(1, req.WarpContext{Bytes: 1, Out: true})
	beside.Send(1, req.WarpContext{Bytes: 2})
	d.RunUntil(40)
	var got []wire.Cycle
	for _, g := range out.Got {
		got = append(got, g.Cycle)
	}
	if d := cmp.Diff([]wire.Cycle{4, 7, 8}, got); d != "" {
		t.Errorf("instructions answered (-want +got):\n%s", d)
	}
	want := []wiretest.At[req.WarpContext]{{Cycle: 3, Msg: req.WarpContext{Bytes: 1, Out: true}},
		{Cycle: 6, Msg: req.WarpContext{Bytes: 2}}}
	if d := cmp.Diff(want, answers.Got); d != "" {
		t.Errorf("contexts answered (-want +got):\n%s", d)
	}
}

func TestABlockSaysUntilWhenItsPassesLast(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	b := &block{}
	b.Setup("Block", d, b, 6, 4, func(p *req.Part) int { return 10 })
	if got := b.Waiting(); got != "" {
		t.Errorf("idle, it says %q", got)
	}
	out := wiretest.NewLooseSink[req.Done]("Out", d, 8)
	wire.Connect(&b.Out, &out.In, b.Pipeline())
	in := wiretest.NewSource("In", d, &b.In)
	for range 2 {
		in.Send(1, req.Part{})
	}
	d.RunUntil(5) // ten passes from cycle 2 on
	if got, want := b.Waiting(), "passes until cycle 11, 1 instructions behind"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	d.RunUntil(60)
	if got := b.Waiting(); got != "" {
		t.Errorf("idle again, it says %q", got)
	}
}
