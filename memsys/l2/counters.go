package l2

import (
	"kumiko/components/stats"
	"kumiko/memsys/req"
)

type counters struct {
	accesses, hits, misses, merged [req.NumCauses]uint64
	evictions, writeBacks, fills   uint64
	atomicLanes                    uint64
	failures, stalled              [numReasons]uint64
}

func (l *Slice) register(r *stats.Registry) {
	n := l.Name()
	for cause := range req.NumCauses {
		s := cause.String()
		r.Count("mem.l2.accesses."+s, stats.Accesses, s+" packets served by the L2", n, &l.c.accesses[cause])
		r.Count("mem.l2.hits."+s, stats.Accesses, s+" packets that found the line and, reads, all their sectors", n, &l.c.hits[cause])
		r.Count("mem.l2.misses."+s, stats.Accesses, s+" packets that asked the DRAM for sectors, or, writes, did not find the line", n, &l.c.misses[cause])
		r.Count("mem.l2.hits_on_miss."+s, stats.Accesses, s+" packets that joined an outstanding miss", n, &l.c.merged[cause])
	}
	r.Count("mem.l2.evictions", stats.Events, "lines replaced", n, &l.c.evictions)
	r.Count("mem.l2.write_backs", stats.Events, "dirty lines written to DRAM", n, &l.c.writeBacks)
	r.Count("mem.l2.fills", stats.Events, "replies of DRAM channels taken", n, &l.c.fills)
	r.Count("mem.l2.atomic_lanes", stats.Events, "atomic operations performed, one per lane", n, &l.c.atomicLanes)
	r.Count("mem.l2.mshr_occupancy", stats.Cycles, "miss status holding registers in use, summed over cycles", n, &l.mshr.Occupancy)
	for i := NoLine; i < numReasons; i++ {
		r.Count("mem.l2.reservation_failures."+reasonNames[i], stats.Events, "packets that had to wait at the head of a slice: "+reasonNames[i], n, &l.c.failures[i])
		r.Count("mem.l2.stall_cycles."+reasonNames[i], stats.Cycles, "cycles in which the packet at the head of a slice waited: "+reasonNames[i], n, &l.c.stalled[i])
	}
}
