package l1

import (
	"testing"

	"kumiko/components/mshr"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/cache"
	"kumiko/memsys/internal/blocktest"
	"kumiko/memsys/req"
)

func small() Spec {
	return Spec{
		Geometry: cache.Geometry{
			Tags: tagarray.Spec{Sets: 4, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
			MSHR: mshr.Spec{Entries: 4, Merges: 3},
		},
		Latency: 20, Port: 128, Banks: 1, BankBytes: 32, BankIndex: "linear", TagBanks: 1, Queue: 8, MissQueue: 4,
		Allocate: "on_miss", Write: "through", LocalWrite: "back", CacheGlobal: true,
	}
}

// bench is a cache between a source of transactions and a memory played by the
// test: requests gather in miss, and reply sends the answers.
type bench struct {
	*blocktest.Bench
	c         *Cache
	src       *wiretest.Source[req.Txn]
	mem       *wiretest.Source[req.Packet]
	hit, fill *wiretest.Sink[req.Done]
	miss      *wiretest.Sink[req.Packet]
	slot      uint16
}

func newBench(t *testing.T, s Spec) *bench {
	b := &bench{Bench: blocktest.New(t, "mem.l1.")}
	c, err := New("L1", "l1", b.D, s, &b.Reg)
	b.Built(err)
	b.c, b.src, b.mem = c, wiretest.NewSource("Src", b.D, &c.Tags.In), wiretest.NewSource("Mem", b.D, &c.Tags.Reply)
	b.hit, b.fill = wiretest.NewSink("Hit", b.D, c.Sides().Hit, 16), wiretest.NewSink("Fill", b.D, &c.Tags.Fill, 8)
	b.miss = wiretest.NewSink("Miss", b.D, &c.Tags.Miss, s.MissQueue)
	return b
}

// firstHit is the cycle in which the first hit leaves, counted from the cycle before the sending of the
// transaction: over links of 1 to the tags, to the data array, and to the sink.
const firstHit = 2 + toData + 1

// send queues a transaction in cycle at and returns its slot.
func (b *bench) send(at wire.Cycle, t req.Txn) uint16 {
	b.slot++
	t.Slot, t.Of = b.slot, 1
	b.src.Send(at, t)
	return b.slot
}

func load(addr uint64, sectors uint8) req.Txn {
	return req.Txn{Addr: addr, Sectors: sectors, Around: sectors, Cause: req.GlobalLoad}
}

func store(addr uint64, sectors, full uint8, cause req.Cause) req.Txn {
	return req.Txn{Addr: addr, Sectors: sectors, Full: full, Bytes: 32, Kind: req.Write, Cause: cause}
}

// answer answers all requests since the last call.
func (b *bench) answer() {
	for _, g := range b.miss.Got {
		if !g.Msg.Posted() {
			b.mem.Send(b.Next(), g.Msg.Answer())
		}
	}
	b.miss.Got = nil
}

// warm brings lines into the cache.
func (b *bench) warm(addrs ...uint64) {
	for _, a := range addrs {
		b.send(b.Next(), load(a, 0xf))
		b.Run(5)
		b.answer()
		b.Run(10)
	}
	b.hit.Got, b.fill.Got = nil, nil
}

func TestHitsAreServedOnePerCycle(t *testing.T) {
	b := newBench(t, small())
	b.warm(0, 128)
	start := b.D.Now()
	for i := range 16 {
		b.send(start+1+wire.Cycle(i), load(uint64(i%2)*128, 0xf))
	}
	b.Run(100)
	blocktest.Stream(t, b.hit, 16, start+firstHit)
	b.Stat("hits.global_load", 16)
}

func TestANarrowPortIsOccupiedForTheSectors(t *testing.T) {
	s := small()
	s.Port = 32
	b := newBench(t, s)
	b.warm(0)
	start := b.D.Now()
	b.send(start+1, load(0, 0xf)) // 4 cycles
	b.send(start+1, load(0, 0x1)) // 1 cycle
	b.send(start+1, load(0, 0x1))
	b.Run(50)
	first := start + firstHit
	wantHits(t, b.cycles(), first, first+4, first+5)
}

func TestMissesOnOneLineMergeAndAreAnsweredOnePerCycle(t *testing.T) {
	b := newBench(t, small())
	for range 3 {
		b.send(1, load(0, 0xf))
	}
	b.Run(10)
	if len(b.miss.Got) != 1 {
		t.Fatalf("%d requests, want 1", len(b.miss.Got))
	}
	b.answer() // sent at 11, in the cache at 12
	b.Run(20)
	blocktest.Stream(t, b.fill, 3, 13)
	if len(b.fill.Got) != 3 {
		t.Errorf("%d answers, want 3", len(b.fill.Got))
	}
	b.Stat("misses.global_load", 1)
	b.Stat("hits_on_miss.global_load", 2)
}

func TestASectorThatNobodyAskedForIsFetchedUnderTheSameRegister(t *testing.T) {
	b := newBench(t, small())
	b.send(1, load(0, 0b0001))
	b.send(1, load(0, 0b0011))
	b.Run(10)
	if len(b.miss.Got) != 2 || b.miss.Got[1].Msg.Sectors != 0b0010 || b.miss.Got[0].Msg.Tag != b.miss.Got[1].Msg.Tag {
		t.Fatalf("asked for %+v, want sector 0 and then sector 1 under one tag", b.miss.Got)
	}
	b.answer()
	b.Run(20)
	if len(b.fill.Got) != 2 {
		t.Errorf("%d answers, want 2", len(b.fill.Got))
	}
}

func TestReservationFailuresAreCountedByReason(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(*Spec)
		lines  []uint64
	}{
		{"no_mshr_entry", func(s *Spec) { s.MSHR.Entries = 2 }, []uint64{0, 128, 256}},
		{"no_mshr_merge", func(s *Spec) {}, []uint64{0, 0, 0, 0}},
		{"no_line", func(s *Spec) {}, []uint64{0, 512, 1024}}, // one set of two ways
	} {
		t.Run(c.reason, func(t *testing.T) {
			s := small()
			c.change(&s)
			b := newBench(t, s)
			for _, a := range c.lines {
				b.send(1, load(a, 0xf))
			}
			b.Run(20)
			b.answer() // in the cache at 22, where the last one can go on
			b.Run(5)
			b.answer()
			b.Run(20)
			if n := len(b.fill.Got) + len(b.hit.Got); n != len(c.lines) {
				t.Errorf("%d answers, want %d", n, len(c.lines))
			}
			b.Stat("reservation_failures."+c.reason, 1)
			// the last transaction reaches the head one cycle after the one before it
			b.Stat("stall_cycles."+c.reason, uint64(22-(2+len(c.lines)-1)))
		})
	}
}

func TestAFullMissQueueHoldsTheHead(t *testing.T) {
	s := small()
	s.MissQueue = 2
	b := newBench(t, s)
	b.miss.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i := range 3 {
		b.send(1, load(uint64(i)*128, 0xf))
	}
	b.Run(60)
	if len(b.miss.Got) != 3 {
		t.Fatalf("%d requests, want 3", len(b.miss.Got))
	}
	b.Stat("reservation_failures.miss_queue", 1)
	// third at the head from 4; room taken at 50 is seen at 51
	b.Stat("stall_cycles.miss_queue", 47)
}

func TestStoresGoThroughWithoutAllocation(t *testing.T) {
	b := newBench(t, small())
	b.send(1, store(0, 1, 1, req.GlobalStore))
	b.Run(5)
	if len(b.miss.Got) != 1 || b.miss.Got[0].Msg.Kind != req.Write {
		t.Fatalf("sent %+v, want the store", b.miss.Got)
	}
	b.answer()
	b.Run(5)
	if len(b.fill.Got) != 1 {
		t.Fatal("the store is not acknowledged")
	}
	b.send(b.Next(), load(0, 1))
	b.Run(5)
	if len(b.hit.Got) != 0 || len(b.miss.Got) != 1 {
		t.Error("the store has allocated the line")
	}
	b.Stat("bytes_out.global_store", 32)
}

func TestAStoreUpdatesOrEvictsALineThatIsThere(t *testing.T) {
	for policy, hits := range map[string]int{"through": 1, "evict": 0} {
		s := small()
		s.Write = policy
		b := newBench(t, s)
		b.warm(0)
		b.send(b.Next(), store(0, 1, 1, req.GlobalStore))
		b.send(b.D.Now()+2, load(0, 1))
		b.Run(10)
		if len(b.hit.Got) != hits {
			t.Errorf("%s: %d hits after the store, want %d", policy, len(b.hit.Got), hits)
		}
	}
}

func TestAStoreDoesNotEvictALineThatIsUnderWay(t *testing.T) {
	s := small()
	s.Write = "evict"
	b := newBench(t, s)
	b.send(1, load(0, 0xf))
	b.send(2, store(0, 1, 1, req.GlobalStore))
	b.Run(10)
	b.answer()
	b.Run(10)
	b.Stat("fills_not_kept", 0)
	b.send(b.Next(), load(0, 0xf))
	b.Run(10)
	if len(b.hit.Got) != 1 {
		t.Errorf("%d hits, want 1", len(b.hit.Got))
	}
}

func TestLocalStoresAreWrittenBackWhenTheyAreEvicted(t *testing.T) {
	b := newBench(t, small())
	b.send(1, store(0, 0b0011, 0b0001, req.LocalStore))
	b.Run(5)
	if len(b.hit.Got) != 1 || len(b.miss.Got) != 0 {
		t.Fatal("a local store is not answered by the cache itself")
	}
	b.warm(512, 1024) // the same set of two ways
	b.send(b.Next(), load(0, 1))
	b.Run(5)
	b.Stat("write_backs", 1)
	b.Stat("bytes_out.write_back", 64)
}

func TestAPartlyWrittenSectorIsFetchedWhenItIsRead(t *testing.T) {
	b := newBench(t, small())
	b.send(1, store(0, 0b0011, 0b0001, req.LocalStore))
	b.send(2, load(0, 0b0001))
	b.send(3, load(0, 0b0011))
	b.Run(10)
	if len(b.hit.Got) != 2 { // the store and the load of the full sector
		t.Errorf("%d hits, want 2", len(b.hit.Got))
	}
	if len(b.miss.Got) != 1 || b.miss.Got[0].Msg.Sectors != 0b0010 {
		t.Errorf("asked for %+v, want sector 1", b.miss.Got)
	}
}

func TestGlobalLoadsPassByWhereTheyAreNotCached(t *testing.T) {
	s := small()
	s.CacheGlobal = false
	b := newBench(t, s)
	b.send(1, load(0, 0xf))
	b.send(1, load(0, 0xf))
	nc := load(0, 0xf)
	nc.ReadOnly = true
	b.send(1, nc)
	b.Run(10)
	if len(b.miss.Got) != 3 {
		t.Fatalf("%d requests, want 3: nothing merges", len(b.miss.Got))
	}
	b.answer()
	b.Run(10)
	if len(b.fill.Got) != 3 {
		t.Errorf("%d answers, want 3", len(b.fill.Got))
	}
	b.Stat("bypassed", 2)
	b.Stat("misses.global_load", 1) // the read-only load is cached
}

func TestAPerfectCacheAlwaysHits(t *testing.T) {
	s := small()
	s.Perfect = true
	b := newBench(t, s)
	for i := range 8 {
		b.send(1, load(uint64(i)*4096, 0xf))
	}
	b.Run(20)
	if len(b.hit.Got) != 8 || len(b.miss.Got) != 0 {
		t.Errorf("%d hits and %d requests, want 8 and 0", len(b.hit.Got), len(b.miss.Got))
	}
}

func TestAnAtomicDropsTheLine(t *testing.T) {
	b := newBench(t, small())
	b.warm(0)
	b.send(b.Next(), req.Txn{Addr: 0, Sectors: 1, Bytes: 4, Ops: 1, Depth: 1, Kind: req.Atomic,
		Cause: req.GlobalAtomic})
	b.send(b.D.Now()+2, load(0, 1))
	b.Run(10)
	if len(b.miss.Got) != 2 {
		t.Errorf("%d requests, want the atomic and a miss", len(b.miss.Got))
	}
}

func TestLinesAllocatedOnFillsNeedNoPlaceWhileTheyAreUnderWay(t *testing.T) {
	s := small()
	s.Allocate = "on_fill"
	b := newBench(t, s)
	for _, a := range []uint64{0, 512, 1024, 1536} { // one set of two ways
		b.send(1, load(a, 0xf))
	}
	b.Run(10)
	if len(b.miss.Got) != 4 {
		t.Errorf("%d requests, want 4", len(b.miss.Got))
	}
	b.answer()
	b.Run(20)
	b.Stat("fills", 4)
	b.Stat("evictions", 2)
}

func TestMSHROccupancyIsLatencyTimesThroughput(t *testing.T) {
	s := small()
	s.Tags.Sets, s.MSHR.Entries, s.MissQueue = 64, 64, 8
	b := newBench(t, s)
	const n, latency = 40, 30
	for i := range n {
		b.send(wire.Cycle(1+4*i), load(uint64(i)*128, 0xf))
	}
	// a memory answering each request a fixed time after its arrival
	for b.D.Now() < 400 {
		b.Run(1)
		for _, g := range b.miss.Got {
			b.mem.Send(g.Cycle+latency, g.Msg.Answer())
		}
		b.miss.Got = nil
	}
	// A register is held from the look-up at t to the fill: the request arrives
	// at t+1, the reply is sent at t+1+latency and there one cycle later. Little: sum
	// of occupancy = number x time held.
	b.Stat("mshr_occupancy", n*(latency+2))
}
