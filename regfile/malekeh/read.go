package malekeh

import (
	"slices"

	"kumiko/components/bank"
)

// takeRequests serves requests, the oldest first, one of each unit in a cycle. Requests of warps without a unit go to
// the banks. It returns true if requests are left.
func (u *Units) takeRequests() bool {
	for r := u.Request.Head(); r != nil && len(u.pending) < cap(u.pending); r = u.Request.Head() {
		u.pending = append(u.pending, *r)
		u.Request.Pop()
	}
	for i := range u.units {
		u.units[i].served = false
	}
	for i := 0; i < len(u.pending); {
		r := &u.pending[i]
		c := u.unitOf(r.Warp)
		if c != nil && !u.collect(c, r) || c == nil && !u.pass(r) {
			i++
			continue
		}
		u.pending = slices.Delete(u.pending, i, i+1)
	}
	u.count.waits += uint64(len(u.pending))
	return len(u.pending) > 0 || u.Request.Head() != nil
}

// pass sends a request of a warp without a unit on to the banks. It returns false if the port is full.
func (u *Units) pass(r *bank.Request) bool {
	if !u.Read.CanPut() {
		return false
	}
	*u.Read.Slot() = *r
	u.Read.PutSlot()
	u.count.reads += uint64(r.N)
	u.count.past += uint64(r.N)
	return true
}

// collect looks up the registers of a request in the unit of its warp, and sends the missing ones on to the banks.
// It returns false, without any effect, if the unit has served a request in this cycle, if a register is on its way
// from the banks for another operation, or if a port is full.
func (u *Units) collect(c *unit, r *bank.Request) bool {
	if c.served || !u.Read.CanPut() || u.Operand.Room(int(r.N)) < int(r.N) || c.underWay(r) {
		return false
	}
	c.served = true
	c.busy = c.busy && c.tag != r.Tag
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
	}
	if on != nil {
		u.Read.PutSlot()
	}
	return true
}

// underWay reports whether a register of a request is on its way from the banks for another operation.
func (c *unit) underWay(r *bank.Request) bool {
	for _, reg := range r.Reg[:r.N] {
		if e := c.find(reg); e != nil && e.filling != 0 && e.tag != r.Tag {
			return true
		}
	}
	return false
}

// look gives register i of a request to the collector, if the unit has all of the request's lanes. Otherwise it keeps
// an entry for the missing lanes, and returns false.
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
		e = c.claim(r.Reg[i], r.Tag)
	}
	if e != nil {
		c.use(e, r.Hint[i])
		if e.filling == 0 {
			e.filling, e.tag, e.slot = r.Lanes&^e.valid, r.Tag, r.Slot[i]
		}
	}
	return false
}
