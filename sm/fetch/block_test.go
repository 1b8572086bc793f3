package fetch

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/smtest"
	"kumiko/sm/switching"
)

// apart is a fetch stage of two schedulers with L0 caches of lines of two instructions.
func apart() Spec {
	s := testFetch()
	s.ICache = ICacheSpec{Misses: 2, Tags: tagarray.Spec{Sets: 4, Ways: 4, Line: 16, Sector: 16, Replace: "lru",
		Index: "linear"}}
	s.L0 = L0Spec{Lines: 4, Ways: 2, Latency: 3, Misses: 2, Stream: 2}
	return s
}

// Both schedulers have a warp at the first of six lines. Each of the caches misses on the line and asks for
// the two behind too, by turns with the other. The lines come 20 cycles later.
func TestSubCoresAskForTheirLinesByTurnsAndFetchWhatComes(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	f := New("F", d, apart(), Clients{8, 2, 0}, nil)
	k := smtest.KernelOf(make([]ir.Inst, 12)...)
	p := program.New(k, &program.Target{Bytes: 8}, nil)
	p.Code = CodeBase
	f.Load(p)
	start := wiretest.NewSource("Start", d, &f.Start)
	asked := wiretest.NewSink("ToL1", d, &f.ToL1, 16)
	came := wiretest.NewSource("FromL1", d, &f.FromL1)
	out := [2]*wiretest.Sink[message.Fetched]{wiretest.NewSink("Out0", d, &f.Out[0], 16),
		wiretest.NewSink("Out1", d, &f.Out[1], 16)}
	start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(2),
		smtest.Straight(2)}}, Contexts: []uint16{2, 5}})
	for i, core := range []uint8{0, 1} {
		came.Send(30+10*wire.Cycle(i), LineReply{Addr: CodeBase, Core: core})
	}
	d.RunUntil(20)
	var got []LineRequest
	for _, g := range asked.Got {
		got = append(got, g.Msg)
	}
	if d := cmp.Diff([]LineRequest{{CodeBase, 0}, {CodeBase, 1}, {CodeBase + 16, 0}, {CodeBase + 16, 1},
		{CodeBase + 32, 0}, {CodeBase + 32, 1}}, got); d != "" {
		t.Errorf("asked for (-want +got):\n%s", d)
	}
	if f.Asks() {
		t.Error("the block asks the L2 itself")
	}
	d.RunUntil(60)
	smtest.WantCycles(t, "instructions of scheduler 0", smtest.Arrivals(out[0]), []wire.Cycle{32, 32})
	smtest.WantCycles(t, "instructions of scheduler 1", smtest.Arrivals(out[1]), []wire.Cycle{42, 42})
	if at := d.NextWake(); at != wire.Never {
		t.Errorf("fetch ticks at %d with nothing to do", at)
	}
}

// Contexts 0 to 3 of two schedulers start in this order. The youngest of each are served first. At
// 10 both have issued, the older one last.
func TestEachSchedulerHasItsShareOfTheFetchesAndTheWarpThatIssuedGoesFirst(t *testing.T) {
	d := wire.NewDomain("core", smtest.GHz)
	s := testFetch()
	s.Width, s.Policy = 2, Follow
	f := New("F", d, s, Clients{4, 2, 0}, nil)
	k := smtest.KernelOf(make([]ir.Inst, 8)...)
	start := wiretest.NewSource("Start", d, &f.Start)
	var warps []stream.Warp
	for range 4 {
		warps = append(warps, smtest.Straight(8))
	}
	start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: warps}, Contexts: []uint16{0, 1, 2, 3}})
	var out [2]*wiretest.Sink[message.Fetched]
	for i := range out {
		out[i] = wiretest.NewSink("Out", d, &f.Out[i], 16)
		notes := wiretest.NewSource("Notes", d, &f.Notes[i])
		notes.Send(10, message.FetchNote{Warp: uint16(2 + i), Freed: 1})
		notes.Send(10, message.FetchNote{Warp: uint16(i), Freed: 1})
	}
	d.RunUntil(60)
	for i := range out {
		type one struct {
			At   wire.Cycle
			Warp uint16
		}
		var got []one
		for _, g := range out[i].Got {
			got = append(got, one{g.Cycle, g.Msg.Warp})
		}
		older, younger := uint16(i), uint16(2+i)
		if d := cmp.Diff([]one{{3, younger}, {3, younger}, {4, older}, {4, older}, {12, older}, {13, younger}},
			got); d != "" {
			t.Errorf("scheduler %d (-want +got):\n%s", i, d)
		}
	}
	if at := d.NextWake(); at != wire.Never {
		t.Errorf("fetch ticks at %d with nothing to do", at)
	}
}

func TestWarpsWithSomethingLeftToFetchAreTold(t *testing.T) {
	b := newBench(testFetch(), Clients{4, 1, 0})
	k := smtest.KernelOf(make([]ir.Inst, 8)...)
	long := stream.Warp{Runs: []stream.Run{smtest.Run(0, 4), smtest.Run(2, 3)}}
	b.start.Send(1, &message.Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{smtest.Straight(2), long}},
		Contexts: []uint16{0, 1}})
	b.d.RunUntil(20)
	var next []int
	b.f.Streams(func(w *stream.Warp, n int) {
		if len(w.Runs) != 2 {
			t.Error("a warp of which all is fetched is told")
		}
		next = append(next, n)
	})
	if d := cmp.Diff([]int{1}, next); d != "" {
		t.Errorf("runs that have not begun (-want +got):\n%s", d)
	}
}

// The branch issues at 10, and is executed at 40. The warp loses its slot at 20 and has one again
// from 30 on. The instructions after the branch come when the branch is executed.
func TestAReturnedWarpWaitsForItsIssuedBranch(t *testing.T) {
	s := testFetch()
	s.Resolve = "execute"
	b := newBench(s, Clients{8, 1, 1})
	b.f.Rewindable()
	b.f.SayWhere()
	rewind := wiretest.NewSource("Rewind", b.d, &b.f.Rewind)
	resolved := wiretest.NewSource("Resolved", b.d, &b.f.Resolved[0])
	standing := wiretest.NewSink("Standing", b.d, &b.f.Standing, 4)
	k := smtest.KernelOf(smtest.Inst(ir.ClassBranch, nil), smtest.Inst(ir.ClassInt, nil), smtest.Inst(ir.ClassInt, nil),
		smtest.Inst(ir.ClassInt, nil))
	cta := &stream.CTA{Kernel: k, Warps: []stream.Warp{{Runs: []stream.Run{smtest.Run(0, 1), smtest.Run(2, 2)}}}}
	b.start.Send(1, &message.Residence{CTA: cta, Slot: 3, Contexts: []uint16{5}})
	b.notes[0].Send(10, message.FetchNote{Warp: 5, Freed: 1})
	rewind.Send(15, switching.Rewind{CTA: 3, Contexts: []uint16{5, 6}, ReportOnly: true})
	rewind.Send(20, switching.Rewind{CTA: 3, Contexts: []uint16{5}})
	b.start.Send(30, &message.Residence{Slot: 3, Contexts: []uint16{5}, Returned: true})
	resolved.Send(40, message.FetchNote{Warp: 5, Resolved: true})
	b.d.RunUntil(60)
	smtest.WantCycles(t, "fetched", smtest.Arrivals(b.out[0]), []wire.Cycle{3, 42, 42})
	if len(b.out[0].Got) == 3 && (b.out[0].Got[1].Msg.PC != 2 || b.out[0].Got[1].Msg.Life != 1) {
		t.Errorf("instruction %d of life %d comes behind the branch, want 2 of 1", b.out[0].Got[1].Msg.PC,
			b.out[0].Got[1].Msg.Life)
	}
	if len(standing.Got) != 1 {
		t.Fatalf("%d answers where the warps stand, want 1", len(standing.Got))
	}
	got := standing.Got[0].Msg
	if d := cmp.Diff([]uint16{5}, got.Contexts); d != "" || len(got.PCs) != 1 || got.PCs[0] != 2 {
		t.Errorf("warps %v stand at %v, want 5 at 2", got.Contexts, got.PCs)
	}
}

func TestEveryNumberOfAnL0HasItsRange(t *testing.T) {
	for name, k := range map[string]struct {
		set func(s *L0Spec, v int)
		ok  []int
		bad []int
	}{
		"ways":    {func(s *L0Spec, v int) { s.Lines, s.Ways = 4*v, v }, []int{1, 4}, []int{-1, 1<<16 + 1}},
		"latency": {func(s *L0Spec, v int) { s.Latency = v }, []int{1, 128}, []int{0, 129}},
		"misses":  {func(s *L0Spec, v int) { s.Misses = v }, []int{1, 64}, []int{0, 65}},
		"stream":  {func(s *L0Spec, v int) { s.Stream = v }, []int{0, 64}, []int{-1, 65}},
		"lines":   {func(s *L0Spec, v int) { s.Lines = v }, []int{0, 4}, []int{-2, 3}},
	} {
		check := func(v int) error {
			s := apart().L0
			k.set(&s, v)
			return s.Check(16)
		}
		for _, v := range k.ok {
			if err := check(v); err != nil {
				t.Errorf("%s %d: %v", name, v, err)
			}
		}
		for _, v := range k.bad {
			if err := check(v); err == nil || !strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("%s %d: %v, want an error about it", name, v, err)
			}
		}
	}
	s := apart()
	if n := s.Under(2); n != 2*(2+2)+2*3 {
		t.Errorf("%d requests may be under way, want 14", n)
	}
	if x := s.L0.tags(16); x.Sets != 2 || x.Ways != 2 {
		t.Errorf("%d sets of %d lines, want 2 of 2", x.Sets, x.Ways)
	}
}

// Line 7 is fetched; 8 is in the stream buffer when it is wanted. Two other lines miss, and a third finds
// no room.
func TestHitsOfAnL0AndFetchesThatItPutsOffAreCounted(t *testing.T) {
	c := smallL0()
	c.lookUp(128*7, 1)
	c.asks()
	c.arrived(128 * 7)
	c.arrived(128 * 8)
	c.lookUp(128*7, 1)
	c.lookUp(128*8, 1)
	c.lookUp(128*12, 1)
	c.lookUp(128*14, 2)
	if o := c.lookUp(128*16, 3); o != fetchRefused {
		t.Errorf("%v, want the third line to be put off", o)
	}
	if c.hits != 2 || c.streamed != 1 || c.refused != 1 {
		t.Errorf("%d hits, %d of these from the buffer, %d put off; want 2, 1, 1", c.hits, c.streamed, c.refused)
	}
}

func TestAnL0WithoutAStreamBufferAsksForWhatMissedAlone(t *testing.T) {
	c := &newL0s(L0Spec{Lines: 4, Ways: 4, Latency: 5, Misses: 2}, 128, 1, "S", nil)[0]
	c.reset(128 * 20)
	c.lookUp(128*7, 1)
	wantLines(t, "asked for", c.asks(), 7)
	if c.running {
		t.Error("a buffer that there is not runs")
	}
}
