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

// missing builds a cache whose second cache has all constants, 20 cycles away, and returns its input and output.
func missing(t *testing.T, lines int) (*wire.Domain, *wiretest.Source[req.Part], *wiretest.Sink[req.Done],
	*stats.Registry) {
	t.Helper()
	d, reg := wire.NewDomain("D", 1e9), &stats.Registry{}
	k, err := New("C", d, Spec{Latency: 20, Queue: 4, Lines: lines, Ways: 1, Line: 64, Miss: 20}, reg)
	if err != nil {
		t.Fatal(err)
	}
	second, err := NewSecond("C2", d, SecondSpec{}, 1, reg)
	if err != nil {
		t.Fatal(err)
	}
	wire.Connect(&k.Missing, &second.In[0], 10)
	wire.Connect(&second.Out[0], &k.Arrived, 10)
	return d, wiretest.NewSource("Src", d, &k.In), wiretest.NewSink("Sink", d, &k.Out, 8), reg
}

func load(acc *stream.Access, mask uint32) req.Part {
	return req.Part{Inst: &ir.Inst{Op: ir.OpLd}, Acc: acc, Exec: mask, Mask: mask, Space: ir.Const}
}

// Loads are there at 2. The first one's line comes at 22, and its answer, without the pipeline, at 23. The second finds
// the line, and the third, of another line, misses at 24.
func TestALoadWaitsForItsLineAndTheNextOneFindsIt(t *testing.T) {
	d, src, sink, reg := missing(t, 4)
	for _, base := range []uint64{64, 100, 128} {
		src.Send(1, load(&stream.Access{Base: base, Space: ir.Const}, ^uint32(0)))
	}
	d.RunUntil(200)
	var got []wire.Cycle
	for _, g := range sink.Got {
		got = append(got, g.Cycle)
	}
	wiretest.Same(t, "answers", []wire.Cycle{23, 24, 45}, got)
	if n := reg.Snapshot()["mem.constant.misses"]; n != 2 {
		t.Errorf("%d misses, want 2", n)
	}
}

func TestParametersAndConstantsOfOneAddressAreDifferentLines(t *testing.T) {
	d, src, sink, reg := missing(t, 4)
	for _, space := range []ir.Space{ir.Const, ir.Param, ir.Param} {
		p := load(&stream.Access{Base: 64, Space: space}, ^uint32(0))
		p.Space = space
		src.Send(1, p)
	}
	d.RunUntil(200)
	if n := reg.Snapshot()["mem.constant.misses"]; n != 2 || len(sink.Got) != 3 {
		t.Errorf("%d misses of %d loads, want 2 of 3", n, len(sink.Got))
	}
}

// The lanes' 32 lines have one place in the cache, in which each replaces the one before. They are asked for from 2 on,
// one per cycle, and the last one comes at 53. The words are served from there on.
func TestALoadOfMoreLinesThanTheCacheHoldsIsServed(t *testing.T) {
	d, src, sink, _ := missing(t, 1)
	src.Send(1, load(&stream.Access{Stride: 64, Space: ir.Const}, ^uint32(0)))
	d.RunUntil(400)
	if len(sink.Got) != 1 || sink.Got[0].Cycle != 53+32 {
		t.Errorf("answers %+v, want one at 85", sink.Got)
	}
}

func TestALaunchForgetsTheConstants(t *testing.T) {
	d, reg := wire.NewDomain("D", 1e9), &stats.Registry{}
	c, err := New("C", d, Spec{Latency: 20, Queue: 4, Lines: 4, Ways: 1, Line: 64, Miss: 20}, reg)
	if err != nil {
		t.Fatal(err)
	}
	c.asked = append(c.asked, Bank+64)
	c.fill(Bank + 64)
	if c.tags.Find(Bank+64) < 0 {
		t.Fatal("the line is not there")
	}
	if c.Launch(); c.tags.Find(Bank+64) >= 0 {
		t.Error("the line is still there")
	}
}

// Four lines of four sets, each of one: all four stay, and a fifth replaces that of its own set.
func TestLinesOfDifferentSetsStay(t *testing.T) {
	d, src, sink, reg := missing(t, 4)
	for _, base := range []uint64{0, 64, 128, 192, 0, 64, 128, 192, 256, 64, 0} {
		src.Send(1, load(&stream.Access{Base: base, Space: ir.Const}, ^uint32(0)))
	}
	d.RunUntil(400)
	if n := reg.Snapshot()["mem.constant.misses"]; n != 6 || len(sink.Got) != 11 {
		t.Errorf("%d misses of %d loads, want 6 of 11: four lines, the fifth, and the first again", n, len(sink.Got))
	}
}

func TestParametersComeWithTheLaunchAndConstantsFromTheL2(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	k, err := New("K", d, Spec{Latency: 20, Queue: 4, Lines: 4, Ways: 1, Line: 64, Miss: 20}, &stats.Registry{})
	if err != nil {
		t.Fatal(err)
	}
	second, far := secondOf(t, d, 128, 1, &stats.Registry{})
	wire.Connect(&k.Missing, &second.In[0], 10)
	wire.Connect(&second.Out[0], &k.Arrived, 10)
	src, sink := wiretest.NewSource("Src", d, &k.In), wiretest.NewSink("Sink", d, &k.Out, 8)
	for _, space := range []ir.Space{ir.Param, ir.Const} {
		p := load(&stream.Access{Base: 64, Space: space}, ^uint32(0))
		p.Space = space
		src.Send(1, p)
	}
	d.RunUntil(60)
	if len(sink.Got) != 1 || len(far.asked) != 1 {
		t.Errorf("%d answers and %d packets at 60, want the parameter's answer and the constant's packet",
			len(sink.Got), len(far.asked))
	}
}
