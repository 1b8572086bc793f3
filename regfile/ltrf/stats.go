package ltrf

import (
	"kumiko/components/bank"
	"kumiko/components/stats"
)

// counters counts the events of a sub-core's control blocks; register describes each.
type counters struct {
	lookups, portWaits, cached, past, resultWaits, died uint64
	prefetches, refetches, suspensions, kept            uint64
	held, spacePending, spaceDead, fetchWaits, partial  uint64
	ended, overwritten, deadLeft, cleanLeft             uint64
	fetched, writtenBack                                [bank.NumCauses]uint64
	waited                                              [numGates]uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"lookups", stats.Accesses, "operands looked up in warp control blocks; each has a place in the cache",
			&c.lookups},
		{"lookup_waits", stats.Cycles, "request-cycles spent waiting for a read port of a warp's control block",
			&c.portWaits},
		{"results_cached", stats.Registers, "results written to the cache", &c.cached},
		{"results_past", stats.Registers,
			"results written to the main file because their registers had no place in the cache", &c.past},
		{"result_waits", stats.Cycles, "cycles in which a result waits at the warp control blocks for room",
			&c.resultWaits},
		{"died", stats.Registers, "registers that a read left dead", &c.died},
		{"prefetches", stats.Events, "prefetches: intervals entered", &c.prefetches},
		{"prefetch_cycles", stats.Cycles, "warp-cycles from a prefetch until the registers of its interval are there",
			&c.waited[prefetchGate]},
		{"prefetched", stats.Registers, "registers read from the main file for prefetches", &c.fetched[bank.Prefetch]},
		{"kept", stats.Registers, "registers of an interval that were in the cache when the interval was entered",
			&c.kept},
		{"refetches", stats.Events, "warps that became active and had a working set to fetch", &c.refetches},
		{"refetch_cycles", stats.Cycles, "warp-cycles from the activation of a warp until its working set is there",
			&c.waited[refetchGate]},
		{"refetched", stats.Registers, "registers read from the main file for warps that became active",
			&c.fetched[bank.Flush]},
		{"suspensions", stats.Events, "warps that left the active set, with their registers", &c.suspensions},
		{"space_dead", stats.Registers, "registers given a place in the cache and not read from the main file " +
			"because no lane needs them",
			&c.spaceDead},
		{"space_pending", stats.Registers,
			"registers given a place in the cache and not read from the main file because their results are " +
				"awaited in all lanes",
			&c.spacePending},
		{"held", stats.Registers, "registers fetched after their results had arrived, with pending = wait",
			&c.held},
		{"fetch_waits", stats.Registers,
			"registers that entered the cache late because their value was still on its way to the main file",
			&c.fetchWaits},
		{"fills_partial", stats.Registers,
			"registers read from the main file after results had written some of their lanes to the cache", &c.partial},
		{"written_back_interval", stats.Registers,
			"registers written to the main file because their interval has ended", &c.writtenBack[bank.Eviction]},
		{"written_back_suspended", stats.Registers,
			"registers written to the main file because their warp left the active set", &c.writtenBack[bank.Flush]},
		{"left_dead", stats.Registers, "registers that left the cache without being written because no lane needs them",
			&c.deadLeft},
		{"left_clean", stats.Registers,
			"registers that left the cache without being written because they were not changed", &c.cleanLeft},
		{"left_pending", stats.Registers,
			"registers that left the cache without being written because their results are awaited in all lanes",
			&c.overwritten},
		{"left_ended", stats.Registers,
			"registers that left the cache without being written because their warp has ended", &c.ended},
	} {
		reg.Count("regfile.ltrf."+x.name, x.unit, x.doc, block, x.p)
	}
}
