package maxwell

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

// counters counts the events of a sub-core; register describes each.
type counters struct {
	operations, pairs, merged, hits, halts, latency uint64
	latencies                                       stats.Histogram
	banks                                           [maxBanks]bankCounters
}

// bankCounters counts the accesses of a bank.
type bankCounters struct{ reads, groupReads, conflicts uint64 }

func (c *counters) register(block string, banks, width int, reg *stats.Registry) {
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
	for b := range banks {
		c.banks[b].register(subcore.BankName(block, b), reg)
	}
}

// BankNames are the names under which the banks within the sub-core are counted.
func (x *SubCore) BankNames() []string { return subcore.BankNames(x.Name(), x.spec.Banks) }

// register has a bank counted as those of package bank are.
func (c *bankCounters) register(name string, reg *stats.Registry) {
	reg.Count("regfile.bank.reads."+bank.Operand.String(), stats.Accesses,
		"warp registers read from banks, cause: operand", name, &c.reads)
	reg.Count("regfile.maxwell.conflicts", stats.Cycles,
		"register-cycles in which an instruction waits for a bank that serves another register", name, &c.conflicts)
	reg.Count("regfile.bank.group_reads", stats.Accesses,
		"128-bit groups of four lanes read from banks: those with an active lane", name, &c.groupReads)
}

// plainOperands is how many registers a latch has room for: three operands.
const plainOperands = 3

// State returns the storage of the banks, collectors, latches and result queues. A collector has
// a register for each operand slot, which the reuse cache has in it, and for each of these a tag;
// that of the second instruction of a cycle has no tags.
func (f *File) State() []regfile.State {
	s, n := &f.spec, len(f.subs)
	const register = 8 * bank.RegisterBytes
	warp := bits.Len(uint(max(f.env.Warps/f.env.Schedulers-1, 0)))
	reg := bits.Len(uint(f.env.Registers - 1))
	collectors, latches := n*s.Stages*f.env.IssueWidth, subcore.Latched(f.env, n)*s.Latches
	out := []regfile.State{
		{Block: "Bank", What: "registers", Count: n * s.Banks, Bits: subcore.Capacity(f.env) * register,
			Ports: bank.OneReadOneWrite.String()},
		{Block: "Collector", What: "operands", Count: collectors, Bits: collectors * ir.OperandSlots * register},
		{Block: "Latch", What: "operands", Count: latches, Bits: latches * plainOperands * register},
		{Block: "Result queue", What: "registers", Count: n * s.Banks,
			Bits: n * s.Banks * s.Queue * (register + warp + reg)},
	}
	if s.Reuse {
		out = append(out, regfile.State{Block: "Collector", What: "tags of the reuse cache", Count: n * s.Stages,
			Bits: n * s.Stages * ir.OperandSlots * (warp + reg + 2)}) // valid, and the flag
	}
	return out
}
