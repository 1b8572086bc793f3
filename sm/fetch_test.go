package sm

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// A fetch brings one instruction, and buffers have room for four. Started at 2
// and seen one later: a warp alone gets one in each cycle, whatever the width,
// and two warps one each.
func TestAWarpIsServedOnceInACycleHoweverWideFetchIs(t *testing.T) {
	for _, c := range []struct {
		contexts []uint16
		want     []wire.Cycle
	}{
		{[]uint16{4}, []wire.Cycle{3, 4, 5}},
		{[]uint16{4, 6}, []wire.Cycle{3, 3, 4, 4, 5, 5}},
	} {
		d := wire.NewDomain("core", ghz)
		spec := testSpec().Fetch
		spec.Width, spec.Instructions, spec.Buffer = 4, 1, 4
		f := NewFetch("F", d, spec, FetchClients{8, 1, 0}, nil)
		start := wiretest.NewSource("Start", d, &f.Start)
		out := wiretest.NewSink("Out", d, &f.Out[0], 16)
		k := kernelOf(inst(ir.ClassInt, nil), inst(ir.ClassInt, nil), inst(ir.ClassInt, nil))
		cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{straight(3), straight(3)}}
		start.Send(1, &Residence{CTA: cta, Contexts: c.contexts})
		d.RunUntil(30)
		wantCycles(t, "fetched", arrivals(out), c.want)
	}
}
