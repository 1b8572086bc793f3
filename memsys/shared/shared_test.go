package shared

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

const all = ^uint32(0)

func part(op ir.Op, bytes int, a stream.Access, mask uint32) req.Part {
	in := &ir.Inst{Op: op}
	in.T.Bytes = uint8(bytes)
	return req.Part{Inst: in, Acc: &a, Exec: mask, Mask: mask, Space: ir.Shared}
}

func TestAStrideOfNWordsTakesGcdPasses(t *testing.T) {
	for _, c := range []struct{ stride, passes int }{{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 4}, {8, 8}, {12, 4}, {16, 16},
		{17, 1}, {32, 32}, {-2, 2}} {
		p := part(ir.OpLd, 4, stream.Access{Base: 1 << 16, Stride: int32(4 * c.stride)}, all)
		if got := numPasses(&p, 32, 4, false); got != c.passes {
			t.Errorf("stride %d: %d passes, want gcd(stride, 32) = %d", c.stride, got, c.passes)
		}
	}
}

func TestLanesOnOneWordShareAPass(t *testing.T) {
	var list []uint64
	for l := range 32 {
		list = append(list, uint64(l%4)*4) // four words, eight lanes on each
	}
	p := part(ir.OpLd, 4, blocktest.Listed(ir.Shared, list...), all)
	if got := numPasses(&p, 32, 4, false); got != 1 {
		t.Errorf("%d passes, want 1", got)
	}
}

func TestDoublesTakeTwoPassesOnBanksOfFourBytesAndOneOnBanksOfEight(t *testing.T) {
	p := part(ir.OpLd, 8, stream.Access{Stride: 8}, all)
	if a, b := numPasses(&p, 32, 4, false), numPasses(&p, 32, 8, false); a != 2 || b != 1 {
		t.Errorf("%d and %d passes, want 2 and 1", a, b)
	}
}

func TestAtomicsOnOneWordTakeTurns(t *testing.T) {
	p := part(ir.OpAtom, 4, stream.Access{}, 0xff)
	if got := numPasses(&p, 32, 4, true); got != 8 {
		t.Errorf("%d passes of 8 lanes on one word, want 8", got)
	}
}

// mostWords returns the most distinct words in one bank, for n bytes at each lane's
// address.
func mostWords(addr *[32]uint64, mask uint32, n, word, banks int) (most int) {
	words := map[uint64]map[uint64]bool{}
	for m := mask; m != 0; m &= m - 1 {
		for b := range n {
			w := (addr[bits.TrailingZeros32(m)] + uint64(b)) / uint64(word)
			k := w % uint64(banks)
			if words[k] == nil {
				words[k] = map[uint64]bool{}
			}
			words[k][w] = true
			most = max(most, len(words[k]))
		}
	}
	return most
}

// Unaligned accesses touch two words. For them the short cuts for regular
// accesses do not hold.
func TestStridesThatAreNotAlignedTakeThePassesOfTheirWords(t *testing.T) {
	for _, c := range []struct{ n, word, banks int }{{4, 4, 32}, {8, 8, 16}, {4, 4, 2}, {16, 4, 2}, {2, 4, 4},
		{1, 8, 1}} {
		for stride := int32(-9); stride <= 9; stride++ {
			for base := range uint64(9) {
				a := stream.Access{Base: 1<<16 + base, Stride: stride}
				var addr [32]uint64
				a.Lanes(all, &addr)
				for _, mask := range []uint32{all, 1, 0x00ff00ff} {
					var addrs []uint64
					for m := mask; m != 0; m &= m - 1 {
						addrs = append(addrs, addr[bits.TrailingZeros32(m)])
					}
					want := mostWords(&addr, mask, c.n, c.word, c.banks)
					for _, x := range []stream.Access{a, blocktest.Listed(ir.Shared, addrs...)} {
						p := part(ir.OpLd, c.n, x, mask)
						if got := numPasses(&p, c.banks, c.word, false); got != want {
							t.Fatalf("%d bytes on %d banks of %d, base %d, stride %d, lanes %#x, list %v: %d passes, "+
								"want %d", c.n, c.banks, c.word, base, stride, mask, !x.Regular(), got, want)
						}
					}
				}
			}
		}
	}
}

func TestPassesAreTheMostDistinctWordsOfABank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		banks := 1 << rapid.IntRange(0, 5).Draw(t, "log2 banks")
		word := rapid.SampledFrom([]int{4, 8}).Draw(t, "word")
		n := rapid.OneOf(rapid.Just(word), rapid.SampledFrom([]int{1, 2, 4, 8, 16})).Draw(t, "bytes")
		mask := rapid.OneOf(rapid.Just(all), rapid.Uint32Range(1, all)).Draw(t, "mask")
		step := rapid.SampledFrom([]int{n, 1}).Draw(t, "alignment")
		a := stream.Access{Base: 1<<16 + rapid.Uint64Range(0, 64).Draw(t, "base")*uint64(step),
			Stride: int32(step) * rapid.Int32Range(-40, 40).Draw(t, "stride")}
		if rapid.Bool().Draw(t, "list") {
			var addrs []uint64
			for range bits.OnesCount32(mask) {
				addrs = append(addrs, rapid.Uint64Range(0, 300).Draw(t, "addr")*uint64(step))
			}
			a = blocktest.Listed(ir.Shared, addrs...)
		}
		var addr [32]uint64
		a.Lanes(mask, &addr)
		want := mostWords(&addr, mask, n, word, banks)
		p := part(ir.OpLd, n, a, mask)
		if got := numPasses(&p, banks, word, false); got != want {
			t.Fatalf("%d passes, want %d", got, want)
		}
	})
}

func build(t *testing.T, latency int) (*wire.Domain, *wiretest.Source[req.Part], *wiretest.Sink[req.Done],
	*stats.Registry) {
	d, r := wire.NewDomain("D", 1e9), &stats.Registry{}
	m, err := New("M", d, Spec{Banks: 32, Word: 4, Latency: latency, Atomic: 2, Queue: 8}, r)
	if err != nil {
		t.Fatal(err)
	}
	return d, wiretest.NewSource("Src", d, &m.In), wiretest.NewSink("Sink", d, &m.Out, 8), r
}

func TestConflictFreeAccessesEnterEveryCycle(t *testing.T) {
	d, src, sink, _ := build(t, 24)
	for i := range 20 {
		src.Send(wire.Cycle(1+i), part(ir.OpLd, 4, stream.Access{Stride: 4}, all))
	}
	d.RunUntil(100)
	if len(sink.Got) != 20 {
		t.Fatalf("%d answers, want 20", len(sink.Got))
	}
	for i, g := range sink.Got {
		if want := wire.Cycle(3 + i); g.Cycle != want { // sent 1+i, served 2+i, link of 1
			t.Errorf("answer %d in cycle %d, want %d", i, g.Cycle, want)
		}
	}
}

func TestAnNWayConflictHoldsTheBanksForNCycles(t *testing.T) {
	for _, n := range []int{1, 2, 8, 32} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			d, src, sink, r := build(t, 24)
			src.Send(1, part(ir.OpLd, 4, stream.Access{Stride: int32(4 * n)}, all))
			src.Send(2, part(ir.OpLd, 4, stream.Access{Stride: 4}, all))
			d.RunUntil(200)
			// in at 2, passes 2 .. 1+n, answer at the sink one later; then one pass
			if a, b := sink.Got[0].Cycle, sink.Got[1].Cycle; a != wire.Cycle(2+n) || b != wire.Cycle(3+n) {
				t.Errorf("answers in cycles %d and %d, want %d and %d", a, b, 2+n, 3+n)
			}
			if got := r.Snapshot()["mem.shared.conflict_passes"]; got != uint64(n-1) {
				t.Errorf("%d conflict passes counted, want %d", got, n-1)
			}
		})
	}
}

// The atomics take 2 cycles a pass. Doubles are two words of 4 bytes: 64 words
// on 32 banks take two passes at the least.
func TestOnlyPassesBeyondThoseWithoutConflictCountAsConflicts(t *testing.T) {
	list := func(n int, f func(int) uint64) stream.Access {
		var addrs []uint64
		for l := range n {
			addrs = append(addrs, f(l))
		}
		return blocktest.Listed(ir.Shared, addrs...)
	}
	for _, c := range []struct {
		name      string
		part      req.Part
		passes    uint64
		conflicts uint64
	}{
		{"load", part(ir.OpLd, 4, stream.Access{Stride: 4}, all), 1, 0},
		{"load of one word", part(ir.OpLd, 4, stream.Access{}, all), 1, 0},
		{"load from a list", part(ir.OpLd, 4, list(32, func(l int) uint64 { return uint64(31-l) * 4 }), all), 1, 0},
		{"load of no lane", part(ir.OpLd, 4, stream.Access{Stride: 4}, 0), 1, 0},
		{"load two ways", part(ir.OpLd, 4, stream.Access{Stride: 8}, all), 2, 1},
		{"load of doubles", part(ir.OpLd, 8, stream.Access{Stride: 8}, all), 2, 0},
		{"load of every other double", part(ir.OpLd, 8, stream.Access{Stride: 16}, all), 4, 2},
		{"load of one double", part(ir.OpLd, 8, stream.Access{}, all), 1, 0},
		{"atomic", part(ir.OpAtom, 4, stream.Access{Stride: 4}, all), 2, 0},
		{"atomic of one lane", part(ir.OpRed, 4, stream.Access{}, 1), 2, 0},
		{"atomic two ways", part(ir.OpAtom, 4, stream.Access{Stride: 8}, all), 4, 2},
		{"atomic, four lanes on one word", part(ir.OpRed, 4, stream.Access{}, 0xf), 8, 6},
		{"atomic on 64 bits", part(ir.OpAtom, 8, stream.Access{Stride: 8}, all), 4, 0},
	} {
		d, src, _, r := build(t, 24)
		src.Send(1, c.part)
		d.RunUntil(100)
		s := r.Snapshot()
		if p, k := s["mem.shared.passes"], s["mem.shared.conflict_passes"]; p != c.passes || k != c.conflicts {
			t.Errorf("%s: %d passes, %d of them conflicts; want %d and %d", c.name, p, k, c.passes, c.conflicts)
		}
	}
}

func TestAnAtomicPassReadsAndThenWrites(t *testing.T) {
	d, src, sink, _ := build(t, 24)
	src.Send(1, part(ir.OpAtom, 4, stream.Access{}, 0xf)) // 4 lanes on one word, 2 cycles each
	d.RunUntil(100)
	if got := sink.Got[0].Cycle; got != 2+8 {
		t.Errorf("answer in cycle %d, want 10: in at 2, 8 cycles, link of 1", got)
	}
}

func numPasses(p *req.Part, banks, word int, atomic bool) int {
	n, _ := new(tally).passesOf(p, banks, word, atomic)
	return n
}

// What goes out is kept by warp, and comes back as it was, however many of other warps go
// between.
func TestContextsAreKeptByWarp(t *testing.T) {
	d := wire.NewDomain("Core", 1e9)
	m, err := New("M", d, Spec{Banks: 32, Word: 4, Latency: 6, Atomic: 2, Queue: 8}, &stats.Registry{})
	if err != nil {
		t.Fatal(err)
	}
	in, out := m.AddContexts(4, &stats.Registry{})
	contexts := wiretest.NewSource("Contexts", d, in)
	kept := wiretest.NewSink("Kept", d, out, 8)
	contexts.Send(1, req.WarpContext{Bytes: 128, Warp: 1, Predicates: 11, Out: true})
	contexts.Send(2, req.WarpContext{Bytes: 128, Warp: 2, Predicates: 12, Out: true})
	contexts.Send(3, req.WarpContext{Bytes: 128, Warp: 1})
	contexts.Send(4, req.WarpContext{Bytes: 128, Warp: 3})
	d.RunUntil(40)
	var got []req.WarpContext
	for _, k := range kept.Got {
		got = append(got, k.Msg)
	}
	want := []req.WarpContext{
		{Bytes: 128, Warp: 1, Predicates: 11, Out: true}, {Bytes: 128, Warp: 2, Predicates: 12, Out: true},
		{Bytes: 128, Warp: 1, Predicates: 11}, {Bytes: 128, Warp: 3},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("contexts (-want +got):\n%s", d)
	}
}

// The banks serve 32 words of 4 bytes in a cycle.
func TestAContextTakesAPassForEachRowOfTheBanks(t *testing.T) {
	for bytes, want := range map[uint32]uint64{0: 1, 1: 1, 128: 1, 129: 2, 300: 3} {
		d := wire.NewDomain("Core", 1e9)
		reg := &stats.Registry{}
		m, err := New("M", d, Spec{Banks: 32, Word: 4, Latency: 6, Atomic: 2, Queue: 8}, reg)
		if err != nil {
			t.Fatal(err)
		}
		in, out := m.AddContexts(1, reg)
		wiretest.NewSink("Kept", d, out, 8)
		wiretest.NewSource("Contexts", d, in).Send(1, req.WarpContext{Bytes: bytes, Out: true})
		d.RunUntil(40)
		if got := reg.Snapshot()["mem.shared.context_passes"]; got != want {
			t.Errorf("%d bytes: %d passes, want %d", bytes, got, want)
		}
	}
}

func TestInstructionsAreCountedBesideTheirPasses(t *testing.T) {
	d, src, _, r := build(t, 24)
	for i := range 3 {
		src.Send(wire.Cycle(1+i), part(ir.OpLd, 4, stream.Access{Stride: 8}, all)) // two passes
	}
	d.RunUntil(100)
	s := r.Snapshot()
	if s["mem.shared.instructions"] != 3 || s["mem.shared.passes"] != 6 {
		t.Errorf("%d instructions in %d passes, want 3 in 6", s["mem.shared.instructions"], s["mem.shared.passes"])
	}
}
