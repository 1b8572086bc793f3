package fetch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/spec/spectest"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/req"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/smtest"
)

// cachedFetch is a fetch block with an instruction cache of two lines of 16
// instructions, for two warps running n consecutive instructions.
type cachedFetch struct {
	d     *wire.Domain
	f     *Fetch
	out   *wiretest.Sink[message.Fetched]
	ask   *wiretest.Sink[req.Packet]
	reply *wiretest.Source[req.Packet]
	start *wiretest.Source[*message.Residence]
	notes *wiretest.Source[message.FetchNote]
	cta   *stream.CTA
}

func newCachedFetch(n int) *cachedFetch {
	spec := testFetch()
	spec.Buffer = 8
	spec.ICache = ICacheSpec{Misses: 2, Tags: tagarray.Spec{Sets: 1, Ways: 2, Line: 128, Sector: 128, Replace: "lru",
		Index: "linear"}}
	c := &cachedFetch{d: wire.NewDomain("core", smtest.GHz)}
	c.f = New("F", c.d, spec, Clients{8, 1, 0}, nil)
	c.f.prog = &program.Program{Code: CodeBase, Layout: program.Layout{Bytes: 8}}
	c.out = wiretest.NewSink("Out", c.d, &c.f.Out[0], 16)
	c.ask = wiretest.NewSink("Ask", c.d, &c.f.ToMem, 4)
	c.reply = wiretest.NewSource("Reply", c.d, &c.f.FromMem)
	c.start = wiretest.NewSource("Start", c.d, &c.f.Start)
	c.notes = wiretest.NewSource("Notes", c.d, &c.f.Notes[0])
	insts := make([]ir.Inst, n)
	c.cta = &stream.CTA{Kernel: smtest.KernelOf(insts...), Warps: []stream.Warp{smtest.Straight(n), smtest.Straight(n)}}
	return c
}

func (c *cachedFetch) arrives(at wire.Cycle, line uint64) {
	c.reply.Send(at, req.Packet{Addr: CodeBase + line*128, Sectors: req.AllSectors, Reply: true})
}

// The program has three lines, and the cache has room for two. The launch brings the first one.
func TestALaunchBringsTheFirstLinesOfItsProgram(t *testing.T) {
	c := newCachedFetch(2)
	c.f.cache.spec.Launch = 1
	insts := make([]ir.Inst, 48)
	c.f.Load(&program.Program{Code: CodeBase, Layout: program.Layout{Bytes: 8}, Kernel: smtest.KernelOf(insts...)})
	for line, want := range []fetchOutcome{fetchHit, fetchWaits} {
		if got := c.f.cache.lookUp(CodeBase+uint64(line)*128, 0, &c.f.ToMem); got != want {
			t.Errorf("line %d: outcome %d, want %d", line, got, want)
		}
	}
}

func TestALaunchBringsNothingFromBehindItsProgram(t *testing.T) {
	c := newCachedFetch(2)
	c.f.cache.spec.Launch = 2
	insts := make([]ir.Inst, 16)
	c.f.Load(&program.Program{Code: CodeBase, Layout: program.Layout{Bytes: 8}, Kernel: smtest.KernelOf(insts...)})
	if got := c.f.cache.lookUp(CodeBase+128, 0, &c.f.ToMem); got != fetchWaits {
		t.Errorf("outcome %d, want %d: the second line is no line of the program", got, fetchWaits)
	}
}

func TestAFetchThatMissesWaitsForItsLine(t *testing.T) {
	c := newCachedFetch(2)
	c.start.Send(1, &message.Residence{CTA: c.cta, Contexts: []uint16{0}})
	c.arrives(40, 0)
	c.d.RunUntil(100)
	want := []wiretest.At[req.Packet]{{Cycle: 3, Msg: req.Packet{Addr: CodeBase, Cause: req.InstructionFetch,
		Sectors: req.AllSectors}}}
	if d := cmp.Diff(want, c.ask.Got); d != "" {
		t.Error(d)
	}
	// the line is seen at 41 and the fetch of the same cycle hits
	smtest.WantCycles(t, "fetched", smtest.Arrivals(c.out), []wire.Cycle{42, 42})
}

func TestTwoWarpsThatMissOnOneLineAskForItOnce(t *testing.T) {
	c := newCachedFetch(2)
	c.start.Send(1, &message.Residence{CTA: c.cta, Contexts: []uint16{0, 1}})
	c.arrives(40, 0)
	c.d.RunUntil(100)
	if len(c.ask.Got) != 1 || c.f.cache.misses != 1 || c.f.cache.merged != 1 || c.f.cache.hits != 2 {
		t.Errorf("%d requests; misses %d, hits on miss %d, hits %d; want 1; 1, 1, 2", len(c.ask.Got), c.f.cache.misses,
			c.f.cache.merged, c.f.cache.hits)
	}
	smtest.WantCycles(t, "fetched", smtest.Arrivals(c.out), []wire.Cycle{42, 42, 43, 43})
}

func TestAFetchEndsAtTheEndOfItsLine(t *testing.T) {
	c := newCachedFetch(20)
	c.f.spec.Instructions = 5
	c.start.Send(1, &message.Residence{CTA: c.cta, Contexts: []uint16{0}})
	for i := range wire.Cycle(8) {
		c.notes.Send(20+10*i, message.FetchNote{Warp: 0, Freed: 5})
	}
	c.arrives(10, 0)
	c.arrives(150, 1)
	c.d.RunUntil(300)
	if len(c.ask.Got) != 2 || c.ask.Got[1].Msg.Addr != CodeBase+128 {
		t.Fatalf("requests %v, want the second line as the second one", c.ask.Got)
	}
	var before int
	for _, g := range c.out.Got {
		if g.Cycle < 150 {
			before++
		}
	}
	if before != 16 || len(c.out.Got) != 20 {
		t.Errorf("%d instructions before the second line, %d in all; want 16 and 20", before, len(c.out.Got))
	}
}

func TestTheLeastRecentlyUsedLineGivesWay(t *testing.T) {
	c := newCachedFetch(1)
	look := func(line uint64) fetchOutcome { return c.f.cache.lookUp(CodeBase+line*128, 0, &c.f.ToMem) }
	for line := range uint64(2) {
		look(line)
		c.f.cache.fill(CodeBase+line*128, req.AllSectors)
	}
	look(0)
	c.d.RunUntil(10)
	look(2)
	c.f.cache.fill(CodeBase+2*128, req.AllSectors)
	if look(0) != fetchHit || look(2) != fetchHit || look(1) == fetchHit {
		t.Error("line 1 was used last and should be the one that is gone")
	}
}

// A perfect cache needs no lines, and those that it has must be possible.
func TestAnInstructionCacheTakesTheSettingsWithinItsBoundsAlone(t *testing.T) {
	sound := func() ICacheSpec {
		return ICacheSpec{Perfect: true, Misses: 2, Tags: tagarray.Spec{Sets: 1, Ways: 2, Line: 128, Sector: 128,
			Replace: "lru", Index: "linear"}}
	}
	x := spectest.Of(t, sound, (*ICacheSpec).Check)
	x.Within("misses", 1, 64, func(s *ICacheSpec, v int) { s.Misses = v })
	x.Within("launch", 0, 2, func(s *ICacheSpec, v int) { s.Launch = v })
	x.Refused("tags.ways", func(s *ICacheSpec) { s.Tags.Ways = 0 })
	x.Taken(func(s *ICacheSpec) { *s = ICacheSpec{Perfect: true} })
}
