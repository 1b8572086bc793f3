package dram

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/memsys/req"
)

type counters struct {
	reads, writes                    uint64
	rowHits, rowMisses, rowConflicts uint64
	commands, busy, waited           uint64
	occupied, since                  uint64
	refreshes, refreshRows           uint64
	refreshWait                      uint64
	bytes                            [req.NumCauses]uint64
}

func (c *Channel) register(r *stats.Registry) {
	n, k := c.Name(), &c.counts
	r.Count("mem.dram.reads", stats.Accesses, "read requests", n, &k.reads)
	r.Count("mem.dram.writes", stats.Accesses, "write requests", n, &k.writes)
	r.Count("mem.dram.row_hits", stats.Accesses, "requests whose row was open", n, &k.rowHits)
	r.Count("mem.dram.row_misses", stats.Accesses, "requests whose bank had no open row", n, &k.rowMisses)
	r.Count("mem.dram.row_conflicts", stats.Accesses, "requests that had to close another row", n, &k.rowConflicts)
	r.Count("mem.dram.column_commands", stats.Events, "reads and writes of one burst", n, &k.commands)
	r.Count("mem.dram.bus_busy", stats.Cycles, "command cycles in which a data bus was occupied", n, &k.busy)
	r.Count("mem.dram.latency", stats.Cycles,
		"command cycles from the queue to the end of the data, summed over requests", n, &k.waited)
	r.Count("mem.dram.queue_occupancy", stats.Cycles, "requests in the queue, summed over command cycles", n,
		&k.occupied)
	r.Count("mem.dram.refreshes", stats.Events,
		"refreshes of all banks of a channel, up to the last request that it served", n, &k.refreshes)
	r.Count("mem.dram.refresh_closed_rows", stats.Events, "open rows that refreshes closed", n, &k.refreshRows)
	r.Count("mem.dram.refresh_wait", stats.Cycles,
		"command cycles in which requests waited, from the time a refresh was due until its end", n, &k.refreshWait)
	for cause := range req.NumCauses {
		r.Count("mem.dram.bytes."+cause.String(), stats.Bytes, "sectors moved to and from DRAM, in bytes: "+
			cause.String(), n, &k.bytes[cause])
	}
}

func (c *Channel) count(r *req.MemRequest) {
	if r.Write {
		c.counts.writes++
	} else {
		c.counts.reads++
	}
	c.counts.bytes[r.Cause] += uint64(bits.OnesCount8(r.Sectors) * req.SectorBytes)
}

// account sums the queue's occupancy up to now.
func (c *Channel) account(now uint64) {
	c.counts.occupied += uint64(bits.OnesCount64(c.queue.all&^c.queue.free)) * (now - c.counts.since)
	c.counts.since = now
}
