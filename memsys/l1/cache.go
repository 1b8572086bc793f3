package l1

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
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
