package cerf

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// draining has the waiters for the most recently arrived register or line.
type draining struct {
	addr    uint64
	content version.Content // of the register
	group   int             // tag bank of a merged register: its waiters read the banks; otherwise -1
}

// takeReplies answers the waiters for replies from the L2. It reports whether there is more to do in the next
// cycle.
func (x *Tags) takeReplies(now wire.Cycle) bool {
	if !x.core.Draining() && !x.takeReply(now) {
		return false
	}
	if w := x.core.Due(now); w != nil {
		if !x.answer(w) {
			return false // woken when there is room
		}
		if x.core.Answered(now) {
			return true
		}
	}
	x.drain.group = -1
	return x.Reply.Head() != nil || x.waits()
}

// waits reports whether an access waits for an MSHR. An MSHR may be free now.
func (x *Tags) waits() bool { return len(x.lines.missed) > 0 }

// takeReply accepts the next reply. It returns false if there is none, or if it cannot be accepted yet.
func (x *Tags) takeReply(now wire.Cycle) bool {
	p := x.Reply.Head()
	if p == nil {
		return false
	}
	if d, ok := req.TagDone(p.Tag); ok {
		if !x.Fill.CanPut() {
			return false
		}
		x.Fill.Put(d)
	} else {
		g := x.places.groupOf(p.Addr)
		if x.Access[g].Room(2) < 2 || !x.occupy(g, true, now) {
			x.Access[g].CanPut()
			x.WakeAt(now + 1)
			return false
		}
		if x.back.Has(p.Addr) {
			x.fillRegister(g, p, now)
		} else {
			x.fillLine(g, p, now)
		}
	}
	x.count.received[p.Cause] += uint64(p.Data())
	x.Reply.Pop()
	return true
}

// fillLine puts a line into its way, if it gets one.
func (x *Tags) fillLine(g int, p *req.Packet, now wire.Cycle) {
	i, before := x.core.Find(p.Addr), x.core.Evictions
	v := x.core.Fill(p.Tag, kindLine, p.Sectors, x.leave.room())
	j := x.core.Find(p.Addr)
	if j < 0 {
		return
	}
	if i < 0 {
		x.placed(g, j, kindLine, before, &v, now)
		x.there[j] = version.FullMask
	}
	x.send(g, j, &bank.Access{Content: version.Content{Lanes: version.FullMask}, Kind: bank.Write, Cause: bank.Line})
}

// fillRegister puts a register into its way, if it gets one, or its missing lanes into the way it already has.
func (x *Tags) fillRegister(g int, p *req.Packet, now wire.Cycle) {
	x.drain = draining{addr: p.Addr, group: -1, content: x.back.reply(p.Tag)}
	i, before := x.core.Find(p.Addr), x.core.Evictions
	v := x.core.Fill(p.Tag, kindRegister, p.Sectors, x.leave.room())
	j := x.core.Find(p.Addr)
	if j < 0 {
		x.count.unkept++
		return
	}
	lacks := version.FullMask
	if i < 0 {
		x.placed(g, j, kindRegister, before, &v, now)
	} else {
		lacks = ^x.there[j]
		x.drain.group = g
	}
	x.there[j] = version.FullMask
	if lacks == 0 {
		return
	}
	a := bank.Access{Content: version.Content{Lanes: lacks}, Kind: bank.Write, Cause: bank.Prefetch}
	if x.back.asked != nil {
		a.Content = x.content(lacks)
	}
	x.send(g, j, &a)
}

// content returns the content of the given lanes brought by the fill: nothing for lanes never written.
func (x *Tags) content(lanes uint32) version.Content {
	return version.Content{Lanes: lanes}.Overlay(x.drain.content.Only(lanes))
}

// answer answers a waiter. It returns false if its port is full.
func (x *Tags) answer(w *waiter) bool {
	switch {
	case w.what == forLine:
		if !x.Fill.CanPut() {
			return false
		}
		x.Fill.Put(w.done)
	case w.what == forRead && x.drain.group >= 0:
		g := x.drain.group
		if !x.Access[g].CanPut() {
			return false
		}
		x.send(g, x.core.Find(x.drain.addr), &bank.Access{Content: version.Content{Lanes: w.lanes}, Tag: w.tag,
			To: w.to, Slot: w.slot, Kind: bank.Read, Cause: w.cause})
	case w.what == forRead:
		if !x.Operand.CanPut() {
			return false
		}
		x.Operand.Put(bank.Value{Content: x.drain.content, Tag: w.tag, To: w.to, Slot: w.slot, Cause: w.cause})
	}
	return true
}
