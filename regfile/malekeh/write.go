package malekeh

import "kumiko/components/bank"

// takeResults passes the arrived results on to the banks, and keeps those of warps with a unit there. It returns
// false when one must wait.
func (u *Units) takeResults() bool {
	for a := u.Result.Head(); a != nil; a = u.Result.Head() {
		if !u.Write.CanPut() {
			u.count.resultWaits++
			return false
		}
		*u.Write.Slot() = *a
		u.Write.PutSlot()
		u.keep(a)
		u.Result.Pop()
	}
	return true
}

// keep writes a result to the unit of its warp. A register with an entry keeps the entry, whatever the hint.
func (u *Units) keep(a *bank.Access) {
	u.count.results++
	c := u.unitOf(a.Warp)
	if c == nil {
		return
	}
	e := c.find(a.Reg)
	if e == nil && (u.spec.Writes == All || u.spec.near(a.Hint)) {
		e = c.claim(a.Reg, 0) // no operation has this number
	}
	if e == nil {
		return
	}
	c.use(e, a.Hint)
	e.valid |= a.Content.Lanes
	e.filling &^= a.Content.Lanes
	if u.check {
		e.content = e.content.Overlay(a.Content)
	}
	u.count.kept++
	u.count.groupWrites += bank.LaneGroups(a.Content.Lanes)
}
