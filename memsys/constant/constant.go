package constant

import (
	"cmp"
	"math/bits"

	"kumiko/components/cause"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/passes"
	"kumiko/memsys/req"
)

// Spec is the timing of the constant cache.
type Spec struct {
	Latency int `toml:"latency" unit:"cycles" doc:"from the arrival of a uniform load at the access unit to its reply"`
	Queue   int `toml:"queue" unit:"instructions" doc:"instructions that may wait in front of the cache"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	return cmp.Or(
		spec.InRange("latency", s.Latency, passes.Overhead+1, spec.MostCycles),
		spec.InRange("queue", s.Queue, 1, spec.MostQueue),
	)
}

// Cache is a constant cache.
type Cache struct {
	passes.Server

	instructions, taken uint64
}

// New builds a constant cache.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Cache, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := &Cache{}
	c.Setup(name, d, c, s.Latency, s.Queue, c.count)
	c.Holds(cause.Cache)
	r.Count("mem.constant.instructions", stats.Instructions, "warp loads of constant space", name, &c.instructions)
	r.Count("mem.constant.passes", stats.Cycles, "cycles in which the constant cache served a word", name, &c.taken)
	return c, nil
}

// count returns and counts the passes of an instruction.
func (c *Cache) count(p *req.Part) int {
	n := distinct(p)
	c.instructions++
	c.taken += uint64(n)
	return n
}

// distinct counts the different addresses of a part.
func distinct(p *req.Part) int {
	if p.Acc.Regular() {
		if p.Acc.Stride == 0 {
			return 1
		}
		return bits.OnesCount32(p.Mask)
	}
	var addr [32]uint64
	p.Acc.Lanes(p.Exec, &addr)
	n := 0
	for m := p.Mask; m != 0; m &= m - 1 {
		a, seen := addr[bits.TrailingZeros32(m)], false
		for k := p.Mask &^ m; k != 0 && !seen; k &= k - 1 {
			seen = addr[bits.TrailingZeros32(k)] == a
		}
		if !seen {
			n++
		}
	}
	return n
}
