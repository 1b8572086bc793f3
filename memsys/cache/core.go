package cache

import (
	"cmp"

	"kumiko/components/mshr"
	"kumiko/components/spec"
	"kumiko/components/tagarray"
	"kumiko/memsys/req"
)

// Geometry is what of a core is set by the file of a GPU.
type Geometry struct {
	Tags tagarray.Spec `toml:"tags"`
	MSHR mshr.Spec     `toml:"mshr"`
}

// Check refuses settings that cannot be built, and lines of another size than the memory
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

// Spec is what a core is built from.
type Spec struct {
	Geometry
	// OnFill: a line gets its place when it comes; otherwise when it is asked for.
	OnFill bool
	// Resident: an access that joins a miss finds the line in its place. Otherwise
	// the line may have been replaced since it came.
	Resident bool
	// Yield has bit k set if lines of kind k may be replaced; 0: lines of any kind.
	Yield uint16
}

// Access is what the rules have to know of an access to a line.
type Access struct {
	Addr    uint64 // of the line
	Cause   req.Cause
	Kind    uint8 // of the line, below 16, should it get a place; see Spec.Yield
	Sectors uint8 // wanted or written
	Full    uint8 // written: sectors of which every byte is
	// NoPlace: a miss makes no place for the line, where lines have theirs from the
	// miss on.
	NoPlace bool
}

// Victim is a line that had to give way. It is to be written back unless Dirty
// is empty.
type Victim struct {
	Addr  uint64
	Dirty uint8 // sectors that differ from the memory behind
	Valid uint8 // sectors of which every byte is there
}

// Core is the state of a cache whose accesses wait for misses as values of type T.
type Core[T any] struct {
	tags     *tagarray.Array
	mshr     *mshr.File[T]
	whole    bool // a sector of the tags is a line
	onFill   bool
	resident bool
	yield    uint16
	drain    int // register whose accesses are being answered, or -1

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

// Interleave tells the core, before it is used, that it sees only one in every
// parts runs of runLines lines (a power of two).
func (c *Core[T]) Interleave(runLines, parts int) { c.tags.Interleave(runLines, parts) }

// Reset drops every line; what was dirty is lost. Lines that are on their way are
// not kept.
func (c *Core[T]) Reset() { c.tags.Reset() }

// Resize gives the core another number of sets, and so drops every line as Reset
// does. With the number that it has nothing happens.
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

// Empty is a core of its own, as large as this one is now, without a line. It is not interleaved.
func (c *Core[T]) Empty() *Core[T] {
	g := Geometry{Tags: *c.tags.Spec(), MSHR: mshr.Spec{Entries: 1, Merges: 1}}
	out, err := New[T](Spec{Geometry: g, OnFill: c.onFill, Resident: c.resident, Yield: c.yield})
	if err != nil {
		panic(err) // these tags have been built once
	}
	return out
}

// Discard drops a line whose content nobody needs any more. What was dirty is
// lost, and what is on its way is not kept unless the line gets another place.
func (c *Core[T]) Discard(addr uint64) {
	if i := c.tags.Find(addr); i >= 0 {
		c.tags.Invalidate(i)
	}
}

// Find is the entry that has a place for the line, or -1.
func (c *Core[T]) Find(addr uint64) int { return c.tags.Find(addr) }

// Has reports whether entry i, which may be -1, has all these sectors.
func (c *Core[T]) Has(i int, sectors uint8) bool {
	return i >= 0 && c.narrow(sectors)&^c.tags.Valid(i) == 0
}

// Awaited reports whether something of the line in entry i is on its way.
func (c *Core[T]) Awaited(i int) bool { return c.tags.Pending(i) != 0 }

// Use makes the line in entry i the most recently used of its set.
func (c *Core[T]) Use(i int) { c.tags.Touch(i) }

// Entries is the number of places for lines.
func (c *Core[T]) Entries() int { return c.tags.Entries() }

// Lines is the number of places that hold a line or wait for one.
func (c *Core[T]) Lines() int { return c.tags.Live() }

// Used is the number of lines outstanding.
func (c *Core[T]) Used() int { return c.mshr.Used() }

// narrow converts sectors of 32 bytes to sectors of the tags.
func (c *Core[T]) narrow(sectors uint8) uint8 {
	if !c.whole || sectors == 0 {
		return sectors
	}
	return 1
}

// covered is narrow for sectors that are covered completely.
func (c *Core[T]) covered(sectors uint8) uint8 {
	if !c.whole {
		return sectors
	}
	if sectors == req.AllSectors {
		return 1
	}
	return 0
}

// widen is the sectors of 32 bytes that sectors of the tags are made of.
func (c *Core[T]) widen(sectors uint8) uint8 {
	if c.whole && sectors != 0 {
		return req.AllSectors
	}
	return sectors
}

// claim finds a place for a line. It returns NoLine when no line of the set may
// give way, and Full when a dirty one would and there is no room for its
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

// replace puts a line into an entry that claim has found.
func (c *Core[T]) replace(i int, addr uint64, kind uint8) Victim {
	old := c.tags.Replace(i, addr, kind)
	if !old.Present {
		return Victim{}
	}
	c.Evictions++
	return c.giveUp(old.Addr, old.Dirty, old.Valid)
}

// giveUp is the victim that a line makes, counted if it is dirty.
func (c *Core[T]) giveUp(addr uint64, dirty, valid uint8) Victim {
	if dirty != 0 {
		c.WriteBacks++
	}
	return Victim{Addr: addr, Dirty: c.widen(dirty), Valid: c.widen(valid)}
}

// Touch does to sectors of a line what an access does that is not timed, while others are under way:
// they are there then, dirty if they are written, and the line is the one that was used last. A line that
// is replaced is forgotten without a write-back. It returns the sectors that a load asks the memory behind for.
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

// TouchFound makes a present line the last used one.
func (c *Core[T]) TouchFound(addr uint64) {
	if i := c.tags.Find(addr); i >= 0 {
		c.tags.Touch(i)
	}
}

// Warm puts a line into the core, clean and all there, as a copy from the host
// leaves it. Nothing may be outstanding.
func (c *Core[T]) Warm(addr uint64) {
	i := c.tags.Find(addr)
	if i < 0 {
		if i = c.tags.VictimAmong(addr, c.yield); i < 0 {
			return
		}
		c.tags.Replace(i, addr, 0)
	}
	c.tags.Fill(i, c.narrow(req.AllSectors))
	c.tags.Touch(i)
}
