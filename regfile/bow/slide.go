package bow

import (
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"slices"
)

// takeNotices processes the notices of warp events. It returns false when a register leaving a window must wait.
func (w *Windows) takeNotices() bool {
	for i := range w.Notices {
		in := &w.Notices[i]
		for m := in.Head(); m != nil; m = in.Head() {
			if !w.notice(m) {
				w.count.slideWaits++
				return false
			}
			in.Pop()
		}
	}
	return true
}

func (w *Windows) notice(m *regfile.WarpNotice) bool {
	x := &w.warps[m.Warp]
	switch m.Event {
	case regfile.WarpStarted:
		x.issued, x.ops = 0, x.ops[:0]
		w.clear(m.Warp)
	case regfile.WarpExited:
		w.clear(m.Warp)
	case regfile.WarpSuspended:
		return w.empty(m.Warp)
	case regfile.WarpIssued:
		if m.From > 0 {
			w.forget(m.Warp, ir.RegID(m.From))
		}
		if !w.slide(m.Warp, x.issued+1) || m.Tag != 0 && !w.makeRoom(m) {
			return false
		}
		x.issued++
		if m.Tag != 0 {
			w.enter(m, x)
		}
	}
	return true
}

// clear empties the window of a warp without writing its registers back. Nobody needs them any more.
func (w *Windows) clear(context uint16) {
	list := w.entriesOf(context)
	for i := range list {
		if list[i].dirty {
			w.count.ended++
		}
		list[i] = entry{}
	}
}

// empty releases the registers of a warp without slots, so that other warps can use its window. It returns false
// when one must wait. All operands of the warp have been read.
func (w *Windows) empty(context uint16) bool {
	list := w.entriesOf(context)
	for i := range list {
		if e := &list[i]; e.used && !w.release(e, context) {
			return false
		}
	}
	return true
}

// forget drops the registers given up by a warp, from number first on. No lane needs them, and their places in the
// banks may already belong to another warp.
func (w *Windows) forget(context uint16, first ir.RegID) {
	list := w.entriesOf(context)
	for i := range list {
		if e := &list[i]; e.used && e.reg >= first {
			if e.dirty {
				w.count.ended++
			}
			*e = entry{}
		}
	}
}

// slide releases the registers leaving the window when instruction number now enters it. An entry stays while an
// operand is still to be taken from it.
func (w *Windows) slide(context uint16, now uint32) bool {
	list := w.entriesOf(context)
	for i := range list {
		e := &list[i]
		if e.used && e.pinned == 0 && now-e.last >= uint32(w.spec.Window) && !w.release(e, context) {
			return false
		}
	}
	return true
}

// makeRoom releases entries for the registers of an instruction, the least recently used first. It stops when all
// other entries belong to the instruction itself or still have operands to deliver.
func (w *Windows) makeRoom(m *regfile.WarpNotice) bool {
	list, need := w.entriesOf(m.Warp), w.newcomers(m)
	for i := range list {
		if !list[i].used {
			need--
		}
	}
	for ; need > 0; need-- {
		e := w.oldest(list, &m.Inst.T)
		if e == nil {
			return true
		}
		if !w.release(e, m.Warp) {
			return false
		}
		w.count.crowded++
	}
	return true
}

// newcomers counts the registers of an instruction that need a new entry.
func (w *Windows) newcomers(m *regfile.WarpNotice) (n int) {
	t := &m.Inst.T
	for i, r := range t.Src[:t.NSrc] {
		if w.find(m.Warp, r) == nil && !slices.Contains(t.Src[:i], r) {
			n++
		}
	}
	for i, r := range t.Dst[:t.NDst] {
		if w.find(m.Warp, r) == nil && !slices.Contains(t.Src[:t.NSrc], r) && !slices.Contains(t.Dst[:i], r) &&
			w.hint(m, i) != Banks {
			n++
		}
	}
	return n
}

// oldest returns the least recently used entry that may leave, or nil.
func (w *Windows) oldest(list []entry, t *ir.Timing) (out *entry) {
	for i := range list {
		e := &list[i]
		if !e.used || e.pinned > 0 || slices.Contains(t.Src[:t.NSrc], e.reg) || slices.Contains(t.Dst[:t.NDst], e.reg) {
			continue
		}
		if out == nil || e.last < out.last {
			out = e
		}
	}
	return out
}

// hint returns the hint of a result to come.
func (w *Windows) hint(m *regfile.WarpNotice, dest int) Hint {
	switch w.spec.Writes {
	case Through:
		return Both
	case Back:
		return Window
	}
	return w.plan.hint(m.PC, dest)
}

// enter puts an instruction into the window.
func (w *Windows) enter(m *regfile.WarpNotice, x *warp) {
	t := &m.Inst.T
	op := reader{tag: m.Tag}
	asked := w.sources(t)
	for i, r := range t.Src[:t.NSrc] {
		e := w.find(m.Warp, r)
		if e != nil && asked>>i&1 != 0 {
			op.from |= 1 << i
			e.pinned++
		}
		if e == nil {
			e = w.claim(m.Warp, r)
		}
		if e != nil {
			e.last = x.issued
		}
	}
	for i, r := range t.Dst[:t.NDst] {
		h := w.hint(m, i)
		e := w.find(m.Warp, r)
		if e == nil && h != Banks {
			e = w.claim(m.Warp, r)
		}
		if e != nil {
			e.hint = h
			if h != Banks {
				e.last = x.issued
			}
		}
	}
	if op.from != 0 {
		x.ops = append(x.ops, op)
	}
}

// claim allocates a free entry to a register, or returns nil.
func (w *Windows) claim(context uint16, r ir.RegID) *entry {
	list := w.entriesOf(context)
	for i := range list {
		if e := &list[i]; !e.used {
			*e = entry{used: true, reg: r}
			return e
		}
	}
	w.count.homeless++
	return nil
}
