package rfc

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

// takeWrites processes the arrived results. It returns true when one must wait: then no read may pass it.
func (c *Cache) takeWrites(now wire.Cycle) (held bool) {
	for a := c.Result.Head(); a != nil; a = c.Result.Head() {
		if !c.write(a, now) {
			c.count.writeWaits++
			return true
		}
		c.Result.Pop()
	}
	return false
}

// write puts a result into the cache, or sends it on to the main file. It returns false, without any effect, if
// there is no space for any part of it.
func (c *Cache) write(a *bank.Access, now wire.Cycle) bool {
	k := keyOf(a.Warp, a.Reg)
	group := c.place(a.Warp, k)
	cause := c.passes(a)
	if cause == nil && (group < 0 || c.places.leaving(a.Warp)) {
		cause = &c.count.homeless
	}
	if cause != nil {
		if !c.pass(a, group, k) {
			return false
		}
		*cause++
		return true
	}
	if !c.writes.room(now) {
		return false
	}
	i := c.store.find(group, k)
	if i < 0 {
		if i = c.allocate(group, k); i < 0 {
			return false
		}
	} else {
		c.store.touch(i)
	}
	c.count.writeConflicts += c.writes.take()
	c.count.writes++
	c.count.groupWrites += bank.LaneGroups(a.Content.Lanes)
	c.store.put(i, a.Content)
	c.store.flags[i] = dirty
	if a.Hint&madeFar != 0 {
		c.store.flags[i] |= far
	}
	return true
}

// passes returns the counter for the reason why a result bypasses the cache, or nil if it does not bypass.
func (c *Cache) passes(a *bank.Access) *uint64 {
	s := &c.spec
	switch {
	case s.BypassLong && a.Hint&madeLong != 0, s.BypassShared && a.Hint&madeShared != 0:
		return &c.count.bypassed
	case s.BypassFar && a.Hint&madeFar != 0:
		return &c.count.bypassedFar
	}
	return nil
}

// pass sends a result to the main file, and invalidates its lanes in the cache.
func (c *Cache) pass(a *bank.Access, group int, k key) bool {
	if !c.Write.CanPut() {
		return false
	}
	*c.Write.Slot() = *a
	c.Write.PutSlot()
	if group < 0 {
		return true
	}
	if i := c.store.find(group, k); i >= 0 {
		c.store.lose(i, a.Content.Lanes)
	}
	return true
}

// allocate allocates an entry for a register, evicting another one if necessary. It returns -1, without any effect,
// if there is no space for the evicted register.
func (c *Cache) allocate(group int, k key) int {
	i := c.store.victim(group)
	if c.store.key[i] != 0 {
		if !c.evict(i) {
			return -1
		}
	}
	c.store.claim(i, k)
	return i
}

func (c *Cache) evict(i int) bool {
	switch f := c.store.flags[i]; {
	case f&(dirty|dead) == dirty:
		if !c.writeBack(i, bank.Eviction) {
			return false
		}
		c.count.writebacks++
	case f&dirty != 0:
		c.count.deadElided++
	}
	c.count.evictions++
	return true
}

// writeBack sends the value of an entry to the main file.
func (c *Cache) writeBack(i int, cause bank.Cause) bool {
	if !c.Write.CanPut() {
		return false
	}
	k := c.store.key[i]
	a := c.Write.Slot()
	a.Content = c.store.holds(i)
	a.Bank, a.Entry = c.index.Find(k.warp(), k.reg())
	a.Tag, a.To, a.Slot, a.Kind, a.Cause = 0, 0, 0, bank.Write, cause
	a.Warp, a.Reg, a.Hint = k.warp(), k.reg(), 0
	c.Write.PutSlot()
	c.count.groupReads += bank.LaneGroups(c.store.valid[i])
	return true
}

// takeCaptured records the hints of operands captured elsewhere.
func (c *Cache) takeCaptured() {
	for m := c.Captured.Take(); m != nil; m = c.Captured.Take() {
		k := keyOf(m.Warp, m.Reg)
		if group := c.place(m.Warp, k); group >= 0 {
			if i := c.store.find(group, k); i >= 0 {
				c.know(i, m.Lanes, m.Hint)
			}
		}
	}
}

// know records the hints of a read of some lanes in entry i. A read of fewer lanes than the entry has never marks
// it dead.
func (c *Cache) know(i int, lanes uint32, w bank.Hint) {
	f := c.store.flags[i] &^ far
	if w&readFar != 0 {
		f |= far
	}
	if w&readLast != 0 && c.spec.Liveness && c.store.valid[i]&^lanes == 0 {
		if f&dead == 0 {
			c.count.died++
		}
		f |= dead
	}
	c.store.flags[i] = f
}
