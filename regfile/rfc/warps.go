package rfc

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// takeNotices processes the notices of warp events.
func (c *Cache) takeNotices() {
	for i := range c.Notices {
		in := &c.Notices[i]
		for m := in.Take(); m != nil; m = in.Take() {
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
			case regfile.WarpIssued:
				if m.From > 0 {
					c.forget(m.Warp, ir.RegID(m.From))
				}
			}
		}
	}
}

// enter lets a newly active warp use the cache.
func (c *Cache) enter(warp uint16) {
	p := &c.places
	if p.of[warp] >= 0 {
		if p.leaving(warp) { // registers not yet written back stay
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

// drop drops the registers of a finished warp, after all its operands were read. Results still on their way to it
// go to the main file.
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

// forget drops the registers given up by a warp, from number first on. No lane needs them, and their places in the
// main file may already belong to another warp.
func (c *Cache) forget(warp uint16, first ir.RegID) {
	if c.places.of[warp] < 0 {
		return
	}
	from, to := c.entries(warp)
	for i := from; i < to; i++ {
		if k := c.store.key[i]; k == 0 || k.warp() != warp || k.reg() < first {
			continue
		}
		if c.store.owes(i) {
			c.count.dropped++
		}
		c.store.free(i)
	}
}

// entries returns the range of entries with a warp's registers.
func (c *Cache) entries(warp uint16) (from, to int) {
	if c.places.shared {
		return 0, len(c.store.key)
	}
	from = int(c.places.of[warp]) * c.store.ways
	return from, from + c.store.ways
}

// vacate frees a warp's place for a waiting warp.
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
