package l1

import (
	"testing"

	"kumiko/memsys/req"
)

// Lines 0, 512 and 1024 share a set of two ways. 0 comes first and is used once
// more after 512 has come; then 1024 needs a place.
func TestUseKeepsALineUnderLRUAndNotUnderFIFO(t *testing.T) {
	uses := map[string]req.Txn{"load": load(0, 0xf), "global store": store(0, 1, 1, req.GlobalStore),
		"local store": store(0, 1, 1, req.LocalStore)}
	for use, txn := range uses {
		for policy, hits := range map[string]int{"lru": 1, "fifo": 0} {
			s := small()
			s.Tags.Replace = policy
			b := newBench(t, s)
			b.warm(0, 512)
			b.send(b.Next(), txn)
			b.Run(10)
			b.answer()
			b.Run(10)
			b.warm(1024)
			b.send(b.Next(), load(0, 0b0010))
			b.Run(10)
			if len(b.hit.Got) != hits {
				t.Errorf("%s, %s: %d hits of the line that was used, want %d", policy, use, len(b.hit.Got), hits)
			}
		}
	}
}

// Loads of lines in flight count as uses too: 0 is requested, then
// 512, then 0 again before either has arrived.
func TestAHitOnAMissIsAUse(t *testing.T) {
	b := newBench(t, small())
	for i, a := range []uint64{0, 512, 0} {
		b.send(b.Next()+uint64(i), load(a, 0xf))
	}
	b.Run(10)
	b.answer()
	b.Run(10)
	b.Stat("hits_on_miss.global_load", 1)
	b.warm(1024)
	b.send(b.Next(), load(0, 0xf))
	b.Run(10)
	if len(b.hit.Got) != 1 {
		t.Errorf("%d hits, want 1", len(b.hit.Got))
	}
}

// 64 lines enter a set of 4 ways, and 60 of them replace a line: the oldest
// there, the next, and so on about equally often.
func TestRandomReplacementTakesAnyWayAndItsSeedDecides(t *testing.T) {
	order := func(seed uint64) (left [4]int) {
		s := small()
		s.Tags.Ways, s.Tags.Replace, s.Tags.Seed = 4, "random", seed
		b := newBench(t, s)
		var age []uint64 // lines of the set, oldest first
		for i := range uint64(64) {
			b.warm(i * 512)
			for k, a := range age {
				if len(age) == 4 && b.c.Tags.core.Find(a) < 0 {
					left[k]++
					age = append(age[:k:k], age[k+1:]...)
					break
				}
			}
			age = append(age, i*512)
		}
		return left
	}
	one := order(1)
	for k, n := range one {
		if n < 5 { // 15 on average

			t.Errorf("the line that came as number %d of four was replaced %d times of 60", k+1, n)
		}
	}
	if one != order(1) || one == order(2) {
		t.Errorf("seeds 1, 1 and 2 replace %v, %v and %v", one, order(1), order(2))
	}
}

// Under write = back a store makes place for its line and stays; nothing goes to
// the L2 before the line is replaced.
func TestGlobalStoresAreWrittenBackWhereTheConfigurationSaysSo(t *testing.T) {
	s := small()
	s.Write = "back"
	b := newBench(t, s)
	b.send(1, store(0, 1, 1, req.GlobalStore))
	b.Run(10)
	if len(b.hit.Got) != 1 || len(b.miss.Got) != 0 {
		t.Fatalf("%d answers, %d packets; want 1 and none", len(b.hit.Got), len(b.miss.Got))
	}
	b.Stat("misses.global_store", 1)
	b.Stat("bytes_out.global_store", 0)
	b.warm(512, 1024)
	b.Stat("write_backs", 1)
	b.Stat("bytes_out.write_back", 32)
}

func TestAPerfectCacheKeepsStoresAndLetsAtomicsPass(t *testing.T) {
	s := small()
	s.Perfect = true
	b := newBench(t, s)
	b.send(1, store(0, 1, 1, req.GlobalStore))
	b.send(2, req.Txn{Addr: 0, Sectors: 1, Bytes: 4, Ops: 1, Depth: 1, Kind: req.Atomic, Cause: req.GlobalAtomic})
	b.Run(10)
	if len(b.hit.Got) != 1 || len(b.miss.Got) != 1 || b.miss.Got[0].Msg.Kind != req.Atomic {
		t.Errorf("%d answers, sent %+v; want the store's, and the atomic", len(b.hit.Got), b.miss.Got)
	}
}
