package dram

import (
	"math/bits"

	"kumiko/memsys/req"
)

// queue holds the requests visible to the scheduler. Masks have bit i for entry
// i.
type queue struct {
	entries [64]entry `bits:"type"`
	free    uint64
	n       int
	writes  uint64
	open    uint64 // entries with their row open
	seq     uint64
	oldestW int    // oldest write, or -1
	all     uint64 // all valid entry numbers
	sort    uint64 // the requests allowed at the banks' last choice
}

// entry is a request.
type entry struct {
	row     uint64
	seq     uint64 // order of arrival
	arrived uint64 `soft:"statistics"` // cycle
	tag     uint32
	sm      uint16 `soft:"for observers"`
	warp    uint16 `soft:"for observers"`
	bank    uint8
	atoms   uint8 // column commands still to issue
	sectors uint8
	port    uint8
	cause   req.Cause
	write   bool
	touched bool // an activate or precharge was issued for it
}

func (q *queue) init(s *Spec) {
	q.all = ^uint64(0) >> (64 - s.Queue)
	q.free = q.all
	q.oldestW = -1
}

func (q *queue) full() bool { return q.free == 0 }

// oldest returns the oldest entry of a mask. The mask must not be empty.
func (q *queue) oldest(m uint64) int {
	best := bits.TrailingZeros64(m)
	for m &= m - 1; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros64(m); q.entries[i].seq < q.entries[best].seq {
			best = i
		}
	}
	return best
}

// add puts a request into the queue; it can be served at once.
func (c *Channel) add(now uint64, r *req.MemRequest, port uint8) {
	q := &c.queue
	c.account(now)
	i := bits.TrailingZeros64(q.free)
	q.free &^= 1 << i
	q.n++
	q.seq++
	bank, row := c.banks.place(r.Addr)
	q.entries[i] = entry{
		row: row, seq: q.seq, arrived: now, tag: r.Tag, sm: r.SM, warp: r.Warp, bank: uint8(bank),
		atoms:   c.atoms(r.Sectors, r.Write),
		sectors: r.Sectors, port: port, cause: r.Cause, write: r.Write,
	}
	b := &c.banks.bank[bank]
	b.entries |= 1 << i
	c.banks.active |= 1 << bank
	if b.open && b.row == row {
		q.open |= 1 << i
	}
	if r.Write {
		q.writes |= 1 << i
		if q.oldestW < 0 {
			q.oldestW = i
		}
	}
	c.banks.stale |= 1 << bank
	c.count(r)
}

// remove removes a request from the queue.
func (c *Channel) remove(now uint64, i int) {
	q := &c.queue
	c.account(now)
	e := &q.entries[i]
	q.free |= 1 << i
	q.n--
	q.open &^= 1 << i
	b := &c.banks.bank[e.bank]
	b.entries &^= 1 << i
	c.banks.stale |= 1 << e.bank
	if b.entries == 0 {
		c.banks.active &^= 1 << e.bank
	}
	if !e.write {
		return
	}
	q.writes &^= 1 << i
	if i == q.oldestW {
		q.oldestW = -1
		if q.writes != 0 {
			q.oldestW = q.oldest(q.writes)
		}
	}
}

// atoms returns the number of column commands for sectors of a line.
func (c *Channel) atoms(sectors uint8, write bool) uint8 {
	per := c.spec.Atom() / req.SectorBytes
	if c.spec.BySector && !write {
		per = min(per, 1)
	}
	switch {
	case per >= req.Sectors:
		return 1
	case per == 2:
		return uint8(bits.OnesCount8((sectors | sectors>>1) & 0b0101))
	case per < 1: // several bursts per sector
		return uint8(bits.OnesCount8(sectors) * req.SectorBytes / c.spec.Atom())
	}
	return uint8(bits.OnesCount8(sectors))
}
