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

// A warp's two instructions are fetched at 2, and issue at 10 and at 14, which fetch hears
// of a cycle later.
func TestABufferIsFilledAgainWhenAnEntryIsFreeOrWhenAllAre(t *testing.T) {
	for refill, want := range map[string][]wire.Cycle{"room": {3, 3, 12, 16}, "empty": {3, 3, 16, 16}} {
		d := wire.NewDomain("core", ghz)
		spec := testSpec().Fetch
		spec.Refill = refill
		f := NewFetch("F", d, spec, FetchClients{8, 1, 0}, nil)
		start := wiretest.NewSource("Start", d, &f.Start)
		notes := wiretest.NewSource("Notes", d, &f.Notes[0])
		out := wiretest.NewSink("Out", d, &f.Out[0], 16)
		k := kernelOf(make([]ir.Inst, 4)...)
		start.Send(1, &Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{straight(4)}}, Contexts: []uint16{0}})
		for _, at := range []wire.Cycle{10, 14} {
			notes.Send(at, FetchNote{Freed: 1})
		}
		d.RunUntil(40)
		wantCycles(t, refill, arrivals(out), want)
	}
}
