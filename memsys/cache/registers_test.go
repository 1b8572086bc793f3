package cache

import (
	"testing"

	"kumiko/components/tagarray"
)

// Kinds of lines in an array with registers and lines of memory, as in the
// register file emulated by a cache (Jing et al. 2016, section III.D).
const (
	data = iota
	register
)

// regMem returns the address of register r, far from the addresses of data.
func regMem(r int) uint64 { return 1<<45 + uint64(r)*128 }

// unified is an array of one set of 4 ways; yield has the replaceable kinds.
func unified(t *testing.T, yield uint16) *core {
	s := small()
	s.Tags.Sets, s.Tags.Ways, s.Tags.Sector, s.OnFill, s.Yield = 1, 4, 128, true, yield
	return newCore(t, s)
}

// write writes a whole register.
func (c *core) write(r, room int) (Reason, Victim) {
	c.now++
	return c.Store(&Access{Addr: regMem(r), Kind: register, Sectors: 0xf, Full: 0xf}, room)
}

// LRU-fair: the least recently used way of any kind is replaced. A replaced register
// is spilled, and fetched when it is read.
func TestARegisterThatGivesWayIsSpilledAndFetchedAgain(t *testing.T) {
	c := unified(t, 0)
	for r := range 4 {
		c.write(r, 0)
	}
	m := c.missed(0, 0xf, 1) // a load
	c.now++
	same(t, "spilled by the load", c.Fill(m.Register, data, 0xf, 1), Victim{Addr: regMem(0), Dirty: 0xf, Valid: 0xf})
	c.answer()
	m = c.missed(regMem(0), 0xf, 2)
	same(t, "asked for", m.Ask, uint8(0xf))
	_, again := c.read(regMem(0), 0xf, 0, 3) // the same register: joins
	same(t, "second read of it", again.Reason, Ready)
	c.now++
	same(t, "spilled by the return", c.Fill(m.Register, register, 0xf, 1),
		Victim{Addr: regMem(1), Dirty: 0xf, Valid: 0xf})
	same(t, "answered", len(c.answer()), 2)
	same(t, "kind", c.tags.Kind(c.Find(regMem(0))), uint8(register))
	// Fetched, it is clean until it is written: nothing is spilled when it goes.
	c.write(4, plenty)
	c.write(5, plenty)
	c.have(128)
	same(t, "spills", c.WriteBacks, uint64(4)) // registers 0 to 3, once each
	_, v := c.write(6, plenty)
	same(t, "the returned register goes", v.Dirty, uint8(0))
	same(t, "register 0 is there", c.Find(regMem(0)), -1)
}

// LRU-prioritized: registers stay. Their writes take lines of data, and a set full
// of registers takes no line.
func TestRegistersStayWhereOnlyDataYields(t *testing.T) {
	c := unified(t, 1<<data)
	c.have(0, 128)
	c.write(0, 0)
	c.write(1, 0)
	_, v := c.write(2, 0)
	same(t, "victim", v, Victim{Addr: 0, Valid: 0xf})
	c.have(256) // takes the place of 128
	same(t, "line 128 is there", c.hits(128, 1), false)
	c.write(3, 0)
	r, _ := c.write(4, plenty)
	same(t, "a fifth register", r, NoLine)
	before := c.Unkept
	c.have(384)
	same(t, "lines that were not kept", c.Unkept-before, uint64(1))
	same(t, "line 384 is there", c.hits(384, 1), false)
	for k := range 4 {
		same(t, "a register is there", c.hits(regMem(k), 0xf), true)
	}
}

// A register no longer needed makes room and costs nothing.
func TestADeadRegisterIsNotSpilled(t *testing.T) {
	c := unified(t, 1<<data)
	for r := range 4 {
		c.write(r, 0)
	}
	c.Discard(regMem(2))
	c.have(0)
	same(t, "line 0 is there", c.hits(0, 0xf), true)
	same(t, "spills", c.WriteBacks, uint64(0))
}

// Four banks of tags, one in every four lines each: 1024 entries hold 1024 consecutive
// registers.
func TestRegistersInARowFillTheBanksOfTagsEvenly(t *testing.T) {
	s := small()
	s.Tags = tagarray.Spec{Sets: 64, Ways: 4, Line: 128, Sector: 128, Replace: "lru", Index: "linear"}
	var banks [4]*core
	for b := range banks {
		banks[b] = newCore(t, s)
		banks[b].Interleave(1, len(banks))
	}
	for r := range 1024 {
		if why, v := banks[regMem(r)>>7%4].write(r, 0); why != Ready || v != (Victim{}) {
			t.Fatalf("register %d: reason %d, victim %+v", r, why, v)
		}
	}
	for r := range 1024 {
		if !banks[regMem(r)>>7%4].hits(regMem(r), 0xf) {
			t.Fatalf("register %d is not there", r)
		}
	}
}
