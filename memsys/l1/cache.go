package l1

import (
	"fmt"

	"kumiko/components/mshr"
	"kumiko/components/stats"
	"kumiko/components/tagarray"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// Reason is why a transaction waits at the head of the cache: a reservation
// failure.
type Reason uint8

// Reasons.
const (
	Ready        Reason = iota
	NoLine              // every way of the set waits for data
	NoEntry             // no miss status holding register
	NoMerge             // as many accesses as one register holds wait for the line
	MissQueue           // no room towards the interconnect
	Pipeline            // no room in the hit pipeline
	BankConflict        // a data bank that it uses is occupied
	numReasons
)

var reasonNames = [numReasons]string{"ready", "no_line", "no_mshr_entry", "no_mshr_merge", "miss_queue", "pipeline", "bank_conflict"}

// write policies
const (
	through = iota
	evict
	back
)

// Cache is a first-level cache.
type Cache struct {
	wire.Comp
	In    wire.InPort[req.Txn]
	Hit   wire.OutPort[req.Done]
	Fill  wire.OutPort[req.Done]
	Miss  wire.OutPort[req.Packet]
	Reply wire.InPort[req.Packet]

	spec   Spec
	policy [2]int // write policy: global, local
	whole  bool   // a sector is a line
	onFill bool   // a missing line gets its place when it comes, otherwise when it misses
	tags   *tagarray.Array
	mshr   *mshr.File[req.Done]
	drain  int // register whose accesses are being answered, or -1
	banks  banks

	reason Reason // of the transaction at the head
	since  wire.Cycle

	c counters
}

// New builds a cache. kind is the part of its statistics' names that tells data
// from texture caches: "l1" or "texture".
func New(name, kind string, d *wire.Domain, s Spec, r *stats.Registry) (*Cache, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	tags, err := tagarray.New(s.Tags)
	if err != nil {
		return nil, err
	}
	regs, err := mshr.New[req.Done](s.MSHR)
	if err != nil {
		return nil, err
	}
	c := &Cache{spec: s, tags: tags, mshr: regs, drain: -1, whole: s.Tags.Sector == req.LineBytes, onFill: s.Allocate == "on_fill", banks: newBanks(&s)}
	for i, p := range [2]string{s.Write, s.LocalWrite} {
		c.policy[i] = map[string]int{"through": through, "evict": evict, "back": back}[p]
	}
	c.Init(name, d, c)
	c.In.Init(&c.Comp, "In", s.Queue)
	c.Hit.Init(&c.Comp, "Hit")
	c.Fill.Init(&c.Comp, "Fill")
	c.Miss.Init(&c.Comp, "Miss")
	c.Reply.Init(&c.Comp, "Reply", 2)
	c.register(kind, r)
	return c, nil
}

// Pipeline is the depth of the hit pipeline: the latency of the link of Hit.
func (c *Cache) Pipeline() int { return c.spec.Latency - Overhead }

// Spec is what the cache was built from.
func (c *Cache) Spec() *Spec { return &c.spec }

// Flush drops every line, as between the launches of kernels. Nothing may be
// under way.
func (c *Cache) Flush() { c.tags.Reset() }

// Tick answers accesses whose data has come, takes a reply, and looks
// transactions up.
func (c *Cache) Tick(now wire.Cycle) bool {
	more := c.answer(now)
	for c.lookup(now) {
	}
	return more
}

// answer completes one access per cycle.
func (c *Cache) answer(now wire.Cycle) bool {
	if c.drain < 0 && !c.take(now) {
		return false
	}
	if c.drain < 0 {
		return c.Reply.Head() != nil
	}
	e := c.drain
	if d := c.mshr.Next(e); d != nil {
		if !c.Fill.CanPut() {
			return false
		}
		c.Fill.Put(*d)
		c.mshr.Drop(e)
		if c.mshr.Next(e) != nil {
			return true
		}
	}
	if c.mshr.Done(e) {
		c.mshr.Close(now, e)
	}
	c.drain = -1
	return c.Reply.Head() != nil
}

// take accepts the next reply. It returns false when there is none, or when it
// cannot be accepted yet.
func (c *Cache) take(now wire.Cycle) bool {
	p := c.Reply.Head()
	if p == nil {
		return false
	}
	if d, ok := req.TagDone(p.Tag); ok {
		if !c.Fill.CanPut() {
			return false
		}
		c.Fill.Put(d)
		c.Reply.Pop()
		c.c.received[p.Cause] += uint64(p.Data())
		return true
	}
	c.Reply.Pop()
	c.fill(p)
	return true
}

// fill puts arrived sectors into the cache.
func (c *Cache) fill(p *req.Packet) {
	e := int(p.Tag)
	c.mshr.Arrive(e, p.Sectors)
	c.drain = e
	c.c.fills++
	c.c.received[p.Cause] += uint64(p.Data())
	sectors := c.sectors(p.Sectors)
	i := c.tags.Find(p.Addr)
	if i < 0 && c.onFill {
		i = c.place(p.Addr)
	}
	if i >= 0 {
		c.tags.Fill(i, sectors)
	} else {
		c.c.unkept++
	}
}

// place gives a line that has arrived its place, or -1 when it cannot be kept.
func (c *Cache) place(addr uint64) int {
	v := c.tags.Victim(addr)
	if v < 0 || c.tags.Dirty(v) != 0 && !c.Miss.CanPut() {
		return -1
	}
	c.replace(v, addr)
	return v
}

// replace puts a line into entry v; a dirty line that was there is written
// back, for which there is room.
func (c *Cache) replace(v int, addr uint64) {
	old := c.tags.Replace(v, addr, 0)
	if !old.Present {
		return
	}
	c.c.evictions++
	if old.Dirty != 0 {
		c.writeBack(old.Addr, old.Dirty, old.Valid)
	}
}

// writeBack sends dirty sectors of a line; those that are valid are sent whole.
func (c *Cache) writeBack(addr uint64, dirty, valid uint8) {
	if c.whole {
		dirty = req.AllSectors
		if valid != 0 {
			valid = req.AllSectors
		}
	}
	c.c.writeBacks++
	c.send(req.Packet{
		Addr: addr, Kind: req.Write, Cause: req.WriteBack, Posted: true,
		Sectors: dirty, Full: dirty & valid, Bytes: req.SectorBytes * ones(dirty),
	})
}

func (c *Cache) send(p req.Packet) {
	c.c.sent[p.Cause] += uint64(p.Bytes)
	c.Miss.Put(p)
}

// sectors translates sectors of 32 bytes to those of the tags.
func (c *Cache) sectors(m uint8) uint8 {
	if !c.whole || m == 0 {
		return m
	}
	return 1
}

// full is sectors for masks of completely covered ones.
func (c *Cache) full(m uint8) uint8 {
	if !c.whole {
		return m
	}
	if m == req.AllSectors {
		return 1
	}
	return 0
}

func ones(m uint8) uint8 { return m&1 + m>>1&1 + m>>2&1 + m>>3&1 }

// Waiting says what the transaction at the head and the outstanding lines wait
// for.
func (c *Cache) Waiting() string {
	t := c.In.Head()
	if t == nil && c.mshr.Used() == 0 {
		return ""
	}
	s := fmt.Sprintf("%d lines from %s", c.mshr.Used(), c.Miss.Name())
	if t != nil {
		s += fmt.Sprintf(", %s of line %#x at the head: %s", t.Cause, t.Addr, reasonNames[c.reason])
	}
	return s
}
