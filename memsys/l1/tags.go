package l1

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Reasons of first-level caches, beside cache.Reasons, for a wait at the head. cache.Full
// means no room towards the interconnect.
const (
	Pipeline     = cache.NumReasons + iota // no room in the hit pipeline
	BankConflict                           // one of its data banks is occupied
)

// write policies
const (
	through = iota
	evict
	back
)

// Tags are the tags of a first-level cache, with its miss status holding registers, its
// replacement, and the schedule of its data banks.
type Tags struct {
	wire.Comp
	In wire.InPort[req.Txn]
	// Access sends hits to the data array. A cache with single-cycle hits has no such port, and answers through
	// Hit.
	Access  wire.OutPort[Access]
	answers wire.Credit // room for answers behind the data array, so that no answer waits in it
	Hit     wire.OutPort[req.Done]
	Fill    wire.OutPort[req.Done]
	Miss    wire.OutPort[req.Packet]
	Reply   wire.InPort[req.Packet]
	// Missed reports transactions not answered by the cache itself to the access unit,
	// if NoteMisses has been called.
	Missed wire.OutPort[req.Missed]
	notes  bool

	spec   Spec
	policy [2]int `soft:"constants"` // write policy: global, local
	core   *cache.Core[req.Done]
	banks  banks // when the data banks are free, as a look-up sees them
	tags   tagBanks

	reuse  *reuse       // nil: reuse is not counted
	placed Placed       // nil: nobody follows the lines
	asked  []uint16     `soft:"for observers"` // by register: the warp context whose miss has opened it
	stalls cache.Stalls // of the transaction at the head
	counts counters     `soft:"statistics"`
}

// newTags builds the tags of a cache of a kind: see New.
func newTags(name, kind string, d *wire.Domain, s Spec, r *stats.Registry) (*Tags, error) {
	core, err := cache.New[req.Done](cache.Spec{Geometry: s.Geometry, OnFill: s.Allocate == "on_fill"})
	if err != nil {
		return nil, err
	}
	c := &Tags{spec: s, core: core, banks: newBanks(&s), tags: newTagBanks(&s),
		stalls: cache.NewStalls("pipeline", "bank_conflict")}
	for i, p := range [2]string{s.Write, s.LocalWrite} {
		c.policy[i] = map[string]int{"through": through, "evict": evict, "back": back}[p]
	}
	c.Init(name, d, c)
	c.In.Init(&c.Comp, "In", s.Queue)
	if s.single() {
		c.Hit.Init(&c.Comp, "Hit")
	} else {
		c.Access.Init(&c.Comp, "Access")
	}
	c.Fill.Init(&c.Comp, "Fill")
	c.Miss.Init(&c.Comp, "Miss")
	c.Reply.Init(&c.Comp, "Reply", 2)
	c.register(kind, r)
	return c, nil
}

// Flush drops every line, as between the launches of kernels. Nothing may be
// in flight.
func (c *Tags) Flush() {
	c.core.Reset()
	c.dropped()
}

// Tick answers accesses with arrived data, accepts a reply, and looks
// transactions up.
func (c *Tags) Tick(now wire.Cycle) bool {
	more := c.complete(now)
	if c.tags.queue != nil {
		more = c.lookups(now) || more
	} else {
		for c.lookup(now) {
		}
	}
	if c.reuse != nil {
		c.reuse.hold(now, c.core.Lines())
	}
	return more
}

// complete accepts a reply, and answers the transactions waiting for its sectors: as many per cycle as the tag banks
// look up.
func (c *Tags) complete(now wire.Cycle) bool {
	if !c.core.Draining() && !c.take() {
		return false
	}
	for range c.spec.fills() {
		d := c.core.Due(now)
		if d == nil {
			break
		}
		if !c.Fill.CanPut() {
			return false
		}
		c.Fill.Put(*d)
		if !c.core.Answered(now) {
			break
		}
	}
	return c.core.Draining() || c.Reply.Head() != nil
}

// take accepts the next reply. It returns false when there is none, or when it
// cannot be accepted yet.
func (c *Tags) take() bool {
	p := c.Reply.Head()
	if p == nil {
		return false
	}
	if d, ok := req.TagDone(p.Tag); ok {
		if !c.Fill.CanPut() {
			return false
		}
		c.Fill.Put(d)
	} else {
		v := c.core.Fill(p.Tag, 0, p.Sectors, c.Miss.Room(cache.MostSent))
		c.writeBack(&v)
		if c.placed != nil && c.spec.Allocate == "on_fill" {
			c.place(p.Addr, &v, c.asked[p.Tag])
		}
	}
	c.counts.received[p.Cause] += uint64(p.Data())
	c.Reply.Pop()
	return true
}

// writeBack sends the dirty sectors of an evicted line. Those that are valid too are written whole.
func (c *Tags) writeBack(v *cache.Victim) {
	if v.Dirty == 0 {
		return
	}
	c.send(req.Packet{
		Addr: v.Addr, Kind: req.Write, Cause: req.WriteBack, Flags: req.Posted,
		Sectors: v.Dirty, Full: v.Dirty & v.Valid, Bytes: req.SectorBytes * ones(v.Dirty),
	})
}

func (c *Tags) send(p req.Packet) {
	c.counts.sent[p.Cause] += uint64(p.Bytes)
	c.Miss.Put(p)
}

func ones(m uint8) uint8 { return m&1 + m>>1&1 + m>>2&1 + m>>3&1 }

// Waiting describes the wait of the transaction at the head, and the outstanding lines.
func (c *Tags) Waiting() string {
	head := ""
	if t := c.head(); t != nil {
		head = c.stalls.Head(t.Cause, t.Addr)
	}
	return c.core.Waiting(c.Miss.Name(), head)
}

// Resize changes the number of sets. If the number is a new one, every line is
// dropped, as by Flush. Nothing may be in flight.
func (c *Tags) Resize(sets int) error {
	before := c.core.Sets()
	if err := c.core.Resize(sets); err != nil || c.core.Sets() == before {
		return err
	}
	c.dropped()
	return nil
}

// NoteMisses enables reports of misses on Missed. A transaction then
// waits for room there, as for room in the hit pipeline.
func (c *Tags) NoteMisses() {
	c.notes = true
	c.Missed.Init(&c.Comp, "Missed")
}

// mute reports whether there is no room to report a miss.
func (c *Tags) mute() bool { return c.notes && !c.Missed.CanPut() }

// note reports a transaction not answered by the cache itself, once it has been
// served. It returns the reason.
func (c *Tags) note(t *req.Txn, r cache.Reason) cache.Reason {
	if c.notes && r == cache.Ready {
		c.Missed.Put(req.Missed{Slot: t.Slot})
	}
	return r
}
