package scalar

import "kumiko/components/stats"

// counters counts the events of the scalar file of a sub-core; register describes each.
type counters struct {
	reads, writes                    [numTags]uint64 `soft:"statistics"`
	past, spread, waits, resultWaits uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	count := func(name, unit, doc string, p *uint64) { reg.Count("regfile.scalar."+name, unit, doc, block, p) }
	count("reads.vector", stats.Accesses, "operands read from the banks", &c.reads[vector])
	count("reads.uniform", stats.Accesses, "operands from the scalar file, with equal values", &c.reads[uniform])
	count("reads.affine", stats.Accesses, "operands from the scalar file, with a stride", &c.reads[affine])
	count("writes.vector", stats.Registers, "results written to the banks", &c.writes[vector])
	count("writes.uniform", stats.Registers, "results written to the scalar file, with equal values", &c.writes[uniform])
	count("writes.affine", stats.Registers, "results written to the scalar file, with a stride", &c.writes[affine])
	count("past", stats.Registers, "results for the scalar file that went to the banks, as their warp had no entry left",
		&c.past)
	count("spread", stats.Registers, "registers written from the scalar file to the banks before a result of some lanes",
		&c.spread)
	count("waits", stats.Cycles, "request-cycles spent waiting for a port of the scalar file, or for room", &c.waits)
	count("result_waits", stats.Cycles, "cycles in which a result waits for room on the way to the banks", &c.resultWaits)
}
