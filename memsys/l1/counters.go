package l1

import (
	"kumiko/components/stats"
	"kumiko/memsys/req"
)

type counters struct {
	accesses, hits, misses, merged [req.NumCauses]uint64
	bypassed, evictions            uint64
	writeBacks, fills, unkept      uint64
	failures, stalled              [numReasons]uint64
	sent                           [req.NumCauses]uint64
	received                       [req.NumCauses]uint64
}

func (c *Cache) register(kind string, r *stats.Registry) {
	n, k := c.Name(), "mem."+kind+"."
	for cause := req.GlobalLoad; cause <= req.Prefetch; cause++ {
		s := cause.String()
		r.Count(k+"accesses."+s, stats.Accesses, s+" transactions served", n, &c.c.accesses[cause])
		r.Count(k+"hits."+s, stats.Accesses, s+" transactions that found the line and all their sectors", n, &c.c.hits[cause])
		r.Count(k+"misses."+s, stats.Accesses, s+" transactions that asked the L2 for the line, or, stores, did not find it", n, &c.c.misses[cause])
		r.Count(k+"hits_on_miss."+s, stats.Accesses, s+" transactions that joined an outstanding miss", n, &c.c.merged[cause])
	}
	r.Count(k+"bypassed", stats.Accesses, "loads that passed the cache by", n, &c.c.bypassed)
	r.Count(k+"evictions", stats.Events, "lines replaced", n, &c.c.evictions)
	r.Count(k+"write_backs", stats.Events, "dirty lines written to the L2", n, &c.c.writeBacks)
	r.Count(k+"fills", stats.Events, "replies with data taken", n, &c.c.fills)
	r.Count(k+"fills_not_kept", stats.Events, "replies whose line found no place", n, &c.c.unkept)
	r.Count(k+"mshr_occupancy", stats.Cycles, "miss status holding registers in use, summed over cycles", n, &c.mshr.Occupancy)
	for i := NoLine; i < numReasons; i++ {
		r.Count(k+"reservation_failures."+reasonNames[i], stats.Events, "transactions that had to wait at the head: "+reasonNames[i], n, &c.c.failures[i])
		r.Count(k+"stall_cycles."+reasonNames[i], stats.Cycles, "cycles in which the transaction at the head waited: "+reasonNames[i], n, &c.c.stalled[i])
	}
	for cause := req.GlobalLoad; cause <= req.WriteBack; cause++ {
		s := cause.String()
		switch cause {
		case req.GlobalLoad, req.LocalLoad, req.TextureLoad, req.Prefetch, req.GlobalAtomic:
			r.Count(k+"bytes_in."+s, stats.Bytes, "data received from the L2: "+s, n, &c.c.received[cause])
		}
		switch cause {
		case req.GlobalStore, req.LocalStore, req.GlobalAtomic, req.WriteBack:
			r.Count(k+"bytes_out."+s, stats.Bytes, "data sent to the L2: "+s, n, &c.c.sent[cause])
		}
	}
}
