package ltrf

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// events are the events of warps tracked by the control blocks.
var events = regfile.Events(regfile.WarpStarted, regfile.WarpActivated, regfile.WarpIssued, regfile.WarpSuspended,
	regfile.WarpInserted, regfile.WarpExited)

// takeNotices processes the notices of warp events.
func (x *WCB) takeNotices(now wire.Cycle) {
	for i := range x.Notices {
		in := &x.Notices[i]
		for m := in.Take(); m != nil; m = in.Take() {
			b := &x.blocks[m.Warp]
			switch m.Event {
			case regfile.WarpStarted:
				b.start()
			case regfile.WarpIssued:
				b.issued(m)
			case regfile.WarpInserted:
				x.prefetch(m, b, now)
			case regfile.WarpActivated:
				x.refetch(m.Warp, b, now)
			case regfile.WarpSuspended:
				x.suspend(m, b)
			case regfile.WarpExited:
				x.exit(m.Warp, b)
			}
		}
	}
}

// start prepares the block for a new warp. Registers of the last warp may still be on their way out of the cache or
// to the main file.
func (b *block) start() {
	b.set, b.live = intervals.Set{}, intervals.Set{}
	b.pending, b.every = intervals.Set{}, intervals.Set{}
}

// issued records the results awaited from an issued instruction.
func (b *block) issued(m *regfile.WarpNotice) {
	if m.Tag == 0 || m.Exec == 0 {
		return // no result will be written
	}
	for _, r := range m.Inst.T.Dst[:m.Inst.T.NDst] {
		b.pending.Add(int(r))
		if m.Exec == ^uint32(0) {
			b.every.Add(int(r))
		}
	}
}

// prefetch begins an interval: registers only of the last one leave, and registers only of the new one enter.
func (x *WCB) prefetch(m *regfile.WarpNotice, b *block, now wire.Cycle) {
	set := x.plan.Sets[m.PC]
	stay := b.valid.And(set)
	if !x.spec.Keep {
		stay = intervals.Set{}
	}
	b.set = set
	if x.spec.Liveness == Vector {
		b.live = x.plan.Live[m.PC]
	}
	b.leaving, b.cause, b.exited = bank.Eviction, bank.Prefetch, false
	x.count.prefetches++
	x.count.kept += uint64(stay.Len())
	x.shut(b, prefetchGate, now)
	x.Job.Put(Job{Warp: m.Warp, Leave: b.valid.Without(stay), Enter: set.Without(stay), Answer: true})
}

// refetch requests the working set of a warp that has become active.
func (x *WCB) refetch(warp uint16, b *block, now wire.Cycle) {
	b.cause = bank.Flush
	if !b.set.Empty() {
		x.count.refetches++
	}
	x.shut(b, refetchGate, now)
	x.keeping.keep(warp, false)
	x.Job.Put(Job{Warp: warp, Enter: b.set, Answer: true})
}

func (x *WCB) shut(b *block, gate uint8, now wire.Cycle) {
	b.shut, b.gate, b.since, b.ended, b.awaited = true, gate, now, false, 0
}

// suspend makes all registers of a warp leave. The working set stays known.
func (x *WCB) suspend(m *regfile.WarpNotice, b *block) {
	if x.spec.Liveness == Vector {
		b.live = x.plan.liveBefore(m)
	}
	b.leaving = bank.Flush
	x.count.suspensions++
	if x.keeping != nil {
		b.forget()
		x.keeping.keep(m.Warp, true)
	}
	x.Job.Put(Job{Warp: m.Warp, Leave: b.valid, Release: true})
}

// exit makes all registers of a warp leave. No lane needs them.
func (x *WCB) exit(warp uint16, b *block) {
	b.exited = true
	x.keeping.keep(warp, true)
	x.Job.Put(Job{Warp: warp, Leave: b.valid, Release: true})
}

// takeLeaves frees places. A value missing in the main file and possibly needed by a lane is written there.
func (x *WCB) takeLeaves() {
	for m := x.Leave.Take(); m != nil; m = x.Leave.Take() {
		b, r := &x.blocks[m.Warp], int(m.Reg)
		b.valid.Remove(r)
		if x.owes(b, r) {
			b.back.Add(r)
			x.count.writtenBack[b.leaving]++
			x.Move.Put(Move{Warp: m.Warp, Reg: m.Reg, Bank: b.bank[r], Offset: b.offset, Cause: b.leaving})
		} else {
			x.Dropped.Put(Freed{Bank: b.bank[r], Offset: b.offset})
		}
	}
}

// owes reports whether a leaving register is to be written to the main file.
func (x *WCB) owes(b *block, r int) bool {
	switch {
	case b.exited:
		x.count.ended++
	case b.every.Has(r):
		x.count.overwritten++ // its result will replace it in all lanes
	case x.spec.Liveness != None && (b.leaving == bank.Flush || x.spec.WriteBack == Live) && !b.live.Has(r):
		x.count.deadLeft++
	case b.leaving == bank.Eviction && x.spec.WriteBack == Dirty && !b.dirty.Has(r):
		x.count.cleanLeft++
	default:
		return true
	}
	return false
}

// takeGrants records the places granted to registers, and has the places filled.
func (x *WCB) takeGrants() {
	for g := x.Grant.Take(); g != nil; g = x.Grant.Take() {
		b := &x.blocks[g.Warp]
		if g.End {
			b.ended = true
			x.ready(g.Warp, b)
		} else {
			x.enter(g, b)
		}
	}
}

func (x *WCB) enter(g *Grant, b *block) {
	r := int(g.Reg)
	b.bank[r], b.offset = g.Bank, g.Offset
	b.valid.Add(r)
	b.dirty.Remove(r)
	x.brought[x.place(b, r)] = 0
	switch {
	case b.pending.Has(r) && x.spec.Pending == Wait:
		b.held.Add(r)
		b.filling.Add(r)
		b.awaited++
		x.count.held++
	case b.every.Has(r):
		x.count.spacePending++
		b.awaited++
		x.markPresent(g.Warp, b, r)
	case x.spec.Liveness != None && !b.live.Has(r):
		x.count.spaceDead++
		b.awaited++
		x.markPresent(g.Warp, b, r)
	default:
		b.filling.Add(r)
		b.awaited++
		x.fetch(g.Warp, b, g.Reg)
	}
}

// fetch requests a register from the main file, as soon as no older or newer value is on its way there.
func (x *WCB) fetch(warp uint16, b *block, reg ir.RegID) {
	r := int(reg)
	if b.moving(r) {
		b.wanted.Add(r)
		x.count.fetchWaits++
		return
	}
	x.count.fetched[b.cause]++
	x.Fetch.Put(Fetch{Warp: warp, Reg: reg, Bank: b.bank[r], Cause: b.cause})
}

// takeLanded records the arrival of registers at the main file.
func (x *WCB) takeLanded() {
	for m := x.Landed.Take(); m != nil; m = x.Landed.Take() {
		b, r := &x.blocks[m.Warp], int(m.Reg)
		if m.Past {
			b.past[r]--
			b.passing--
		} else {
			b.back.Remove(r)
		}
		if !b.moving(r) {
			x.settle(m, b, r)
		}
	}
}

// settle resumes a register when no value of it is on its way to the main file any more.
func (x *WCB) settle(m *Landed, b *block, r int) {
	if b.wanted.Has(r) {
		b.wanted.Remove(r)
		x.fetch(m.Warp, b, m.Reg)
	}
	if b.unsettled.Has(r) {
		b.unsettled.Remove(r)
		x.arrived(m.Warp, b)
	}
}

// moving reports whether a value of a register is on its way to the main file.
func (b *block) moving(r int) bool { return b.back.Has(r) || b.past[r] > 0 }

// markPresent records that an awaited register need not be read. While an older value is on its way to the main file,
// the warp still waits: a newer value could otherwise be sent after it, and overtake it.
func (x *WCB) markPresent(warp uint16, b *block, r int) {
	if b.moving(r) {
		b.unsettled.Add(r)
		x.count.fetchWaits++
		return
	}
	x.arrived(warp, b)
}

// arrived records that the warp waits for one register less.
func (x *WCB) arrived(warp uint16, b *block) {
	b.awaited--
	x.ready(warp, b)
}

func (x *WCB) ready(warp uint16, b *block) {
	if b.shut && b.ended && b.awaited == 0 {
		x.opening = append(x.opening, warp)
	}
}

// open opens the gates to warps with all registers there.
func (x *WCB) open(now wire.Cycle) {
	n := 0
	for _, w := range x.opening {
		b := &x.blocks[w]
		out := &x.Opens[b.gate][int(w)%x.scheds-x.first]
		if !out.CanPut() {
			x.opening[n] = w
			n++
			continue
		}
		b.shut = false
		x.count.waited[b.gate] += now - b.since
		out.Put(regfile.Open{Warp: w})
	}
	x.opening = x.opening[:n]
}
