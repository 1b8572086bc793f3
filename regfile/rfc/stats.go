package rfc

import "kumiko/components/stats"

// counters counts the events of a cache; register describes each.
type counters struct {
	reads, readHits, fillHits, partial, partialWritebacks, idle, readWaits uint64
	writes, bypassed, bypassedFar, homeless, filled                        uint64
	writeConflicts, writeWaits                                             uint64
	evictions, writebacks, died, deadElided, flushes, flushed, dropped     uint64
	shut, groupReads, groupWrites                                          uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads", stats.Accesses, "operands looked up in a register file cache", &c.reads},
		{"read_hits", stats.Accesses, "operands found in a register file cache, or brought there by an earlier " +
			"read that was under way", &c.readHits},
		{"fill_hits", stats.Accesses, "operands that waited for a register on its way into the cache, counted as hits",
			&c.fillHits},
		{"partial", stats.Accesses, "operands read from the main file because the cache had only some of their " +
			"lanes",
			&c.partial},
		{"partial_writebacks", stats.Registers, "registers written back because the cache had only some of the " +
			"lanes of a read", &c.partialWritebacks},
		{"idle_misses", stats.Accesses,
			"operands of instructions without an executing lane that were looked up and were not in the cache",
			&c.idle},
		{"read_waits", stats.Cycles, "cycles in which a request waits at a register file cache for a read port or " +
			"for room", &c.readWaits},
		{"writes", stats.Registers, "results written to a register file cache", &c.writes},
		{"bypassed", stats.Registers, "results of long-latency operations written to the main file and not to the " +
			"cache",
			&c.bypassed},
		{"bypassed_far", stats.Registers,
			"other results written to the main file and not to the cache because they are read only after the next " +
				"use of a long-latency result",
			&c.bypassedFar},
		{"homeless", stats.Registers, "results that went to the main file because their warp had no place in the cache",
			&c.homeless},
		{"filled", stats.Registers, "registers that came from the main file into the cache for a read", &c.filled},
		{"write_conflicts", stats.Cycles,
			"register-cycles spent in the write buffer of a register file cache, waiting for a write port",
			&c.writeConflicts},
		{"write_waits", stats.Cycles, "cycles in which a result waits at a register file cache for room in its write " +
			"buffer or on the way to the main file", &c.writeWaits},
		{"evictions", stats.Registers, "registers that left a register file cache to make room", &c.evictions},
		{"writebacks", stats.Registers, "evicted registers that were written to the main file", &c.writebacks},
		{"died", stats.Registers, "registers that a read left dead in a register file cache", &c.died},
		{"dead_elided", stats.Registers,
			"dead registers that were evicted or flushed without being written to the main file", &c.deadElided},
		{"flushes", stats.Events, "warps whose registers were flushed because they left the active set", &c.flushes},
		{"flushed", stats.Registers, "registers written to the main file by flushes", &c.flushed},
		{"dropped", stats.Registers, "registers that were not written to the main file because their warp ended",
			&c.dropped},
		{"gate_closures", stats.Events, "warps that became active before a place in the cache was free", &c.shut},
		{"group_reads", stats.Accesses,
			"128-bit groups of four lanes read from register file caches, for operands and write-backs: those with " +
				"an active lane", &c.groupReads},
		{"group_writes", stats.Accesses,
			"128-bit groups of four lanes written to register file caches: those with an active lane", &c.groupWrites},
	} {
		reg.Count("regfile.rfc."+x.name, x.unit, x.doc, block, x.p)
	}
}
