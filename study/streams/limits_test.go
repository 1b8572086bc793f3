package streams

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/benchmarks"
	"kumiko/kernel/stream"
)

// drawn collects a few drawn warps.
func drawn(rt *rapid.T) (*Collector, []*stream.CTA) {
	c := NewCollector(Options{})
	ctas := []*stream.CTA{drawCTA(rt, drawKernel(rt))}
	c.CTA(ctas[0])
	return c, ctas
}

func TestWithoutEntriesNothingIsAvoided(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, _ := drawn(rt)
		s := c.Summary()
		for _, cfg := range Families() {
			got := s.Caches[cfg.Path(false)]
			if got.MainReads != s.Operands.Reads || got.MainWrites != s.Operands.Writes || got.CacheReads+
				got.CacheWrites != 0 ||
				got.Lane.MainReads != s.Operands.Lane.Reads || got.Lane.MainWrites != s.Operands.Lane.Writes {
				rt.Fatalf("%s: %+v of %+v", cfg.Path(false), got, s.Operands)
			}
		}
	})
}

func TestLivenessChangesNoRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, _ := drawn(rt)
		s := c.Summary()
		for _, cfg := range Families() {
			for _, cfg.Entries = range sizes {
				without, with := s.Caches[cfg.Path(false)], s.Caches[cfg.Path(true)]
				if without.Hits != with.Hits || without.MainReads != with.MainReads ||
					without.MainWrites != with.MainWrites+with.Elided {
					rt.Fatalf("%s: %+v, with liveness %+v", cfg.Path(false), without, with)
				}
			}
		}
	})
}

// A larger least-recently-used cache holds everything a smaller one does.
//
// With results bypassing, this does not hold: a result of some lanes may leave other lanes of an entry in the
// larger cache and none in the smaller one, which then has room for one entry more.
func TestMoreEntriesNeverHitLessUnderLRU(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c, _ := drawn(rt)
		for _, cfg := range Families() {
			if cfg.Policy != LRU || cfg.Bypass {
				continue
			}
			before := uint64(0)
			for _, cfg.Entries = range sizes {
				hits := c.Counts(cfg).Hits.Whole
				if hits < before {
					rt.Fatalf("%s: %d hits, with fewer entries %d", cfg.Path(false), hits, before)
				}
				before = hits
			}
		}
	})
}

// A cache of all registers, never flushed, bypassed by nothing, and
// with allocation by operands, reads the main file once for each register
// not written before. Undiverged warps write nothing back.
func TestACacheOfAllRegistersReadsTheMainFileOnceForEach(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := drawKernel(rt)
		for pc := range k.Insts {
			k.Insts[pc].T.Guarded = false
		}
		cta := straight(warp32, k.Insts...)
		c := NewCollector(Options{})
		c.CTA(cta)
		known, first := map[uint8]bool{}, uint64(0)
		for pc := range k.Insts {
			tm := &k.Insts[pc].T
			for _, r := range tm.Src[:tm.NSrc] {
				if !known[uint8(r)] {
					known[uint8(r)] = true
					first++
				}
			}
			for _, r := range tm.Dst[:tm.NDst] {
				known[uint8(r)] = true
			}
		}
		for _, p := range []Policy{FIFO, LRU} {
			n := c.Counts(Config{Policy: p, Source: true, Entries: All})
			got := n.Cache(false)
			if got.MainReads != first || got.MainWrites != 0 {
				rt.Fatalf("%s: %d reads of the main file and %d writes, expected %d and none", policyNames[p],
					got.MainReads, got.MainWrites, first)
			}
		}
	})
}

func TestReadsAndWritesSumUpByWhereTheyGo(t *testing.T) {
	s := streamsOf(t, benchmarks.Find("matrixMul"), nil)
	for path, c := range s.Caches {
		if c.MainWrites != c.Evict+c.Flush+c.Partial+c.Bypass {
			t.Errorf("%s: %d writes of the main file, their causes sum to %d", path, c.MainWrites,
				c.Evict+c.Flush+c.Partial+c.Bypass)
		}
		if c.MainReads+c.Hits != s.Operands.Reads {
			t.Errorf("%s: %d reads and %d hits of %d operands", path, c.MainReads, c.Hits, s.Operands.Reads)
		}
		if c.Lane.MainReads > 8*c.MainReads || c.Lane.MainReads < c.MainReads {
			t.Errorf("%s: %d reads of the main file in %d clusters", path, c.MainReads, c.Lane.MainReads)
		}
	}
}

func TestPathsReadBack(t *testing.T) {
	for _, cfg := range Families() {
		for _, cfg.Entries = range append([]int{0}, sizes[:]...) {
			for _, live := range []bool{false, true} {
				got, l, err := ParseConfig(cfg.Path(live))
				if err != nil || got != cfg || l != live {
					t.Errorf("%s: %+v, %v, %v", cfg.Path(live), got, l, err)
				}
			}
		}
	}
}

func TestAPathThatNamesNothingIsRefused(t *testing.T) {
	s := NewCollector(Options{}).Summary()
	for path, want := range map[string]string{
		"caches.mru.6.hits":                    `caches.mru.6.hits: register file cache "caches.mru.6": found "mru", expected fifo, lru or aware`,
		"caches.fifo.14.hits":                  `caches.fifo.14.hits: register file cache "caches.fifo.14": found "14", expected 0 to 13, 16, 32 or all entries`,
		"caches.fifo.flush.bypass.6.hits":      `caches.fifo.flush.bypass.6.hits: register file cache "caches.fifo.flush.bypass.6": found "bypass.6", expected source, bypass, flush, live, in this order, and a number of entries`,
		"caches.fifo.6":                        `caches.fifo.6: register file cache "caches.fifo": found "fifo", expected source, bypass, flush, live, in this order, and a number of entries`,
		"values.count":                         "values.count: found a group of numbers, expected one of them",
		"values.thrice":                        `values.thrice: found "thrice", expected one of written, reads, count, never, once, twice, more, reads_per_write, life`,
		"values.once.more":                     `values.once.more: found "more" below a number`,
		"caches.lru.source.flush.6.main_reads": `caches.lru.source.flush.6.main_reads: register file cache "caches.lru.source.flush.6": found "lru.source.flush", expected one of ` + familyNames(),
	} {
		if _, err := s.Value(path); err == nil || err.Error() != want {
			t.Errorf("%s: %v, expected %s", path, err, want)
		}
	}
}
