package cerf

import (
	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// lines has the transactions in progress: looked up by the tags, being read, or on their way to the L2. They go to
// the L2 in the order of their lookups.
type lines struct {
	slots  []req.Txn `bits:"type"`
	free   []uint8   `bits:"log(slots)"`
	missed []uint8   `bits:"log(slots)" room:"slots"` // slots waiting to go to the L2, the first in front
	n      int       // slots in use
	evict  bool      // stores to global memory do not allocate
	stalls cache.Stalls
}

func (l *lines) init(s *Spec) {
	l.slots = make([]req.Txn, s.Queue)
	l.missed = make([]uint8, 0, s.Queue)
	for i := s.Queue - 1; i >= 0; i-- {
		l.free = append(l.free, uint8(i))
	}
	l.evict = s.Store == StoreEvict
	l.stalls = cache.NewStalls("leaving")
}

// isLeaving is a further reason for a transaction to wait before the L2: its line is still on its way there.
const isLeaving = cache.NumReasons

// done frees the slot of a transaction and returns its answer.
func (l *lines) done(slot uint32) req.Done {
	d := l.slots[slot].Done()
	l.release(uint8(slot))
	return d
}

func (l *lines) release(slot uint8) {
	l.free = append(l.free, slot)
	l.n--
}

// miss queues a transaction for the L2.
func (l *lines) miss(slot uint8) { l.missed = append(l.missed, slot) }

func (l *lines) next() { l.missed = l.missed[:copy(l.missed, l.missed[1:])] }

// sendLookups sends the lookup of a transaction to the arbiter, or, for a bypassing load, queues it for the L2. It
// reports whether another one may go in the next cycle.
func (x *Tags) sendLookups() bool {
	t, l := x.Txn.Head(), &x.lines
	if t == nil || len(l.free) == 0 {
		return false // woken by a transaction, or when a slot is freed
	}
	around := t.Kind == req.Read && t.Bypass
	if !around && !x.canSend(t) {
		return false
	}
	s := l.free[len(l.free)-1]
	l.free = l.free[:len(l.free)-1]
	l.n++
	l.slots[s] = *t
	if around {
		x.count.bypassed++
		l.miss(s)
	} else {
		x.lookup(s)
	}
	x.core.Accesses[t.Cause]++
	x.Txn.Pop()
	return x.Txn.Head() != nil || around
}

// canSend reports whether the lookup of a transaction can be sent.
func (x *Tags) canSend(t *req.Txn) bool {
	if t.Kind == req.Write {
		return x.Write.CanPut()
	}
	return x.Read.CanPut()
}

// lookup sends the lookup of the transaction in a slot: for stores as a write of the banks, for all others as a
// read.
func (x *Tags) lookup(s uint8) {
	t := &x.lines.slots[s]
	g, entry := x.places.groupOf(t.Addr), uint32(t.Addr>>lineShift)|lineEntry
	if t.Kind == req.Write {
		*x.Write.Slot() = bank.Access{Content: version.Content{Lanes: req.LanesOf(t.Sectors)}, Entry: entry,
			Tag: uint32(s), Bank: uint8(g), To: x.places.end, Kind: bank.Write, Cause: bank.Line}
		x.Write.PutSlot()
		return
	}
	*x.Read.Slot() = bank.Request{Tag: uint32(s), Lanes: req.LanesOf(t.Sectors), Entry: [bank.MaxReads]uint32{entry},
		Bank: [bank.MaxReads]uint8{uint8(g)}, N: 1, To: x.places.end, Cause: bank.Line}
	x.Read.PutSlot()
}

// lineEntry marks the entries of lines at the arbiter. The arbiter keeps a read behind a write of the same entry.
const lineEntry = 1 << 31

// lineAccess looks a transaction up.
func (x *Tags) lineAccess(g int, a *bank.Access, now wire.Cycle) bool {
	s := uint8(a.Tag)
	t := &x.lines.slots[s]
	switch {
	case t.Kind >= req.Atomic:
		return x.atomic(g, s, t, now)
	case t.Kind == req.Write && x.lines.evict && t.Cause != req.LocalStore:
		x.storeThrough(g, s, t, a, now)
		return true
	case t.Kind == req.Write:
		return x.store(g, s, t, a, now)
	}
	i := x.core.Find(t.Addr)
	if !x.core.Has(i, t.Sectors) {
		x.lines.miss(s)
		return true
	}
	x.core.Use(i)
	x.core.Hits[t.Cause]++
	a.Slot = ofLoad
	x.send(g, i, a)
	return true
}

func lineOf(t *req.Txn) cache.Access {
	return cache.Access{Addr: t.Addr, Cause: t.Cause, Kind: kindLine, Sectors: t.Sectors, Full: t.Full}
}

// store writes a line, allocating a way if it has none. If no way is free, the store bypasses the memory.
func (x *Tags) store(g int, s uint8, t *req.Txn, a *bank.Access, now wire.Cycle) bool {
	if !x.Hit.CanPut() {
		return false
	}
	c, there := lineOf(t), x.core.Find(t.Addr) >= 0
	before := x.core.Evictions
	r, v := x.core.Store(&c, x.leave.room())
	switch r {
	case cache.NoLine:
		x.lines.miss(s)
		x.count.unplaced++
		return true
	case cache.Ready:
	default:
		return false
	}
	i := x.core.Find(t.Addr)
	if !there {
		x.placed(g, i, kindLine, before, &v, now)
		x.there[i] = version.FullMask
	}
	x.send(g, i, a)
	x.Hit.Put(x.lines.done(uint32(s)))
	return true
}

// storeThrough sends a store to the L2. It drops the store's line, or updates the line if it is dirty.
func (x *Tags) storeThrough(g int, s uint8, t *req.Txn, a *bank.Access, now wire.Cycle) {
	c, i := lineOf(t), x.core.Find(t.Addr)
	x.core.Evict(&c)
	switch {
	case i < 0:
	case x.core.Find(t.Addr) < 0:
		x.inactive(kindLine, now)
	default:
		x.send(g, i, a)
	}
	x.lines.miss(s)
}

// inactive records that an entry of a kind has become empty.
func (x *Tags) inactive(kind int, now wire.Cycle) {
	x.count.account(now)
	x.count.active[kind]--
}

// atomic sends an atomic to the L2. It drops the line to be changed there, after sending its dirty sectors.
func (x *Tags) atomic(g int, s uint8, t *req.Txn, now wire.Cycle) bool {
	i := x.core.Find(t.Addr)
	r, v := x.core.Drop(t.Addr, x.leave.room())
	if r != cache.Ready {
		return false
	}
	if i >= 0 {
		x.inactive(kindLine, now)
		x.writeBack(g, i, &v)
	}
	x.lines.miss(s)
	return true
}

// sendMisses sends the first queued transaction to the L2. It reports whether another one may follow in the next
// cycle.
func (x *Tags) sendMisses(now wire.Cycle) bool {
	l := &x.lines
	if len(l.missed) == 0 {
		return false
	}
	s := l.missed[0]
	r := x.miss(s, &l.slots[s], now)
	l.stalls.Note(now, r)
	if r != cache.Ready {
		return false
	}
	l.next()
	return true
}

// miss sends a transaction to the L2, or returns the reason for it to wait. A transaction whose line has arrived
// meanwhile is looked up once more. One place in the queue and one MSHR are always left free for registers.
func (x *Tags) miss(s uint8, t *req.Txn, now wire.Cycle) cache.Reason {
	load := t.Kind == req.Read && !t.Bypass
	switch {
	case load && x.core.Has(x.core.Find(t.Addr), t.Sectors):
		if !x.Read.CanPut() {
			return cache.Full
		}
		x.lookup(s)
		return cache.Ready
	case x.leave.has(t.Addr):
		return isLeaving // woken when its data come
	case x.Miss.Room(2) < 2:
		x.Miss.CanPut()
		if x.Miss.Room(1) > 0 {
			x.WakeAt(now + 1)
		}
		return cache.Full
	case load:
		return x.missLoad(s, t, now)
	}
	p := packet(t)
	x.ask(p)
	x.lines.release(s)
	return cache.Ready
}

func (x *Tags) missLoad(s uint8, t *req.Txn, now wire.Cycle) cache.Reason {
	if x.core.Used() >= x.spec.MSHR.Entries-1 {
		return cache.NoEntry // woken when a reply comes
	}
	c, room := lineOf(t), x.Miss.Room(1+cache.MostSent)-1
	m := x.core.Miss(now, x.core.Find(t.Addr), &c, room, waiter{done: t.Done(), what: forLine})
	if m.Reason != cache.Ready {
		return cache.Await(now, &x.Comp, &x.Miss, m.Reason)
	}
	if m.Ask != 0 {
		p := packet(t)
		p.Tag, p.Sectors = m.Register, m.Ask
		x.ask(p)
	}
	x.lines.release(s)
	return cache.Ready
}

// packet returns a request to the L2 with the transaction's own tag, so that the reply goes to the transaction and
// fills no line.
func packet(t *req.Txn) req.Packet {
	p := req.Packet{Addr: t.Addr, Tag: t.Done().Tag(), Kind: t.Kind, Cause: t.Cause, Sectors: t.Sectors, Full: t.Full,
		Ops: t.Ops, Depth: t.Depth}
	if t.Kind != req.Read {
		p.Bytes = t.Bytes
	} else if t.Bypass {
		p.Sectors = t.Around
	}
	return p
}
