package malekeh

import "kumiko/components/stats"

// counters counts the events of the units of a sub-core; register describes each.
type counters struct {
	reads, hits, past, filled, waits, held, taken, forced uint64
	results, kept, resultWaits                            uint64
	groupReads, groupWrites                               uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads", stats.Accesses, "operands looked up in the cache collector units", &c.reads},
		{"read_hits", stats.Accesses, "operands that came from a unit and not from the banks", &c.hits},
		{"past", stats.Accesses, "operands of warps without a unit", &c.past},
		{"filled", stats.Registers, "registers that came from the banks into a unit for a read", &c.filled},
		{"waits", stats.Cycles, "request-cycles spent waiting for a unit that serves another request, for a " +
			"register on its way from the banks, or for a port", &c.waits},
		{"held", stats.Cycles, "cycles in which warps without a unit must not issue", &c.held},
		{"taken", stats.Events, "units given to a warp", &c.taken},
		{"forced", stats.Events, "of these, units whose warp was about to read a value there", &c.forced},
		{"results", stats.Registers, "results that passed the units on their way to the banks", &c.results},
		{"kept", stats.Registers, "of these, results also written to the unit of their warp", &c.kept},
		{"result_waits", stats.Cycles, "cycles in which a result waits at the units for room on the way to the banks",
			&c.resultWaits},
		{"group_reads", stats.Accesses,
			"128-bit groups of four lanes read from units: those with an active lane", &c.groupReads},
		{"group_writes", stats.Accesses,
			"128-bit groups of four lanes written to units: those with an active lane", &c.groupWrites},
	} {
		reg.Count("regfile.malekeh."+x.name, x.unit, x.doc, block, x.p)
	}
}
