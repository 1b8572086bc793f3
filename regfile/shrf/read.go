package shrf

import (
	"kumiko/components/bank"
	"kumiko/components/version"
)

// takeRequests looks up the arrived requests in order. It returns false when one must wait.
func (x *Upper) takeRequests() bool {
	for r := x.Request.Head(); r != nil; r = x.Request.Head() {
		if !x.request(r) {
			x.count.readWaits++
			return false
		}
		x.taken = 0
		x.Request.Pop()
	}
	return true
}

// request looks up the registers of a request and sends those without an entry on to the main file. It returns
// false when a register must wait; the registers before it are served.
func (x *Upper) request(r *bank.Request) bool {
	var on *bank.Request
	for ; x.taken < r.N; x.taken++ {
		i := x.taken
		e, at := x.find(r.Warp, r.Reg[i])
		if e != nil && e.valid != 0 && r.Lanes&^e.valid == 0 {
			if !x.give(e, r, i) {
				break
			}
			continue
		}
		if on == nil && !x.Read.CanPut() || e != nil && !x.split(e, r) {
			break
		}
		if on == nil {
			on = x.Read.Slot()
			*on = *r
			on.N, on.Hint = 0, [bank.MaxReads]bank.Hint{}
		}
		n := on.N
		on.Bank[n], on.Entry[n], on.Reg[n], on.Slot[n] = r.Bank[i], r.Entry[i], r.Reg[i], r.Slot[i]
		on.N++
		x.count.reads++
		if e != nil && r.Lanes&^(e.valid|e.filling) != 0 && len(x.fills) < cap(x.fills) {
			e.reg = r.Reg[i]
			lanes := r.Lanes &^ (e.valid | e.filling)
			e.filling |= lanes
			x.fills = append(x.fills, expected{tag: r.Tag, lanes: lanes, entry: at, slot: r.Slot[i]})
		}
	}
	if on != nil {
		x.Read.PutSlot()
	}
	return x.taken == r.N
}

// give sends the value of an entry to the collector.
func (x *Upper) give(e *entry, r *bank.Request, i uint8) bool {
	if x.reads == 0 || !x.Operand.CanPut() {
		return false
	}
	x.reads--
	v := x.Operand.Slot()
	v.Content = version.Content{}
	if x.check {
		v.Content = e.content
	}
	v.Tag, v.To, v.Slot, v.Cause = r.Tag, r.To, r.Slot[i], r.Cause
	x.Operand.PutSlot()
	x.count.reads++
	x.count.hits++
	x.count.groupReads += bank.LaneGroups(r.Lanes)
	return true
}

// split prepares a read of more lanes than an entry has. It writes the dirty lanes to the main file, so that the
// read finds all lanes there.
func (x *Upper) split(e *entry, r *bank.Request) bool {
	if r.Lanes&e.valid == 0 || !e.dirty {
		return true
	}
	if x.reads == 0 || !x.Write.CanPut() {
		return false
	}
	x.reads--
	x.writeBack(e, r.Warp, bank.Eviction)
	x.count.partial++
	return true
}

// writeBack writes all lanes of an entry to the main file.
func (x *Upper) writeBack(e *entry, warp uint16, cause bank.Cause) {
	a := x.Write.Slot()
	*a = bank.Access{Content: version.Content{Lanes: e.valid}, Kind: bank.Write, Cause: cause, Warp: warp, Reg: e.reg}
	if x.check {
		a.Content = a.Content.Overlay(e.content.Only(e.valid))
	}
	a.Bank, a.Entry = x.index.Find(warp, e.reg)
	x.Write.PutSlot()
	e.dirty = false
	x.count.groupReads += bank.LaneGroups(e.valid)
}
