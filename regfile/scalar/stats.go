package scalar

import "kumiko/components/stats"

// counters counts the events of the scalar file of a sub-core; register describes each.
type counters struct {
	reads, writes                    [numTags]uint64 `soft:"statistics"`
	past, spread, waits, resultWaits uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads.vector", stats.Accesses, "operands read from the banks", &c.reads[vector]},
		{"reads.uniform", stats.Accesses, "operands from the scalar file, with equal values", &c.reads[uniform]},
		{"reads.affine", stats.Accesses, "operands from the scalar file, with a stride", &c.reads[affine]},
		{"writes.vector", stats.Registers, "results written to the banks", &c.writes[vector]},
		{"writes.uniform", stats.Registers, "results with equal values, kept in the scalar file", &c.writes[uniform]},
		{"writes.affine", stats.Registers, "results with a stride, kept in the scalar file", &c.writes[affine]},
		{"past", stats.Registers, "results for the scalar file that went to the banks, as their warp had no entry left",
			&c.past},
		{"spread", stats.Registers, "registers written from the scalar file to the banks before a result of some lanes",
			&c.spread},
		{"waits", stats.Cycles, "request-cycles spent waiting for a port of the scalar file, or for room", &c.waits},
		{"result_waits", stats.Cycles, "cycles in which a result waits for room on the way to the banks",
			&c.resultWaits},
	} {
		reg.Count("regfile.scalar."+x.name, x.unit, x.doc, block, x.p)
	}
}
