package l2

import (
	"kumiko/components/mshr"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// read serves a read or an atomic.
func (l *Slice) read(now wire.Cycle, p *req.Packet) Reason {
	i := l.tags.Find(p.Addr)
	if i >= 0 && p.Sectors&^l.tags.Valid(i) == 0 {
		r := l.serve(now, p)
		if r == Ready {
			l.c.hits[p.Cause]++
			l.use(i, p)
		}
		return r
	}
	if e := l.mshr.Find(p.Addr); e >= 0 {
		return l.merge(p, i, e)
	}
	return l.miss(now, p, i)
}

// use makes a line the most recent, and dirty when the packet is an atomic.
func (l *Slice) use(i int, p *req.Packet) {
	l.tags.Touch(i)
	if p.Kind >= req.Atomic {
		l.tags.Write(i, p.Sectors, 0)
	}
}

// merge lets a packet wait for a line that is outstanding. Once all of it has
// come and while the packets that waited are being answered, the line may be
// replaced: then the packet has to come back when the register is free.
func (l *Slice) merge(p *req.Packet, i, e int) Reason {
	if i < 0 || l.mshr.CanAdd(e) != mshr.Accepted {
		return NoMerge
	}
	missing := p.Sectors &^ l.mshr.Expected(e) &^ l.tags.Valid(i)
	if missing != 0 {
		if !l.ToMemory.CanPut() {
			return MissQueue
		}
		l.fetch(p, e, i, missing)
		l.c.misses[p.Cause]++
	} else {
		l.c.merged[p.Cause]++
	}
	l.mshr.Add(e, p.Sectors&l.mshr.Expected(e), *p)
	l.use(i, p)
	return Ready
}

func (l *Slice) miss(now wire.Cycle, p *req.Packet, i int) Reason {
	if l.mshr.CanOpen() != mshr.Accepted {
		return NoEntry
	}
	if !l.ToMemory.CanPut() {
		return MissQueue
	}
	if i < 0 {
		v := l.tags.Victim(p.Addr)
		if v < 0 {
			return NoLine
		}
		if l.tags.Dirty(v) != 0 && l.ToMemory.Room() < 2 {
			l.WakeAt(now + 1)
			return MissQueue
		}
		l.replace(v, p.Addr)
		i = v
	}
	missing := p.Sectors &^ l.tags.Valid(i)
	e := l.mshr.Open(now, p.Addr)
	l.fetch(p, e, i, missing)
	l.mshr.Add(e, missing, *p)
	l.use(i, p)
	l.c.misses[p.Cause]++
	return Ready
}

// fetch asks the DRAM channel for sectors on behalf of register e.
func (l *Slice) fetch(p *req.Packet, e, i int, missing uint8) {
	l.ToMemory.Put(req.MemRequest{Addr: l.amap.Local(p.Addr), Tag: uint32(e), Sectors: missing, Cause: p.Cause})
	l.mshr.Expect(e, missing)
	l.tags.Reserve(i, missing)
}

// replace puts a line into entry v and writes a dirty one back, for which there
// is room.
func (l *Slice) replace(v int, addr uint64) {
	old := l.tags.Replace(v, addr, 0)
	if !old.Present {
		return
	}
	l.c.evictions++
	if old.Dirty != 0 {
		l.c.writeBacks++
		l.ToMemory.Put(req.MemRequest{Addr: l.amap.Local(old.Addr), Sectors: old.Dirty, Write: true, Cause: req.WriteBack})
	}
}

// write puts sectors into the slice, making place for the line when it is not
// there.
func (l *Slice) write(p *req.Packet) Reason {
	if !p.Posted && !l.Out.CanPut() {
		return Reply
	}
	n := &l.c.hits[p.Cause]
	i := l.tags.Find(p.Addr)
	if i < 0 {
		n = &l.c.misses[p.Cause]
		i = l.tags.Victim(p.Addr)
		if i < 0 {
			return NoLine
		}
		if l.tags.Dirty(i) != 0 && !l.ToMemory.CanPut() {
			return MissQueue
		}
		l.replace(i, p.Addr)
	}
	*n++
	l.tags.Write(i, p.Sectors, p.Full)
	l.tags.Touch(i)
	if !p.Posted {
		l.Out.Put(p.Answer())
	}
	return Ready
}
