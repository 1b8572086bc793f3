package l1

import (
	"kumiko/components/stats"
	"kumiko/memsys/req"
)

// causes of the transactions sent to a first-level cache.
var causes = []req.Cause{req.GlobalLoad, req.GlobalStore, req.GlobalAtomic, req.LocalLoad, req.LocalStore,
	req.TextureLoad, req.Prefetch}

// counters are the counts of a first-level cache beside its core's.
type counters struct {
	bypassed       uint64
	sent, received [req.NumCauses]uint64
}

func (c *Tags) register(kind string, r *stats.Registry) {
	n, k := c.Name(), "mem."+kind+"."
	c.core.Register(r, n, k, "transactions", "L2", causes)
	c.stalls.Register(r, n, k, "transactions", "at the head")
	r.Count(k+"bypassed", stats.Accesses, "loads that bypassed the cache", n, &c.c.bypassed)
	for _, cause := range []req.Cause{req.GlobalLoad, req.LocalLoad, req.TextureLoad, req.Prefetch, req.GlobalAtomic} {
		r.Count(k+"bytes_in."+cause.String(), stats.Bytes, "data received from the L2: "+cause.String(), n,
			&c.c.received[cause])
	}
	for _, cause := range []req.Cause{req.GlobalStore, req.LocalStore, req.GlobalAtomic, req.WriteBack} {
		r.Count(k+"bytes_out."+cause.String(), stats.Bytes, "data sent to the L2: "+cause.String(), n, &c.c.sent[cause])
	}
}
