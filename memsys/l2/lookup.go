package l2

import (
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// access converts a packet to the core's form. An atomic is performed on the
// line in its place.
func access(p *req.Packet) cache.Access {
	around := p.Flags&req.NoAllocate != 0 && p.Kind < req.Atomic
	return cache.Access{Addr: p.Addr, Cause: p.Cause, Sectors: p.Sectors, Full: p.Full, NoPlace: around}
}

// read serves a read or an atomic.
func (l *Tags) read(now wire.Cycle, p *req.Packet) cache.Reason {
	i := l.core.Find(p.Addr)
	if !l.core.Has(i, p.Sectors) {
		return l.miss(now, p, i)
	}
	r := l.serve(now, p, true)
	if r == cache.Ready {
		l.core.Hits[p.Cause]++
		l.core.Use(i)
		l.change(i, p)
	}
	return r
}

// change marks the sectors of an atomic dirty.
func (l *Tags) change(i int, p *req.Packet) {
	if p.Kind >= req.Atomic {
		l.core.Write(i, p.Sectors, 0)
	}
}

// miss makes a packet wait for its sectors, and requests the sectors not in flight yet from the
// DRAM channel.
func (l *Tags) miss(now wire.Cycle, p *req.Packet, i int) cache.Reason {
	a := access(p)
	m := l.core.Miss(now, i, &a, l.ToMemory.Room(cache.MostSent), *p)
	if m.Reason != cache.Ready {
		return cache.Await(now, &l.Comp, &l.ToMemory, m.Reason)
	}
	l.writeBack(&m.Victim)
	if m.Ask != 0 {
		l.ToMemory.Put(req.MemRequest{Addr: l.amap.Local(p.Addr), Tag: m.Register, SM: p.SM, Warp: p.Warp,
			Sectors: m.Ask, Cause: p.Cause})
	}
	l.change(m.Entry, p)
	return cache.Ready
}

// writeBack sends the dirty sectors of an evicted line.
func (l *Tags) writeBack(v *cache.Victim) {
	if v.Dirty != 0 {
		l.ToMemory.Put(req.MemRequest{Addr: l.amap.Local(v.Addr), Sectors: v.Dirty, Write: true, Cause: req.WriteBack})
	}
}

// write puts sectors into the slice. Without allocation, it sends the sectors of a missing line
// to the DRAM channel.
func (l *Tags) write(now wire.Cycle, p *req.Packet) cache.Reason {
	if !p.Posted() && !l.replies.CanPut() {
		return Reply
	}
	a := access(p)
	r, v := cache.Ready, cache.Victim{}
	if a.NoPlace && l.core.Find(a.Addr) < 0 {
		r = l.writeAround(p)
	} else if r, v = l.core.Store(&a, l.ToMemory.Room(cache.MostSent)); r == cache.Ready {
		l.writeBack(&v)
	}
	if r == cache.Ready && !p.Posted() {
		l.send(p, true)
	}
	return cache.Await(now, &l.Comp, &l.ToMemory, r)
}

// writeAround sends a write to the DRAM channel.
func (l *Tags) writeAround(p *req.Packet) cache.Reason {
	if !l.ToMemory.CanPut() {
		return cache.Full
	}
	l.core.Misses[p.Cause]++
	l.ToMemory.Put(req.MemRequest{Addr: l.amap.Local(p.Addr), Sectors: p.Sectors, Write: true, Cause: p.Cause})
	return cache.Ready
}
