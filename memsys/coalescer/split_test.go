package coalescer

import (
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

func TestInstructionsTransactionsAndSectorsAreCounted(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	var reg stats.Registry
	c, err := New("C", d, Spec{Segment: 32, Around: 32, Queue: 2, Rate: 1}, SM{Number: 0, Contexts: 1}, &reg)
	if err != nil {
		t.Fatal(err)
	}
	src := wiretest.NewSource("Src", d, &c.In)
	l1 := wiretest.NewSink("L1", d, &c.L1, 4)
	wiretest.NewSink("Tex", d, &c.Texture, 4)
	for range 2 {
		src.Send(1, part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1020, Stride: 4}, all)) // 3 + 1 sectors
	}
	d.RunUntil(100)
	want := map[string]uint64{"mem.coalescer.instructions": 2, "mem.coalescer.transactions": 4,
		"mem.coalescer.sectors": 8}
	if d := cmp.Diff(want, reg.Snapshot()); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
	// the instructions follow each other without a gap
	if d := cmp.Diff([]wire.Cycle{3, 4, 5, 6}, l1.Cycles()); d != "" {
		t.Errorf("arrivals (-want +got):\n%s", d)
	}
}

func TestTheCacheOperatorGoesWithTheTransactions(t *testing.T) {
	for _, c := range []struct {
		mods             ir.Mods
		bypass, readOnly bool
	}{
		{ir.Mods{}, false, false}, {ir.Mods{Cache: ir.CacheNC}, false, true}, {ir.Mods{Cache: ir.CacheCG}, true, false},
		{ir.Mods{Cache: ir.CacheCV}, true, false}, {ir.Mods{Volatile: true}, true, false},
	} {
		p := part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x1000, Stride: 4}, all)
		p.Inst.Mods = c.mods
		got := coalesce(t, 32, p)
		if len(got) != 1 {
			t.Fatalf("%+v: %d transactions, want 1", c.mods, len(got))
		}
		if m := got[0].Msg; m.Bypass != c.bypass || m.ReadOnly != c.readOnly {
			t.Errorf("%+v: past the cache %v, read only %v; want %v, %v", c.mods, m.Bypass, m.ReadOnly, c.bypass,
				c.readOnly)
		}
	}
}

// The addresses of a part count from its base: a window of the generic address space.
func TestAddressesCountFromTheBaseOfAPart(t *testing.T) {
	for _, mask := range []uint32{all, 1} {
		p := part(ir.OpLd, 4, ir.Global, stream.Access{Base: 0x5000_0080, Stride: 4}, mask)
		p.Base = 0x5000_0000
		got := coalesce(t, 32, p)
		if len(got) != 1 || got[0].Msg.Addr != 0x80 {
			t.Errorf("lanes %#x: %+v, want the line at 0x80", mask, got)
		}
	}
}

// Strides of bytes, so that lanes cross sectors and lines.
func TestLanesThatAreNotAlignedTouchTheirBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 4, 8, 16}).Draw(t, "bytes")
		a := stream.Access{Base: 1<<20 + rapid.Uint64Range(0, 300).Draw(t, "base"),
			Stride: rapid.OneOf(rapid.Just(int32(n)), rapid.Int32Range(-40, 40)).Draw(t, "stride")}
		mask := rapid.OneOf(rapid.Just(all), rapid.Uint32Range(1, all)).Draw(t, "mask")
		var addr [32]uint64
		a.Lanes(mask, &addr)
		var list []uint64
		for m := mask; m != 0; m &= m - 1 {
			list = append(list, addr[bits.TrailingZeros32(m)])
		}
		want := reference(list, n)
		got := coalesce(t, 32, part(ir.OpSt, n, ir.Global, a, mask))
		if len(got) != len(want) {
			t.Fatalf("%d transactions, want %d lines", len(got), len(want))
		}
		for _, g := range got {
			check(t, g.Msg, want[g.Msg.Addr], len(got))
		}
	})
}

// Byte o of thread l of a warp lies at ((o/4 * contexts + warp) * 32 + l) * 4 + o%4 of the
// SM's local memory.
func TestLocalBytesLieWhereTheInterleavingPutsThem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 4, 8, 16}).Draw(t, "bytes")
		warp := rapid.Uint64Range(0, 63).Draw(t, "warp")
		mask := rapid.Uint32Range(1, all).Draw(t, "mask")
		base := rapid.SampledFrom([]uint64{0, ir.LocalWindow}).Draw(t, "window")
		var addrs, list []uint64
		for m := mask; m != 0; m &= m - 1 {
			o := rapid.Uint64Range(0, 40).Draw(t, "offset")
			addrs = append(addrs, base+o)
			for b := o; b < o+uint64(n); b++ {
				list = append(list, LocalBase+1<<32+((b/4*64+warp)*32+uint64(bits.TrailingZeros32(m)))*4+b%4)
			}
		}
		want := reference(list, 1)
		p := part(ir.OpSt, n, ir.Local, blocktest.Listed(ir.Local, addrs...), mask)
		p.Warp, p.Base = uint16(warp), base
		got := coalesce(t, 32, p)
		if len(got) != len(want) {
			t.Fatalf("%d transactions, want %d lines", len(got), len(want))
		}
		for _, g := range got {
			check(t, g.Msg, want[g.Msg.Addr], len(got))
		}
	})
}

func TestAnAtomicBeginsToCountItsLanesAnew(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	c, err := New("C", d, Spec{Segment: 32, Around: 32, Queue: 4, Rate: 1}, SM{Contexts: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	src := wiretest.NewSource("Src", d, &c.In)
	l1 := wiretest.NewSink("L1", d, &c.L1, 4)
	wiretest.NewSink("Tex", d, &c.Texture, 4)
	for _, op := range []ir.Op{ir.OpAtom, ir.OpRed, ir.OpAtom} {
		src.Send(1, part(op, 4, ir.Global, stream.Access{Base: 0x1000}, 0b111))
	}
	d.RunUntil(100)
	if len(l1.Got) != 3 {
		t.Fatalf("%d transactions, want 3", len(l1.Got))
	}
	for i, g := range l1.Got {
		if g.Msg.Ops != 3 || g.Msg.Depth != 3 {
			t.Errorf("transaction %d: %d lanes, %d deep; want 3, 3", i, g.Msg.Ops, g.Msg.Depth)
		}
	}
	if l1.Got[0].Msg.Kind != req.Atomic || l1.Got[1].Msg.Kind != req.Reduce {
		t.Errorf("kinds %d and %d", l1.Got[0].Msg.Kind, l1.Got[1].Msg.Kind)
	}
}
