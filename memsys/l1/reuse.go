package l1

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/cache"
	"kumiko/memsys/req"
)

// reuse counts the loads hitting each line between its fill and its replacement, and the cycles from the line's
// previous access to each hit. It also counts the lines present.
type reuse struct {
	addr []uint64 // by entry: the line
	last []wire.Cycle
	uses []uint32 // loads hitting the line; unused: the entry has no line

	distances, reads        stats.Histogram
	all, withinNear, within uint64

	lines    uint64 // lines present or reserved, since cycle since
	since    wire.Cycle
	lineTime uint64
}

const unused = ^uint32(0)

func newReuse(entries int) *reuse {
	u := &reuse{}
	u.empty(entries)
	return u
}

// empty drops every line. From now on there are places for the given number of lines. The dropped lines count as
// replaced.
func (u *reuse) empty(entries int) {
	for _, n := range u.uses {
		if n != unused {
			u.reads.Add(uint64(n))
		}
	}
	u.lines = 0
	if len(u.uses) != entries {
		u.addr, u.last, u.uses = make([]uint64, entries), make([]wire.Cycle, entries), make([]uint32, entries)
	}
	for i := range u.uses {
		u.uses[i] = unused
	}
}

// dropped ends the reuse of all lines after the core has dropped them.
func (c *Tags) dropped() {
	if c.reuse != nil {
		c.reuse.empty(c.core.Entries())
	}
}

// CountReuse enables the counting of the reuse of lines from now on.
func (c *Tags) CountReuse(r *stats.Registry) {
	u := newReuse(c.core.Entries())
	name := c.Name()
	r.Histogram("mem.l1.reuse_distance", stats.Cycles,
		"from an access of a line in the L1 to the next load that hits it", &u.distances)
	r.Histogram("mem.l1.reuse_reads", stats.Accesses,
		"loads that hit a line before it is replaced, for each line that was replaced", &u.reads)
	r.Count("mem.l1.reuses", stats.Accesses, "loads that hit a line whose last access is known", name, &u.all)
	r.Count("mem.l1.reuses_within_100", stats.Accesses, "loads that hit a line at most 100 cycles after its last "+
		"access", name,
		&u.withinNear)
	r.Count("mem.l1.reuses_within_1000", stats.Accesses, "loads that hit a line at most 1000 cycles after its last "+
		"access", name,
		&u.within)
	r.Count("mem.l1.lines", stats.Cycles,
		"lines of the L1 that are present or reserved, summed over cycles up to the L1's last activity", name,
		&u.lineTime)
	c.reuse = u
}

// hold sets the number of lines that are present or reserved from now on.
func (u *reuse) hold(now wire.Cycle, lines int) {
	u.lineTime += u.lines * (now - u.since)
	u.lines, u.since = uint64(lines), now
}

// note records an access to the line in an entry. The entry may have held another line before.
func (u *reuse) note(now wire.Cycle, entry int, addr uint64, hit bool) {
	if entry < 0 {
		return
	}
	if u.uses[entry] == unused || u.addr[entry] != addr {
		if u.uses[entry] != unused {
			u.reads.Add(uint64(u.uses[entry]))
		}
		u.addr[entry], u.last[entry], u.uses[entry] = addr, now, 0
		if !hit {
			return
		}
	}
	if !hit {
		u.last[entry] = now
		return
	}
	d := now - u.last[entry]
	u.last[entry] = now
	u.uses[entry]++
	u.distances.Add(d)
	u.all++
	if d <= 100 {
		u.withinNear++
	}
	if d <= 1000 {
		u.within++
	}
}

// used records the outcome of a load, if reuse is counted.
func (c *Tags) used(now wire.Cycle, t *req.Txn, entry int, hit bool, r cache.Reason) {
	if c.reuse != nil && r == cache.Ready {
		c.reuse.note(now, entry, t.Addr, hit)
	}
}
