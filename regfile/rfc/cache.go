package rfc

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// Cache is the register file cache of a sub-core.
type Cache struct {
	wire.Comp
	conventional.Level
	Captured wire.InPort[bank.Capture]

	spec   Spec
	index  *bank.Index
	store  store
	places places
	fills  fills
	gate   *gate // nil: no warp is kept from issuing

	reads  readPorts
	writes writePorts
	taken  uint8 // registers of the head request already looked up
	job    flushJob
	count  counters
}

// New builds the cache of a sub-core.
func New(p *conventional.Part, s Spec) (*Cache, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	s.AllocateReads = s.AllocateReads && !s.empty()
	c := &Cache{spec: s, index: p.Index}
	if err := c.lay(p); err != nil {
		return nil, err
	}
	c.reads.per, c.writes.per, c.writes.buffer = s.Reads, s.Writes, s.WriteBuffer
	c.Init(p.Name+".Cache", p.Env.Domain, c)
	c.fills.init(c, p)
	c.InitPorts(&c.Comp, p, c.fills.limit, !s.empty())
	c.Captured.Init(&c.Comp, "Captured", 2*p.Collectors)
	if s.FlushStall && c.places.scarce(&s) {
		c.gate = &gate{}
		c.gate.signal.Init(&c.Comp, regfile.WarpSet{})
	}
	c.count.register(c.Name(), p.Env.Stats)
	return c, nil
}

// lay computes the number of the sub-core's entries and their division into groups.
func (c *Cache) lay(p *conventional.Part) error {
	s := &c.spec
	active := p.Env.Active
	if active == 0 {
		active = p.Env.Warps
	}
	parts := (active + p.SubCores - 1) / p.SubCores
	warps := (p.Env.Warps + p.SubCores - 1) / p.SubCores
	groups, ways := min(parts, warps), s.Entries
	if s.Organisation == Shared {
		if s.EntriesTotal%(p.SubCores*s.Ways) != 0 {
			return spec.Errorf("entries_total", s.EntriesTotal, "a multiple of %d ways in each of %d sub-cores", s.Ways,
				p.SubCores)
		}
		groups, ways = s.EntriesTotal/p.SubCores/s.Ways, s.Ways
	}
	if !s.Flush && s.Organisation == Partitioned && parts < warps && !s.empty() {
		return spec.Errorf("flush", false, "true: there are places for %d warps, and %d may come to need one", parts,
			warps)
	}
	c.store = newStore(groups, ways, s, p.Env.Checker != nil)
	c.places.init(s, p, groups, parts >= warps)
	return nil
}

// extension returns the cache's ports for the conventional file.
func (c *Cache) extension() *conventional.Extension {
	operands := c.spec.Reads
	switch {
	case c.spec.empty():
		operands = 0
	case c.spec.AllocateReads:
		operands += maxWaiters
	}
	x := c.Before(operands)
	x.Hints = c.spec.operandHints()
	if c.spec.empty() {
		return x
	}
	x.Writes, x.Causes = c.spec.Reads+c.spec.FlushWidth, 1<<bank.Eviction|1<<bank.Flush
	if c.spec.hints() {
		x.Captured = &c.Captured
	}
	if c.spec.AllocateReads {
		x.Fill = &c.Fill
	}
	return x
}

// Tick serves the oldest in program order first: notices, then results, then fills, then reads. A flush uses the
// remaining ports.
func (c *Cache) Tick(now wire.Cycle) bool {
	c.takeNotices()
	held := c.takeWrites(now)
	again := c.spec.AllocateReads && c.takeFills(now)
	c.takeCaptured()
	if !held {
		held = c.takeReads(now)
	}
	return c.flush(now) || held || again
}

// place returns the group of a warp's register, or -1 if the warp has none.
func (c *Cache) place(warp uint16, k key) int {
	p := int(c.places.of[warp])
	if p >= 0 && c.spec.Organisation == Shared {
		return (int(k.reg()) + int(warp)) % c.places.groups
	}
	return p
}

// Waiting reports the messages held up by the cache.
func (c *Cache) Waiting() string {
	n, w := c.Request.Len(), c.Result.Len()
	if n+w+c.job.n+c.fills.n == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait, %d warps are being flushed, %d reads wait for registers on "+
		"their way from the main file", n, w, c.job.n, c.fills.n)
}
