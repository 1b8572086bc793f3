package bow

import "kumiko/components/bank"

// takeResults processes the arrived results. It returns false when one must wait.
func (w *Windows) takeResults() bool {
	for a := w.Result.Head(); a != nil; a = w.Result.Head() {
		e := w.find(a.Warp, a.Reg)
		h := Banks
		if e != nil {
			h = e.hint
		}
		if h != Window {
			if !w.Write.CanPut() {
				w.count.resultWaits++
				return false
			}
			*w.Write.Slot() = *a
			w.Write.PutSlot()
		}
		switch {
		case e == nil:
			w.count.past++
		case h == Banks:
			w.count.past++
			e.lose(a.Content.Lanes, w.check)
		default:
			if e.dirty && e.valid&^a.Content.Lanes == 0 {
				w.count.overwritten++
			}
			e.put(a, w.check)
			w.count.groupWrites += bank.LaneGroups(a.Content.Lanes)
			if h == Both {
				w.count.both++
			} else {
				w.count.kept++
			}
		}
		w.Result.Pop()
	}
	return true
}

// put writes a result with a hint other than Banks. A dirty entry stays dirty under a result that also goes to the
// banks, unless the result has all of its lanes.
func (e *entry) put(a *bank.Access, check bool) {
	lanes := a.Content.Lanes
	if e.hint == Window {
		e.dirty = e.dirty || lanes != 0
	} else if e.valid&^lanes == 0 {
		e.dirty = false
	}
	e.valid |= lanes
	e.filling &^= lanes
	e.dead = e.dead && lanes == 0
	if check {
		e.content = e.content.Overlay(a.Content)
	}
}

// lose invalidates lanes with their newest value in the banks alone.
func (e *entry) lose(lanes uint32, check bool) {
	e.valid &^= lanes
	e.filling &^= lanes
	e.dirty = e.dirty && e.valid != 0
	if check {
		e.content = e.content.Only(e.valid)
	}
}
