package constant

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

func TestALoadTakesAPassForEachDistinctAddress(t *testing.T) {
	for _, c := range []struct {
		name   string
		acc    stream.Access
		mask   uint32
		passes wire.Cycle
	}{
		{"one address", stream.Access{Base: 64}, ^uint32(0), 1},
		{"one per lane", stream.Access{Stride: 4}, 0xff, 8},
		{"three addresses", blocktest.Listed(ir.Const, 4, 8, 4, 4, 12, 8), 0x3f, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := wire.NewDomain("D", 1e9)
			var reg stats.Registry
			k, err := New("C", d, Spec{Latency: 20, Queue: 2}, &reg)
			if err != nil {
				t.Fatal(err)
			}
			src := wiretest.NewSource("Src", d, &k.In)
			sink := wiretest.NewSink("Sink", d, &k.Out, 4)
			src.Send(1, req.Part{Inst: &ir.Inst{Op: ir.OpLd}, Acc: &c.acc, Exec: c.mask, Mask: c.mask, Space: ir.Const})
			d.RunUntil(100)
			// in at 2, passes from 2 on, a link of 1
			if got := sink.Got[0].Cycle; got != 2+c.passes {
				t.Errorf("answer in cycle %d, want %d", got, 2+c.passes)
			}
			got := reg.Snapshot()
			if n, p := got["mem.constant.instructions"], got["mem.constant.passes"]; n != 1 || p != c.passes {
				t.Errorf("%d instructions with %d passes, want 1 with %d", n, p, c.passes)
			}
		})
	}
}
