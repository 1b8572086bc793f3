package fetch

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
	"kumiko/sm/message"
	"kumiko/sm/program"
)

// LineRequest requests a line from the SM's instruction cache, and LineReply returns it to a sub-core.
type (
	LineRequest struct {
		Addr uint64
		Core uint8
	}
	LineReply LineRequest
)

// L1I is the instruction cache of an SM whose sub-cores have instruction caches of their own. It accepts one
// request and sends one reply per cycle.
type L1I struct {
	wire.Comp

	In      wire.InPort[LineRequest]
	Out     wire.OutPort[LineReply]
	ToMem   wire.OutPort[req.Packet]
	FromMem wire.InPort[req.Packet]

	cache   *icache
	replies []LineReply `bits:"type" room:"cap"` // a queue
}

// NewL1I builds the instruction cache of an SM. under bounds the requests in flight.
func NewL1I(name string, d *wire.Domain, s ICacheSpec, under int, reg *stats.Registry) *L1I {
	c := &L1I{cache: newICache(s, name, reg), replies: make([]LineReply, 0, under)}
	c.Init(name, d, c)
	c.In.Init(&c.Comp, "In", under)
	c.Out.Init(&c.Comp, "Out")
	c.ToMem.Init(&c.Comp, "ToMem")
	c.FromMem.Init(&c.Comp, "FromMem", 4)
	return c
}

// Tick receives lines and a request, and sends a reply.
func (c *L1I) Tick(wire.Cycle) bool {
	for p := c.FromMem.Take(); p != nil; p = c.FromMem.Take() {
		cores := c.cache.fill(p.Addr, p.Sectors)
		for i := message.NextWarp(&cores, 0, 1); i >= 0; i = message.NextWarp(&cores, 0, 1) {
			cores.Remove(i)
			c.replies = append(c.replies, LineReply{p.Addr, uint8(i)})
		}
	}
	again := false
	if r := c.In.Head(); r != nil {
		switch c.cache.lookUp(r.Addr, int(r.Core), &c.ToMem) {
		case fetchHit:
			c.replies = append(c.replies, LineReply(*r))
			c.In.Pop()
		case fetchWaits:
			c.In.Pop()
		case fetchRefused: // until a line comes, or there is room for the request
		}
		again = c.In.Head() != nil
	}
	if len(c.replies) > 0 && c.Out.CanPut() {
		c.Out.Put(c.replies[0])
		copy(c.replies, c.replies[1:])
		c.replies = c.replies[:len(c.replies)-1]
	}
	return again || len(c.replies) > 0
}

// Load prepares the idle cache for the launch of a program.
func (c *L1I) Load(p *program.Program) { c.cache.begin(p.Code, p.End()) }

// Flush drops the lines of the cache. Nothing may be in flight.
func (c *L1I) Flush() { c.cache.tags.Reset() }
