package malekeh

import "kumiko/components/bank"

// takeFills receives copies of the values sent by the banks to collectors.
func (u *Units) takeFills() {
	for v := u.Fill.Take(); v != nil; v = u.Fill.Take() {
		for i := range u.units {
			if e := u.units[i].awaits(v); e != nil {
				u.fill(e, v)
				break
			}
		}
	}
}

// awaits returns the entry for a value of the banks, or nil if it has been taken for another register.
func (c *unit) awaits(v *bank.Value) *entry {
	for i := range c.entries {
		if e := &c.entries[i]; e.filling != 0 && e.tag == v.Tag && e.slot == v.Slot {
			return e
		}
	}
	return nil
}

// fill puts a value into its entry.
func (u *Units) fill(e *entry, v *bank.Value) {
	e.valid |= e.filling
	if u.check {
		e.content = e.content.Overlay(v.Content.Only(e.filling))
	}
	u.count.filled++
	u.count.groupWrites += bank.LaneGroups(e.filling)
	e.filling = 0
}
