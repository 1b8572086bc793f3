package fetch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// bench is a fetch block between sources and sinks.
type bench struct {
	d     *wire.Domain
	f     *Fetch
	start *wiretest.Source[*message.Residence]
	notes []*wiretest.Source[message.FetchNote]
	out   []*wiretest.Sink[message.Fetched]
}

func newBench(s Spec, c Clients) *bench {
	b := &bench{d: wire.NewDomain("core", smtest.GHz)}
	b.f = New("F", b.d, s, c, nil)
	b.start = wiretest.NewSource("Start", b.d, &b.f.Start)
	for i := range b.f.Out {
		b.notes = append(b.notes, wiretest.NewSource("Notes", b.d, &b.f.Notes[i]))
		b.out = append(b.out, wiretest.NewSink("Out", b.d, &b.f.Out[i], 16))
	}
	return b
}

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
		spec := testFetch()
		spec.Width, spec.Instructions, spec.Buffer = 4, 1, 4
		b := newBench(spec, Clients{8, 1, 0})
		k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil),
			smtest.Inst(ir.ClassInt,
				nil))
		cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(3), smtest.Straight(3)}}
		b.start.Send(1, &message.Residence{CTA: cta, Contexts: c.contexts})
		b.d.RunUntil(30)
		smtest.WantCycles(t, "fetched", smtest.Arrivals(b.out[0]), c.want)
	}
}

// A warp's two instructions are fetched at 2, and issue at 10 and at 14. Fetch is notified
// a cycle later.
func TestABufferIsFilledAgainWhenAnEntryIsFreeOrWhenAllAre(t *testing.T) {
	for refill, want := range map[string][]wire.Cycle{"room": {3, 3, 12, 16}, "empty": {3, 3, 16, 16}} {
		spec := testFetch()
		spec.Refill = refill
		b := newBench(spec, Clients{8, 1, 0})
		k := smtest.KernelOf(make([]ir.Inst, 4)...)
		b.start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(4)}},
			Contexts: []uint16{0}})
		for _, at := range []wire.Cycle{10, 14} {
			b.notes[0].Send(at, message.FetchNote{Freed: 1})
		}
		b.d.RunUntil(40)
		smtest.WantCycles(t, refill, smtest.Arrivals(b.out[0]), want)
	}
}

func TestFetchBringsTwoInstructionsPerWarpRoundRobin(t *testing.T) {
	b := newBench(testFetch(), Clients{8, 1, 0})
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil))
	cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(3), smtest.Straight(3)}}
	b.start.Send(1, &message.Residence{CTA: cta, Contexts: []uint16{4, 6}})
	b.notes[0].Send(10, message.FetchNote{Warp: 4, Freed: 1})
	b.d.RunUntil(30)
	type got struct {
		Cycle wire.Cycle
		Warp  uint16
		PC    uint32
		Last  bool
	}
	var have []got
	for _, g := range b.out[0].Got {
		have = append(have, got{g.Cycle, g.Msg.Warp, g.Msg.PC, g.Msg.Last})
	}
	want := []got{{3, 4, 0, false}, {3, 4, 1, false}, {4, 6, 0, false}, {4, 6, 1, false}, {12, 4, 2, true}}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
}

func TestFetchWaitsBehindAnInstructionThatRedirectsIt(t *testing.T) {
	b := newBench(testFetch(), Clients{8, 1, 0})
	k := smtest.KernelOf(smtest.Inst(ir.ClassBranch, nil), smtest.Inst(ir.ClassInt, nil),
		smtest.Inst(ir.ClassExit,
			nil))
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 1, Mask: 1}, {PC: 2, N: 1, Mask: 1}}}
	b.start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{w}}, Contexts: []uint16{0}})
	b.notes[0].Send(8, message.FetchNote{Warp: 0, Freed: 1, Resolved: true})
	b.d.RunUntil(30)
	// fetched at 2 and seen at 3; the note is seen at 9, the target fetched then
	smtest.WantCycles(t, "fetched", smtest.Arrivals(b.out[0]), []wire.Cycle{3, 10})
	if !b.out[0].Got[0].Msg.Redirect {
		t.Error("the branch does not say that fetch waits for it")
	}
}

func TestABranchThatFallsThroughDoesNotResolveALaterOne(t *testing.T) {
	spec := testFetch()
	spec.Resolve = "execute"
	b := newBench(spec, Clients{8, 1, 1})
	unit := wiretest.NewSource("Unit", b.d, &b.f.Resolved[0])
	k := smtest.KernelOf(smtest.Inst(ir.ClassBranch, nil), smtest.Inst(ir.ClassBranch, nil),
		smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassExit,
			nil))
	w := stream.Warp{Runs: []stream.Run{{PC: 0, N: 2, Mask: 1}, {PC: 3, N: 1, Mask: 1}}}
	b.start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{w}}, Contexts: []uint16{0}})
	b.notes[0].Send(8, message.FetchNote{Warp: 0, Freed: 2})
	unit.Send(12, message.FetchNote{Warp: 0, Resolved: true})
	unit.Send(20, message.FetchNote{Warp: 0, Resolved: true})
	b.d.RunUntil(40)
	// both branches are fetched at 2; the note of the second is seen at 21
	smtest.WantCycles(t, "fetched", smtest.Arrivals(b.out[0]), []wire.Cycle{3, 3, 22})
}

func TestInstructionsInFlightToAWarpLosingItsSlotHaveRoom(t *testing.T) {
	f := Spec{Width: 3, Instructions: 2, Latency: 5}
	if n := f.Stale(&switching.Spec{Switching: switching.VirtualThread}); n != (5+2)*3*2 {
		t.Errorf("%d instructions, want those of 7 cycles, 42", n)
	}
	if n := f.Stale(&switching.Spec{}); n != 0 {
		t.Errorf("%d instructions where no warp loses its slot, want 0", n)
	}
}

func TestFetchServesWarpsBeyondTheFirst64(t *testing.T) {
	b := newBench(testFetch(), Clients{65, 1, 0})
	k := smtest.KernelOf(smtest.Inst(ir.ClassInt, nil))
	b.start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(1)}},
		Contexts: []uint16{64}})
	b.d.RunUntil(10)
	smtest.WantCycles(t, "fetched", smtest.Arrivals(b.out[0]), []wire.Cycle{3})
}

// testFetch brings two instructions a cycle to buffers of two.
func testFetch() Spec {
	return Spec{Width: 1, Instructions: 2, Buffer: 2, Latency: 1, Refill: "room", Policy: InTurn, Bytes: 8,
		Resolve: "issue", ICache: ICacheSpec{Perfect: true}}
}

// rewindable is a fetch stage of a warp of four instructions, the first issued at 5, in
// context 5 and CTA slot 3.
func rewindable(t *testing.T) (*wire.Domain, *wiretest.Source[*message.Residence], *wiretest.Source[switching.Rewind],
	*wiretest.Sink[message.Fetched]) {
	t.Helper()
	d := wire.NewDomain("core", smtest.GHz)
	f := New("F", d, testFetch(), Clients{8, 1, 0}, nil)
	f.Rewindable()
	start := wiretest.NewSource("Start", d, &f.Start)
	rewind := wiretest.NewSource("Rewind", d, &f.Rewind)
	notes := wiretest.NewSource("Notes", d, &f.Notes[0])
	out := wiretest.NewSink("Out", d, &f.Out[0], 16)
	c := smtest.CtaOf(1)
	c.Kernel = smtest.KernelOf(smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil),
		smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassExit, nil))
	c.Warps[0] = smtest.Straight(4)
	start.Send(1, &message.Residence{CTA: c, Slot: 3, Contexts: []uint16{5}})
	notes.Send(5, message.FetchNote{Warp: 5, Freed: 1})
	return d, start, rewind, out
}

// Two instructions are on their way to the buffer and none has issued: both come again,
// with the number of the next life, once the warp has a slot.
func TestFetchGoesBackToTheFirstInstructionThatHasNotIssued(t *testing.T) {
	d, start, rewind, out := rewindable(t)
	rewind.Send(10, switching.Rewind{CTA: 3, Contexts: []uint16{5}})
	start.Send(20, &message.Residence{Slot: 3, Contexts: []uint16{5}, Returned: true})
	d.RunUntil(40)
	type one struct {
		PC   uint32
		Life uint8
	}
	var got []one
	for _, g := range out.Got {
		got = append(got, one{g.Msg.PC, g.Msg.Life})
	}
	if d := cmp.Diff([]one{{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 1}}, got); d != "" {
		t.Errorf("fetched (-want +got):\n%s", d)
	}
}

func TestFetchDoesNotGoBackForAnotherCTAOfTheSameContext(t *testing.T) {
	d, start, rewind, out := rewindable(t)
	rewind.Send(10, switching.Rewind{CTA: 4, Contexts: []uint16{5}})
	start.Send(20, &message.Residence{Slot: 3, Contexts: []uint16{5}, Returned: true})
	d.RunUntil(40)
	if len(out.Got) != 3 {
		t.Errorf("%d instructions fetched, want the 3 for which there was room", len(out.Got))
	}
}
