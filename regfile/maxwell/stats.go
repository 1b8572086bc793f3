package maxwell

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// counters counts the events of a sub-core; register describes each.
type counters struct {
	operations, merged, hits, conflicts, full, latency, resultWaits uint64
	reads, writes, groupReads, groupWrites                          uint64
	latencies                                                       stats.Histogram
}

func (c *counters) register(block string, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"maxwell.operations", stats.Instructions, "warp instructions that passed a collecting slot", &c.operations},
		{"maxwell.merged_reads", stats.Accesses, "reads saved because an instruction names a register twice", &c.merged},
		{"maxwell.reuse_hits", stats.Accesses, "operands found in the reuse cache", &c.hits},
		{"maxwell.conflicts", stats.Cycles,
			"register-cycles in which an instruction in a slot waits for a bank that serves another register", &c.conflicts},
		{"maxwell.full", stats.Cycles, "cycles that an issued instruction waits because no collecting slot is free",
			&c.full},
		{"maxwell.operand_latency", stats.Cycles,
			"from entering a slot to leaving it, summed over instructions with register sources", &c.latency},
		{"maxwell.result_waits", stats.Cycles,
			"result-cycles spent waiting for room in a result queue or at the scheduler", &c.resultWaits},
		{"bank.reads." + bank.Operand.String(), stats.Accesses, "warp registers read from banks, cause: operand",
			&c.reads},
		{"bank.writes." + bank.Result.String(), stats.Accesses, "warp registers written to banks, cause: result",
			&c.writes},
		{"bank.group_reads", stats.Accesses,
			"128-bit groups of four lanes read from banks: those with an active lane", &c.groupReads},
		{"bank.group_writes", stats.Accesses,
			"128-bit groups of four lanes written to banks: those with an active lane", &c.groupWrites},
	} {
		reg.Count("regfile."+x.name, x.unit, x.doc, block, x.p)
	}
	reg.Histogram("regfile.maxwell.operand_latency", stats.Cycles,
		"from entering a slot to leaving it, of instructions with register sources", &c.latencies)
}

// plainOperands is how many registers a slot or a latch has room for: three operands.
const plainOperands = 3

// State returns the storage of the banks, slots, latches, reuse caches and result queues. Slots
// and latches are counted with the values of three operands.
func (f *File) State() []regfile.State {
	s, n := &f.spec, len(f.subs)
	capacity := f.env.Capacity
	if capacity == 0 {
		capacity = f.env.Warps * f.env.Registers
	}
	const register = 8 * bank.RegisterBytes
	units := 0 // with latches, all sub-cores together
	for _, u := range f.env.Units {
		if u.Sched == regfile.Shared {
			units += n
		} else {
			units++
		}
	}
	warp := bits.Len(uint(max(f.env.Warps/f.env.Schedulers-1, 0)))
	reg := bits.Len(uint(f.env.Registers - 1))
	entries := n * ir.OperandSlots * s.ReuseEntries
	out := []regfile.State{
		{Block: "Bank", What: "registers", Count: n * s.Banks, Bits: capacity * register,
			Ports: bank.OneReadOneWrite.String()},
		{Block: "Slots", What: "operands", Count: n * s.Slots, Bits: n * s.Slots * plainOperands * register},
		{Block: "Latches", What: "operands", Count: units * s.Latches,
			Bits: units * s.Latches * plainOperands * register},
		{Block: "Result queue", What: "registers", Count: n * s.Banks,
			Bits: n * s.Banks * s.Queue * (register + warp + reg)},
	}
	if entries > 0 {
		out = append(out,
			regfile.State{Block: "Reuse cache", What: "registers", Count: n * ir.OperandSlots, Bits: entries * register},
			regfile.State{Block: "Reuse cache", What: "tags", Count: n * ir.OperandSlots,
				Bits: entries * (warp + reg + 2)}) // valid, and the flag
	}
	return out
}
