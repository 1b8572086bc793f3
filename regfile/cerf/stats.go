package cerf

import (
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// counters counts the events of the tags; register describes each.
type counters struct {
	reads, readHits, absent, writes, writeHits, merges, unmerged uint64
	refetches, unkept, spills, writeBacks, unplaced              uint64
	died, dropped, bypassed, waits, tagConflicts                 uint64
	replaced                                                     [numKinds][numKinds]uint64 // by new kind, by old
	active                                                       [numKinds]uint64           // entries, now
	activeTime                                                   [numKinds]uint64
	since                                                        wire.Cycle
	sent, received                                               [req.NumCauses]uint64
}

// account sums up the active entries up to now.
func (c *counters) account(now wire.Cycle) {
	for k := range c.active {
		c.activeTime[k] += c.active[k] * (now - c.since)
	}
	c.since = now
}

// causes lists the causes of transactions at the cache.
var causes = []req.Cause{req.GlobalLoad, req.GlobalStore, req.GlobalAtomic, req.LocalLoad, req.LocalStore, req.Prefetch}

func (c *counters) register(x *Tags, reg *stats.Registry) {
	block := x.Name()
	x.core.RegisterLines(reg, block, "mem.l1.", "transactions", "L2", causes)
	x.lines.stalls.Register(reg, block, "mem.l1.", "transactions", "before the L2")
	reg.Count("mem.l1.bypassed", stats.Accesses, "loads that bypassed the cache", block, &c.bypassed)
	for _, cause := range []req.Cause{req.GlobalLoad, req.LocalLoad, req.Prefetch, req.GlobalAtomic, req.Spill} {
		reg.Count("mem.l1.bytes_in."+cause.String(), stats.Bytes, "data received from the L2: "+cause.String(), block,
			&c.received[cause])
	}
	for _, cause := range []req.Cause{req.GlobalStore, req.LocalStore, req.GlobalAtomic, req.WriteBack, req.Spill} {
		reg.Count("mem.l1.bytes_out."+cause.String(), stats.Bytes, "data sent to the L2: "+cause.String(), block,
			&c.sent[cause])
	}
	for _, s := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads", stats.Accesses, "operands looked up in the tags", &c.reads},
		{"read_hits", stats.Accesses, "operands found in the tags", &c.readHits},
		{"absent_reads", stats.Accesses,
			"operands not found in the tags whose value is not needed: never written, dead, or of an instruction " +
				"without an executing lane", &c.absent},
		{"writes", stats.Registers, "results written", &c.writes},
		{"write_hits", stats.Registers, "results written to a register found in the tags", &c.writeHits},
		{"merges", stats.Registers, "results of some lanes for a missing register, whose other lanes were fetched",
			&c.merges},
		{"partial_writes_not_fetched", stats.Registers,
			"results of some lanes for a missing register, of which nothing was in the L2 to be fetched",
			&c.unmerged},
		{"refetches", stats.Registers, "registers fetched from the L2", &c.refetches},
		{"refetches_not_kept", stats.Registers,
			"registers fetched from the L2 that went to their readers and were not kept because no way was free",
			&c.unkept},
		{"spills", stats.Registers, "dirty registers that were replaced and written to the L2", &c.spills},
		{"write_backs", stats.Events, "dirty lines that were replaced and written to the L2", &c.writeBacks},
		{"stores_not_placed", stats.Accesses, "stores that went to the L2 because no way was free for their line",
			&c.unplaced},
		{"died", stats.Registers, "registers that became inactive at their last read", &c.died},
		{"dropped", stats.Registers, "registers that became inactive because their CTA ended", &c.dropped},
		{"waits", stats.Cycles, "cycles in which an access waits at the head of a tag bank for an MSHR, for the way " +
			"to the L2, or for a way", &c.waits},
		{"tag_conflicts", stats.Cycles,
			"access-cycles spent waiting at a tag bank because a fill has its ports; conflicts among accesses are " +
				"the arbiter's", &c.tagConflicts},
		{"replaced.register_by_register", stats.Events, "registers replaced by a register",
			&c.replaced[kindRegister][kindRegister]},
		{"replaced.line_by_register", stats.Events, "lines replaced by a register",
			&c.replaced[kindRegister][kindLine]},
		{"replaced.register_by_line", stats.Events, "registers replaced by a line",
			&c.replaced[kindLine][kindRegister]},
		{"replaced.line_by_line", stats.Events, "lines replaced by a line", &c.replaced[kindLine][kindLine]},
		{"active_registers", stats.Cycles, "entries that hold a register, summed over cycles up to the last change",
			&c.activeTime[kindRegister]},
		{"active_lines", stats.Cycles, "entries that hold a line, summed over cycles up to the last change",
			&c.activeTime[kindLine]},
	} {
		reg.Count("regfile.cerf."+s.name, s.unit, s.doc, block, s.p)
	}
}
