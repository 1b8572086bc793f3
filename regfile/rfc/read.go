package rfc

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

// takeReads looks up the arrived requests in order. It returns true when one must wait.
func (c *Cache) takeReads(now wire.Cycle) (held bool) {
	for r := c.Request.Head(); r != nil; r = c.Request.Head() {
		if !c.request(r, now) {
			c.count.readWaits++
			return true
		}
		c.Request.Pop()
	}
	return false
}

// request looks up the registers of a request and sends the missing ones on to the main file. It returns false when
// a register must wait; the registers before it are served.
func (c *Cache) request(r *bank.Request, now wire.Cycle) bool {
	var on *bank.Request
	for ; c.taken < r.N; c.taken++ {
		found := c.lookUp(r, c.taken, on != nil, now)
		if found == wait {
			break
		}
		c.count.reads++
		if found == hit {
			c.count.readHits++
			continue
		}
		if c.spec.AllocateReads {
			c.fills.under++
		}
		if r.Lanes == 0 {
			c.count.idle++
		}
		if on == nil {
			on = c.Read.Slot()
			*on = *r
			on.N, on.Hint = 0, [bank.MaxReads]bank.Hint{}
		}
		n, i := on.N, c.taken
		on.Bank[n], on.Entry[n], on.Reg[n], on.Slot[n] = r.Bank[i], r.Entry[i], r.Reg[i], r.Slot[i]
		on.N++
	}
	if on != nil {
		c.Read.PutSlot()
	}
	if c.taken < r.N {
		return false
	}
	c.taken = 0
	return true
}

// outcome is the result of a lookup.
type outcome uint8

const (
	wait outcome = iota // some port or queue is full
	hit                 // the value is on its way to the collector, or will be
	miss                // the value is read from the main file
)

// lookUp looks up register i of a request. begun: a message to the main file is already begun.
func (c *Cache) lookUp(r *bank.Request, i uint8, begun bool, now wire.Cycle) outcome {
	k := keyOf(r.Warp, r.Reg[i])
	group, e := c.place(r.Warp, k), -1
	if group >= 0 {
		e = c.store.find(group, k)
	}
	if e >= 0 && r.Lanes&^c.store.valid[e] == 0 {
		return c.give(e, r, i, now)
	}
	if e >= 0 && r.Lanes != 0 && r.Lanes&^c.store.filling[e] == 0 {
		return c.fills.join(c.fills.of[e], r, i, &c.count)
	}
	if !begun && !c.Read.CanPut() || c.fills.under == c.fills.limit {
		return wait
	}
	switch {
	case e >= 0 && r.Lanes&c.store.valid[e] != 0:
		if !c.split(e, now) {
			return wait
		}
	case e < 0 && group >= 0 && c.wanted(r, i):
		if e = c.allocate(group, k); e < 0 {
			return wait
		}
	}
	if e >= 0 && c.wanted(r, i) && c.store.filling[e] == 0 {
		c.store.filling[e] = r.Lanes
		c.fills.expect(e, k, r, i)
	}
	return miss
}

// give sends the value of entry e to the collector.
func (c *Cache) give(e int, r *bank.Request, i uint8, now wire.Cycle) outcome {
	if !c.Operand.CanPut() || !c.reads.take(now) {
		return wait
	}
	v := c.Operand.Slot()
	v.Content = version0
	if c.store.content != nil {
		v.Content = c.store.content[e]
	}
	v.Tag, v.To, v.Slot, v.Cause = r.Tag, r.To, r.Slot[i], r.Cause
	c.Operand.PutSlot()
	c.count.groupReads += bank.LaneGroups(r.Lanes)
	c.store.touch(e)
	if c.spec.hints() {
		c.know(e, r.Lanes, r.Hint[i])
	}
	return hit
}

// split prepares a read of more lanes than entry e has. It writes the dirty lanes to the main file, so that the
// read finds all lanes there.
func (c *Cache) split(e int, now wire.Cycle) bool {
	if c.store.flags[e]&dirty != 0 {
		if !c.Write.CanPut() || !c.reads.take(now) {
			return false
		}
		c.writeBack(e, bank.Eviction)
		c.store.flags[e] &^= dirty
		c.count.partialWritebacks++
	}
	c.count.partial++
	return true
}

// wanted reports whether a register read from the main file is also to be filled into the cache.
func (c *Cache) wanted(r *bank.Request, i uint8) bool {
	return c.spec.AllocateReads && r.Lanes != 0 && r.Hint[i]&readLast == 0 && !c.places.leaving(r.Warp)
}
