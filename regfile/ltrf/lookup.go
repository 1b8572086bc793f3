package ltrf

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// readLast marks the last read of an operand: no lane needs it afterwards (ir.Timing.Dead).
const readLast bank.Hint = 1

// operandHints returns the compiler's hints on operands for the control blocks.
func (s *Spec) operandHints() bank.Hints {
	if s.Liveness != Dynamic {
		return bank.Hints{}
	}
	return bank.Hints{Last: readLast, Source: func(t *ir.Timing, i int) bank.Hint { return bank.Hint(t.Dead >> i & 1) }}
}

// lookups are the read ports of the control blocks, and the requests waiting for a port.
type lookups struct {
	per  uint8
	used []portUse `bits:"type"` // by warp context
	late ring[bank.Request]
	more []uint8 `bits:"8"` // by warp context: its late requests
}

type portUse struct {
	at wire.Cycle
	n  uint8
}

func (l *lookups) init(p *part) {
	l.per = uint8(p.spec.Lookups)
	l.used, l.more = make([]portUse, p.Env.Warps), make([]uint8, p.Env.Warps)
	l.late = newRing[bank.Request](4 * p.Collectors)
}

// take occupies up to n read ports of a warp's block in a cycle, and returns how many.
func (l *lookups) take(warp uint16, n uint8, now wire.Cycle) uint8 {
	u := &l.used[warp]
	if u.at != now {
		u.at, u.n = now, 0
	}
	n = min(n, l.per-u.n)
	u.n += n
	return n
}

// takeRequests looks up the arrived requests. The requests of a warp stay in order. Operands that find no port of
// their block in this cycle are late. takeRequests returns true when a request must wait.
func (x *WCB) takeRequests(now wire.Cycle) bool {
	l := &x.looks
	for n := l.late.n; n > 0; n-- {
		r := l.late.front()
		if !x.Read.CanPut() {
			return true
		}
		x.lookUp(r, now)
		if r.N > 0 {
			l.late.push(*r)
		} else {
			l.more[r.Warp]--
		}
		l.late.pop()
	}
	for r := x.Request.Head(); r != nil; r = x.Request.Head() {
		if !x.Read.CanPut() || l.late.n == len(l.late.buf)-1 {
			return true
		}
		rest := *r
		if l.more[r.Warp] == 0 {
			x.lookUp(&rest, now)
		}
		if rest.N > 0 {
			l.more[r.Warp]++
			l.late.push(rest)
		}
		x.Request.Pop()
	}
	x.count.portWaits += uint64(l.late.n)
	return l.late.n > 0
}

// lookUp looks up the first registers of a request, as far as ports are free, and requests them from the cache. The
// remaining registers stay in the request.
func (x *WCB) lookUp(r *bank.Request, now wire.Cycle) {
	n := x.looks.take(r.Warp, r.N, now)
	if n == 0 {
		return
	}
	b := &x.blocks[r.Warp]
	on := x.Read.Slot()
	*on = *r
	on.N, on.Hint = n, [bank.MaxReads]bank.Hint{}
	for i := range n {
		reg := r.Reg[i]
		if !b.valid.Has(int(reg)) {
			panic(fmt.Sprintf("%s: R%d of warp %d is read, and has no place in the cache", x.Name(), reg, r.Warp))
		}
		on.Bank[i], on.Entry[i] = b.bank[reg], uint32(b.offset)
		if r.Hint[i]&readLast != 0 {
			x.die(b, int(reg))
		}
	}
	x.Read.PutSlot()
	x.count.lookups += uint64(n)
	left := r.N - n
	for i := range left {
		r.Reg[i], r.Slot[i], r.Hint[i] = r.Reg[i+n], r.Slot[i+n], r.Hint[i+n]
	}
	r.N = left
}

// die records that no lane needs a register any more.
func (x *WCB) die(b *block, reg int) {
	if b.live.Has(reg) {
		b.live.Remove(reg)
		x.count.died++
	}
}

// takeCaptured records the deaths of operands captured without a read.
func (x *WCB) takeCaptured() {
	for m := x.Captured.Take(); m != nil; m = x.Captured.Take() {
		if m.Hint&readLast != 0 {
			x.die(&x.blocks[m.Warp], int(m.Reg))
		}
	}
}

// takeResults sends results to the cache, or on to the main file if their registers have no place. It returns true
// when one must wait.
func (x *WCB) takeResults() (held bool) {
	for a := x.Result.Head(); a != nil; a = x.Result.Head() {
		b, r := &x.blocks[a.Warp], int(a.Reg)
		cached := b.valid.Has(r)
		if cached && !x.Update.CanPut() || !cached && !x.Past.CanPut() {
			x.count.resultWaits++
			return true
		}
		x.wrote(b, r)
		if cached {
			x.update(a, b)
		} else {
			x.count.past++
			b.past[r]++
			b.passing++
			if x.keeping != nil && !x.keeping.set.Has(int(a.Warp)) {
				x.keeping.keep(a.Warp, true)
			}
			*x.Past.Slot() = *a
			x.Past.PutSlot()
		}
		x.Result.Pop()
	}
	return false
}

// wrote records the arrival of a register's result.
func (x *WCB) wrote(b *block, r int) {
	b.pending.Remove(r)
	b.every.Remove(r)
	if x.spec.Liveness == Dynamic {
		b.live.Add(r)
	}
}

// update writes a result to the cache.
func (x *WCB) update(a *bank.Access, b *block) {
	r := int(a.Reg)
	out := x.Update.Slot()
	*out = *a
	out.Bank, out.Entry, out.Hint = b.bank[r], uint32(b.offset), 0
	x.Update.PutSlot()
	x.count.cached++
	b.dirty.Add(r)
	if !b.filling.Has(r) {
		return
	}
	x.brought[x.place(b, r)] |= a.Content.Lanes
	if !b.held.Has(r) {
		return
	}
	b.held.Remove(r)
	if a.Content.Lanes == ^uint32(0) {
		b.filling.Remove(r)
		x.markPresent(a.Warp, b, r)
		return
	}
	x.fetch(a.Warp, b, a.Reg)
}

// takeValues writes values from the main file to the cache, except in lanes meanwhile written by a result.
func (x *WCB) takeValues() (again bool) {
	for i := range x.Values {
		in := &x.Values[i]
		for v := in.Head(); v != nil; v = in.Head() {
			if !x.Update.CanPut() {
				return true
			}
			warp, reg := named(v.Tag)
			b, r := &x.blocks[warp], int(reg)
			lanes := ^x.brought[x.place(b, r)]
			if lanes != ^uint32(0) {
				x.count.partial++
			}
			out := x.Update.Slot()
			*out = bank.Access{Content: onLanes(v.Content, lanes), Kind: bank.Write, Cause: v.Cause, Warp: warp,
				Reg: reg, Bank: b.bank[r], Entry: uint32(b.offset)}
			x.Update.PutSlot()
			b.filling.Remove(r)
			x.arrived(warp, b)
			in.Pop()
		}
	}
	return false
}
