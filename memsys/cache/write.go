package cache

// Store writes sectors of a line into the core, and allocates a place if the line
// has none. Nothing is fetched: partly written sectors are completed when they
// are read.
func (c *Core[T]) Store(a *Access, room int) (Reason, Victim) {
	var victim Victim
	n := &c.Hits[a.Cause]
	i := c.tags.Find(a.Addr)
	if i < 0 {
		n = &c.Misses[a.Cause]
		v, r := c.claim(a.Addr, room)
		if r != Ready {
			return r, victim
		}
		victim = c.replace(v, a.Addr, a.Kind)
		i = v
	}
	*n++
	c.Write(i, a.Sectors, a.Full)
	c.tags.Touch(i)
	return Ready, victim
}

// Write makes sectors of entry i dirty. Fully written sectors become
// valid.
func (c *Core[T]) Write(i int, sectors, full uint8) {
	c.tags.Write(i, c.narrow(sectors), c.covered(full))
}

// Update is the write-through rule: it writes the sectors of a present line. The next level is written
// too.
func (c *Core[T]) Update(a *Access) {
	if i := c.found(a); i >= 0 {
		c.update(i, a)
	}
}

// Evict is the write-evict rule: the next level is written, and a present line is dropped. A line with dirty
// sectors or sectors in flight is updated instead.
func (c *Core[T]) Evict(a *Access) {
	switch i := c.found(a); {
	case i < 0:
	case c.tags.Pending(i) == 0 && c.tags.Dirty(i) == 0:
		c.tags.Invalidate(i)
	default:
		c.update(i, a)
	}
}

// found looks a written line up, and counts whether it is there.
func (c *Core[T]) found(a *Access) int {
	i := c.tags.Find(a.Addr)
	if i < 0 {
		c.Misses[a.Cause]++
	} else {
		c.Hits[a.Cause]++
	}
	return i
}

func (c *Core[T]) update(i int, a *Access) {
	c.tags.Update(i, c.covered(a.Full))
	c.tags.Touch(i)
}

// Drop evicts a line before a block behind this cache changes it. A line in flight
// stays.
func (c *Core[T]) Drop(addr uint64, room int) (Reason, Victim) {
	i := c.tags.Find(addr)
	if i < 0 || c.tags.Pending(i) != 0 {
		return Ready, Victim{}
	}
	dirty, valid := c.tags.Dirty(i), c.tags.Valid(i)
	if dirty != 0 && room < 1 {
		return Full, Victim{}
	}
	c.tags.Invalidate(i)
	return Ready, c.giveUp(addr, dirty, valid)
}
