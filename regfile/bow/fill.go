package bow

import (
	"kumiko/components/bank"
	"kumiko/kernel/ir"
)

// maxWaiters is the most operands of a sub-core waiting for fills at once.
const maxWaiters = 8

// fills are the registers on their way from the banks into windows, and the operands waiting for them.
type fills struct {
	list    []expected `bits:"type" room:"limit"`
	waiters []waiter   `bits:"type" room:"limit"`
	under   int        // outstanding reads of the banks, until their value is received from Fill
	limit   int        // bound of under: the capacity of Fill
}

// fillID identifies the read bringing a register: its operation and source. None is 0, because operations are
// numbered from 1.
type fillID uint64

func fillOf(tag uint32, slot uint8) fillID { return fillID(tag)<<8 | fillID(slot) }

type expected struct {
	id   fillID
	warp uint16
	reg  ir.RegID
}

type waiter struct {
	id       fillID
	tag      uint32
	lanes    uint32
	to, slot uint8
}

func (f *fills) init(limit int) {
	f.limit = limit
	f.list, f.waiters = make([]expected, 0, limit), make([]waiter, 0, maxWaiters)
}

// join makes an operand wait for a fill.
func (f *fills) join(id fillID, r *bank.Request, i uint8, n *counters) outcome {
	if len(f.waiters) == maxWaiters {
		return wait
	}
	f.waiters = append(f.waiters, waiter{id, r.Tag, r.Lanes, r.To, r.Slot[i]})
	n.hits++
	n.joined++
	return hit
}

// takeFills receives copies of the values sent by the banks to collectors. It returns false when one must wait.
func (w *Windows) takeFills() bool {
	for v := w.Fill.Head(); v != nil; v = w.Fill.Head() {
		id := fillOf(v.Tag, v.Slot)
		for i := range w.fills.list {
			if w.fills.list[i].id != id {
				continue
			}
			if !w.fill(i, v) {
				return false
			}
			break
		}
		w.fills.under--
		w.Fill.Pop()
	}
	return true
}

// fill puts an expected value into its entry, if the entry still waits for it, and sends it to the waiting
// operands.
func (w *Windows) fill(i int, v *bank.Value) bool {
	f, x := &w.fills, w.fills.list[i]
	if n := f.waiting(x.id); w.Operand.Room(n) < n {
		return false
	}
	for k := 0; k < len(f.waiters); {
		y := f.waiters[k]
		if y.id != x.id {
			k++
			continue
		}
		w.Operand.Put(bank.Value{Content: v.Content, Tag: y.tag, To: y.to, Slot: y.slot, Cause: v.Cause})
		w.count.groupReads += bank.LaneGroups(y.lanes)
		f.waiters = append(f.waiters[:k], f.waiters[k+1:]...)
	}
	if e := w.find(x.warp, x.reg); e != nil && e.by == x.id && e.filling != 0 {
		e.valid |= e.filling
		if w.check {
			e.content = e.content.Overlay(v.Content.Only(e.filling))
		}
		w.count.filled++
		w.count.groupWrites += bank.LaneGroups(e.filling)
		e.filling = 0
	}
	last := len(f.list) - 1
	f.list[i] = f.list[last]
	f.list = f.list[:last]
	return true
}

// waiting counts the operands waiting for a fill.
func (f *fills) waiting(id fillID) (n int) {
	for i := range f.waiters {
		if f.waiters[i].id == id {
			n++
		}
	}
	return n
}
