package l1

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// Cache is a first-level cache, made of two blocks.
type Cache struct {
	Tags *Tags
	Data *Data // nil: the tags answer hits by themselves, see Spec.single
}

// New builds a cache. kind distinguishes the statistics of data
// and texture caches: "l1" or "texture".
func New(name, kind string, d *wire.Domain, s Spec, r *stats.Registry) (*Cache, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	tags, err := newTags(name+".Tags", kind, d, s, r)
	if err != nil {
		return nil, err
	}
	c := &Cache{Tags: tags}
	if !s.single() {
		c.Data = newData(name+".Data", d, &s)
		wire.Connect(&tags.Access, &c.Data.In, toData)
		tags.answers = wire.NewCredit(&tags.Access, &c.Data.Hit)
	}
	return c, nil
}

// Sides returns the ports of the cache for the memory side to join.
func (c *Cache) Sides() *Ports {
	t := c.Tags
	p := &Ports{In: &t.In, Hit: &t.Hit, Fill: &t.Fill, Miss: &t.Miss, Reply: &t.Reply,
		HitLatency: t.spec.pipeline(), HitStages: t.spec.pipeline(), Hits: t.spec.mostHits(), Fills: t.spec.fills(),
		MissQueue: t.spec.MissQueue}
	if c.Data != nil {
		p.Hit = &c.Data.Hit
		p.HitLatency -= toData
	}
	if t.notes {
		p.Missed = &t.Missed
	}
	return p
}

// Ports are the ports between a first-level cache and its SM. The cache is
// a Cache or a register file holding the lines. Links have a latency of 1 cycle,
// except the link of Hit.
type Ports struct {
	In    *wire.InPort[req.Txn]     // from the coalescer, in order
	Hit   *wire.OutPort[req.Done]   // to the access unit: hits, and stores written into the cache
	Fill  *wire.OutPort[req.Done]   // to the access unit: transactions answered after a reply
	Miss  *wire.OutPort[req.Packet] // to the interconnect
	Reply *wire.InPort[req.Packet]
	// Missed goes to the access unit: see Tags.NoteMisses. Nil: misses are not reported.
	Missed *wire.OutPort[req.Missed]

	HitLatency int // of Hit's link, in cycles, at least 1
	HitStages  int // stages of the hit pipeline, at least HitLatency: each has room for Hits messages
	Hits       int // most messages on Hit in a cycle
	Fills      int // most messages on Fill in a cycle; 0: one
	MissQueue  int // capacity in packets
}

// mostHits returns the most transactions looked up in a cycle.
func (s *Spec) mostHits() int {
	if s.TagBanks > 1 {
		return s.TagBanks
	}
	return s.Banks
}

// fills returns the most transactions answered after a reply in a cycle. Measured loads that wait for a line pass as
// fast as loads that hit (lab/docs/silicon.md), so the tag banks answer as many as they look up.
func (s *Spec) fills() int { return s.TagBanks }

// Lines gives untimed access to the lines of a cache.
type Lines struct {
	core  *cache.Core[req.Done]
	store int // write policy of global stores
}

// Lines returns the lines of the cache itself.
func (c *Tags) Lines() Lines { return Lines{c.core, c.policy[0]} }

// Shadow returns the lines of an empty copy of the cache, of its present size, so that their use leaves the cache
// alone.
func (c *Tags) Shadow() Lines { return Lines{c.core.Empty(), c.policy[0]} }

// Load touches sectors of a line as a load does, and returns the sectors to fetch from the L2.
func (t Lines) Load(addr uint64, sectors uint8) (missing uint8) {
	return t.core.Touch(addr, sectors, false)
}

// Store updates sectors of a line as a global store does, by the write policy of global stores, or as an atomic
// does: an atomic drops the line.
func (t Lines) Store(addr uint64, sectors uint8, atomic bool) {
	switch {
	case atomic || t.store == evict:
		t.core.Forget(addr)
	case t.store == back:
		t.core.Touch(addr, sectors, true)
	default:
		t.core.TouchFound(addr)
	}
}

// Data is the data array of a first-level cache.
type Data struct {
	wire.Comp
	In  wire.InPort[Access]
	Hit wire.OutPort[req.Done]

	banks banks
}

// Access is a hit: its place in the data array, and its answer.
type Access struct {
	Place
	Done req.Done
}

// toData is the latency of the link from the tags to the data array. The link behind
// the data array is as much shorter.
const toData = 1

// newData builds the data array of a cache.
func newData(name string, d *wire.Domain, s *Spec) *Data {
	x := &Data{banks: newBanks(s)}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", (toData+1)*s.mostHits())
	x.Hit.Init(&x.Comp, "Hit")
	return x
}

// Tick serves accesses in order, each as soon as its banks are free. The tags send none
// before.
func (x *Data) Tick(now wire.Cycle) bool {
	for a := x.In.Head(); a != nil; a = x.In.Head() {
		if at := x.banks.ready(now, &a.Place); at > now {
			x.WakeAt(at)
			return false
		}
		if !x.Hit.CanPut() {
			return false
		}
		x.banks.take(now, &a.Place)
		x.Hit.Put(a.Done)
		x.In.Pop()
	}
	return false
}

// Waiting describes the accesses waiting for banks, or for room in the hit pipeline.
func (x *Data) Waiting() string {
	if n := x.In.Len(); n > 0 {
		return fmt.Sprintf("%d hits wait for %s", n, x.Hit.Name())
	}
	return ""
}

// causes of the transactions sent to a first-level cache.
var causes = []req.Cause{req.GlobalLoad, req.GlobalStore, req.GlobalAtomic, req.LocalLoad, req.LocalStore,
	req.TextureLoad, req.Prefetch}

// counters are the counts of a first-level cache beside its core's.
type counters struct {
	bypassed       uint64
	sent, received [req.NumCauses]uint64
}

func (c *Tags) register(kind string, r *stats.Registry) {
	n, k := c.Name(), "mem."+kind+"."
	c.core.Register(r, n, k, "transactions", "L2", causes)
	c.stalls.Register(r, n, k, "transactions", "at the head")
	r.Count(k+"bypassed", stats.Accesses, "loads that bypassed the cache", n, &c.counts.bypassed)
	for _, cause := range []req.Cause{req.GlobalLoad, req.LocalLoad, req.TextureLoad, req.Prefetch, req.GlobalAtomic} {
		r.Count(k+"bytes_in."+cause.String(), stats.Bytes, "data received from the L2: "+cause.String(), n,
			&c.counts.received[cause])
	}
	for _, cause := range []req.Cause{req.GlobalStore, req.LocalStore, req.GlobalAtomic, req.WriteBack} {
		r.Count(k+"bytes_out."+cause.String(), stats.Bytes, "data sent to the L2: "+cause.String(), n,
			&c.counts.sent[cause])
	}
}
