package cache

import (
	"testing"

	"kumiko/components/mshr"
	"kumiko/components/tagarray"
	"kumiko/memsys/req"
)

// small is a core of 2 sets of 2 ways, 2 registers for 2 accesses each.
func small() Spec {
	return Spec{Geometry: Geometry{
		Tags: tagarray.Spec{Sets: 2, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
		MSHR: mshr.Spec{Entries: 2, Merges: 2},
	}}
}

// core is a core with numbers as accesses, and a clock.
type core struct {
	*Core[int]
	t   testing.TB
	now uint64
}

func newCore(t testing.TB, s Spec) *core {
	c, err := New[int](s)
	if err != nil {
		t.Fatal(err)
	}
	return &core{Core: c, t: t}
}

// plenty of room towards the memory behind.
const plenty = 9

// read looks a line up and lets access v wait if it misses.
func (c *core) read(addr uint64, sectors uint8, room, v int) (hit bool, m Miss) {
	c.now++
	i := c.Find(addr)
	if c.Has(i, sectors) {
		c.Use(i)
		return true, m
	}
	return false, c.Miss(c.now, i, &Access{Addr: addr, Sectors: sectors}, room, v)
}

// missed performs a read that must miss and be accepted.
func (c *core) missed(addr uint64, sectors uint8, v int) Miss {
	c.t.Helper()
	hit, m := c.read(addr, sectors, plenty, v)
	if hit || m.Reason != Ready {
		c.t.Fatalf("read of %#x: hit %v, reason %d; want a miss that is taken", addr, hit, m.Reason)
	}
	return m
}

// come fills sectors and returns who is answered.
func (c *core) come(m Miss, sectors uint8) (answered []int) {
	c.now++
	c.Fill(m.Register, 0, sectors, plenty)
	return c.answer()
}

func (c *core) answer() (answered []int) {
	for v := c.Due(c.now); v != nil; v = c.Due(c.now) {
		answered = append(answered, *v)
		c.Answered(c.now)
	}
	return answered
}

// have brings lines in, all their sectors.
func (c *core) have(addrs ...uint64) {
	c.t.Helper()
	for _, a := range addrs {
		if got := c.come(c.missed(a, 0xf, 0), 0xf); len(got) != 1 {
			c.t.Fatalf("line %#x: %d accesses answered, want 1", a, len(got))
		}
	}
}

func (c *core) store(addr uint64, sectors, full uint8, room int) (Reason, Victim) {
	c.now++
	return c.Store(&Access{Addr: addr, Cause: req.LocalStore, Sectors: sectors, Full: full}, room)
}

func (c *core) hits(addr uint64, sectors uint8) bool { return c.Has(c.Find(addr), sectors) }

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}

func TestAMissAsksForItsSectorsAndOthersJoinIt(t *testing.T) {
	c := newCore(t, small())
	a := c.missed(0, 0b0011, 1)
	same(t, "asked for", a.Ask, uint8(0b0011))
	b := c.missed(0, 0b0110, 2) // sector 1 is on its way
	same(t, "asked for by the second", b.Ask, uint8(0b0100))
	same(t, "register of the second", b.Register, a.Register)
	if got := c.come(a, 0b0011); len(got) != 1 || got[0] != 1 {
		t.Fatalf("answered %v with sectors 0 and 1, want access 1", got)
	}
	if got := c.come(b, 0b0100); len(got) != 1 || got[0] != 2 {
		t.Fatalf("answered %v with sector 2, want access 2", got)
	}
	if !c.hits(0, 0b0111) || c.hits(0, 0b1000) || c.Used() != 0 {
		t.Errorf("sectors 0 to 2 %v, sector 3 %v, %d registers in use; want true, false, 0", c.hits(0, 0b0111),
			c.hits(0, 0b1000), c.Used())
	}
	same(t, "misses", c.Misses[req.GlobalLoad], uint64(2))
}

func TestAnAccessAllOfWhoseSectorsAreOnTheirWayAsksForNothing(t *testing.T) {
	c := newCore(t, small())
	a := c.missed(0, 0b0011, 1)
	_, m := c.read(0, 0b0001, 0, 2) // no room either
	same(t, "second", m, Miss{Register: a.Register, Entry: a.Entry})
	same(t, "merged", c.Merged[req.GlobalLoad], uint64(1))
	if got := c.come(a, 0b0011); len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("answered %v, want 1 and 2", got)
	}
}

// 0 is requested, then 256, then 0 again. When both have arrived, 256 is the least recently
// used.
func TestJoiningAMissIsAUseOfTheLine(t *testing.T) {
	c := newCore(t, small())
	a := c.missed(0, 0xf, 1)
	b := c.missed(256, 0xf, 2)
	c.missed(0, 0xf, 3)
	c.come(a, 0xf)
	c.come(b, 0xf)
	c.have(512)
	if !c.hits(0, 0xf) || c.hits(256, 0xf) {
		t.Errorf("line 0 is there: %v, line 256: %v; want the first alone", c.hits(0, 0xf), c.hits(256, 0xf))
	}
}

// What is refused can be asked again and changes nothing.
func TestAMissIsRefusedForWhatItLacks(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Spec)
		before func(*core)
		addr   uint64
		room   int
		want   Reason
	}{
		{"no register", nil, func(c *core) { c.missed(0, 1, 0); c.missed(128, 1, 0) }, 256, plenty, NoEntry},
		{"as many accesses as a register holds", nil, func(c *core) { c.missed(0, 1, 0); c.missed(0, 1, 0) }, 0, plenty,
			NoMerge},
		{"all lines of the set are on their way", func(s *Spec) { s.MSHR.Entries = 4 },
			func(c *core) { c.missed(0, 1, 0); c.missed(256, 1, 0) }, 512, plenty, NoLine},
		{"no room", nil, func(*core) {}, 0, 0, Full},
		{"no room for another sector of a line under way", nil, func(c *core) { c.missed(0, 2, 0) }, 0, 0, Full},
		{"no room for a write-back besides", nil, func(c *core) { c.store(0, 1, 1, 0); c.store(256, 1, 1, 0) }, 512, 1,
			Full},
		{"a line that is outstanding has lost its place", func(s *Spec) { s.Resident = true }, func(c *core) {
			m := c.missed(0, 1, 0)
			c.now++
			c.Fill(m.Register, 0, 1, plenty) // not answered yet
			c.Discard(0)
		}, 0, plenty, NoMerge},
	} {
		s := small()
		if c.change != nil {
			c.change(&s)
		}
		k := newCore(t, s)
		c.before(k)
		count, used := k.Counters, k.Used()
		for range 2 {
			if hit, m := k.read(c.addr, 1, c.room, 9); hit || m != (Miss{Reason: c.want}) {
				t.Errorf("%s: hit %v, %+v; want reason %d", c.name, hit, m, c.want)
			}
		}
		if k.Counters != count || k.Used() != used {
			t.Errorf("%s: a refused miss has counted or taken something", c.name)
		}
	}
}

func TestALineThatGivesWayIsReturnedIfItIsDirty(t *testing.T) {
	c := newCore(t, small())
	c.store(0, 0b0011, 0b0001, 0) // sector 1 in part
	c.have(256)
	m := c.missed(512, 1, 0)
	same(t, "victim", m.Victim, Victim{Addr: 0, Dirty: 0b0011, Valid: 0b0001})
	c.have(768)
	same(t, "write-backs", c.WriteBacks, uint64(1))
	same(t, "evictions", c.Evictions, uint64(2))
}

func TestSectorsWrittenInPartAreFetchedWhenTheyAreRead(t *testing.T) {
	c := newCore(t, small())
	c.store(0, 0b0011, 0b0001, 0)
	same(t, "sector 0", c.hits(0, 0b0001), true)
	m := c.missed(0, 0b0011, 1)
	same(t, "asked for", m.Ask, uint8(0b0010))
	same(t, "victim", m.Victim, Victim{})
}

func TestWhereASectorIsALineWholeLinesAreFetchedAndWrittenBack(t *testing.T) {
	s := small()
	s.Tags.Sector = 128
	c := newCore(t, s)
	m := c.missed(0, 0b0001, 0)
	same(t, "asked for", m.Ask, uint8(0xf))
	c.come(m, 0xf)
	same(t, "another sector", c.hits(0, 0b1000), true)
	c.store(0, 0b0001, 0b0001, 0)
	c.have(256, 512)
	same(t, "line 0 is there", c.hits(0, 1), false)
	c.store(1024, 0b0001, 0b0001, plenty) // of 4 sectors one: nothing is valid
	same(t, "a line of which a sector was written", c.hits(1024, 1), false)
	c.have(1280)
	same(t, "victim", c.missed(1536, 1, 0).Victim, Victim{Addr: 1024, Dirty: 0xf})
	same(t, "write-backs", c.WriteBacks, uint64(2))
}

func TestALineGetsItsPlaceOnFillWhereTheSpecSaysSo(t *testing.T) {
	s := small()
	s.OnFill, s.MSHR.Entries = true, 4
	c := newCore(t, s)
	c.store(0, 1, 1, 0)
	c.store(256, 1, 1, 0)
	m := c.missed(512, 1, 7) // the set is full of dirty lines: it does not matter yet
	same(t, "entry", m.Entry, -1)
	same(t, "victim on the miss", m.Victim, Victim{})
	c.now++
	same(t, "victim on the fill", c.Fill(m.Register, 0, 1, 1), Victim{Addr: 0, Dirty: 1, Valid: 1})
	same(t, "answered", len(c.answer()), 1)
	same(t, "hit", c.hits(512, 1), true)

	m = c.missed(768, 1, 8)
	c.have(512) // now line 256 is the victim, dirty
	c.now++
	same(t, "victim without room", c.Fill(m.Register, 0, 1, 0), Victim{})
	same(t, "answered", len(c.answer()), 1)
	same(t, "hit of what was not kept", c.hits(768, 1), false)
	same(t, "not kept", c.Unkept, uint64(1))
}

func TestAStoreIsRefusedWithoutAPlaceOrRoomForTheWriteBack(t *testing.T) {
	c := newCore(t, small())
	c.store(0, 1, 1, 0)
	c.store(256, 1, 1, 0)
	r, _ := c.store(512, 1, 1, 0)
	same(t, "without room", r, Full)
	r, v := c.store(512, 1, 1, 1)
	same(t, "with room", r, Ready)
	same(t, "victim", v, Victim{Addr: 0, Dirty: 1, Valid: 1})
	c = newCore(t, small())
	c.missed(0, 1, 0)
	c.missed(256, 1, 0)
	r, _ = c.store(512, 1, 1, plenty)
	same(t, "with both lines on their way", r, NoLine)
}

func TestAWriteThroughUpdatesALineAndAWriteEvictDropsIt(t *testing.T) {
	w := Access{Addr: 0, Cause: req.GlobalStore, Sectors: 0b0011, Full: 0b0010}
	for _, evict := range []bool{false, true} {
		c := newCore(t, small())
		write := c.Update
		if evict {
			write = c.Evict
		}
		write(&w)
		same(t, "a line after a write that missed", c.Find(0), -1)
		c.come(c.missed(0, 0b0001, 0), 0b0001)
		write(&w)
		same(t, "the line is there", c.hits(0, 0b0001), !evict)
		same(t, "the sector that was written whole is there", c.hits(0, 0b0011), !evict)
		same(t, "misses", c.Misses[req.GlobalStore], uint64(1))
		same(t, "hits", c.Hits[req.GlobalStore], uint64(1))
		c.store(256, 1, 1, 0)
		d := w
		d.Addr = 256
		write(&d)
		same(t, "a dirty line is there", c.hits(256, 0b0011), true)
	}
}

func TestADroppedLineIsWrittenBackIfItIsDirty(t *testing.T) {
	c := newCore(t, small())
	c.store(0, 0b0011, 0b0001, 0)
	r, _ := c.Drop(0, 0)
	same(t, "without room", r, Full)
	r, v := c.Drop(0, 1)
	same(t, "with room", r, Ready)
	same(t, "victim", v, Victim{Addr: 0, Dirty: 0b0011, Valid: 0b0001})
	same(t, "entry", c.Find(0), -1)
	m := c.missed(0, 1, 0)
	if r, v = c.Drop(0, 0); r != Ready || v != (Victim{}) || c.Find(0) != m.Entry {
		t.Errorf("a line on its way: reason %d, victim %+v, entry %d; want it to stay", r, v, c.Find(0))
	}
}

// Sectors for a line without its place are answered, and not kept.
func TestALineThatIsDiscardedOrResetOnItsWayIsNotKept(t *testing.T) {
	for _, lose := range []func(*core){func(c *core) { c.Discard(0) }, func(c *core) { c.Reset() }, func(c *core) {
		if err := c.Resize(4); err != nil {
			t.Fatal(err)
		}
	}} {
		c := newCore(t, small())
		m := c.missed(0, 1, 7)
		lose(c)
		if got := c.come(m, 1); len(got) != 1 || got[0] != 7 || c.Unkept != 1 || c.Find(0) >= 0 || c.Used() != 0 {
			t.Errorf("answered %v, %d not kept, entry %d, %d registers; want 7, 1, -1, 0", got, c.Unkept, c.Find(0),
				c.Used())
		}
	}
}

// An L1 with its size set at launch (unified memory): for the same size it
// keeps its lines, for another it is empty.
func TestAnotherNumberOfSetsEmptiesTheCore(t *testing.T) {
	c := newCore(t, small())
	c.have(0, 128, 256)
	if err := c.Resize(2); err != nil || !c.hits(128, 0xf) {
		t.Errorf("as many sets: error %v, line 128 %v", err, c.hits(128, 0xf))
	}
	if err := c.Resize(3); err != nil || c.hits(0, 1) || c.hits(128, 1) {
		t.Errorf("3 sets: error %v, or lines are left", err)
	}
	c.have(0, 128, 256) // each in a set of its own
	c.have(384, 512, 640)
	if !c.hits(0, 0xf) || !c.hits(640, 0xf) || c.Evictions != 0 {
		t.Error("6 lines of 3 sets of 2 ways do not all stay")
	}
	if c.Resize(0) == nil || !c.hits(0, 0xf) {
		t.Error("0 sets are accepted, or have changed something")
	}
}
