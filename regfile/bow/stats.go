package bow

import "kumiko/components/stats"

// counters counts the events of the windows of a sub-core; register describes each.
type counters struct {
	reads, hits, joined, filled, partial, readWaits        uint64
	both, kept, past, overwritten, dead, ended, writeBacks uint64
	resultWaits, slideWaits, crowded, homeless             uint64
	groupReads, groupWrites                                uint64
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"reads", stats.Accesses, "operands looked up in the windows", &c.reads},
		{"read_hits", stats.Accesses, "operands that came from a window and not from the banks", &c.hits},
		{"joined", stats.Accesses, "of these, operands that waited for a register on its way from the banks",
			&c.joined},
		{"filled", stats.Registers, "registers that came from the banks into a window for a read", &c.filled},
		{"partial_writebacks", stats.Registers,
			"registers written to the banks because a read needed more lanes than the window had", &c.partial},
		{"read_waits", stats.Cycles, "cycles in which a request waits at the windows for a read port or for room",
			&c.readWaits},
		{"both", stats.Registers, "results written to a window and to the banks", &c.both},
		{"kept", stats.Registers, "results written to a window alone", &c.kept},
		{"past", stats.Registers, "results written to the banks alone: their instruction had left the window, its " +
			"entries were all taken, or the compiler said so", &c.past},
		{"overwritten", stats.Registers, "values that the banks lacked and that a later result overwrote in a window",
			&c.overwritten},
		{"dead", stats.Registers, "values that the banks lacked and that left a window when no lane needed them",
			&c.dead},
		{"ended", stats.Registers, "values that the banks lacked when their warp had ended", &c.ended},
		{"write_backs", stats.Registers, "values written to the banks when they left a window", &c.writeBacks},
		{"result_waits", stats.Cycles, "cycles in which a result waits at the windows for room on the way to the banks",
			&c.resultWaits},
		{"slide_waits", stats.Cycles,
			"cycles in which a register that leaves a window waits for its way to the banks, and all behind it",
			&c.slideWaits},
		{"crowded", stats.Registers, "registers that left a window early to make room", &c.crowded},
		{"homeless", stats.Registers, "registers that found no entry in the window", &c.homeless},
		{"group_reads", stats.Accesses,
			"128-bit groups of four lanes read from windows, for operands and write-backs: those with an active lane",
			&c.groupReads},
		{"group_writes", stats.Accesses,
			"128-bit groups of four lanes written to windows: those with an active lane", &c.groupWrites},
	} {
		reg.Count("regfile.bow."+x.name, x.unit, x.doc, block, x.p)
	}
}
