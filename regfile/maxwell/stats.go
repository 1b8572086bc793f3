package maxwell

import (
	"slices"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// counters counts the events of a sub-core; register describes each.
type counters struct {
	operations, pairs, merged, hits, halts, latency uint64
	latencies                                       stats.Histogram
}

func (c *counters) register(block string, width int, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"operations", stats.Instructions, "warp instructions that read their operands", &c.operations},
		{"merged_reads", stats.Accesses, "reads saved because an instruction names a register twice", &c.merged},
		{"reuse_hits", stats.Accesses, "operands found in the reuse cache", &c.hits},
		{"halts", stats.Cycles, "cycles in which nothing moves before the units, because an instruction has yet to " +
			"read or its unit takes none", &c.halts},
		{"operand_latency", stats.Cycles, "from the entry into the first stage to the last one's end, summed over " +
			"instructions with register sources", &c.latency},
	} {
		reg.Count("regfile.maxwell."+x.name, x.unit, x.doc, block, x.p)
	}
	if width > 1 {
		reg.Count("regfile.maxwell.pairs", stats.Instructions,
			"warp instructions that read beside the one that was issued in the same cycle", block, &c.pairs)
	}
	reg.Histogram("regfile.maxwell.operand_latency", stats.Cycles,
		"from the entry into the first stage to the last one's end, of instructions with register sources",
		&c.latencies)
}

// State returns the storage of the banks, collectors, latches and result queues. A collector has a register for
// each operand slot, used by the reuse cache too, and a tag for each of these. Collectors for the second
// instruction of a cycle have no tags.
func (f *File) State() []regfile.State {
	s, n := &f.spec, f.Env.Schedulers
	collectors := n * s.Stages * f.Env.IssueWidth
	out := slices.Insert(f.File.State(bank.OneReadOneWrite.String()), 1, regfile.State{Block: "Collector",
		What: "operands", Count: collectors, Bits: collectors * ir.OperandSlots * 8 * bank.RegisterBytes,
		Kind: storage.FlipFlop, Width: ir.OperandSlots * 8 * bank.RegisterBytes})
	if s.Reuse {
		out = append(out, regfile.State{Block: "Collector", What: "tags of the reuse cache", Count: n * s.Stages,
			Bits: n * s.Stages * ir.OperandSlots * (f.TagBits() + 2), // valid, and the flag
			Kind: storage.CAM, Width: f.TagBits() + 2})
	}
	return out
}
