package rfc

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// partOf is a sub-core of an SM with so many warps and sub-cores of a scheduler each.
func partOf(t *testing.T, warps, active, subCores int) *conventional.Part {
	t.Helper()
	index, err := bank.NewIndex(bank.ByRegister, 4, warps, 32, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &conventional.Part{
		Env: &regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM[0]",
			Schedulers: subCores, Warps: warps, Active: active, Registers: 32},
		Name: "SM[0].RegFile.SubCore[0]", SubCores: subCores, Schedulers: 1, Index: index, Collectors: 4,
		RequestRoom: 8, WriteRoom: 8, Writes: 4,
	}
}

// Of nine contexts of two schedulers, one has at most five, and each may begin and become active in one cycle.
func TestThereIsRoomForTwoNoticesOfEveryContext(t *testing.T) {
	c, err := New(partOf(t, 9, 4, 2), Default())
	if err != nil {
		t.Fatal(err)
	}
	wiretest.Same(t, "room for notices", 2*5+4, c.Notices[0].Capacity())
}

// A sub-core has its share of the places of active warps, rounded up, and of the entries of a
// shared cache.
func TestASubCoreHasItsShareOfTheEntries(t *testing.T) {
	shared := func(s *Spec) { s.Organisation, s.EntriesTotal, s.Ways = Shared, 128, 8 }
	for name, x := range map[string]struct {
		warps, active, subCores, groups, entries int
		f                                        func(*Spec)
	}{
		"two of four active":           {8, 4, 2, 2, 12, nil},
		"three of five, rounded up":    {16, 5, 2, 3, 18, nil},
		"all are active":               {8, 0, 2, 4, 24, nil},
		"no more places than warps":    {4, 16, 2, 2, 12, nil},
		"five warps, rounded up":       {5, 0, 2, 3, 18, nil},
		"sets of a half of the ways":   {8, 4, 2, 8, 64, shared},
		"sets of a quarter of the all": {8, 4, 4, 4, 32, shared},
	} {
		c, err := New(partOf(t, x.warps, x.active, x.subCores), with(x.f))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.places.groups != x.groups || len(c.store.key) != x.entries {
			t.Errorf("%s: %d groups, %d entries; want %d and %d", name, c.places.groups, len(c.store.key), x.groups,
				x.entries)
		}
	}
}

// Without a flush a warp keeps its entries, so every warp needs a place of its own.
func TestWithoutAFlushEveryWarpNeedsAPlace(t *testing.T) {
	keep := with(func(s *Spec) { s.Flush = false })
	for active, fits := range map[int]bool{2: false, 7: true, 8: true, 0: true} { // 7 of two sub-cores are 4 of one
		if _, err := New(partOf(t, 8, active, 2), keep); fits != (err == nil) {
			t.Errorf("%d active warps of 8: error %v", active, err)
		}
	}
}

// A partition's entry is tagged by a register's number of five bits and a valid bit, a shared
// one by a warp's number of three bits too. Two sub-cores have two places each for eight warps.
func TestTheStateIsThatOfEntriesAndTheirOrder(t *testing.T) {
	for name, x := range map[string]struct {
		f    func(*Spec)
		want map[string]int
	}{
		"fifo": {nil, map[string]int{"registers": 24 * 1024, "tags": 24 * 6, "lane masks": 24 * 32,
			"dirty, dead and far bits": 24, "replacement": 4 * 3, "owners of partitions": 4 * 3,
			"write buffer": 2 * 4 * 1024}},
		"lru, with hints and reads": {func(s *Spec) {
			s.Replacement, s.Liveness, s.EvictFar, s.AllocateReads, s.WriteBuffer = LRU, true, true, true, 0
		}, map[string]int{"registers": 24 * 1024, "tags": 24 * 6, "lane masks": 24 * 64,
			"dirty, dead and far bits": 24 * 3, "replacement": 24 * 3, "owners of partitions": 4 * 3}},
		"shared": {func(s *Spec) { s.Organisation, s.EntriesTotal, s.Ways, s.WriteBuffer = Shared, 16, 4, 0 },
			map[string]int{"registers": 16 * 1024, "tags": 16 * 9, "lane masks": 16 * 32,
				"dirty, dead and far bits": 16, "replacement": 4 * 2}},
	} {
		f, err := NewFile(&regfile.Env{Domain: wire.NewDomain("Core", 1e9), Stats: &stats.Registry{}, Name: "SM",
			Schedulers: 2, IssueWidth: 1, Warps: 8, Active: 4, TwoLevel: true, Registers: 32, Writebacks: 1,
			Units: []regfile.Unit{{Name: "SP", Kind: "sp"}, {Name: "SP", Kind: "sp", Sched: 1}}},
			with(func(s *Spec) {
				s.base.SubCores = 2
				if x.f != nil {
					x.f(s)
				}
			}))
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{}
		for _, s := range f.State() {
			if s.Block == "Cache" {
				got[s.What] = s.Bits
			}
		}
		wiretest.Same(t, name, x.want, got)
	}
}

// Six writes come at once to two ports with a buffer of four.
func TestWritesLeaveTheBufferOnePerCycleAndPort(t *testing.T) {
	p := writePorts{per: 2, buffer: 4}
	for i, want := range []uint64{0, 0, 1, 1, 2, 2} {
		if !p.room(10) {
			t.Fatalf("no room for write %d", i)
		}
		wiretest.Same(t, "cycles in the buffer", want, p.take())
	}
	if p.room(10) {
		t.Error("room for more than two ports and four places")
	}
	if !p.room(11) || p.under != 4 {
		t.Errorf("%d writes are left after a cycle, want 4", p.under)
	}
	if !p.room(13) || p.under != 0 {
		t.Errorf("%d writes are left after two more cycles, want 0", p.under)
	}
}

// The result of a warp is at the door, and a request behind it.
func TestTheCacheSaysWhatItHoldsUp(t *testing.T) {
	r := newRig(t, with(filling), 8)
	wiretest.Same(t, "idle", "", r.c.Waiting())
	r.Write.Refuse = func(wire.Cycle) bool { return true }
	r.start(1)
	for i := range ir.RegID(30) { // each takes the place of another, which finds no room
		r.write(10+wire.Cycle(i), 0, i, all)
	}
	r.read(45, 0, all, 1, 2)
	r.Domain.RunUntil(100)
	n, w := r.c.Request.Len(), r.c.Result.Len()
	if n != 1 || w == 0 {
		t.Fatalf("%d requests and %d results wait, want 1 and some", n, w)
	}
	if r.c.Waiting() == "" {
		t.Error("it says nothing")
	}
	r.Write.Refuse = nil
	r.Domain.RunUntil(300)
	wiretest.Same(t, "in the end", "", r.c.Waiting())
}

// One read waits for a register on its way, and no request and no result.
func TestTheCacheSaysWhatIsOnItsWay(t *testing.T) {
	r := newRig(t, with(filling), 8)
	r.start(1)
	r.read(10, 0, all, 5)
	r.read(11, 0, 0xff, 5)
	r.Domain.RunUntil(30)
	const want = "0 requests and 0 results wait, 0 warps are being flushed, 1 reads wait for registers on their way " +
		"from the main file"
	wiretest.Same(t, "waiting", want, r.c.Waiting())
	r.come(40, 10, 7)
	r.Run()
	wiretest.Same(t, "in the end", "", r.c.Waiting())
	wiretest.Same(t, "registers on their way", 0, r.c.fills.under)
}

// Register 5 is found, 6 and 8 are not, and an instruction without a lane finds nothing either. The
// request of four operands waits a cycle for the fourth.
func TestLookUpsAreCountedByWhatTheyFind(t *testing.T) {
	r := newRig(t, Default(), 8)
	r.start(1)
	r.write(10, 0, 5, all)
	r.read(20, 0, all, 5, 6, 8)
	r.read(30, 0, 0, 7)
	r.read(40, 0, all, 5, 5, 5, 5)
	r.Run()
	got := map[string]uint64{}
	want := map[string]uint64{"reads": 8, "read_hits": 5, "idle_misses": 1, "read_waits": 1, "writebacks": 0}
	for name := range want {
		got[name] = r.Stat(name)
	}
	wiretest.Same(t, "counted", want, got)
}

// Of two dirty registers in two entries one is evicted and written to the main file.
func TestAnEvictionThatIsWrittenIsCounted(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Entries = 2 }), 8)
	r.start(1)
	for i := range ir.RegID(3) {
		r.write(10+wire.Cycle(i), 0, i, all)
	}
	r.Run()
	wiretest.Same(t, "evictions, written", [2]uint64{1, 1}, [2]uint64{r.Stat("evictions"), r.Stat("writebacks")})
}

func TestAnOperandsWordSaysWhatTheCompilerKnows(t *testing.T) {
	for i, want := range []bank.Hint{0, readLast, readFar, readLast | readFar} {
		wiretest.Same(t, "hint", want, sourceHint(&ir.Timing{Dead: 0b1010, FarSrc: 0b1100}, i))
	}
}
