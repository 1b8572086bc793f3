package dram

import "math/bits"

// step issues at most one command in command cycle t and tells the next cycle
// in which one may be issued.
func (c *Channel) step(t uint64) uint64 {
	wake := c.mode(t)
	column, row := -1, -1 // requests whose command can issue, the oldest of each sort
	allowed := c.allowed()
	q := &c.queue
	for m := c.banks.active; m != 0; m &= m - 1 {
		b := &c.banks.bank[bits.TrailingZeros64(m)]
		if b.stale || t >= b.until {
			c.choose(t, b, allowed)
		}
		wake = min(wake, b.until)
		if b.best < 0 {
			continue
		}
		e := &q.entries[b.best]
		at := c.ready(b, e)
		switch {
		case at > t:
			wake = min(wake, at)
		case q.open>>b.best&1 != 0:
			if column < 0 || e.seq < q.entries[column].seq {
				column = b.best
			}
		case row < 0 || e.seq < q.entries[row].seq:
			row = b.best
		}
	}
	switch {
	case column >= 0:
		c.transfer(t, column)
	case row < 0:
		return wake
	case c.banks.bank[q.entries[row].bank].open:
		c.precharge(t, row)
	default:
		c.activate(t, row)
	}
	c.next = t + 1
	return t + 1
}

// mode decides whether writes are drained, and tells when age may change that.
func (c *Channel) mode(t uint64) uint64 {
	q := &c.queue
	n := bits.OnesCount64(q.writes)
	starved, deadline := false, never
	if n > 0 {
		if d := q.entries[q.oldestW].arrived + uint64(c.spec.Starve); d <= t {
			starved = true
		} else {
			deadline = d
		}
	}
	was := c.drain
	if c.drain {
		c.drain = n > 0 && (n > c.spec.Low || starved)
	} else {
		c.drain = n >= c.spec.High || starved
	}
	if c.drain != was {
		c.stale()
	}
	return deadline
}

func (c *Channel) stale() {
	for m := c.banks.active; m != 0; m &= m - 1 {
		c.banks.bank[bits.TrailingZeros64(m)].stale = true
	}
}

// Which requests may be served.
const (
	reads = 1 << iota
	writes
	oldest // the oldest of them alone
)

// allowed is the set of requests that may be served: reads or writes, or, first
// come first served, the oldest alone.
func (c *Channel) allowed() uint64 {
	q := &c.queue
	w := q.writes
	r := ^q.free & q.all &^ w
	sort := uint64(reads)
	switch {
	case c.spec.Policy == "fcfs":
		i := q.oldest(r | w)
		r &= 1 << i
		w &= 1 << i
		sort = oldest | q.entries[i].seq<<8
	case w != 0 && (c.drain || r == 0):
		r, sort = 0, writes
	default:
		w = 0
	}
	if r != 0 && c.n == len(c.done) { // no place for the data of a read
		r, sort = 0, 0
	}
	if sort != q.sort {
		q.sort = sort
		c.stale()
	}
	return r | w
}

// choose finds the request that a bank serves next among those allowed: the
// oldest row hit, or the oldest request if there is no hit or it has waited too
// long.
func (c *Channel) choose(t uint64, b *bank, allowed uint64) {
	b.stale, b.best, b.until = false, -1, never
	m := b.entries & allowed
	if m == 0 {
		return
	}
	q := &c.queue
	b.best = q.oldest(m)
	hits := m & q.open
	if hits == 0 || q.open>>b.best&1 != 0 {
		return
	}
	if limit := q.entries[b.best].arrived + uint64(c.spec.Starve); limit > t {
		b.until = limit
		b.best = q.oldest(hits)
	}
}

// ready is the first command cycle in which the next command of a request may
// issue.
func (c *Channel) ready(b *bank, e *entry) uint64 {
	switch {
	case b.open && b.row == e.row:
		w := 0
		if e.write {
			w = 1
		}
		return max(b.column, c.banks.column[w], c.banks.group[b.group][w])
	case b.open:
		return b.pre
	}
	return max(b.act, c.banks.act)
}
