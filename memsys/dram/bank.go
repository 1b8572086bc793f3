package dram

import "math/bits"

// banks are the banks of a channel and the times from which each command may
// issue. All times are command cycles.
type banks struct {
	bank   [64]bank
	active uint64 // banks with a request

	shift, bankMask, rowShift uint64
	hash                      bool

	column [2]uint64     // by write: over the channel
	group  [64][2]uint64 // by write: over a bank group
	act    uint64        // over the channel
}

type bank struct {
	row     uint64
	entries uint64 // of the queue
	column  uint64 // from when a column command may issue
	pre     uint64
	act     uint64
	// best is the request that the bank serves next: see choose. until is the
	// command cycle in which age may change that.
	best  int
	until uint64
	stale bool
	open  bool
	group uint8
}

func (b *banks) init(s *Spec) {
	b.shift = uint64(bits.TrailingZeros(uint(s.Stripe)))
	b.bankMask = uint64(s.Banks - 1)
	b.rowShift = uint64(bits.TrailingZeros(uint(s.Row * s.Banks)))
	b.hash = s.BankHash
	for i := range s.Banks {
		b.bank[i].group = uint8(i % s.Groups)
		b.bank[i].best = -1
	}
}

// place is the bank and the row of an address.
func (b *banks) place(addr uint64) (bank int, row uint64) {
	row = addr >> b.rowShift
	n := addr >> b.shift & b.bankMask
	if b.hash {
		n ^= row & b.bankMask
	}
	return int(n), row
}

// activate opens the row of entry i in its bank.
func (c *Channel) activate(t uint64, i int) {
	e := &c.queue.entries[i]
	b, s := &c.banks.bank[e.bank], &c.spec
	b.open, b.row = true, e.row
	b.column = t + uint64(s.RCD)
	b.pre = t + uint64(s.RAS)
	b.act = t + uint64(s.RC)
	c.banks.act = t + uint64(s.RRD)
	for m := b.entries; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		if c.queue.entries[k].row == b.row {
			c.queue.open |= 1 << k
		}
	}
	b.stale = true
	if !e.touched {
		c.c.rowMisses++
	}
	e.touched = true
}

// precharge closes the row of the bank of entry i.
func (c *Channel) precharge(t uint64, i int) {
	e := &c.queue.entries[i]
	b := &c.banks.bank[e.bank]
	b.open = false
	b.act = max(b.act, t+uint64(c.spec.RP))
	c.queue.open &^= b.entries
	b.stale = true
	if !e.touched {
		c.c.rowConflicts++
	}
	e.touched = true
}

// transfer issues a column command for entry i.
func (c *Channel) transfer(t uint64, i int) {
	e := &c.queue.entries[i]
	s, w := &c.spec, 0
	if e.write {
		w = 1
	}
	b := &c.banks.bank[e.bank]
	if !e.touched {
		c.c.rowHits++
		e.touched = true
	}
	beat := uint64(s.beat())
	ch, g := &c.banks.column, &c.banks.group[b.group]
	ch[w] = t + max(uint64(s.CCD), beat)
	g[w] = t + max(uint64(s.CCDL), beat)
	end := t + uint64(s.CL) + beat
	if e.write {
		end = t + uint64(s.WL) + beat
		ch[0] = max(ch[0], end+uint64(s.CDLR))
		b.pre = max(b.pre, end+uint64(s.WR))
	} else {
		// Two idle cycles turn the bus around (as in GPGPU-Sim's tRTW).
		ch[1] = max(ch[1], t+uint64(s.CL)+beat+2-min(uint64(s.WL), uint64(s.CL)+beat+2))
		b.pre = max(b.pre, t+uint64(s.RTP))
	}
	c.c.busy += beat
	c.c.commands++
	if e.atoms--; e.atoms > 0 {
		return
	}
	c.c.waited += end - e.arrived
	if !e.write {
		c.finish(e, end)
	}
	c.remove(t, i)
}
