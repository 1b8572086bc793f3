package cerf

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// waiter is a read or transaction waiting for a line or a register from the L2.
type waiter struct {
	done  req.Done // of a transaction
	tag   uint32   // of a read of an operand
	lanes uint32
	to    uint8
	slot  uint8
	cause bank.Cause
	what  waiting
}

// waiting is the kind of a waiter.
type waiting uint8

const (
	forLine  waiting = iota
	forRead          // an operand
	forMerge         // no read: fetched lanes are to be merged into the entry
)

// address returns the address of the register at the given entry of the linear index of tag bank g.
func (x *Tags) address(g int, entry uint32) uint64 {
	return x.back.address(int(entry)<<x.places.groups | g)
}

func registerAccess(addr uint64, lanes uint32) cache.Access {
	a := cache.Access{Addr: addr, Cause: req.Spill, Kind: kindRegister, Sectors: req.AllSectors}
	if lanes == version.FullMask {
		a.Full = req.AllSectors
	}
	return a
}

// has reports whether the lanes of a register in entry i (-1: none) are present. Without a lane mask for every
// register either all lanes are present or none.
func (x *Tags) has(i int, lanes uint32) bool {
	if i < 0 {
		return false
	}
	if x.spec.Lanes == LanesMask {
		return lanes&^x.there[i] == 0
	}
	return x.there[i] == version.FullMask
}

// readRegister looks up an operand.
func (x *Tags) readRegister(g int, a *bank.Access, now wire.Cycle) bool {
	addr := x.address(g, a.Entry)
	i := x.core.Find(addr)
	switch {
	case x.has(i, a.Content.Lanes):
		x.core.Use(i)
		x.count.readHits++
		x.send(g, i, a)
		if x.spec.Policy == Prioritized && x.spec.dies(a) {
			x.count.died++
			x.drop(addr, i, now)
		}
	case x.spec.Policy == Prioritized || a.Content.Lanes == 0 || i < 0 && x.unwritten(addr):
		x.count.absent++
		x.send(g, x.first(addr), a)
	default:
		if !x.refetch(i, addr, waiter{tag: a.Tag, lanes: a.Content.Lanes, to: a.To, slot: a.Slot, cause: a.Cause,
			what: forRead}, now) {
			return false
		}
	}
	x.count.reads++
	return true
}

// unwritten reports whether the lanes of a missing register are known to be unwritten: nothing of the register has
// gone to the L2. Without a bit to record this, it returns false.
func (x *Tags) unwritten(addr uint64) bool {
	return x.spec.Lanes == LanesSpilled && !x.back.spilled[x.back.register(addr)]
}

// first returns the first entry of an address's set, read by a read without a hit.
func (x *Tags) first(addr uint64) int {
	return int(addr>>lineShift) & (x.spec.sets() - 1) << x.places.ways
}

// refetch makes a waiter wait for a register, and requests the register from the L2. It returns false if the
// request must wait for an MSHR, for space, or for the register's own way out.
func (x *Tags) refetch(i int, addr uint64, w waiter, now wire.Cycle) bool {
	if x.leave.has(addr) {
		return false
	}
	a := registerAccess(addr, 0)
	m := x.core.Miss(now, i, &a, x.Miss.Room(cache.MostSent), w)
	if m.Reason != cache.Ready {
		return false
	}
	if m.Ask != 0 {
		x.count.refetches++
		x.back.request(m.Register, addr)
		x.ask(req.Packet{Addr: addr, Tag: m.Register, Kind: req.Read, Cause: req.Spill, Sectors: m.Ask})
	}
	return true
}

// writeRegister writes a result.
func (x *Tags) writeRegister(g int, a *bank.Access, now wire.Cycle) bool {
	addr, lanes := x.address(g, a.Entry), a.Content.Lanes
	i := x.core.Find(addr)
	if i >= 0 {
		x.there[i] |= lanes
		x.count.writeHits++
		x.dirty(i)
		x.core.Use(i)
		x.send(g, i, a)
		x.count.writes++
		return true
	}
	whole := lanes != version.FullMask && x.unwritten(addr)
	if whole || x.spec.Policy == Prioritized {
		lanes = version.FullMask // lanes not written now were never written or are dead
	}
	merge := lanes != version.FullMask && x.spec.Lanes != LanesMask
	if merge && (x.leave.has(addr) || x.core.Used() == x.spec.MSHR.Entries || x.Miss.Room(1) < 1) {
		return false
	}
	c := registerAccess(addr, lanes)
	i, ok := x.claim(g, &c, now)
	if !ok {
		return false
	}
	x.there[i] = lanes
	if whole {
		x.count.unmerged++
	}
	if merge {
		if !x.refetch(i, addr, waiter{what: forMerge}, now) {
			panic("cerf: a register that is to be merged is fetched already")
		}
		x.count.merges++
	}
	x.send(g, i, a)
	x.count.writes++
	return true
}

// dirty marks the register in entry i as dirty, and as fully valid if all its lanes are present.
func (x *Tags) dirty(i int) {
	full := uint8(0)
	if x.there[i] == version.FullMask {
		full = req.AllSectors
	}
	x.core.Write(i, req.AllSectors, full)
}

// claim allocates an entry for a write, replacing another entry if necessary.
func (x *Tags) claim(g int, a *cache.Access, now wire.Cycle) (entry int, ok bool) {
	before := x.core.Evictions
	r, v := x.core.Store(a, x.leave.room())
	if r != cache.Ready {
		return 0, false
	}
	i := x.core.Find(a.Addr)
	x.placed(g, i, int(a.Kind), before, &v, now)
	return i, true
}

// placed records the allocation of entry i to a register or line. If it replaced v, and v is dirty, placed reads v.
func (x *Tags) placed(g, i, kind int, before uint64, v *cache.Victim, now wire.Cycle) {
	x.count.account(now)
	x.count.active[kind]++
	if x.core.Evictions == before {
		return
	}
	old := kindLine
	if x.back.Has(v.Addr) {
		old = kindRegister
		if x.spec.Policy == Prioritized {
			panic("cerf: a register has given way")
		}
	}
	x.count.active[old]--
	x.count.replaced[kind][old]++
	x.writeBack(g, i, v)
}

// drop makes the register at an address, in entry i, inactive.
func (x *Tags) drop(addr uint64, i int, now wire.Cycle) {
	x.count.account(now)
	x.count.active[kindRegister]--
	x.core.Discard(addr)
	x.there[i] = 0
}

// nobody marks a context without a CTA.
const nobody = ^uint16(0)

// takeEnds makes the registers of finished CTAs inactive. A context may already belong to another CTA, if its warp
// ended before others. Its registers then became inactive when that CTA started.
func (x *Tags) takeEnds(now wire.Cycle) {
	for n := x.CTAs.Take(); n != nil; n = x.CTAs.Take() {
		for _, w := range n.Contexts {
			owner := &x.contexts.owner[w]
			switch {
			case !n.Finished:
				if *owner != nobody {
					x.end(w, now)
				}
				*owner = n.CTA
			case *owner == n.CTA:
				x.end(w, now)
				*owner = nobody
			}
		}
	}
}

// end makes the registers of a context inactive. A register with lanes on their way stays until it is replaced.
func (x *Tags) end(warp uint16, now wire.Cycle) {
	first := int(warp) * x.contexts.each
	for r := range x.contexts.each {
		addr := x.back.address(first + r)
		x.back.spilled[first+r] = false
		i := x.core.Find(addr)
		if i < 0 || x.core.Awaited(i) {
			continue
		}
		x.count.dropped++
		x.drop(addr, i, now)
	}
}
