package rfc

import (
	"kumiko/components/wire"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// nowhere is the place of a warp that has none.
const nowhere = -1

// places says which warps may have registers in the cache, and where: a
// partition each, or, where the entries are shared, all of them anywhere.
type places struct {
	of     []int16 // by warp: its partition; with shared entries 0; or nowhere
	own    []int16 // by warp, where there is a partition for each: that one
	shared bool
	groups int
	free   []int16         // partitions without a warp, the next to be given last
	away   regfile.WarpSet // warps whose registers are being written back
	queue  []uint16        // active warps that wait for a partition, the first of them first
}

// init prepares the places. roomy: there is a partition for every warp.
func (p *places) init(s *Spec, part *conventional.Part, groups int, roomy bool) {
	warps := part.Env.Warps
	p.shared, p.groups = s.Organisation == Shared, groups
	p.of, p.queue = make([]int16, warps), make([]uint16, 0, warps)
	for w := range p.of {
		p.of[w] = nowhere
	}
	if p.shared {
		return
	}
	if roomy {
		p.own = make([]int16, warps)
		n := int16(0)
		for w := range p.own {
			if s := w % part.Env.Schedulers; s >= part.First && s < part.First+part.Schedulers {
				p.own[w] = n
				n++
			}
		}
		return
	}
	for g := groups - 1; g >= 0; g-- {
		p.free = append(p.free, int16(g))
	}
}

// leaving tells whether a warp's registers are being written back.
func (p *places) leaving(warp uint16) bool { return p.away.Has(int(warp)) }

// permanent tells whether warps need not be active to have a place.
func (p *places) permanent() bool { return p.shared || p.own != nil }

// enter gives a warp a place. It returns false if the warp must wait for one.
func (p *places) enter(warp uint16) bool {
	switch {
	case p.shared:
		p.of[warp] = 0
	case p.own != nil:
		p.of[warp] = p.own[warp]
	case len(p.free) > 0:
		last := len(p.free) - 1
		p.of[warp] = p.free[last]
		p.free = p.free[:last]
	default:
		p.queue = append(p.queue, warp)
		return false
	}
	return true
}

// vacate takes a warp's place, and returns the waiting warp that has it now.
func (p *places) vacate(warp uint16) (next uint16, ok bool) {
	at := p.of[warp]
	p.of[warp] = nowhere
	if p.permanent() {
		return 0, false
	}
	if len(p.queue) == 0 {
		p.free = append(p.free, at)
		return 0, false
	}
	next = p.queue[0]
	p.unqueue(0)
	p.of[next] = at
	return next, true
}

func (p *places) unqueue(i int) {
	p.queue = p.queue[:i+copy(p.queue[i:], p.queue[i+1:])]
}

// takeNotices follows the warps.
func (c *Cache) takeNotices() {
	for i := range c.Notices {
		in := &c.Notices[i]
		for m := in.Head(); m != nil; m = in.Head() {
			switch m.Event {
			case regfile.WarpStarted:
				if c.places.permanent() {
					c.enter(m.Warp)
				}
			case regfile.WarpActivated:
				c.enter(m.Warp)
			case regfile.WarpSuspended:
				if c.spec.Flush {
					c.leave(m.Warp)
				}
			case regfile.WarpExited, regfile.WarpFinished:
				c.drop(m.Warp)
			}
			in.Pop()
		}
	}
}

// enter lets a warp use the cache: it is active.
func (c *Cache) enter(warp uint16) {
	p := &c.places
	if p.of[warp] >= 0 {
		if p.leaving(warp) { // what is not yet written back stays
			p.away.Remove(int(warp))
			c.job.cancel(warp)
		}
		return
	}
	if !p.enter(warp) {
		c.count.shut++
		c.gate.shut(warp, true)
	}
}

// leave begins to write a warp's registers back.
func (c *Cache) leave(warp uint16) {
	if c.places.of[warp] < 0 {
		c.unqueue(warp)
		return
	}
	if !c.places.leaving(warp) {
		c.places.away.Add(int(warp))
		c.job.add(warp)
		c.count.flushes++
	}
}

// drop forgets a warp that reads nothing any more. Results that are still on
// their way to it go to the main file.
func (c *Cache) drop(warp uint16) {
	if c.places.of[warp] < 0 {
		c.unqueue(warp)
		return
	}
	from, to := c.entries(warp)
	for i := from; i < to; i++ {
		if c.store.key[i] == 0 || c.store.key[i].warp() != warp {
			continue
		}
		if c.store.owes(i) {
			c.count.dropped++
		}
		c.store.free(i)
	}
	if c.places.leaving(warp) {
		c.places.away.Remove(int(warp))
		c.job.cancel(warp)
	}
	c.vacate(warp)
}

// entries are the entries in which a warp's registers may be.
func (c *Cache) entries(warp uint16) (from, to int) {
	if c.places.shared {
		return 0, len(c.store.key)
	}
	from = int(c.places.of[warp]) * c.store.ways
	return from, from + c.store.ways
}

// vacate frees a warp's place for one that waits.
func (c *Cache) vacate(warp uint16) {
	if next, ok := c.places.vacate(warp); ok {
		c.gate.shut(next, false)
	}
}

// unqueue ends a warp's wait for a place.
func (c *Cache) unqueue(warp uint16) {
	for i, w := range c.places.queue {
		if w == warp {
			c.places.unqueue(i)
			c.gate.shut(warp, false)
			return
		}
	}
}

// gate keeps active warps without a partition from issuing. The caches of an SM
// have one in common, each the wires of its own warps.
type gate struct {
	closed regfile.WarpSet
	signal wire.Signal[regfile.WarpSet]
}

func (g *gate) shut(warp uint16, closed bool) {
	if g == nil {
		return // nobody waits
	}
	if closed {
		g.closed.Add(int(warp))
	} else {
		g.closed.Remove(int(warp))
	}
	g.signal.Set(g.closed)
}
