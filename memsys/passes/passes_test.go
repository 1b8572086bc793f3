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
