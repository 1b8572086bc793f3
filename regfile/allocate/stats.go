package allocate

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/regfile/internal/subcore"
)

// counters counts the events of a sub-core; register describes each.
type counters struct {
	operations, merged, hits, held, latency uint64
	latencies                               stats.Histogram
	banks                                   [maxBanks]bankCounters
}

// bankCounters counts the accesses of a bank.
type bankCounters struct{ reads, groupReads, conflicts uint64 }

func (c *counters) register(block string, banks int, reg *stats.Registry) {
	for _, x := range []struct {
		name, unit, doc string
		p               *uint64
	}{
		{"operations", stats.Instructions, "warp instructions that passed Control", &c.operations},
		{"merged_reads", stats.Accesses, "reads saved because an instruction names a register twice", &c.merged},
		{"reuse_hits", stats.Accesses, "operands found in the register file cache", &c.hits},
		{"held", stats.Cycles, "cycles in which an instruction is held before it can read", &c.held},
		{"operand_latency", stats.Cycles, "from the reservation of ports to the window's end, summed over " +
			"instructions with register sources", &c.latency},
	} {
		reg.Count("regfile.allocate."+x.name, x.unit, x.doc, block, x.p)
	}
	reg.Histogram("regfile.allocate.operand_latency", stats.Cycles,
		"from the reservation of ports to the window's end, of instructions with register sources", &c.latencies)
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
	reg.Count("regfile.allocate.conflicts", stats.Cycles,
		"cycles in which an instruction is held because the bank has too few free ports", name, &c.conflicts)
	reg.Count("regfile.bank.group_reads", stats.Accesses,
		"128-bit groups of four lanes read from banks: those with an active lane", name, &c.groupReads)
}

// plainOperands is how many registers a latch has room for: three operands.
const plainOperands = 3

// State returns the storage of the banks, stages, queues, latches and result queues, and of the
// cache. Queues before reading hold no registers, only instructions, and are left out, as are Control
// and Allocate.
func (f *File) State() []regfile.State {
	s, n := &f.spec, len(f.subs)
	const register = 8 * bank.RegisterBytes
	warp := bits.Len(uint(max(f.env.Warps/f.env.Schedulers-1, 0)))
	reg := bits.Len(uint(f.env.Registers - 1))
	latches := subcore.Latched(f.env, n) * s.Latches
	out := []regfile.State{
		{Block: "Bank", What: "registers", Count: n * s.Banks,
			Bits: subcore.Capacity(f.env) * register, Ports: s.portNames()},
		{Block: "Latch", What: "operands", Count: latches, Bits: latches * plainOperands * register},
		{Block: "Result queue", What: "registers", Count: n * s.Banks,
			Bits: n * s.Banks * s.Queue * (register + warp + reg)},
		{Block: "Allocate", What: "reserved ports", Count: n,
			Bits: n * s.Banks * s.Window * bits.Len(uint(max(s.Ports, 1)))},
	}
	if s.Reuse {
		entries := n * s.Banks * (ir.OperandSlots - 1) // a, b and c
		out = append(out, regfile.State{Block: "Register file cache", What: "registers and tags", Count: entries,
			Bits: entries * (register + warp + reg + 1)})
	}
	return out
}

// portNames names a bank's ports.
func (s *Spec) portNames() string {
	if s.Ports == 0 {
		return "as wanted"
	}
	return fmt.Sprintf("%dr1w", s.Ports)
}
