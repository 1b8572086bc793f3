package access

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

func TestTheFirstMissOfAnAccessWithAResultIsPassedOn(t *testing.T) {
	b := newBench(t, 4)
	cache := wiretest.NewSource("Cache", b.d, b.u.ReceiveMisses())
	b.src.Send(1, access(7, ir.OpLd, ir.Global, 0, 128))
	b.src.Send(2, access(8, ir.OpSt, ir.Global, 0))
	b.d.RunUntil(10)
	if len(b.memory.Got) != 2 {
		t.Fatalf("%d accesses under way, want 2", len(b.memory.Got))
	}
	load, store := b.memory.Got[0].Msg.Slot, b.memory.Got[1].Msg.Slot
	for i, slot := range []uint16{load, store, load} {
		cache.Send(wire.Cycle(20+i), req.Missed{Slot: slot})
	}
	b.done.Send(30, req.Done{Slot: load, Of: 1})
	b.d.RunUntil(60)
	// sent at 20, here at 21, visible at 22; the answer sent at 30, visible at 32
	want := []wiretest.At[req.Reply]{{Cycle: 22, Msg: req.Reply{Tag: 7, Warp: 3, Missed: true}},
		{Cycle: 32, Msg: req.Reply{Tag: 7, Warp: 3}}}
	if len(b.out.Got) != 2 || b.out.Got[0] != want[0] || b.out.Got[1] != want[1] {
		t.Errorf("replies %+v, want %+v", b.out.Got, want)
	}
}
