package coalescer

import (
	"fmt"
	"math/bits"

	"kumiko/components/cause"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

// LocalBase is the physical address of local memory, far above
// all addresses of programs, with one region of 4 GB per SM.
const LocalBase = 1 << 40

// Spec is how addresses are coalesced.
type Spec struct {
	Segment int `toml:"segment_bytes" unit:"bytes" doc:"size of the pieces that a load fetches. 128: whole lines. 32: the touched sectors of each line"`
	Around  int `toml:"bypass_segment_bytes" unit:"bytes" doc:"size of the pieces that a load fetches when it bypasses the L1. 128: as segment_bytes. 32: the touched sectors"`
	Queue   int `toml:"queue" unit:"instructions" range:"1 to 65536" doc:"instructions that may wait in front of the coalescer"`
	Rate    int `toml:"transactions_per_cycle" unit:"transactions per cycle" range:"1 to 1024" doc:"most transactions of one instruction that leave in a cycle"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error {
	switch {
	case s.Segment != req.LineBytes && s.Segment != req.SectorBytes:
		return spec.Errorf("segment_bytes", s.Segment, "%d or %d", req.LineBytes, req.SectorBytes)
	case s.Around != req.LineBytes && s.Around != req.SectorBytes:
		return spec.Errorf("bypass_segment_bytes", s.Around, "%d or %d", req.LineBytes, req.SectorBytes)
	}
	return spec.Ranges(s)
}

// Coalescer is an address coalescing unit.
type Coalescer struct {
	wire.Comp
	In      wire.InPort[req.Part]
	L1      wire.OutPort[req.Txn]
	Texture wire.OutPort[req.Txn]

	spec  Spec
	warps uint64 // contexts sharing the interleaved local memory
	local uint64 // base of the SM's local memory

	cur  splitter
	next int // first unsent transaction

	instructions uint64
	transactions uint64
	sectors      uint64
}

// SM is the SM of a coalescer: its number, from 0, and its warp contexts, at
// least 1.
type SM struct{ Number, Contexts int }

// New builds the coalescer of an SM.
func New(name string, d *wire.Domain, s Spec, sm SM, r *stats.Registry) (*Coalescer, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if sm.Contexts < 1 || sm.Number < 0 {
		return nil, spec.Errorf("warps", sm.Contexts, "at least 1")
	}
	c := &Coalescer{spec: s, warps: uint64(sm.Contexts), local: LocalBase + uint64(sm.Number)<<32}
	c.Init(name, d, c)
	c.In.Init(&c.Comp, "In", s.Queue)
	c.L1.Init(&c.Comp, "L1")
	c.Texture.Init(&c.Comp, "Texture")
	r.Count("mem.coalescer.instructions", stats.Instructions,
		"warp memory instructions that were coalesced, one per state space", name, &c.instructions)
	r.Count("mem.coalescer.transactions", stats.Accesses,
		"transactions sent to the L1 and texture caches: distinct lines per instruction", name, &c.transactions)
	r.Count("mem.coalescer.sectors", stats.Accesses, "sectors of 32 bytes that the coalescer's transactions "+
		"request or carry",
		name, &c.sectors)
	return c, nil
}

// Tick sends transactions of one instruction.
func (c *Coalescer) Tick(wire.Cycle) bool {
	if c.next == c.cur.n && !c.load() {
		return false
	}
	out := &c.L1
	if c.cur.cause == req.TextureLoad {
		out = &c.Texture
	}
	for n := 0; n < c.spec.Rate && c.next < c.cur.n; n++ {
		if !out.CanPut() {
			out.Held()
			return false
		}
		out.Put(c.txn())
		c.next++
	}
	if c.next < c.cur.n {
		c.Holds(cause.Cache) // more transactions than leave in a cycle
	}
	return c.next < c.cur.n || c.In.Head() != nil
}

// load splits the next instruction.
func (c *Coalescer) load() bool {
	p := c.In.Head()
	if p == nil {
		return false
	}
	c.In.Pop()
	c.split(p)
	c.next = 0
	c.instructions++
	return true
}

func (c *Coalescer) split(p *req.Part) {
	c.cur.begin(p)
	if p.Space == ir.Local {
		c.cur.local(p, c.local, c.warps)
	} else {
		c.cur.linear(p)
	}
}

// txn returns the next transaction to send.
func (c *Coalescer) txn() req.Txn {
	s := &c.cur
	g := &s.seg[c.next]
	t := req.Txn{
		Addr: g.line * req.LineBytes, Slot: s.slot, Warp: s.warp, Index: s.index, Of: uint8(s.n),
		Kind: s.kind, Cause: s.cause, Bypass: s.bypass, ReadOnly: s.nc, Sectors: g.sectors, Bytes: g.bytes(),
		Words: g.words(),
	}
	switch s.kind {
	case req.Read:
		t.Around = t.Sectors
		if min(c.spec.Around, c.spec.Segment) == req.LineBytes {
			t.Around = req.AllSectors
		}
		if c.spec.Segment == req.LineBytes {
			t.Sectors = req.AllSectors
		}
	case req.Write:
		t.Full = g.full()
	default:
		t.Ops, t.Depth = g.lanes, g.depth()
	}
	c.transactions++
	c.sectors += uint64(bits.OnesCount8(t.Sectors))
	return t
}

// Waiting names the cache without room for the next transaction.
func (c *Coalescer) Waiting() string {
	if c.next == c.cur.n && c.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d transactions of a %s to send to the L1 or texture cache, %d instructions behind",
		c.cur.n-c.next, c.cur.cause, c.In.Len())
}
