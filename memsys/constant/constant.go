package constant

import (
	"cmp"
	"fmt"
	"math/bits"

	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Spec is the timing of the constant cache.
type Spec struct {
	Latency int `toml:"latency" unit:"cycles" doc:"from the arrival of a uniform load at the access unit to its reply"`
	Queue   int `toml:"queue" unit:"instructions" doc:"instructions waiting in front of the cache"`
}

// Overhead is the part of Latency that is spent outside the block: a link from
// the access unit and the reply.
const Overhead = 2

// Check refuses what cannot be built.
func (s *Spec) Check() error {
	return cmp.Or(
		spec.InRange("latency", s.Latency, Overhead+1, spec.MostCycles),
		spec.InRange("queue", s.Queue, 1, spec.MostQueue),
	)
}

// Cache is a constant cache.
type Cache struct {
	wire.Comp
	In  wire.InPort[req.Part]
	Out wire.OutPort[req.Done]

	spec  Spec
	until wire.Cycle
	done  req.Done
	busy  bool

	instructions, passes uint64
}

// New builds a constant cache.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Cache, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	c := &Cache{spec: s}
	c.Init(name, d, c)
	c.In.Init(&c.Comp, "In", s.Queue)
	c.Out.Init(&c.Comp, "Out")
	r.Count("mem.constant.instructions", stats.Instructions, "warp loads of constant space", name, &c.instructions)
	r.Count("mem.constant.passes", stats.Cycles, "cycles in which the constant cache served a word", name, &c.passes)
	return c, nil
}

// Pipeline is the depth of the pipeline behind the cache, in cycles: the
// latency of the link of Out.
func (c *Cache) Pipeline() int { return c.spec.Latency - Overhead }

// Tick ends the last pass of a load and begins the first of the next.
func (c *Cache) Tick(now wire.Cycle) bool {
	if !c.busy && !c.begin(now) {
		return false
	}
	if now < c.until {
		c.WakeAt(c.until)
		return false
	}
	if !c.Out.CanPut() {
		return false
	}
	c.Out.Put(c.done)
	c.busy = false
	return c.In.Head() != nil
}

func (c *Cache) begin(now wire.Cycle) bool {
	p := c.In.Head()
	if p == nil {
		return false
	}
	c.In.Pop()
	n := distinct(p)
	c.instructions++
	c.passes += uint64(n)
	c.busy, c.until = true, now+wire.Cycle(n-1)
	c.done = req.Done{Slot: p.Slot, Index: p.Index, Of: 1}
	return true
}

// distinct counts the different addresses of a part.
func distinct(p *req.Part) int {
	if p.Acc.List == nil {
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

// Waiting says how long the cache is busy.
func (c *Cache) Waiting() string {
	if !c.busy && c.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("passes until cycle %d, %d instructions behind", c.until, c.In.Len())
}
