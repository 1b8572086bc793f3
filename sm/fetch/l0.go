package fetch

import (
	"cmp"
	"fmt"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/sm/message"
)

// L0Spec configures the instruction caches of the sub-cores, in front of the SM's instruction cache
// (Huerta et al., MICRO 2025, section 5.2).
type L0Spec struct {
	Lines   int `toml:"lines" unit:"lines" doc:"lines of a sub-core's own instruction cache, as long as those of the SM's. 0: there is none"`
	Ways    int `toml:"ways" unit:"lines" doc:"lines per set, of which the least recently used is replaced" when:"lines!=0"`
	Latency int `toml:"latency" unit:"cycles" doc:"from a sub-core's instruction cache to the SM's, and back again" when:"lines!=0"`
	Misses  int `toml:"misses" unit:"lines" doc:"lines that warps of a sub-core may wait for at once" when:"lines!=0"`
	Stream  int `toml:"stream" unit:"lines" doc:"lines of the stream buffer, which fetches those behind a line that missed. 0: there is none" when:"lines!=0"`
}

const mostStream = 64

// Check returns an error for settings outside their ranges. line is the size of a line.
func (s *L0Spec) Check(line int) error {
	if s.Lines == 0 {
		return nil
	}
	if err := cmp.Or(spec.InRange("ways", s.Ways, 1, 1<<16), spec.InRange("latency", s.Latency, 1, 128),
		spec.InRange("misses", s.Misses, 1, 64), spec.InRange("stream", s.Stream, 0, mostStream)); err != nil {
		return err
	}
	if s.Lines < 0 || s.Lines%s.Ways != 0 {
		return spec.Errorf("lines", s.Lines, "0, or a multiple of the ways (%d)", s.Ways)
	}
	t := s.tags(line)
	return t.Check()
}

func (s *L0Spec) tags(line int) tagarray.Spec {
	return tagarray.Spec{Sets: s.Lines / s.Ways, Ways: s.Ways, Line: line, Sector: line, Replace: "lru",
		Index: "linear"}
}

// l0 is the instruction cache of a sub-core, with a stream buffer. After a miss the stream buffer prefetches
// the following lines. A fetch that misses in the cache is compared with the first line of the buffer alone. If
// it is another line, the buffer is emptied and prefetches the lines behind the missing one.
type l0 struct {
	spec L0Spec
	line uint64 // size of a line
	tags *tagarray.Array

	misses []missingLine `bits:"42+4+64" room:"cap"` // lines with waiting warps
	asked  int           // of these, the number already requested

	stream  []streamLine `bits:"42+1+64" room:"cap"` // the buffer, the next line first
	next    uint64       // address of the next line to request
	running bool
	// ends is the address behind the program.
	ends uint64

	hits, missed, merged, streamed, prefetched, refused uint64
}

// streamLine is a line of the stream buffer.
type streamLine struct {
	addr  uint64
	here  bool
	warps message.WarpSet // waiting for the line; empty but in the first line, since no other is compared
}

func newL0s(s L0Spec, line, n int, name string, reg *stats.Registry) []l0 {
	out := make([]l0, n)
	for i := range out {
		tags, err := tagarray.New(s.tags(line))
		if err != nil {
			panic(err) // Spec.Reconcile has refused it already
		}
		out[i] = l0{spec: s, line: uint64(line), tags: tags, misses: make([]missingLine, 0, s.Misses),
			stream: make([]streamLine, 0, s.Stream)}
		c := &out[i]
		block := fmt.Sprintf("%s.L0[%d]", name, i)
		reg.Count("sm.l0.hits", stats.Accesses, "instruction fetches that found their line in the sub-core", block,
			&c.hits)
		reg.Count("sm.l0.stream_hits", stats.Accesses,
			"of these, fetches that moved their line from the stream buffer", block, &c.streamed)
		reg.Count("sm.l0.misses", stats.Accesses, "instruction fetches that asked the SM's cache for their line", block,
			&c.missed)
		reg.Count("sm.l0.hits_on_miss", stats.Accesses, "instruction fetches of a line that was on its way", block,
			&c.merged)
		reg.Count("sm.l0.prefetches", stats.Accesses, "lines that the stream buffer asked for", block, &c.prefetched)
		reg.Count("sm.l0.refused", stats.Accesses,
			"instruction fetches put off because no further line could be asked for", block, &c.refused)
	}
	return out
}

// lookUp looks up the line of an address for a warp.
func (c *l0) lookUp(addr uint64, warp int) fetchOutcome {
	a := addr &^ (c.line - 1)
	if e := c.tags.Find(a); e >= 0 {
		c.tags.Touch(e)
		c.hits++
		return fetchHit
	}
	if len(c.stream) > 0 && c.stream[0].addr == a {
		if c.stream[0].here {
			c.take()
			c.hits++
			c.streamed++
			return fetchHit
		}
		c.stream[0].warps.Add(warp)
		c.merged++
		return fetchWaits
	}
	for i := range c.misses {
		if c.misses[i].addr == a {
			c.misses[i].warps.Add(warp)
			c.merged++
			return fetchWaits
		}
	}
	if len(c.misses) == cap(c.misses) || len(c.stream) > 0 && c.stream[0].warps != (message.WarpSet{}) {
		c.refused++ // a buffer with waiting warps is not emptied
		return fetchRefused
	}
	m := missingLine{addr: a}
	m.warps.Add(warp)
	c.misses = append(c.misses, m)
	c.missed++
	c.stream, c.next, c.running = c.stream[:0], a+c.line, c.spec.Stream > 0
	return fetchWaits
}

// take moves the first line of the stream buffer into the cache.
func (c *l0) take() {
	c.fill(c.stream[0].addr)
	copy(c.stream, c.stream[1:])
	c.stream = c.stream[:len(c.stream)-1]
}

func (c *l0) fill(addr uint64) {
	e := c.tags.Victim(addr)
	c.tags.Replace(e, addr, 0)
	c.tags.Fill(e, 1)
}

// ask returns the next line to request from the SM's cache. Lines with waiting warps go first. Otherwise the
// stream buffer grows by one line, unless this line is already present or requested.
func (c *l0) ask() (addr uint64, ok bool) {
	if c.asked < len(c.misses) {
		c.asked++
		return c.misses[c.asked-1].addr, true
	}
	if !c.running || len(c.stream) == cap(c.stream) {
		return 0, false
	}
	if c.next >= c.ends || c.tags.Find(c.next) >= 0 || c.waitsFor(c.next) {
		c.running = false
		return 0, false
	}
	addr = c.next
	c.stream = append(c.stream, streamLine{addr: addr})
	c.next += c.line
	c.prefetched++
	return addr, true
}

// wants reports whether there may be a line to request.
func (c *l0) wants() bool {
	return c.asked < len(c.misses) || c.running && len(c.stream) < cap(c.stream)
}

func (c *l0) waitsFor(addr uint64) bool {
	for i := range c.misses {
		if c.misses[i].addr == addr {
			return true
		}
	}
	return false
}

// arrived receives a line and returns the warps waiting for it. A line no longer wanted by the
// stream buffer is dropped.
func (c *l0) arrived(addr uint64) message.WarpSet {
	for i := range c.misses {
		if c.misses[i].addr == addr && i < c.asked {
			w := c.misses[i].warps
			c.fill(addr)
			c.misses = append(c.misses[:i], c.misses[i+1:]...)
			c.asked--
			return w
		}
	}
	for i := range c.stream {
		if c.stream[i].addr != addr || c.stream[i].here {
			continue
		}
		c.stream[i].here = true
		if w := c.stream[i].warps; w != (message.WarpSet{}) {
			c.take()
			return w
		}
		break
	}
	return message.WarpSet{}
}

// reset drops everything, between launches.
func (c *l0) reset(ends uint64) {
	c.tags.Reset()
	c.misses, c.asked, c.stream, c.running, c.ends = c.misses[:0], 0, c.stream[:0], false, ends
}
