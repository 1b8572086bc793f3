package fetch

import (
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/sm/message"
)

// ICacheSpec configures the instruction cache.
type ICacheSpec struct {
	Perfect bool          `toml:"perfect" unit:"-" doc:"every instruction fetch hits"`
	Tags    tagarray.Spec `toml:"tags" when:"perfect=false"`
	Misses  int           `toml:"misses" unit:"lines" doc:"lines that may be outstanding at the L2 at once" when:"perfect=false"`
	Launch  int           `toml:"launch" unit:"lines" doc:"lines of the beginning of a program that are there when a launch of it begins" when:"perfect=false"`
}

// Check returns an error for settings outside their ranges. The settings of a perfect cache's
// lines must be valid too, or absent.
func (s *ICacheSpec) Check() error {
	if *s == (ICacheSpec{Perfect: true}) {
		return nil
	}
	if err := s.Tags.Check(); err != nil {
		return spec.Within("tags", err)
	}
	if s.Misses < 1 || s.Misses > 64 {
		return spec.Errorf("misses", s.Misses, "1 to 64")
	}
	if most := s.Tags.Sets * s.Tags.Ways; s.Launch < 0 || s.Launch > most {
		return spec.Errorf("launch", s.Launch, "0 to %d, the lines of the cache", most)
	}
	return nil
}

// icache looks up the lines of instructions, and fetches missing lines from the L2.
// Warps waiting for a line fetch nothing.
type icache struct {
	spec  ICacheSpec
	tags  *tagarray.Array
	lines [64]missingLine `bits:"42+4+64"` // lines on their way
	n     int

	hits, misses, merged, full uint64
}

type missingLine struct {
	addr  uint64
	got   uint8 // sectors arrived so far
	warps message.WarpSet
}

func newICache(s ICacheSpec, name string, reg *stats.Registry) *icache {
	if s.Perfect {
		return nil
	}
	tags, err := tagarray.New(s.Tags)
	if err != nil {
		panic(err) // Spec.Reconcile has refused it already
	}
	c := &icache{spec: s, tags: tags}
	reg.Count("sm.icache.hits", stats.Accesses, "instruction fetches that found their line", name, &c.hits)
	reg.Count("sm.icache.misses", stats.Accesses, "instruction fetches that asked the L2 for their line", name,
		&c.misses)
	reg.Count("sm.icache.hits_on_miss", stats.Accesses, "instruction fetches of a line that was on its way", name,
		&c.merged)
	reg.Count("sm.icache.refused", stats.Accesses,
		"instruction fetches put off because no further line could be asked for", name, &c.full)
	return c
}

// begin fills the first lines of the program between two addresses. These lines come with the launch
// of the program.
func (c *icache) begin(from, ends uint64) {
	line := uint64(c.spec.Tags.Line)
	for a := from; a < min(ends, from+uint64(c.spec.Launch)*line); a += line {
		e := c.tags.Find(a)
		if e < 0 {
			e = c.tags.Victim(a)
			c.tags.Replace(e, a, 0)
			c.tags.Fill(e, req.AllSectors)
		}
		c.tags.Touch(e)
	}
}

// fetchOutcome is the result of a fetch.
type fetchOutcome uint8

const (
	fetchHit fetchOutcome = iota
	fetchWaits
	fetchRefused
)

// look looks up the line of an address for a warp, and sends a request to the L2
// if the line is neither present nor in flight.
func (c *icache) look(addr uint64, warp int, out *wire.OutPort[req.Packet]) fetchOutcome {
	a := addr &^ uint64(c.spec.Tags.Line-1)
	if e := c.tags.Find(a); e >= 0 && c.tags.Pending(e) == 0 {
		c.tags.Touch(e)
		c.hits++
		return fetchHit
	}
	for i := range c.lines[:c.n] {
		if c.lines[i].addr == a {
			c.lines[i].warps.Add(warp)
			c.merged++
			return fetchWaits
		}
	}
	if c.n == c.spec.Misses || !out.CanPut() {
		c.full++
		return fetchRefused
	}
	out.Put(req.Packet{Addr: a, Kind: req.Read, Cause: req.InstructionFetch, Sectors: req.AllSectors})
	c.lines[c.n] = missingLine{addr: a}
	c.lines[c.n].warps.Add(warp)
	c.n++
	c.misses++
	return fetchWaits
}

// fill receives sectors of a line. It returns the warps
// waiting for the line once the line is complete.
func (c *icache) fill(addr uint64, sectors uint8) message.WarpSet {
	for i := range c.lines[:c.n] {
		if c.lines[i].addr != addr {
			continue
		}
		c.lines[i].got |= sectors
		if c.lines[i].got != req.AllSectors {
			return message.WarpSet{}
		}
		w := c.lines[i].warps
		c.n--
		c.lines[i] = c.lines[c.n]
		e := c.tags.Victim(addr)
		c.tags.Replace(e, addr, 0)
		c.tags.Fill(e, req.AllSectors)
		return w
	}
	panic("sm: an instruction line arrives and nobody asked for it")
}

// CodeBase is the address of the first program, and CodeSize the distance between programs.
const (
	CodeBase = 0x80_0000_0000
	CodeSize = 1 << 24 // the longest program has fewer than 2 M instructions
)
