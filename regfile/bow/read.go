package bow

import "kumiko/components/bank"

// takeRequests looks up the arrived requests in order. It returns false when one must wait.
func (w *Windows) takeRequests() bool {
	for r := w.Request.Head(); r != nil; r = w.Request.Head() {
		if !w.request(r) {
			w.count.readWaits++
			return false
		}
		w.taken = 0
		w.Request.Pop()
	}
	return true
}

// request looks up the registers of a request and sends the missing ones on to the banks. It returns false when a
// register must wait; the registers before it are served.
func (w *Windows) request(r *bank.Request) bool {
	var on *bank.Request
	for ; w.taken < r.N; w.taken++ {
		i := w.taken
		e, mine := w.find(r.Warp, r.Reg[i]), w.pinnedBy(r, i)
		found := w.lookUp(e, mine, r, i, on != nil)
		if found == wait {
			break
		}
		w.count.reads++
		if mine {
			w.unpin(e, r, i)
		}
		if found == hit {
			continue
		}
		if on == nil {
			on = w.Read.Slot()
			*on = *r
			on.N, on.Hint = 0, [bank.MaxReads]bank.Hint{}
		}
		n := on.N
		on.Bank[n], on.Entry[n], on.Reg[n], on.Slot[n] = r.Bank[i], r.Entry[i], r.Reg[i], r.Slot[i]
		on.N++
		if !w.spec.empty() {
			w.fills.under++
		}
	}
	if on != nil {
		w.Read.PutSlot()
	}
	return w.taken == r.N
}

// outcome is the result of a lookup.
type outcome uint8

const (
	wait outcome = iota // some port or queue is full
	hit                 // the value is on its way to the collector, or will be
	miss                // the value is read from the banks
)

// lookUp looks up register i of a request. mine: the register had an entry when the instruction issued, and still has
// it. begun: a message to the banks is already begun.
func (w *Windows) lookUp(e *entry, mine bool, r *bank.Request, i uint8, begun bool) outcome {
	if mine && r.Lanes&^e.valid == 0 {
		return w.give(e, r, i)
	}
	if mine && r.Lanes&^e.filling == 0 {
		return w.fills.join(e.by, r, i, &w.count)
	}
	if !begun && !w.Read.CanPut() || w.fills.under == w.fills.limit {
		return wait
	}
	if e == nil {
		return miss
	}
	if e.dirty { // the banks lack lanes of the value
		if !w.writeBack(e, r.Warp) {
			return wait
		}
		w.count.partial++
	}
	if lanes := r.Lanes &^ e.valid; e.filling == 0 && lanes != 0 {
		e.filling, e.by = lanes, fillOf(r.Tag, r.Slot[i])
		w.fills.list = append(w.fills.list, expected{e.by, r.Warp, r.Reg[i]})
	}
	return miss
}

// give sends the value of an entry to the collector.
func (w *Windows) give(e *entry, r *bank.Request, i uint8) outcome {
	if w.reads == 0 || !w.Operand.CanPut() {
		return wait
	}
	w.reads--
	v := w.Operand.Slot()
	*v = bank.Value{Tag: r.Tag, To: r.To, Slot: r.Slot[i], Cause: r.Cause}
	if w.check {
		v.Content = e.content
	}
	w.Operand.PutSlot()
	w.count.hits++
	w.count.groupReads += bank.LaneGroups(r.Lanes)
	if r.Hint[i]&readLast != 0 && e.valid&^r.Lanes == 0 {
		e.dead = true
	}
	return hit
}

// pinnedBy reports whether the entry of register i of a request is kept for it.
func (w *Windows) pinnedBy(r *bank.Request, i uint8) bool {
	ops := w.warps[r.Warp].ops
	for k := range ops {
		if ops[k].tag == r.Tag {
			return ops[k].from>>r.Slot[i]&1 != 0
		}
	}
	return false
}

// unpin records that an operand was taken from its entry, or at least looked up there.
func (w *Windows) unpin(e *entry, r *bank.Request, i uint8) {
	e.pinned--
	x := &w.warps[r.Warp]
	for k := range x.ops {
		if x.ops[k].tag != r.Tag {
			continue
		}
		if x.ops[k].from &^= 1 << r.Slot[i]; x.ops[k].from == 0 {
			last := len(x.ops) - 1
			x.ops[k] = x.ops[last]
			x.ops = x.ops[:last]
		}
		return
	}
}
