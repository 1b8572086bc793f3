package l1

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// banked is a cache of n banks of 32 bytes, each 32 bytes per cycle wide.
func banked(n int) Spec {
	s := small()
	s.Tags.Sets = 64
	s.Banks, s.Port, s.Queue = n, 32*n, 64
	return s
}

// burst queues hitting loads of one sector at each address in one cycle. It
// returns the cycles after the first in which the hits leave.
func burst(b *bench, addrs ...uint64) []wire.Cycle {
	start := b.D.Now()
	for _, a := range addrs {
		b.send(start+1, load(a&^127, 1<<(a>>5&3)))
	}
	b.Run(200)
	var out []wire.Cycle
	for _, g := range b.hit.Got {
		out = append(out, g.Cycle-start-firstHit)
	}
	b.hit.Got = nil
	return out
}

// wantHits compares the cycles in which hits leave.
func wantHits(t *testing.T, got []wire.Cycle, want ...wire.Cycle) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("cycles of hits (-want +got):\n%s", d)
	}
}

// cycles returns the cycles of the hits so far.
func (b *bench) cycles() (out []wire.Cycle) {
	for _, g := range b.hit.Got {
		out = append(out, g.Cycle)
	}
	return out
}

// strided are n addresses stride bytes apart.
func strided(n int, stride uint64) (addrs []uint64) {
	for i := range n {
		addrs = append(addrs, uint64(i)*stride)
	}
	return addrs
}

// warmed is a bench of a cache with the first two kilobytes in it.
func warmed(t *testing.T, s Spec) *bench {
	b := newBench(t, s)
	for a := uint64(0); a < 2048; a += 128 {
		b.warm(a)
	}
	return b
}

// n sectors, stride bytes apart, on 4 banks interleaved by 32 bytes: they lie in
// 4 / gcd(stride / 32, 4) banks. As many are served per cycle.
func TestSectorsAreServedInAsManyAtOnceAsTheyLieInBanks(t *testing.T) {
	for _, c := range []struct {
		stride uint64
		per    int // served per cycle
	}{{32, 4}, {64, 2}, {96, 4}, {128, 1}, {256, 1}, {0, 1}} {
		b := warmed(t, banked(4))
		const n = 8
		conflicts := b.Reg.Snapshot()["mem.l1.stall_cycles.bank_conflict"]
		got := burst(b, strided(n, c.stride)...)
		if len(got) != n {
			t.Fatalf("stride %d: %d hits, want %d", c.stride, len(got), n)
		}
		for i, at := range got {
			if want := wire.Cycle(i / c.per); at != want {
				t.Errorf("stride %d: hit %d in cycle %d, want %d", c.stride, i, at, want)
			}
		}
		// From the first to the last, somebody waits at the head at the end of each cycle.
		b.Stat("stall_cycles.bank_conflict", conflicts+uint64(n/c.per-1))
	}
}

func TestOneBankServesOneTransactionPerCycleWhereverItLies(t *testing.T) {
	b := warmed(t, banked(1))
	wantHits(t, burst(b, strided(8, 32)...), 0, 1, 2, 3, 4, 5, 6, 7)
}

// With blocks of 128 bytes a line lies in one bank: sectors of a line take
// turns, lines in different banks do not.
func TestABankHasAsManyConsecutiveBytesAsItIsTold(t *testing.T) {
	s := banked(4)
	s.BankBytes = 128
	b := warmed(t, s)
	wantHits(t, burst(b, strided(4, 32)...), 0, 1, 2, 3)
	wantHits(t, burst(b, strided(8, 128)...), 0, 0, 0, 0, 1, 1, 1, 1)
}

// The exclusive or of the bits above the bank's spreads a stride of as many
// blocks as there are banks: block 4k lies in bank k mod 4.
func TestAHashedIndexSpreadsAPowerOfTwoStride(t *testing.T) {
	s := banked(4)
	s.BankIndex = "xor"
	b := warmed(t, s)
	wantHits(t, burst(b, strided(8, 128)...), 0, 0, 0, 0, 1, 1, 1, 1)
}

// A line has two sectors in each of two banks, 32 bytes wide: two cycles, as
// through one port of 64 bytes.
func TestALineTakesTheWidthOfAllBanks(t *testing.T) {
	for _, banks := range []int{1, 2} {
		s := banked(2)
		s.Banks = banks
		b := warmed(t, s)
		start := b.D.Now()
		for i := range 4 {
			b.send(start+1, load(uint64(i)*128, req.AllSectors))
		}
		b.Run(50)
		first := start + firstHit
		wantHits(t, b.cycles(), first, first+2, first+4, first+6)
	}
}

// The second load needs a bank busy for a second cycle, the third a
// free bank; but loads are served in order.
func TestAConflictHoldsThoseBehindIt(t *testing.T) {
	b := warmed(t, banked(2))
	start := b.D.Now()
	b.send(start+1, load(0, 0b0101))   // bank 0, two cycles
	b.send(start+1, load(128, 0b0001)) // bank 0
	b.send(start+1, load(256, 0b0010)) // bank 1
	b.Run(50)
	first := start + firstHit
	wantHits(t, b.cycles(), first, first+2, first+2)
}

// Against a reference with the sectors of each bank alone.
func TestEachBankGivesItsWidthPerCycleAndServesInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := banked(1 << rapid.IntRange(0, 3).Draw(t, "log2 banks"))
		s.BankBytes = 32 << rapid.IntRange(0, 2).Draw(t, "log2 blocks")
		s.Port = s.Banks * rapid.SampledFrom([]int{16, 32, 64}).Draw(t, "width")
		b := newBanks(&s)
		free := make([]wire.Cycle, s.Banks)
		now := wire.Cycle(1)
		for range 30 {
			x := Place{Addr: uint64(rapid.IntRange(0, 31).Draw(t, "line")) * 128,
				Sectors: uint8(rapid.IntRange(1, 15).Draw(t, "sectors"))}
			bytes := make([]int, s.Banks)
			for i := range 4 {
				if x.Sectors>>i&1 != 0 {
					bytes[(int(x.Addr)+32*i)/s.BankBytes%s.Banks] += 32
				}
			}
			want := wire.Cycle(0)
			for i, n := range bytes {
				if n > 0 {
					want = max(want, free[i])
				}
			}
			if got := b.ready(now, &x); got != want {
				t.Fatalf("%+v is ready in cycle %d, want %d", x, got, want)
			}
			now = max(now, want) + wire.Cycle(rapid.IntRange(0, 2).Draw(t, "later"))
			b.take(now, &x)
			for i, n := range bytes {
				if width := s.Port / s.Banks; n > 0 {
					free[i] = now + wire.Cycle((n+width-1)/width)
				}
			}
		}
	})
}
