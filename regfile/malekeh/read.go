package malekeh

import (
	"slices"

	"kumiko/components/bank"
)

// takeRequests serves requests, the oldest first: all of warps that have a unit, and one more. It returns true if
// requests are left.
func (u *Units) takeRequests() bool {
	for r := u.Request.Head(); r != nil && len(u.pending) < cap(u.pending); r = u.Request.Head() {
		u.pending = append(u.pending, *r)
		u.Request.Pop()
	}
	first := -1 // the oldest of a warp without a unit
	for i := 0; i < len(u.pending); {
		r := &u.pending[i]
		c := u.of(r.Warp)
		if c == nil && first < 0 {
			first = i
		}
		if c == nil || !u.collect(c, r) {
			i++
			continue
		}
		u.pending = slices.Delete(u.pending, i, i+1)
	}
	if first >= 0 {
		if c := u.take(u.pending[first].Warp); c != nil && u.collect(c, &u.pending[first]) {
			u.pending = slices.Delete(u.pending, first, first+1)
		}
	}
	u.count.waits += uint64(len(u.pending))
	return len(u.pending) > 0
}

// take gives a unit to a warp, the one to be read again latest; among equals the one with fewest values to be read.
// It returns nil if all units collect operands, or have near values and the wait is not over.
func (u *Units) take(warp uint16) *unit {
	var best *unit
	least, live := 0, 0
	for i := range u.units {
		c := &u.units[i]
		if c.under > 0 {
			continue
		}
		l, n := c.outlook()
		if best == nil || l > least || l == least && n < live {
			best, least, live = c, l, n
		}
	}
	switch {
	case best == nil:
		u.count.busy++
		return nil
	case least > u.spec.Near:
	case u.waits < u.spec.Wait:
		u.waits++
		u.count.held++
		return nil
	default:
		u.waits = 0
		u.count.forced++
	}
	u.count.taken++
	u.assign(best, warp, true)
	return best
}

// none is the distance of a unit without values to be read again.
const none = 256

// outlook returns the shortest distance of a unit's values to be read again, and their number.
func (c *unit) outlook() (least, live int) {
	least = none
	for i := range c.entries {
		if e := &c.entries[i]; e.used && e.next > 0 {
			least = min(least, int(e.next))
			live++
		}
	}
	return least, live
}

// collect looks up the registers of a request in the unit of its warp, and sends the missing ones on to the banks.
// It returns false, without any effect, if the unit collects for another operation or a port is full.
func (u *Units) collect(c *unit, r *bank.Request) bool {
	if c.under > 0 && c.tag != r.Tag || !u.Read.CanPut() || u.Operand.Room() < int(r.N) {
		return false
	}
	c.tag = r.Tag
	var on *bank.Request
	for i := range r.N {
		u.count.reads++
		if u.look(c, r, i) {
			continue
		}
		if on == nil {
			on = u.Read.Slot()
			*on = *r
			on.N, on.Hint = 0, [bank.MaxReads]bank.Hint{}
		}
		n := on.N
		on.Bank[n], on.Entry[n], on.Reg[n], on.Slot[n] = r.Bank[i], r.Entry[i], r.Reg[i], r.Slot[i]
		on.N++
		c.under++
	}
	if on != nil {
		u.Read.PutSlot()
	}
	return true
}

// look gives register i of a request to the collector, if the unit has its lanes. Otherwise it keeps an entry for
// the lanes that it lacks, and returns false.
func (u *Units) look(c *unit, r *bank.Request, i uint8) bool {
	e := c.find(r.Reg[i])
	if e != nil && r.Lanes&^e.valid == 0 {
		v := u.Operand.Slot()
		*v = bank.Value{Tag: r.Tag, To: r.To, Slot: r.Slot[i], Cause: r.Cause}
		if u.check {
			v.Content = e.content
		}
		u.Operand.PutSlot()
		c.use(e, r.Hint[i])
		u.count.hits++
		u.count.groupReads += bank.LaneGroups(r.Lanes)
		return true
	}
	if e == nil {
		e = c.claim(r.Reg[i])
	}
	if e != nil {
		c.use(e, r.Hint[i])
		if e.filling == 0 {
			e.filling, e.slot = r.Lanes&^e.valid, r.Slot[i]
		}
	}
	return false
}
