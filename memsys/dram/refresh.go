package dram

// refresh performs the refreshes due up to cycle t. It is called before the choice of a command, so no command
// issues between the due cycle of a refresh and its end. Its effects follow from the state at the due cycle
// alone: the cycle of the call makes no difference. A channel without requests sleeps through its refreshes and
// makes up for them when a request arrives; it has a request now.
func (c *Channel) refresh(t uint64) {
	q, every := &c.queue, uint64(c.spec.REFI)
	first := q.entries[q.oldest(q.all&^q.free)].arrived
	for c.due <= t {
		start := c.closeRows(c.due)
		if last := min(t, first); start == c.due && last > c.due {
			// The banks were idle. Of the refreshes without a waiting request only the
			// last can still have an effect.
			n := (last - c.due) / every
			c.counts.refreshes += n
			c.due += n * every
			start = c.due
		}
		end := start + uint64(c.spec.RFC)
		for i := range c.spec.Banks {
			c.banks.bank[i].at[activateCmd] = end
		}
		c.counts.refreshes++
		if from := max(c.due, first); from < end {
			c.counts.refreshWait += end - from
		}
		c.due += every
	}
	c.banks.stale = ^uint64(0)
}

// closeRows precharges all banks from cycle t on and reports when they are ready
// for a refresh: all open ones are precharged at once, as soon as the last of
// them may be, and a bank rests as long before a refresh as before an activate.
func (c *Channel) closeRows(t uint64) (ready uint64) {
	precharge, rows := t, 0
	all := c.banks.bank[:c.spec.Banks]
	for i := range all {
		if all[i].open {
			precharge = max(precharge, all[i].at[prechargeCmd])
			rows++
		}
	}
	ready = t
	for i := range all {
		b := &all[i]
		if b.open {
			b.open = false
			b.at[activateCmd] = max(b.at[activateCmd], precharge+uint64(c.spec.RP))
		}
		ready = max(ready, b.at[activateCmd])
	}
	c.queue.open = 0
	c.counts.refreshRows += uint64(rows)
	return ready
}

// firstRefresh returns the cycle of the first refresh.
func (s *Spec) firstRefresh() uint64 {
	if !s.Refresh {
		return never
	}
	return uint64(s.REFI)
}

// refreshable reports whether between two refreshes there is time for requests:
// four rows of one bank.
func (s *Spec) refreshable() bool { return s.REFI-s.RFC >= 4*s.RC }

// never is a cycle beyond any simulation.
const never = ^uint64(0)
