package l1

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

// bankedTags is a cache of four tag banks and of a data bank for each word of a line.
func bankedTags(depth int) Spec {
	s := small()
	s.Tags.Sets, s.Queue = 64, 64
	s.Banks, s.BankBytes, s.TagBanks, s.TagQueue = 32, wordBytes, 4, depth
	return s
}

// words is a load of some words of a line with all sectors present.
func words(line uint64, w uint32) req.Txn {
	t := load(line*req.LineBytes, req.AllSectors)
	t.Words = w
	return t
}

// served queues accesses of some hitting transactions each in one cycle. It
// returns, for each transaction, the cycle after the first in which its hit leaves.
func served(b *bench, accesses ...[]req.Txn) []wire.Cycle {
	start, n := b.D.Now(), 0
	for i, txns := range accesses {
		for _, t := range txns {
			t.Slot, t.Of = uint16(i), uint8(n)
			b.src.Send(start+1, t)
			n++
		}
	}
	b.Run(200)
	out := make([]wire.Cycle, n)
	for _, g := range b.hit.Got {
		out[g.Msg.Of] = g.Cycle - start - firstHit
	}
	b.hit.Got = nil
	return out
}

// accessOf is one of some transactions.
func accessOf(txns ...req.Txn) []req.Txn { return txns }

func wantServed(t *testing.T, got []wire.Cycle, want ...wire.Cycle) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("hits leave in cycles %v, want %v", got, want)
	}
}

// The tag bank of line l is l ^ l>>2 ^ l>>4 ...: lines 0 to 3 lie in banks 0 to 3, and
// lines 5, 10 and 15 in bank 0.
func TestATagBankLooksUpOneLinePerCycle(t *testing.T) {
	b := warmed(t, bankedTags(4))
	wantServed(t, served(b, accessOf(words(0, 1), words(1, 2), words(2, 4), words(3, 8))), 0, 0, 0, 0)
	wantServed(t, served(b, accessOf(words(0, 1), words(5, 2), words(10, 4), words(15, 8))), 0, 1, 2, 3)
	wantServed(t, served(b, accessOf(words(0, 1), words(5, 2), words(1, 4), words(2, 8))), 0, 1, 0, 0)
}

func TestWordsOfALineLieInBanksOfTheirOwn(t *testing.T) {
	b := warmed(t, bankedTags(4))
	wantServed(t, served(b, accessOf(words(0, 0xffff), words(1, 0xffff0000))), 0, 0)
	wantServed(t, served(b, accessOf(words(0, 1), words(1, 3), words(2, 2))), 0, 1, 0)
	wantServed(t, served(b, accessOf(words(0, ^uint32(0)), words(1, ^uint32(0)), words(2, ^uint32(0)))), 0, 1, 2)
}

// Behind a full queue of one bank the transactions of the others wait.
func TestAFullQueueOfATagBankHoldsThoseBehind(t *testing.T) {
	// Lines 5 and 10 wait in turn for bank 0; line 1 waits behind them for the queue.
	b := warmed(t, bankedTags(1))
	wantServed(t, served(b, accessOf(words(0, 1), words(5, 2), words(10, 4), words(1, 8))), 0, 1, 2, 2)
	b = warmed(t, bankedTags(4))
	wantServed(t, served(b, accessOf(words(0, 1), words(5, 2), words(10, 4), words(1, 8))), 0, 1, 2, 0)
}

// A warp loads words that are s apart, s of 1 to 32, so they lie in the lines 0 to s-1. The load takes as many cycles
// as its fullest data bank has words, or its fullest tag bank has lines.
func TestAStridedLoadTakesTheCyclesOfItsFullestBank(t *testing.T) {
	for stride, want := range map[int]wire.Cycle{1: 1, 2: 2, 4: 4, 5: 2, 8: 8, 9: 3, 16: 16} {
		masks := map[uint64]uint32{}
		for i := range 32 {
			masks[uint64(i*stride/32)] |= 1 << (i * stride % 32)
		}
		var txns []req.Txn
		for line := range uint64(stride) {
			txns = append(txns, words(line, masks[line]))
		}
		got := served(warmed(t, bankedTags(4)), txns)
		if last := slices.Max(got) + 1; last != want {
			t.Errorf("stride %d: %d cycles, want %d", stride, last, want)
		}
	}
}

// The second access has a line in bank 1, which is free, but waits until the first has
// been looked up.
func TestTheTransactionsOfAnAccessComeWhenThoseOfTheOneBeforeHaveBeenLookedUp(t *testing.T) {
	b := warmed(t, bankedTags(4))
	got := served(b, accessOf(words(0, 1), words(5, 2)), accessOf(words(1, 4)), accessOf(words(2, 8)))
	wantServed(t, got, 0, 1, 2, 3)
}

// Against a reference of lists: in a cycle each tag bank looks up its oldest
// transaction, unless an older one of the same cycle uses one of its data banks.
func TestTransactionsAreServedAsByAListPerTagBank(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		depth := rapid.IntRange(1, 4).Draw(rt, "depth")
		var accesses [][]req.Txn
		for range rapid.IntRange(1, 4).Draw(rt, "accesses") {
			var txns []req.Txn
			for range rapid.IntRange(1, 8).Draw(rt, "transactions") {
				line := rapid.IntRange(0, 15).Draw(rt, "line")
				txns = append(txns, words(uint64(line), rapid.Uint32().Draw(rt, "words")))
			}
			accesses = append(accesses, txns)
		}
		got, want := served(warmed(t, bankedTags(depth)), accesses...), byLists(depth, accesses)
		if !slices.Equal(got, want) {
			rt.Fatalf("hits leave in cycles %v, want %v", got, want)
		}
	})
}

func byLists(depth int, accesses [][]req.Txn) (out []wire.Cycle) {
	now := wire.Cycle(0)
	for _, txns := range accesses {
		out = append(out, accessByLists(depth, txns, now)...)
		now = slices.Max(out) + 1
	}
	return out
}

// accessByLists serves the transactions of an access from a cycle on.
func accessByLists(depth int, txns []req.Txn, now wire.Cycle) []wire.Cycle {
	out := make([]wire.Cycle, len(txns))
	var lists [4][]int
	bank := func(i int) *[]int {
		line := txns[i].Addr / req.LineBytes
		return &lists[(line^line>>2)&3]
	}
	next := 0
	for left := len(txns); left > 0; now++ {
		for next < len(txns) && len(*bank(next)) < depth {
			*bank(next) = append(*bank(next), next)
			next++
		}
		var heads []int
		for _, l := range lists {
			if len(l) > 0 {
				heads = append(heads, l[0])
			}
		}
		slices.Sort(heads)
		var busy uint32
		for _, i := range heads {
			if txns[i].Words&busy == 0 {
				busy |= txns[i].Words
				out[i] = now
				left--
				*bank(i) = (*bank(i))[1:]
			}
		}
	}
	return out
}

// Eight loads of other words of four lines wait for the lines. Each line's fill answers the waiting loads at the rate
// of the tag banks.
func TestATagBankAnswersWaitingLoadsAsFastAsItLooksUp(t *testing.T) {
	const loads, lines = 8, 4
	s := bankedTags(4)
	s.MSHR.Merges = loads
	b := newBench(t, s)
	for i := range loads {
		for l := range lines {
			x := words(uint64(l), 1<<i)
			x.Slot, x.Of = uint16(i), lines
			b.src.Send(wire.Cycle(1+i), x)
		}
	}
	b.Run(50)
	b.answer()
	b.Run(50)
	if len(b.fill.Got) != loads*lines {
		t.Fatalf("%d answers, want %d", len(b.fill.Got), loads*lines)
	}
	if n := b.fill.Got[loads*lines-1].Cycle - b.fill.Got[0].Cycle + 1; n != loads {
		t.Errorf("answers to %d transactions in %d cycles, want %d", loads*lines, n, loads)
	}
}

// A cache without tag banks answers one waiting load per cycle, as the published models of older GPUs do.
func TestACacheWithoutTagBanksAnswersOneWaitingLoadPerCycle(t *testing.T) {
	const loads = 8
	s := small()
	s.Queue, s.MSHR.Merges = loads, loads
	b := newBench(t, s)
	for i := range loads {
		b.send(wire.Cycle(1+i), load(0, 0xf))
	}
	b.Run(50)
	b.answer()
	b.Run(50)
	blocktest.Stream(t, b.fill, loads, b.fill.Got[0].Cycle)
}
