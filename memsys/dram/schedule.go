package dram

import "math/bits"

// step issues at most one command in cycle t and returns the next cycle in which
// one may issue.
func (c *Channel) step(t uint64) uint64 {
	k := &c.banks
	if t >= c.due {
		c.refresh(t)
	}
	wake := c.mode(t)
	c.choose(t, c.allowed())
	row, rowWake := k.firstRow(t)
	wake = min(wake, k.until, rowWake)
	if k.columns != 0 {
		column, columnWake := k.firstColumn(t)
		if column >= 0 {
			if more := c.transfer(t, int(k.choice[column].entry)); more && row < 0 {
				// No choice has changed, and no column command fits sooner.
				return min(wake, t+uint64(c.spec.beat()))
			}
			return t + 1
		}
		wake = min(wake, columnWake)
	}
	switch {
	case row < 0:
		return wake
	case k.choice[row].cmd == prechargeCmd:
		c.precharge(t, int(k.choice[row].entry))
	default:
		c.activate(t, int(k.choice[row].entry))
	}
	return t + 1
}

// firstRow returns the bank with the oldest request among the banks able to issue an activate or
// precharge, or -1, and the earliest cycle for the others.
func (k *banks) firstRow(t uint64) (first int, wake uint64) {
	first, wake = -1, never
	for m := k.rows; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		x := &k.choice[i]
		at := max(x.at, k.channel[x.cmd&3])
		switch {
		case at > t:
			wake = min(wake, at)
		case first < 0 || x.seq < k.choice[first].seq:
			first = i
		}
	}
	return first, wake
}

// firstColumn returns the bank with the oldest request among the banks able to issue a column command, or -1,
// and the earliest cycle for the others. All choices are reads, or all are writes: see allowed.
func (k *banks) firstColumn(t uint64) (first int, wake uint64) {
	first, wake = -1, never
	cmd := k.choice[bits.TrailingZeros64(k.columns)&63].cmd & 3
	if bus := k.channel[cmd]; bus > t {
		return first, bus
	}
	for m := k.columns; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		x := &k.choice[i]
		at := max(x.at, k.group[x.group&63][cmd])
		switch {
		case at > t:
			wake = min(wake, at)
		case first < 0 || x.seq < k.choice[first].seq:
			first = i
		}
	}
	return first, wake
}

// mode decides whether writes are drained, and returns the cycle at which age may change the decision.
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
		c.banks.stale = ^uint64(0)
	}
	return deadline
}

// Allowed requests by kind, for policies without a set of entries.
const (
	reads = 1 << iota
	writes
)

// inOrder returns the requests of a mask allowed under first come, first
// served: from the oldest on, each in a different bank, up to the first request for a
// bank taken by an older one, or needing a turn of the bus.
func (c *Channel) inOrder(m, writes uint64) (set uint64) {
	q := &c.queue
	var taken uint64
	for m != 0 {
		i := q.oldest(m)
		bank := uint64(1) << q.entries[i].bank
		if taken&bank != 0 || set != 0 && (writes&set == 0) != (writes>>i&1 == 0) {
			break
		}
		taken |= bank
		set |= 1 << i
		m &^= 1 << i
	}
	return set
}

// allowed returns the requests that may be served: all reads or all writes or, first
// come first served, the next ones in order.
func (c *Channel) allowed() uint64 {
	q := &c.queue
	w := q.writes
	r := ^q.free & q.all &^ w
	sort := uint64(reads)
	switch {
	case c.fcfs:
		m := c.inOrder(r|w, w)
		r &= m
		w &= m
		sort = m
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
		c.banks.stale = ^uint64(0)
	}
	return r | w
}

// choose lets the changed banks choose among the allowed
// requests.
func (c *Channel) choose(t uint64, allowed uint64) {
	k := &c.banks
	if t >= k.until {
		k.stale, k.until = ^uint64(0), never
	}
	if k.stale == 0 {
		return
	}
	k.rows &^= k.stale
	k.columns &^= k.stale
	for m := k.stale & k.active; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		b := &k.bank[i]
		e := c.best(t, b.entries&allowed)
		if e < 0 {
			continue
		}
		x := &k.choice[i]
		x.entry, x.seq = uint8(e), c.queue.entries[e].seq
		switch {
		case c.queue.open>>e&1 != 0:
			x.cmd = uint8(c.queue.writes >> e & 1) // readCmd or writeCmd
			k.columns |= 1 << i
		case b.open:
			x.cmd = prechargeCmd
			k.rows |= 1 << i
		default:
			x.cmd = activateCmd
			k.rows |= 1 << i
		}
		x.at = b.at[x.cmd]
	}
	k.stale = 0
}

// best returns a bank's next request among a mask: the oldest row hit, but the oldest request if there is no hit
// or if this request has waited too long; -1 for an empty mask.
func (c *Channel) best(t, m uint64) int {
	if m == 0 {
		return -1
	}
	q := &c.queue
	e := q.oldest(m)
	hits := m & q.open
	if hits == 0 || q.open>>e&1 != 0 {
		return e
	}
	if limit := q.entries[e].arrived + uint64(c.spec.Starve); limit > t {
		c.banks.until = min(c.banks.until, limit)
		e = q.oldest(hits)
	}
	return e
}
