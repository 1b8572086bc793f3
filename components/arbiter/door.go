package arbiter

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
)

// admitWrites grants the visible writes to idle banks and queues the others. It returns true if a write port must
// keep its head because the queue is full.
func (x *Banks) admitWrites(now wire.Cycle) (blocked bool) {
	for again := true; again; {
		again, blocked = false, false
		for p := range x.Write {
			moved, left := x.letWrites(p, now)
			again, blocked = again || moved, blocked || left
		}
		again = again && blocked && x.writers != nil // a port behind the blocked one may find space
	}
	if blocked {
		for p := range x.Write {
			if a := x.Write[p].Head(); a != nil {
				x.queues[a.Bank].writeConflicts++
			}
		}
	}
	return blocked
}

// letWrites admits writes from port p until one must wait. moved: at least one was admitted. left: one must wait.
func (x *Banks) letWrites(p int, now wire.Cycle) (moved, left bool) {
	in := &x.Write[p]
	for a := in.Head(); a != nil; a = in.Head() {
		if x.writers != nil && !x.writers.Turn(int(a.Bank), p) || !x.admitWrite(a, now) {
			x.writers.Stand(int(a.Bank), p)
			return moved, true
		}
		if x.writers != nil {
			x.writers.Leave(p)
		}
		in.Pop()
		moved = true
	}
	return moved, false
}

func (x *Banks) admitWrite(a *bank.Access, now wire.Cycle) bool {
	q := &x.queues[a.Bank]
	if x.idle(a.Bank) {
		out := &x.Out[a.Bank]
		if g := out.Offer(); g != nil && x.start(q, bank.Write, now) {
			x.grants++
			*g = *a
			out.PutSlot()
			return true
		}
	}
	if q.writes.full() {
		return false
	}
	w := q.writes.push()
	w.a, w.since = *a, now
	x.busy(a.Bank)
	return true
}

// admitReads grants the visible reads to idle banks and queues the others. It returns true if a read port must keep
// its head because a queue is full.
func (x *Banks) admitReads(now wire.Cycle) (blocked bool) {
	for again := true; again; {
		again, blocked = false, false
		for p := range x.Read {
			moved, left := x.letReads(p, now)
			again, blocked = again || moved, blocked || left
		}
		again = again && blocked && x.readers != nil
	}
	if blocked {
		for p := range x.Read {
			if r := x.Read[p].Head(); r != nil {
				x.queues[r.Bank[x.queued[p]]].readConflicts++
			}
		}
	}
	return blocked
}

// letReads is letWrites for reads.
func (x *Banks) letReads(p int, now wire.Cycle) (moved, left bool) {
	in := &x.Read[p]
	for r := in.Head(); r != nil; r = in.Head() {
		before := x.queued[p]
		if !x.admit(p, r, now) {
			return moved || x.queued[p] != before, true
		}
		in.Pop()
		moved = true
	}
	return moved, false
}

// admit grants or queues the reads of a request, in their order. It returns false at the first read that finds its
// queue full, or whose bank has other ports ahead in line; queued[port] records the position.
func (x *Banks) admit(port int, r *bank.Request, now wire.Cycle) bool {
	for i := x.queued[port]; i < r.N; i++ {
		b := r.Bank[i]
		q := &x.queues[b]
		if x.readers != nil && !x.readers.Turn(int(b), port) {
			x.queued[port] = i
			return false
		}
		if x.idle(b) && x.grantAtOnce(q, r, i, now) {
			x.readers.Leave(port)
			continue
		}
		if q.reads.full() {
			x.queued[port] = i
			x.readers.Stand(int(b), port)
			return false
		}
		e := q.reads.push()
		e.entry, e.tag, e.lanes, e.since = r.Entry[i], r.Tag, r.Lanes, uint32(now)
		e.to, e.slot, e.cause, e.hint = r.To, r.Slot[i], r.Cause, r.Hint[i]
		x.busy(b)
		x.readers.Leave(port)
	}
	x.queued[port] = 0
	return true
}

// grantAtOnce grants read i of a request whose bank has nothing queued. It returns false if the bank cannot start
// the read in this cycle.
func (x *Banks) grantAtOnce(q *bankQueue, r *bank.Request, i uint8, now wire.Cycle) bool {
	b := r.Bank[i]
	out := &x.Out[b]
	a := out.Offer()
	if a == nil || !x.start(q, bank.Read, now) {
		return false
	}
	x.grants++
	q.turn = r.To + 1
	a.Content = version.Content{Lanes: r.Lanes}
	a.Entry, a.Tag, a.Bank, a.To, a.Slot, a.Kind, a.Cause = r.Entry[i], r.Tag, b, r.To, r.Slot[i], bank.Read, r.Cause
	a.Warp, a.Reg, a.Hint = 0, 0, r.Hint[i]
	out.PutSlot()
	return true
}
