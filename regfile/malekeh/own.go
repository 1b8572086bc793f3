package malekeh

import (
	"kumiko/components/wire"
	"kumiko/regfile"
)

// takeNotices gives a unit to each warp that has issued. A warp loses its unit when the warp begins, ends or leaves its
// slot.
func (u *Units) takeNotices(now wire.Cycle) {
	for i := range u.Notices {
		in := &u.Notices[i]
		for m := in.Take(); m != nil; m = in.Take() {
			c := u.unitOf(m.Warp)
			switch {
			case m.Event != regfile.WarpIssued:
				if c != nil {
					u.assign(c, 0, false)
				}
			case m.Tag != 0:
				u.issued = now
				if c == nil {
					c = u.take(m.Warp)
				}
				c.tag, c.busy = m.Tag, m.Inst.T.NSrc > 0
			}
		}
	}
}

// gate closes the gate to warps without a unit while all units have near values, until no warp of the sub-core has
// issued for the cycles of the wait. It reports whether the gate is closed.
func (u *Units) gate(now wire.Cycle) bool {
	var bound, closed regfile.WarpSet
	for i := range u.units {
		if c := &u.units[i]; c.used {
			bound.Add(int(c.warp))
		}
	}
	shut := false
	if now-u.issued < wire.Cycle(u.spec.Wait) {
		_, least := u.latest()
		shut = least <= u.spec.Near
	}
	if shut {
		for i := range closed {
			closed[i] = u.warps[i] &^ bound[i]
		}
		u.count.held++
	}
	u.bound.Set(bound)
	u.closed.Set(closed)
	return shut
}

// take gives a warp the unit whose next read is farthest away.
func (u *Units) take(warp uint16) *unit {
	c, least := u.latest()
	if u.count.taken++; least <= u.spec.Near {
		u.count.forced++
	}
	u.assign(c, warp, true)
	return c
}

// assign gives a unit to a warp, or to none. The registers kept in the unit are dropped, which loses nothing, because
// the banks have their values too.
func (u *Units) assign(c *unit, warp uint16, used bool) {
	clear(c.entries)
	c.warp, c.used, c.busy, c.clock = warp, used, false, 0
}

// latest returns the unit whose next read is farthest away, and the distance of this read, in instructions. Among
// equals it is the unit with the fewest values to be read.
func (u *Units) latest() (best *unit, least int) {
	live := 0
	for i := range u.units {
		c := &u.units[i]
		if l, n := c.outlook(); best == nil || l > least || l == least && n < live {
			best, least, live = c, l, n
		}
	}
	return best, least
}

// none is the distance of a unit without values to be read again.
const none = 256

// outlook returns the shortest distance of a unit's values to be read again, and their number; -1 for a unit of no
// warp. The operands of an operation on its way to the unit are read at once.
func (c *unit) outlook() (least, live int) {
	switch least = none; {
	case !c.used:
		return least, -1
	case c.busy:
		least = 0
	}
	for i := range c.entries {
		if e := &c.entries[i]; e.used && e.next > 0 {
			least = min(least, int(e.next))
			live++
		}
	}
	return least, live
}
