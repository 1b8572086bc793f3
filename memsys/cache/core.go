package cache

import (
	"cmp"

	"kumiko/components/mshr"
	"kumiko/components/spec"
	"kumiko/components/tagarray"
	"kumiko/memsys/req"
)

// Geometry has the settings of a core in the file of a GPU.
type Geometry struct {
	Tags tagarray.Spec `toml:"tags"`
	MSHR mshr.Spec     `toml:"mshr"`
}

// Check returns an error for settings outside their ranges, and for lines of another size than the memory
// system's.
func (g *Geometry) Check() error {
	switch err := cmp.Or(spec.Within("tags", g.Tags.Check()), spec.Within("mshr", g.MSHR.Check())); {
	case err != nil:
		return err
	case g.Tags.Line != req.LineBytes:
		return spec.Errorf("tags.line_bytes", g.Tags.Line, "%d", req.LineBytes)
	case g.Tags.Sector != req.LineBytes && g.Tags.Sector != req.SectorBytes:
		return spec.Errorf("tags.sector_bytes", g.Tags.Sector, "%d or %d", req.SectorBytes, req.LineBytes)
	}
	return nil
}

// Spec configures a core.
type Spec struct {
	Geometry
	// OnFill: a place is allocated when the line arrives; otherwise at the miss.
	OnFill bool
	// Resident: an access may merge with a miss only while the line has its place. Otherwise
	// the line may have been replaced meanwhile.
	Resident bool
	// Yield has bit k set if lines of kind k may be replaced; 0: lines of any kind.
	Yield uint16
}

// MostSent is the most packets sent for one access: the request of a miss, and the write-back of its victim.
const MostSent = 2

// Access describes an access to a line.
type Access struct {
	Addr    uint64 // of the line
	Cause   req.Cause
	Kind    uint8 // of the line, below 16, should it get a place; see Spec.Yield
	Sectors uint8 // wanted or written
	Full    uint8 // of a write: fully written sectors
	// NoPlace: a miss allocates no place for the line (where places are allocated at the miss).
	NoPlace bool
}

// Victim is an evicted line. It must be written back unless Dirty
// is empty.
type Victim struct {
	Addr  uint64
	Dirty uint8 // sectors different from the next level
	Valid uint8 // sectors with every byte present
}

// Core is the state of a cache. A waiting access is kept as a value of type T.
type Core[T any] struct {
	tags     *tagarray.Array
	mshr     *mshr.File[T]
	whole    bool // a sector of the tags is a line
	onFill   bool
	resident bool
	yield    uint16
	drain    int // register being drained: its accesses are being answered; or -1

	Counters `soft:"statistics"`
}

// New returns an empty core, or the error of Geometry.Check.
func New[T any](s Spec) (*Core[T], error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	tags, err := tagarray.New(s.Tags)
	if err != nil {
		return nil, err
	}
	regs, err := mshr.New[T](s.MSHR)
	if err != nil {
		return nil, err
	}
	c := &Core[T]{tags: tags, mshr: regs, whole: s.Tags.Sector == req.LineBytes, onFill: s.OnFill, resident: s.Resident,
		yield: s.Yield, drain: -1}
	if c.yield == 0 {
		c.yield = tagarray.AllKinds
	}
	return c, nil
}

// Interleave informs the core, before its first use, of the interleaving: of the runs of runLines lines (a power of
// two) only one in every parts belongs to the core.
func (c *Core[T]) Interleave(runLines, parts int) { c.tags.Interleave(runLines, parts) }

// Reset drops every line; dirty sectors are lost. Lines in flight are
// not kept.
func (c *Core[T]) Reset() { c.tags.Reset() }

// Resize changes the number of sets, and so drops every line as Reset
// does. It does nothing if the number is the present one.
func (c *Core[T]) Resize(sets int) error {
	s := *c.tags.Spec()
	if s.Sets == sets {
		return nil
	}
	s.Sets = sets
	tags, err := tagarray.New(s)
	if err == nil {
		c.tags = tags
	}
	return err
}

// Empty returns a separate, empty core of the present size. It is not interleaved.
func (c *Core[T]) Empty() *Core[T] {
	g := Geometry{Tags: *c.tags.Spec(), MSHR: mshr.Spec{Entries: 1, Merges: 1}}
	out, err := New[T](Spec{Geometry: g, OnFill: c.onFill, Resident: c.resident, Yield: c.yield})
	if err != nil {
		panic(err) // these tags have been built once
	}
	return out
}

// Discard drops a line whose content is no longer needed. Dirty sectors are
// lost. Sectors in flight are not kept unless the line gets another place.
func (c *Core[T]) Discard(addr uint64) {
	if i := c.tags.Find(addr); i >= 0 {
		c.tags.Invalidate(i)
	}
}

// Find returns the entry of a line, or -1.
func (c *Core[T]) Find(addr uint64) int { return c.tags.Find(addr) }

// Has reports whether entry i has all these sectors. i may be -1.
func (c *Core[T]) Has(i int, sectors uint8) bool {
	return i >= 0 && c.narrow(sectors)&^c.tags.Valid(i) == 0
}

// Awaited reports whether sectors of the line in entry i are in flight.
func (c *Core[T]) Awaited(i int) bool { return c.tags.Pending(i) != 0 }

// Use makes the line in entry i the most recently used of its set.
func (c *Core[T]) Use(i int) { c.tags.Touch(i) }

// Sets returns the number of sets.
func (c *Core[T]) Sets() int { return c.tags.Spec().Sets }

// Entries returns the number of places for lines.
func (c *Core[T]) Entries() int { return c.tags.Entries() }

// Lines returns the number of places holding a line or reserved for one.
func (c *Core[T]) Lines() int { return c.tags.Live() }

// Used returns the number of outstanding lines.
func (c *Core[T]) Used() int { return c.mshr.Used() }

// narrow converts sectors of 32 bytes to sectors of the tags.
func (c *Core[T]) narrow(sectors uint8) uint8 {
	if !c.whole || sectors == 0 {
		return sectors
	}
	return 1
}

// covered is narrow for completely covered sectors.
func (c *Core[T]) covered(sectors uint8) uint8 {
	if !c.whole {
		return sectors
	}
	if sectors == req.AllSectors {
		return 1
	}
	return 0
}

// widen converts sectors of the tags to sectors of 32 bytes.
func (c *Core[T]) widen(sectors uint8) uint8 {
	if c.whole && sectors != 0 {
		return req.AllSectors
	}
	return sectors
}

// claim finds a place for a line. It returns NoLine if no line of the set may
// be replaced, and Full if the victim is dirty and there is no room for its
// write-back.
func (c *Core[T]) claim(addr uint64, room int) (entry int, r Reason) {
	v := c.tags.VictimAmong(addr, c.yield)
	switch {
	case v < 0:
		return v, NoLine
	case c.tags.Dirty(v) != 0 && room < 1:
		return v, Full
	}
	return v, Ready
}

// replace puts a line into an entry found by claim.
func (c *Core[T]) replace(i int, addr uint64, kind uint8) Victim {
	old := c.tags.Replace(i, addr, kind)
	if !old.Present {
		return Victim{}
	}
	c.Evictions++
	return c.giveUp(old.Addr, old.Dirty, old.Valid)
}

// giveUp returns the victim for an evicted line, and counts its write-back if it is dirty.
func (c *Core[T]) giveUp(addr uint64, dirty, valid uint8) Victim {
	if dirty != 0 {
		c.WriteBacks++
	}
	return Victim{Addr: addr, Dirty: c.widen(dirty), Valid: c.widen(valid)}
}

// Touch updates sectors of a line as an untimed access does, beside timed accesses in flight. The sectors
// become valid, dirty if written, and the line the most recently used. An evicted line is dropped without a
// write-back. Touch returns the sectors a load would fetch from the next level.
func (c *Core[T]) Touch(addr uint64, sectors uint8, write bool) (missing uint8) {
	i := c.tags.Find(addr)
	switch {
	case i >= 0 && c.Awaited(i):
		return 0
	case i < 0:
		if i = c.tags.VictimAmong(addr, c.yield); i < 0 {
			return c.widen(c.narrow(sectors))
		}
		c.tags.Replace(i, addr, 0)
	}
	if write {
		c.Write(i, sectors, sectors)
	} else {
		missing = c.widen(c.narrow(sectors) &^ c.tags.Valid(i))
		c.tags.Fill(i, c.narrow(sectors))
	}
	c.tags.Touch(i)
	return missing
}

// Forget drops a clean line without waiting accesses, as a write past the cache does.
func (c *Core[T]) Forget(addr uint64) {
	if i := c.tags.Find(addr); i >= 0 && !c.Awaited(i) && c.tags.Pending(i) == 0 && c.tags.Dirty(i) == 0 {
		c.tags.Invalidate(i)
	}
}

// TouchFound makes a line, if present, the most recently used.
func (c *Core[T]) TouchFound(addr uint64) {
	if i := c.tags.Find(addr); i >= 0 {
		c.tags.Touch(i)
	}
}
