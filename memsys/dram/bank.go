package dram

import "math/bits"

// Commands of a choice. The column commands also index the timing tables.
const (
	readCmd = iota
	writeCmd
	prechargeCmd
	activateCmd
	numCmds
)

// banks has the banks of a channel and the earliest cycle of each command.
// Masks have bit i for bank i.
type banks struct {
	bank   [64]bank   `bits:"17+7+4*8+1"`
	choice [64]choice `soft:"found anew by hardware in each cycle"`
	active uint64     // banks with a request
	// Banks by the next command of their chosen request: activate or precharge, and column.
	rows, columns uint64
	stale         uint64 // banks due for a new choice
	until         uint64 // from when age may change a choice

	shift, bankMask, rowShift uint64
	hash                      bool

	channel [numCmds]uint64     `bits:"8"` // by command: over the channel
	group   [64][numCmds]uint64 `bits:"8"` // column commands: over a bank group
}

type bank struct {
	row     uint64
	entries uint64          // of the queue
	at      [numCmds]uint64 // by command: from when the bank takes it
	open    bool
}

// choice is the next request of a bank and its command.
type choice struct {
	seq   uint64
	at    uint64 // from when the bank takes the command
	entry uint8
	cmd   uint8
	group uint8
}

func (b *banks) init(s *Spec) {
	b.shift = uint64(bits.TrailingZeros(uint(s.Stripe)))
	b.bankMask = uint64(s.Banks - 1)
	b.rowShift = uint64(bits.TrailingZeros(uint(s.Row * s.Banks)))
	b.hash = s.BankHash
	for i := range s.Banks {
		b.choice[i].group = uint8(i % s.Groups)
	}
	b.until = never
}

// place returns the bank and the row of an address.
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
	b.at[readCmd] = t + uint64(s.RCD)
	b.at[writeCmd] = t + uint64(s.RCD)
	b.at[prechargeCmd] = t + uint64(s.RAS)
	b.at[activateCmd] = t + uint64(s.RC)
	c.banks.channel[activateCmd] = t + uint64(s.RRD)
	for m := b.entries; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		if c.queue.entries[k].row == b.row {
			c.queue.open |= 1 << k
		}
	}
	c.banks.stale |= 1 << e.bank
	if !e.touched {
		c.counts.rowMisses++
	}
	if c.row != nil {
		c.row(e.event(true))
	}
	e.touched = true
}

// precharge closes the row of the bank of entry i.
func (c *Channel) precharge(t uint64, i int) {
	e := &c.queue.entries[i]
	b := &c.banks.bank[e.bank]
	b.open = false
	b.at[activateCmd] = max(b.at[activateCmd], t+uint64(c.spec.RP))
	c.queue.open &^= b.entries
	c.banks.stale |= 1 << e.bank
	if !e.touched {
		c.counts.rowConflicts++
		if c.row != nil {
			c.row(e.event(false))
		}
	}
	e.touched = true
}

// transfer issues a column command for entry i and reports whether it needs
// another one.
func (c *Channel) transfer(t uint64, i int) bool {
	e := &c.queue.entries[i]
	s, k := &c.spec, &c.banks
	if !e.touched {
		c.counts.rowHits++
		e.touched = true
	}
	beat := uint64(s.beat())
	cmd, end := readCmd, t+uint64(s.CL)+beat
	if e.write {
		cmd, end = writeCmd, t+uint64(s.WL)+beat
	}
	b, g := &k.bank[e.bank], &k.group[k.choice[e.bank].group]
	k.channel[cmd] = t + max(uint64(s.CCD), beat)
	g[cmd] = t + max(uint64(s.CCDL), beat)
	if e.write {
		k.channel[readCmd] = max(k.channel[readCmd], end+uint64(s.CDLR))
		b.at[prechargeCmd] = max(b.at[prechargeCmd], end+uint64(s.WR))
	} else {
		// Two idle cycles turn the bus around (as in GPGPU-Sim's tRTW).
		free := uint64(s.CL) + beat + 2
		k.channel[writeCmd] = max(k.channel[writeCmd], t+free-min(uint64(s.WL), free))
		b.at[prechargeCmd] = max(b.at[prechargeCmd], t+uint64(s.RTP))
	}
	c.counts.busy += beat
	c.counts.commands++
	if e.atoms--; e.atoms > 0 {
		return true
	}
	c.counts.waited += end - e.arrived
	if !e.write {
		c.finish(e, end)
	}
	c.remove(t, i)
	return false
}
