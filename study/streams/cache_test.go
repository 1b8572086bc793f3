package streams

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

const warp32 = 1<<32 - 1

// straight is one warp executing the instructions once with the given lanes.
func straight(lanes uint32, insts ...ir.Inst) *stream.CTA {
	w := stream.Warp{Runs: []stream.Run{{N: uint32(len(insts)), Mask: lanes}}, Insts: uint64(len(insts))}
	return &stream.CTA{Kernel: &ir.Kernel{Insts: insts, Allocated: true}, Warps: []stream.Warp{w}}
}

// of collects one warp and gives the cache at a path.
func cacheOf(t *testing.T, path string, cta *stream.CTA) Cache {
	t.Helper()
	c := NewCollector(Options{})
	c.CTA(cta)
	got, err := c.Summary().Cache(path)
	if err != nil {
		t.Fatal(err)
	}
	got.Lane = Lane{} // has tests of its own
	return *got
}

func want(t *testing.T, got, want Cache) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("expected (-) and got (+):\n%s", diff)
	}
}

// last marks the given sources as read for the last time.
func last(in ir.Inst, sources ...int) ir.Inst {
	for _, s := range sources {
		in.T.Dead |= 1 << s
	}
	return in
}

func w(r ir.RegID) ir.Inst        { return inst([]ir.RegID{r}) }
func rd(r ...ir.RegID) ir.Inst    { return inst(nil, r...) }
func tex(d ir.RegID) ir.Inst      { in := w(d); in.Op = ir.OpTex; return in }
func consumer(in ir.Inst) ir.Inst { in.T.LongConsumer = true; return in }
func bar(kind ir.Bar) ir.Inst     { return ir.Inst{Op: ir.OpBar, Mods: ir.Mods{Bar: kind}} }

// abab writes 1, 2, 1 again, then 3, and reads 1. At the write of 3 a cache of two entries evicts 1 if it replaces
// first-in first-out, and 2 if it replaces the least recently used.
func abab() *stream.CTA { return straight(warp32, w(1), w(2), w(1), w(3), rd(1)) }

func TestAnOverwriteLeavesAnEntryItsAgeUnderFIFO(t *testing.T) {
	// Four results are written: 1, 2, 1 again into its entry, and 3, for which 1 is evicted and written back. So the
	// read of 1 misses.
	want(t, cacheOf(t, "caches.fifo.2", abab()), Cache{MainReads: 1, MainWrites: 1, Evict: 1, CacheReads: 1,
		CacheWrites: 4, ReadsAvoided: 0, WritesAvoided: 1 - 1.0/4, AccessesAvoided: 1 - 2.0/5})
}

func TestAnOverwriteRefreshesAnEntryUnderLRU(t *testing.T) {
	// As above, but 2 is evicted, so that the read of 1 hits. It and the write-back of 2 read the cache twice.
	want(t, cacheOf(t, "caches.lru.2", abab()), Cache{Hits: 1, MainWrites: 1, Evict: 1, CacheReads: 2, CacheWrites: 4,
		ReadsAvoided: 1, WritesAvoided: 1 - 1.0/4, AccessesAvoided: 1 - 1.0/5})
}

func TestAReadRefreshesAnEntryUnderLRUAlone(t *testing.T) {
	cta := func() *stream.CTA { return straight(warp32, w(1), w(2), rd(1), w(3), rd(1)) }
	if got := cacheOf(t, "caches.fifo.2", cta()); got.Hits != 1 { // the first read
		t.Errorf("fifo: %d hits, expected 1", got.Hits)
	}
	if got := cacheOf(t, "caches.lru.2", cta()); got.Hits != 2 {
		t.Errorf("lru: %d hits, expected 2", got.Hits)
	}
}

func TestADeadValueIsNotWrittenBackWithLiveness(t *testing.T) {
	// 1 is dead when 2 takes its place, 2 is not when 3 takes it; 3 stays.
	cta := func() *stream.CTA { return straight(warp32, w(1), last(rd(1), 0), w(2), w(3)) }
	want(t, cacheOf(t, "caches.fifo.1", cta()), Cache{Hits: 1, MainWrites: 2, Evict: 2, CacheReads: 3, CacheWrites: 3,
		ReadsAvoided: 1, WritesAvoided: 1 - 2.0/3, AccessesAvoided: 1 - 2.0/4})
	want(t, cacheOf(t, "caches.fifo.live.1", cta()), Cache{Hits: 1, MainWrites: 1, Evict: 1, Elided: 1, CacheReads: 2,
		CacheWrites:  3,
		ReadsAvoided: 1, WritesAvoided: 1 - 1.0/3, AccessesAvoided: 1 - 1.0/4})
}

func TestAnOverwrittenEntryIsDeadNoLonger(t *testing.T) {
	got := cacheOf(t, "caches.fifo.live.1", straight(warp32, w(1), last(rd(1), 0), w(1), w(2)))
	if got.Evict != 1 || got.Elided != 0 {
		t.Errorf("%d written back, %d dropped, expected 1 and 0", got.Evict, got.Elided)
	}
}

func TestAMissAllocatesTheOperandWithSourceAlone(t *testing.T) {
	// 1 is read twice. With source the second read hits, and the entry is clean, so it
	// is not written back for 2.
	cta := func() *stream.CTA { return straight(warp32, rd(1), rd(1), w(2)) }
	want(t, cacheOf(t, "caches.fifo.1", cta()), Cache{MainReads: 2, CacheWrites: 1, WritesAvoided: 1,
		AccessesAvoided: 1 - 2.0/3})
	want(t, cacheOf(t, "caches.fifo.source.1", cta()), Cache{Hits: 1, MainReads: 1, CacheReads: 1, CacheWrites: 2,
		ReadsAvoided: 1 - 1.0/2, WritesAvoided: 1, AccessesAvoided: 1 - 1.0/3})
}

func TestTheResultOfALongOperationBypassesAndInvalidates(t *testing.T) {
	// 1 is cached, then loaded: the entry goes without being written back, the
	// value goes to the main file, and the read comes from there.
	cta := func() *stream.CTA { return straight(warp32, w(1), tex(1), rd(1)) }
	want(t, cacheOf(t, "caches.fifo.bypass.6", cta()), Cache{MainReads: 1, MainWrites: 1, Bypass: 1, CacheWrites: 1,
		WritesAvoided: 1 - 1.0/2, AccessesAvoided: 1 - 2.0/3})
	want(t, cacheOf(t, "caches.fifo.6", cta()), Cache{Hits: 1, CacheReads: 1, CacheWrites: 2,
		ReadsAvoided: 1, WritesAvoided: 1, AccessesAvoided: 1})
}

func TestACacheIsFlushedBeforeTheFirstUseOfALongResult(t *testing.T) {
	// The consumer suspends the warp, so the entries 1 (dead) and 2 are flushed before it. The later read of 2 is from
	// the main file.
	cta := func() *stream.CTA {
		return straight(warp32, w(1), last(rd(1), 0), w(2), consumer(rd(7)), rd(2))
	}
	want(t, cacheOf(t, "caches.fifo.flush.6", cta()), Cache{Hits: 1, MainReads: 2, MainWrites: 2, Flush: 2,
		CacheReads: 3, CacheWrites: 2,
		ReadsAvoided: 1 - 2.0/3, AccessesAvoided: 1 - 4.0/5})
	want(t, cacheOf(t, "caches.fifo.flush.live.6", cta()), Cache{Hits: 1, MainReads: 2, MainWrites: 1, Flush: 1,
		Elided: 1, CacheReads: 2, CacheWrites: 2,
		ReadsAvoided: 1 - 2.0/3, WritesAvoided: 1 - 1.0/2, AccessesAvoided: 1 - 3.0/5})
}

func TestABarrierSuspendsUnlessToldOtherwise(t *testing.T) {
	for _, c := range []struct {
		kind ir.Bar
		keep bool
		want uint64
	}{{ir.BarSync, false, 1}, {ir.BarSync, true, 0}, {ir.BarArrive, false, 0}, {ir.BarRedOr, false, 1}} {
		col := NewCollector(Options{BarriersKeep: c.keep})
		col.CTA(straight(warp32, w(1), bar(c.kind), rd(1)))
		got, err := col.Summary().Value("caches.fifo.flush.6.flush")
		if err != nil || got != float64(c.want) {
			t.Errorf("barrier %d, keep %v: %v written back (%v), expected %d", c.kind, c.keep, got, err, c.want)
		}
	}
}

// some makes an instruction executed by the lanes of the warp's next mask.
func some(in ir.Inst) ir.Inst { in.T.Guarded = true; return in }

func TestOneSuspensionIsEnoughForWhatWasAskedBeforeItIfToldSo(t *testing.T) {
	// Both loads are issued before the first consumer.
	for keeps, want := range map[bool]uint64{false: 2, true: 1} {
		c := NewCollector(Options{ReadyKeeps: keeps})
		c.CTA(straight(warp32, tex(1), tex(2), consumer(rd(1)), consumer(rd(2))))
		if got := c.Summary().Suspensions.Long; got != want {
			t.Errorf("keeps %v: %d suspensions, expected %d", keeps, got, want)
		}
	}
}

func TestAnEntryWithSomeLanesIsWrittenBackForAReadOfMore(t *testing.T) {
	// Lanes 0 to 7 write 1. All read it: the entry is written back and stays, as
	// clean. All read it again, with nothing to write. Lane 7 hits.
	cta := straight(warp32, some(w(1)), rd(1), rd(1), some(rd(1)))
	cta.Warps[0].Masks = []uint32{0xff, 0x80}
	c := NewCollector(Options{})
	c.CTA(cta)
	got, err := c.Summary().Cache("caches.fifo.6")
	if err != nil {
		t.Fatal(err)
	}
	// In clusters: eight lanes are two, a warp is eight, one lane is one.
	want(t, *got, Cache{Hits: 1, MainReads: 2, MainWrites: 1, Partial: 1, CacheReads: 2, CacheWrites: 1,
		Lane: Lane{MainReads: 16, MainWrites: 2, CacheReads: 3, CacheWrites: 2}, ReadsAvoided: 1.0 / 3,
		AccessesAvoided: 1.0 / 4})
}

func TestLanesThatTheMainFileHasNewerAreNotTheCaches(t *testing.T) {
	// All write 1, lanes 0 to 3 load it past the cache: these lanes miss, others hit, and
	// seven clusters of eight are evicted for 2.
	cta := straight(warp32, w(1), some(tex(1)), some(rd(1)), some(rd(1)), w(2))
	cta.Warps[0].Masks = []uint32{0xf, 0xf, 0xf0}
	c := NewCollector(Options{})
	c.CTA(cta)
	got, err := c.Summary().Cache("caches.fifo.bypass.1")
	if err != nil {
		t.Fatal(err)
	}
	want(t, *got, Cache{Hits: 1, MainReads: 1, MainWrites: 2, Bypass: 1, Evict: 1, CacheReads: 2, CacheWrites: 2,
		Lane: Lane{MainReads: 1, MainWrites: 8, CacheReads: 8, CacheWrites: 16}, ReadsAvoided: 1.0 / 2,
		WritesAvoided: 1.0 / 3, AccessesAvoided: 2.0 / 5})
}

func TestARegisterNamedTwiceIsReadOnceUnlessToldOtherwise(t *testing.T) {
	for twice, reads := range map[bool]uint64{false: 2, true: 3} {
		c := NewCollector(Options{ReadTwice: twice})
		c.CTA(straight(warp32, rd(1, 2, 1)))
		if s := c.Summary(); s.Operands.Reads != reads || s.Operands.Reads+s.Operands.Merged != 3 {
			t.Errorf("twice %v: %d reads, %d merged, expected %d of 3", twice, s.Operands.Reads, s.Operands.Merged,
				reads)
		}
	}
}

func TestAwareBypassesWhatIsReadAfterTheNextSuspension(t *testing.T) {
	// 1 is read before the consumer, 2 after it: 2 goes to the main file at once,
	// and nothing is left to be flushed with liveness.
	two := w(2)
	two.T.FarDst = 1
	cta := straight(warp32, w(1), two, last(rd(1), 0), consumer(rd(7)), rd(2))
	got := cacheOf(t, "caches.aware.bypass.flush.live.6", cta)
	want(t, got, Cache{Hits: 1, MainReads: 2, MainWrites: 1, Bypass: 1, Elided: 1, CacheReads: 1, CacheWrites: 1,
		ReadsAvoided: 1.0 / 3, WritesAvoided: 1 - 1.0/2, AccessesAvoided: 1 - 3.0/5})
}

func TestAwareEvictsFirstWhatIsNotReadBeforeTheNextSuspension(t *testing.T) {
	// Register 2 was written before register 1. After register 3 is written, 2 is read once more and 1 is not.
	cta := func() *stream.CTA {
		both := rd(1, 2)
		both.T.FarSrc = 1
		return straight(warp32, w(2), w(1), both, w(3), rd(2), rd(3))
	}
	if got := cacheOf(t, "caches.fifo.2", cta()); got.Hits != 3 {
		t.Errorf("fifo: %d hits, expected 3", got.Hits)
	}
	if got := cacheOf(t, "caches.aware.bypass.flush.2", cta()); got.Hits != 4 {
		t.Errorf("aware: %d hits, expected 4", got.Hits)
	}
}
