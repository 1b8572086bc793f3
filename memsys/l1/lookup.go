package l1

import (
	"kumiko/components/mshr"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// lookup serves the transaction at the head if its banks are free and tells
// whether it did. Each that is served occupies a bank, so in a cycle no more are
// than there are banks.
func (c *Cache) lookup(now wire.Cycle) bool {
	t := c.In.Head()
	if t == nil {
		return false
	}
	if at := c.banks.ready(t); at > now {
		c.blame(now, BankConflict)
		c.WakeAt(at)
		return false
	}
	var r Reason
	switch {
	case t.Kind >= req.Atomic:
		r = c.atomic(t)
	case t.Kind == req.Write:
		r = c.write(t)
	default:
		r = c.read(now, t)
	}
	c.blame(now, r)
	if r != Ready {
		return false
	}
	c.c.accesses[t.Cause]++
	c.banks.take(now, t)
	c.In.Pop()
	return true
}

// blame counts the cycles that the head waits, by reason.
func (c *Cache) blame(now wire.Cycle, r Reason) {
	if r == c.reason {
		return
	}
	if c.reason != Ready {
		c.c.stalled[c.reason] += now - c.since
	}
	if r != Ready {
		c.c.failures[r]++
	}
	c.reason, c.since = r, now
}

// hit answers a transaction through the hit pipeline.
func (c *Cache) hit(t *req.Txn) Reason {
	if !c.Hit.CanPut() {
		return Pipeline
	}
	c.Hit.Put(t.Done())
	return Ready
}

func (c *Cache) read(now wire.Cycle, t *req.Txn) Reason {
	if c.spec.Perfect {
		return c.count(c.hit(t), &c.c.hits[t.Cause])
	}
	if t.Bypass || t.Cause == req.GlobalLoad && !c.spec.CacheGlobal && !t.ReadOnly {
		if !c.Miss.CanPut() {
			return MissQueue
		}
		c.send(c.packet(t, t.Around))
		c.c.bypassed++
		return Ready
	}
	i := c.tags.Find(t.Addr)
	want := c.sectors(t.Sectors)
	if i >= 0 && want&^c.tags.Valid(i) == 0 {
		r := c.count(c.hit(t), &c.c.hits[t.Cause])
		if r == Ready {
			c.tags.Touch(i)
		}
		return r
	}
	if e := c.mshr.Find(t.Addr); e >= 0 {
		return c.merge(t, i, e, want)
	}
	return c.miss(now, t, i, want)
}

func (c *Cache) count(r Reason, n *uint64) Reason {
	if r == Ready {
		*n++
	}
	return r
}

// merge lets a transaction wait for a line that is outstanding; sectors of it
// that nobody has asked for are asked for.
func (c *Cache) merge(t *req.Txn, i, e int, want uint8) Reason {
	if c.mshr.CanAdd(e) != mshr.Accepted {
		return NoMerge
	}
	missing := c.fetched(want) &^ c.mshr.Expected(e)
	if i >= 0 {
		missing &^= c.fetched(c.tags.Valid(i))
	}
	if missing != 0 {
		if !c.Miss.CanPut() {
			return MissQueue
		}
		c.request(t, e, i, missing)
		c.c.misses[t.Cause]++
	} else {
		c.c.merged[t.Cause]++
	}
	c.mshr.Add(e, c.fetched(want)&c.mshr.Expected(e), t.Done())
	if i >= 0 {
		c.tags.Touch(i)
	}
	return Ready
}

// fetched is the sectors of 32 bytes that sectors of the tags are made of.
func (c *Cache) fetched(m uint8) uint8 {
	if c.whole && m != 0 {
		return req.AllSectors
	}
	return m
}

// miss starts the fetch of a line, or of sectors of a line that is there.
func (c *Cache) miss(now wire.Cycle, t *req.Txn, i int, want uint8) Reason {
	if c.mshr.CanOpen() != mshr.Accepted {
		return NoEntry
	}
	if !c.Miss.CanPut() {
		return MissQueue
	}
	if i < 0 && !c.onFill {
		v := c.tags.Victim(t.Addr)
		if v < 0 {
			return NoLine
		}
		if c.tags.Dirty(v) != 0 && c.Miss.Room() < 2 {
			c.WakeAt(now + 1)
			return MissQueue
		}
		c.replace(v, t.Addr)
		i = v
	}
	missing := c.fetched(want)
	if i >= 0 {
		missing &^= c.fetched(c.tags.Valid(i))
		c.tags.Touch(i)
	}
	e := c.mshr.Open(now, t.Addr)
	c.request(t, e, i, missing)
	c.mshr.Add(e, missing, t.Done())
	c.c.misses[t.Cause]++
	return Ready
}

// request asks for sectors of a line on behalf of register e.
func (c *Cache) request(t *req.Txn, e, i int, missing uint8) {
	p := c.packet(t, missing)
	p.Tag = uint32(e)
	c.send(p)
	c.mshr.Expect(e, missing)
	if i >= 0 {
		c.tags.Reserve(i, c.sectors(missing))
	}
}

// packet is a request that the transaction itself waits for.
func (c *Cache) packet(t *req.Txn, sectors uint8) req.Packet {
	p := req.Packet{Addr: t.Addr, Tag: t.Done().Tag(), Kind: t.Kind, Cause: t.Cause, Sectors: sectors, Full: t.Full, Ops: t.Ops, Depth: t.Depth}
	if t.Kind != req.Read {
		p.Bytes = t.Bytes
	}
	return p
}

// write applies the write policy of the transaction's space.
func (c *Cache) write(t *req.Txn) Reason {
	if c.spec.Perfect {
		return c.count(c.hit(t), &c.c.hits[t.Cause])
	}
	policy := c.policy[0]
	if t.Cause == req.LocalStore {
		policy = c.policy[1]
	}
	if policy == back {
		return c.allocate(t)
	}
	if !c.Miss.CanPut() {
		return MissQueue
	}
	i := c.tags.Find(t.Addr)
	switch {
	case i < 0:
		c.c.misses[t.Cause]++
	case policy == evict && c.tags.Pending(i) == 0 && c.tags.Dirty(i) == 0:
		c.c.hits[t.Cause]++
		c.tags.Invalidate(i)
	default:
		c.c.hits[t.Cause]++
		c.tags.Update(i, c.full(t.Full))
		c.tags.Touch(i)
	}
	c.send(c.packet(t, t.Sectors))
	return Ready
}

// allocate writes into the cache, making place for the line when it is not
// there. Nothing is fetched: sectors written in part are completed when they
// are read.
func (c *Cache) allocate(t *req.Txn) Reason {
	if !c.Hit.CanPut() {
		return Pipeline
	}
	n := &c.c.hits[t.Cause]
	i := c.tags.Find(t.Addr)
	if i < 0 {
		n = &c.c.misses[t.Cause]
		i = c.tags.Victim(t.Addr)
		if i < 0 {
			return NoLine
		}
		if c.tags.Dirty(i) != 0 && !c.Miss.CanPut() {
			return MissQueue
		}
		c.replace(i, t.Addr)
	}
	*n++
	c.tags.Write(i, c.sectors(t.Sectors), c.full(t.Full))
	c.tags.Touch(i)
	c.Hit.Put(t.Done())
	return Ready
}

// atomic sends an atomic to the L2. A copy of the line is dropped, after its
// dirty sectors have been written back.
func (c *Cache) atomic(t *req.Txn) Reason {
	if !c.Miss.CanPut() {
		return MissQueue
	}
	i := c.tags.Find(t.Addr)
	if i >= 0 && c.tags.Pending(i) == 0 {
		if c.tags.Dirty(i) != 0 {
			if c.Miss.Room() < 2 {
				c.Wake()
				return MissQueue
			}
			c.writeBack(t.Addr, c.tags.Dirty(i), c.tags.Valid(i))
		}
		c.tags.Invalidate(i)
	}
	c.send(c.packet(t, t.Sectors))
	return Ready
}
