package l1

import (
	"kumiko/components/cause"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// lookup serves the transaction at the head if its banks are free and reports whether it did. Each served
// transaction occupies a bank. So the transactions per cycle are limited to the number of banks.
func (c *Tags) lookup(now wire.Cycle) bool {
	t := c.In.Head()
	if t == nil {
		return false
	}
	r := c.serve(now, t)
	c.waits(now, r)
	if r != cache.Ready {
		return false
	}
	c.In.Pop()
	return true
}

// waits records why the transaction at the head waits; Ready if it does not.
func (c *Tags) waits(now wire.Cycle, r cache.Reason) {
	c.stalls.Note(now, r)
	switch r {
	case cache.Ready:
	case Pipeline, BankConflict:
		c.Holds(cause.Cache)
	default:
		c.Holds(cause.Memory) // registers, lines and room that replies free
	}
}

// serve serves a transaction, or returns the reason for its wait in this cycle.
func (c *Tags) serve(now wire.Cycle, t *req.Txn) cache.Reason {
	place := placeOf(t)
	if at := c.banks.ready(now, &place); at > now {
		c.WakeAt(at)
		return BankConflict
	}
	var r cache.Reason
	switch {
	case c.mute():
		r = Pipeline
	case t.Kind >= req.Atomic:
		r = c.note(t, c.atomic(now, t))
	case t.Kind == req.Write:
		r = c.write(now, t)
	default:
		r = c.read(now, t)
	}
	if r == cache.Ready {
		c.core.Accesses[t.Cause]++
		c.banks.take(now, &place)
	}
	return r
}

// mayHit reports whether there is room in the hit pipeline.
func (c *Tags) mayHit() bool {
	if c.Access.Connected() {
		return c.answers.CanPut()
	}
	return c.Hit.CanPut()
}

// answer answers a transaction through the hit pipeline. The caller has checked for room.
func (c *Tags) answer(t *req.Txn) {
	if !c.Access.Connected() {
		c.Hit.Put(t.Done())
		return
	}
	*c.Access.Slot() = Access{Place: placeOf(t), Done: t.Done()}
	c.Access.PutSlot()
}

// ListenHits calls f whenever the cache answers a transaction by itself, before the
// transaction leaves In.
func (c *Tags) ListenHits(f func()) {
	if c.Access.Connected() {
		wire.OnPut(&c.Access, func(_, _ wire.Cycle, _ *Access) { f() })
	} else {
		wire.OnPut(&c.Hit, func(_, _ wire.Cycle, _ *req.Done) { f() })
	}
}

func (c *Tags) hit(t *req.Txn) cache.Reason {
	if !c.mayHit() {
		return Pipeline
	}
	c.answer(t)
	c.core.Hits[t.Cause]++
	return cache.Ready
}

func (c *Tags) read(now wire.Cycle, t *req.Txn) cache.Reason {
	if c.spec.Perfect {
		return c.hit(t)
	}
	if t.Bypass || t.Cause == req.GlobalLoad && !c.spec.CacheGlobal && !t.ReadOnly {
		return c.note(t, c.pass(t))
	}
	i := c.core.Find(t.Addr)
	if !c.core.Has(i, t.Sectors) {
		return c.note(t, c.miss(now, t, i))
	}
	r := c.hit(t)
	if r == cache.Ready {
		c.core.Use(i)
	}
	c.used(now, t, i, true, r)
	return r
}

// pass sends a load to the L2. The L2's reply answers the load.
func (c *Tags) pass(t *req.Txn) cache.Reason {
	if !c.Miss.CanPut() {
		return cache.Full
	}
	c.send(c.packet(t, t.Around))
	c.counts.bypassed++
	return cache.Ready
}

// miss makes a transaction wait for its sectors, and requests the sectors not in
// flight yet.
func (c *Tags) miss(now wire.Cycle, t *req.Txn, i int) cache.Reason {
	a := access(t)
	m := c.core.Miss(now, i, &a, c.Miss.Room(cache.MostSent), t.Done())
	if m.Reason != cache.Ready {
		return cache.Await(now, &c.Comp, &c.Miss, m.Reason)
	}
	c.used(now, t, m.Entry, false, m.Reason)
	c.writeBack(&m.Victim)
	if c.placed != nil {
		c.missed(t, i, &m)
	}
	if m.Ask != 0 {
		p := c.packet(t, m.Ask)
		p.Tag = m.Register
		c.send(p)
	}
	return cache.Ready
}

// access converts a transaction to the core's form.
func access(t *req.Txn) cache.Access {
	return cache.Access{Addr: t.Addr, Cause: t.Cause, Sectors: t.Sectors, Full: t.Full}
}

// packet returns a request tagged with the answer to the transaction, which alone waits for the reply.
func (c *Tags) packet(t *req.Txn, sectors uint8) req.Packet {
	p := req.Packet{Addr: t.Addr, Tag: t.Done().Tag(), Warp: t.Warp, Kind: t.Kind, Cause: t.Cause, Sectors: sectors,
		Full: t.Full, Ops: t.Ops, Depth: t.Depth}
	if t.Kind != req.Read {
		p.Bytes = t.Bytes
	}
	return p
}

// write applies the write policy of the transaction's space.
func (c *Tags) write(now wire.Cycle, t *req.Txn) cache.Reason {
	if c.spec.Perfect {
		return c.hit(t)
	}
	policy := c.policy[0]
	if t.Cause == req.LocalStore {
		policy = c.policy[1]
	}
	if policy == back {
		return c.store(now, t)
	}
	if !c.Miss.CanPut() {
		return cache.Full
	}
	a := access(t)
	if policy == evict {
		c.core.Evict(&a)
	} else {
		c.core.Update(&a)
	}
	c.send(c.packet(t, t.Sectors))
	return cache.Ready
}

// store writes into the cache and answers the transaction.
func (c *Tags) store(now wire.Cycle, t *req.Txn) cache.Reason {
	if !c.mayHit() {
		return Pipeline
	}
	a := access(t)
	r, v := c.core.Store(&a, c.Miss.Room(cache.MostSent))
	if r == cache.Ready {
		c.writeBack(&v)
		c.answer(t)
		if c.placed != nil {
			c.place(t.Addr, &v, t.Warp)
		}
	}
	return cache.Await(now, &c.Comp, &c.Miss, r)
}

// atomic sends an atomic to the L2. A copy of the line is dropped, after its
// dirty sectors have been written back.
func (c *Tags) atomic(now wire.Cycle, t *req.Txn) cache.Reason {
	if !c.Miss.CanPut() {
		return cache.Full
	}
	r, v := c.core.Drop(t.Addr, c.Miss.Room(cache.MostSent)-1)
	if r != cache.Ready {
		return cache.Await(now, &c.Comp, &c.Miss, r)
	}
	c.writeBack(&v)
	c.send(c.packet(t, t.Sectors))
	return cache.Ready
}
