package cache

import (
	"kumiko/components/stats"
	"kumiko/memsys/req"
)

// Counters has the counts of a core, accesses by their cause. The owner adds the hits
// of its reads, and accesses served without the core.
type Counters struct {
	Accesses, Hits, Misses, Merged [req.NumCauses]uint64
	Evictions, WriteBacks          uint64
	Fills, Unkept                  uint64
}

// Register registers the counts of a block under names with a prefix, for accesses of the given causes alone.
// In their descriptions `what` is the word for accesses, and behind the name of the next level.
func (c *Core[T]) Register(r *stats.Registry, block, prefix, what, behind string, causes []req.Cause) {
	c.RegisterLines(r, block, prefix, what, behind, causes)
	r.Count(prefix+"evictions", stats.Events, "lines replaced", block, &c.Evictions)
	r.Count(prefix+"write_backs", stats.Events, "dirty lines written to the "+behind, block, &c.WriteBacks)
	r.Count(prefix+"fills", stats.Events, "replies of the "+behind+" with data taken", block, &c.Fills)
	r.Count(prefix+"fills_not_kept", stats.Events, "replies whose line was not kept because no way was free", block,
		&c.Unkept)
	r.Count(prefix+"mshr_occupancy", stats.Cycles, "miss status holding registers in use, summed over cycles", block,
		&c.mshr.Occupancy)
}

// RegisterLines is Register for a core with other contents beside lines. Its
// owner counts the accesses.
func (c *Core[T]) RegisterLines(r *stats.Registry, block, prefix, what, behind string, causes []req.Cause) {
	for _, cause := range causes {
		s := cause.String()
		r.Count(prefix+"accesses."+s, stats.Accesses, s+" "+what+" served", block, &c.Accesses[cause])
		r.Count(prefix+"hits."+s, stats.Accesses, s+" "+what+" that hit: the line was there and, for reads, all "+
			"their sectors",
			block, &c.Hits[cause])
		r.Count(prefix+"misses."+s, stats.Accesses, s+" "+what+" that missed: reads that requested sectors "+
			"from the "+behind+", writes that did not find the line", block, &c.Misses[cause])
		r.Count(prefix+"hits_on_miss."+s, stats.Accesses, s+" "+what+" that joined an outstanding miss", block,
			&c.Merged[cause])
	}
}
