package malekeh

import "kumiko/components/bank"

// takeFills receives copies of the values sent by the banks to collectors.
func (u *Units) takeFills() {
	for v := u.Fill.Take(); v != nil; v = u.Fill.Take() {
		for i := range u.units {
			if c := &u.units[i]; c.under > 0 && c.tag == v.Tag {
				u.fill(c, v)
				break
			}
		}
	}
}

// fill puts a value into its entry, if it has one.
func (u *Units) fill(c *unit, v *bank.Value) {
	c.under--
	for i := range c.entries {
		e := &c.entries[i]
		if e.filling == 0 || e.slot != v.Slot {
			continue
		}
		e.valid |= e.filling
		if u.check {
			e.content = e.content.Overlay(v.Content.Only(e.filling))
		}
		u.count.filled++
		u.count.groupWrites += bank.LaneGroups(e.filling)
		e.filling = 0
		return
	}
}
