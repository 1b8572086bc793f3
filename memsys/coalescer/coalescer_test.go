package coalescer

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

const all = ^uint32(0)

type fataler interface{ Fatal(...any) }

// coalesce sends a part through a coalescer of its own and returns the
// transactions with their cycles of arrival.
func coalesce(t fataler, segment int, p req.Part) []wiretest.At[req.Txn] {
	return coalesceAt(t, segment, 1, p)
}

// coalesceAt is coalesce with rate transactions per cycle.
func coalesceAt(t fataler, segment, rate int, p req.Part) []wiretest.At[req.Txn] {
	d := wire.NewDomain("D", 1e9)
	c, err := New("C", d, Spec{Segment: segment, Around: 32, Queue: 2, Rate: rate}, SM{Number: 1, Contexts: 64}, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := wiretest.NewSource("Src", d, &c.In)
	l1 := wiretest.NewSink("L1", d, &c.L1, 16)
	tex := wiretest.NewSink("Tex", d, &c.Texture, 4)
	src.Send(1, p)
	d.RunUntil(1000)
	return append(l1.Got, tex.Got...)
}

func part(op ir.Op, bytes int, space ir.Space, a stream.Access, mask uint32) req.Part {
	in := &ir.Inst{Op: op}
	in.T.Bytes = uint8(bytes)
	return req.Part{Inst: in, Acc: &a, Exec: mask, Mask: mask, Space: space}
}

func TestAlignedWordsOfAWarpAreOneTransaction(t *testing.T) {
	got := coalesce(t, 32, part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1000, Stride: 4}, all))
	if len(got) != 1 || got[0].Msg.Addr != 0x1000 || got[0].Msg.Sectors != 0b1111 || got[0].Msg.Bytes != 128 {
		t.Errorf("got %+v, want one transaction of the whole line at 0x1000", got)
	}
}

func TestMisalignedWordsTouchTwoLines(t *testing.T) {
	got := coalesce(t, 32, part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1020, Stride: 4}, all))
	// bytes 0x20..0x7f of the first line and 0..0x1f of the second
	if len(got) != 2 || got[0].Msg.Sectors != 0b1110 || got[1].Msg.Sectors != 0b0001 || got[1].Msg.Addr != 0x1080 {
		t.Errorf("got %+v, want sectors 1110 of 0x1000 and 0001 of 0x1080", got)
	}
}

func TestWholeLinesAreFetchedWhereSegmentsAreLines(t *testing.T) {
	p := part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1000}, 1)
	if got := coalesce(t, 128, p); got[0].Msg.Sectors != 0b1111 {
		t.Errorf("sectors %04b, want the whole line", got[0].Msg.Sectors)
	}
	if got := coalesce(t, 32, p); got[0].Msg.Sectors != 0b0001 {
		t.Errorf("sectors %04b, want the touched one", got[0].Msg.Sectors)
	}
}

func TestAStoreCarriesTheTouchedSectorsAndKnowsWhichItFills(t *testing.T) {
	// 9 lanes: 36 bytes
	got := coalesce(t, 128, part(ir.OpSt, 4, ir.Global, stream.Access{Base: 0x1000, Stride: 4}, 0x1ff))
	if len(got) != 1 || got[0].Msg.Sectors != 0b0011 || got[0].Msg.Full != 0b0001 || got[0].Msg.Bytes != 36 {
		t.Errorf("got %+v, want sectors 0011, full 0001, 36 bytes", got)
	}
}

func TestOneTransactionLeavesPerCycle(t *testing.T) {
	got := coalesce(t, 32, part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1000, Stride: 128}, all))
	if len(got) != 32 {
		t.Fatalf("%d transactions, want 32", len(got))
	}
	for i, g := range got {
		// sent at 1; in the coalescer at 2, and sent on at once; at the sink at 3
		if want := wire.Cycle(3 + i); g.Cycle != want {
			t.Errorf("transaction %d arrives in cycle %d, want %d", i, g.Cycle, want)
		}
	}
}

func TestAsManyTransactionsOfAnInstructionLeaveAsTheRateAllows(t *testing.T) {
	got := coalesceAt(t, 32, 3, part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1000, Stride: 128}, all))
	if len(got) != 32 {
		t.Fatalf("%d transactions, want 32", len(got))
	}
	for i, g := range got {
		if want := wire.Cycle(3 + i/3); g.Cycle != want {
			t.Errorf("transaction %d arrives in cycle %d, want %d", i, g.Cycle, want)
		}
	}
}

func TestAtomicsCountLanesAndTheirDeepestWord(t *testing.T) {
	got := coalesce(t, 32, part(ir.OpAtom, 4, ir.Global, blocktest.Listed(ir.Global, 0, 4, 4, 4, 8, 128), 0x3f))
	if len(got) != 2 || got[0].Msg.Ops != 5 || got[0].Msg.Depth != 3 || got[1].Msg.Ops != 1 || got[1].Msg.Depth != 1 {
		t.Errorf("got %+v, want 5 lanes three deep and 1 lane", got)
	}
	if got[0].Msg.Kind != req.Atomic {
		t.Errorf("kind %d, want an atomic", got[0].Msg.Kind)
	}
}

func TestLanesAtOneLocalOffsetTouchConsecutiveWords(t *testing.T) {
	p := part(ir.OpLd, 4, ir.Local, stream.Access{Base: 8}, all)
	p.Warp = 5
	got := coalesce(t, 32, p)
	// word 2 of 64 contexts x 32 threads, context 5, SM 1
	want := uint64(LocalBase) + 1<<32 + (2*64+5)*128
	if len(got) != 1 || got[0].Msg.Addr != want || got[0].Msg.Sectors != 0b1111 || got[0].Msg.Cause != req.LocalLoad {
		t.Errorf("got %+v, want the line at %#x", got, want)
	}
}

func TestADoubleInLocalMemoryIsTwoLines(t *testing.T) {
	got := coalesce(t, 32, part(ir.OpSt, 8, ir.Local, stream.Access{Base: 16}, all))
	if len(got) != 2 || got[1].Msg.Addr-got[0].Msg.Addr != 64*128 || got[0].Msg.Full != 0b1111 {
		t.Errorf("got %+v, want two whole lines 64 contexts apart", got)
	}
}

func TestTextureFetchesGoToTheTextureCache(t *testing.T) {
	got := coalesce(t, 32, part(ir.OpTex, 4, ir.Texture, stream.Access{Base: 0, Stride: 4}, all))
	if len(got) != 1 || got[0].Msg.Cause != req.TextureLoad {
		t.Errorf("got %+v, want one texture transaction", got)
	}
}

// reference computes the bytes of each line touched by an access.
func reference(addrs []uint64, n int) map[uint64]map[int]bool {
	lines := map[uint64]map[int]bool{}
	for _, a := range addrs {
		for b := a; b < a+uint64(n); b++ {
			if lines[b&^127] == nil {
				lines[b&^127] = map[int]bool{}
			}
			lines[b&^127][int(b&127)] = true
		}
	}
	return lines
}

func TestTransactionsAreTheDistinctLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(0, 4).Draw(t, "log2 bytes")
		mask := rapid.Uint32Range(1, all).Draw(t, "mask")
		var addrs []uint64
		for range bits.OnesCount32(mask) {
			addrs = append(addrs, rapid.Uint64Range(0, 4096).Draw(t, "addr")*uint64(n))
		}
		want := reference(addrs, n)
		got := coalesce(t, 32, part(ir.OpSt, n, ir.Global, blocktest.Listed(ir.Global, addrs...), mask))
		if len(got) != len(want) {
			t.Fatalf("%d transactions, want %d lines", len(got), len(want))
		}
		for _, g := range got {
			check(t, g.Msg, want[g.Msg.Addr], len(got))
		}
	})
}

func check(t *rapid.T, m req.Txn, bytes map[int]bool, of int) {
	var words uint32
	for b := range bytes {
		words |= 1 << (b / 4)
	}
	if m.Words != words {
		t.Fatalf("%+v, want words %032b", m, words)
	}
	var sectors, full uint8
	for s := range 4 {
		n := 0
		for b := range 32 {
			if bytes[s*32+b] {
				n++
			}
		}
		if n > 0 {
			sectors |= 1 << s
		}
		if n == 32 {
			full |= 1 << s
		}
	}
	if m.Sectors != sectors || m.Full != full || int(m.Bytes) != len(bytes) || int(m.Of) != of {
		t.Fatalf("%+v, want sectors %04b full %04b bytes %d of %d", m, sectors, full, len(bytes), of)
	}
}

func TestStridesAndListsOfTheSameAddressesAreSplitAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 1 << rapid.IntRange(0, 4).Draw(t, "log2 bytes")
		base := rapid.Uint64Range(0, 1000).Draw(t, "base")*uint64(n) + 1<<20
		stride := int32(n) * rapid.Int32Range(-4, 4).Draw(t, "stride")
		op := rapid.SampledFrom([]ir.Op{ir.OpLd, ir.OpSt, ir.OpRed}).Draw(t, "op")
		mask := all
		if rapid.Bool().Draw(t, "partial") {
			mask = rapid.Uint32Range(1, all).Draw(t, "mask")
		}
		a := stream.Access{Base: base, Stride: stride}
		var addr [32]uint64
		a.Lanes(mask, &addr)
		var list []uint64
		for m := mask; m != 0; m &= m - 1 {
			list = append(list, addr[bits.TrailingZeros32(m)])
		}
		x := coalesce(t, 32, part(op, n, ir.Global, a, mask))
		y := coalesce(t, 32, part(op, n, ir.Global, blocktest.Listed(ir.Global, list...), mask))
		if len(x) != len(y) {
			t.Fatalf("%d and %d transactions", len(x), len(y))
		}
		for i := range x {
			if x[i] != y[i] {
				t.Fatalf("transaction %d: %+v and %+v", i, x[i], y[i])
			}
		}
	})
}

func TestALoadThatPassesTheL1ByFetchesTheTouchedSectorsOfALine(t *testing.T) {
	got := coalesce(t, 128, part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1000}, 1))
	if m := got[0].Msg; m.Sectors != 0b1111 || m.Around != 0b0001 {
		t.Errorf("sectors %04b into the L1, %04b around it; want the whole line and the touched sector", m.Sectors,
			m.Around)
	}
}
