package shrf

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Two results for entries come at once, and there is one write port: the second waits a cycle.
func TestWritePortsLimitResults(t *testing.T) {
	for ports, want := range map[int]struct {
		at    wire.Cycle
		waits uint64
	}{1: {8, 1}, 2: {7, 0}} {
		s := Default()
		s.Writes = ports
		b := newBench(t, s)
		b.enter(1, 0)
		b.result(5, 0, 4, all, 7)
		b.result(5, 0, 5, all, 8) // to the main file too, visible there one cycle later
		b.Domain.RunUntil(30)
		if d := cmp.Diff([]wire.Cycle{want.at}, b.Write.Cycles()); d != "" {
			t.Errorf("%d ports: the second result is in the main file in cycles (-want +got):\n%s", ports, d)
		}
		if n := b.Stat("result_waits"); n != want.waits {
			t.Errorf("%d ports: %d waits counted, want %d", ports, n, want.waits)
		}
	}
}

func TestAResultWithoutAnEntryNeedsNoWritePort(t *testing.T) {
	b := newBench(t, Default())
	b.enter(1, 0)
	b.result(5, 0, 4, all, 7) // takes the port
	b.result(5, 0, 9, all, 8)
	b.Domain.RunUntil(30)
	if d := cmp.Diff([]wire.Cycle{7}, b.Write.Cycles()); d != "" {
		t.Errorf("written to the main file in cycles (-want +got):\n%s", d)
	}
}

// The entry of register 4 has half of the lanes. They go to the main file by the only read port. The hit on
// register 5 uses the port in the next cycle.
func TestAPartialWriteBackTakesAReadPort(t *testing.T) {
	s := Default()
	s.Reads = 1
	b := newBench(t, s)
	b.enter(1, 0)
	b.result(4, 0, 4, 0xffff, 7)
	b.result(6, 0, 5, all, 8)
	b.wants(10, 0, all, 4, 5)
	b.Domain.RunUntil(30)
	if d := cmp.Diff([]wire.Cycle{14}, b.Operand.Cycles()); d != "" {
		t.Errorf("operands given in cycles (-want +got):\n%s", d)
	}
}

// Two live registers leave the level, with one or both written per cycle.
func TestTheFlushWidthLimitsWriteBacksPerCycle(t *testing.T) {
	for width, want := range map[int][]wire.Cycle{1: {12, 13}, 2: {12, 12}} {
		s := Default()
		s.FlushWidth = width
		b := newBench(t, s)
		b.x.plan.Strands[0].Through = intervals.Set{}
		b.enter(1, 0)
		b.result(4, 0, 4, all, 7)
		b.result(6, 0, 5, all, 8)
		b.Notice.Send(10, regfile.WarpNotice{Warp: 0, Event: regfile.WarpSuspended})
		b.Domain.RunUntil(30)
		if d := cmp.Diff(want, b.Write.Cycles()); d != "" {
			t.Errorf("width %d: written back in cycles (-want +got):\n%s", width, d)
		}
	}
}

// Two collectors have at most two instructions' operands in flight. That many reads of a lane each, and one more,
// are all served, and the last is not kept.
func TestTheLevelAwaitsNoMoreThanCollectorsCanRequest(t *testing.T) {
	const most = 2 * ir.NumSources
	b := newBench(t, Default())
	b.enter(1, 0)
	for lane := range most + 1 {
		b.wants(wire.Cycle(4+lane), 0, 1<<lane, 4)
	}
	b.Domain.RunUntil(40)
	if len(b.Read.Got) != most+1 {
		t.Fatalf("%d reads passed on, want %d", len(b.Read.Got), most+1)
	}
	for i, g := range b.Read.Got {
		lanes := g.Msg.Lanes
		b.Fill.Send(wire.Cycle(41+i), bank.Value{Tag: g.Msg.Tag, Slot: g.Msg.Slot[0],
			Content: version.Content{Lanes: lanes}.Write(3, lanes)})
	}
	b.Domain.RunUntil(80)
	if b.Stat("filled") != most {
		t.Errorf("%d reads kept, want %d", b.Stat("filled"), most)
	}
}

// Two sub-cores share the two active warps: each has a place for one. Six contexts of four
// schedulers are two of a scheduler at most, with two notices each, and four more.
func TestASubCoreHasItsShareOfPlacesAndRoomForTwoNoticesOfEachContext(t *testing.T) {
	b := newBench(t, Default())
	part := *b.Part
	p := &part
	p.Name, p.SubCores, p.Schedulers, p.Env.Schedulers, p.Env.Warps = "SM.SubCore[1]", 2, 2, 4, 6
	x, err := New(p, Default())
	if err != nil {
		t.Fatal(err)
	}
	if len(x.unused) != 1 || len(x.entries) != Default().Entries {
		t.Errorf("%d places of %d entries together, want 1 of %d", len(x.unused), len(x.entries), Default().Entries)
	}
	for i := range x.Notices {
		if n := x.Notices[i].Capacity(); n != 2*2+4 {
			t.Errorf("room for %d notices of scheduler %d, want 8", n, i)
		}
	}
}

// In a cycle it may write an entry back by each of three read ports, and flush one.
func TestTheMainFileMayGetAWriteOfEachSourceInACycle(t *testing.T) {
	b := newBench(t, Default())
	if n := b.x.extension().Writes; n != 3+1 {
		t.Errorf("%d writes per cycle beside results, want 4", n)
	}
}

func TestTheLevelSaysWhatItHoldsUp(t *testing.T) {
	b := newBench(t, Default())
	if w := b.x.Waiting(); w != "" {
		t.Errorf("an idle level says %q", w)
	}
	b.Write.Refuse = func(wire.Cycle) bool { return true }
	for i := range wire.Cycle(9) { // eight fill the way to the main file
		b.result(1+i, 3, 9, all, 1)
	}
	b.wants(12, 3, all, 9)
	b.Domain.RunUntil(30)
	if w, want := b.x.Waiting(), "1 requests and 1 results wait"; w != want {
		t.Errorf("it says %q, want %q", w, want)
	}
}
