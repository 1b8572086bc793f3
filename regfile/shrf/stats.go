package shrf

import "kumiko/components/stats"

// counters counts the events of an upper level; register describes each.
type counters struct {
	reads, hits, filled, partial, readWaits uint64
	results, through, past, resultWaits     uint64
	strands, strayed, flushed               uint64
	groupReads, groupWrites                 uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads", stats.Accesses, "operands looked up in an upper level that the compiler manages", &c.reads},
		{"read_hits", stats.Accesses, "operands found in an upper level", &c.hits},
		{"filled", stats.Registers, "registers that came from the main file into the upper level for a read",
			&c.filled},
		{"partial_writebacks", stats.Registers,
			"registers written back because a read needs more lanes than the upper level has", &c.partial},
		{"read_waits", stats.Cycles, "cycles in which a request waits at an upper level for a read port or for room",
			&c.readWaits},
		{"results", stats.Registers, "results written to the upper level", &c.results},
		{"through", stats.Registers,
			"results written to the upper level and to the main file, because they are needed after their strand",
			&c.through},
		{"past", stats.Registers, "results written to the main file alone", &c.past},
		{"result_waits", stats.Cycles, "cycles in which a result waits at an upper level for a write port or for room",
			&c.resultWaits},
		{"strands", stats.Events, "strands entered", &c.strands},
		{"strayed", stats.Registers, "registers that some lane needs, written back because their warp left a " +
			"strand before its end", &c.strayed},
		{"flushed", stats.Registers, "registers that some lane needs, written back because their warp left the " +
			"active set", &c.flushed},
		{"group_reads", stats.Accesses,
			"128-bit groups of four lanes read from upper levels, for operands and write-backs: those with an active " +
				"lane", &c.groupReads},
		{"group_writes", stats.Accesses,
			"128-bit groups of four lanes written to upper levels: those with an active lane", &c.groupWrites},
	} {
		reg.Count("regfile.shrf."+x.name, x.unit, x.doc, block, x.p)
	}
}
