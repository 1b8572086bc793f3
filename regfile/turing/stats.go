package turing

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// counters counts the events of a sub-core; register describes each.
type counters struct {
	operations, merged, hits, held, latency uint64
	latencies                               stats.Histogram
}

func (c *counters) register(block string, reg *stats.Registry) {
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
}

// State returns the storage of the banks, latches and result queues, of the reserved ports, and of the cache.
// Control, Allocate and the queues before reading are left out: they hold instructions only, no registers.
func (f *File) State() []regfile.State {
	s, n := &f.spec, f.Env.Schedulers
	out := append(f.File.State(s.portNames()), regfile.State{Block: "Allocate", What: "reserved ports", Count: n,
		Bits: n * s.Banks * s.Window * bits.Len(uint(max(s.Ports, 1))), Kind: storage.FlipFlop,
		Width: bits.Len(uint(max(s.Ports, 1)))})
	if s.Reuse {
		entries := n * s.Banks * (ir.OperandSlots - 1) // a, b and c
		out = append(out, regfile.State{Block: "Register file cache", What: "registers and tags", Count: entries,
			Bits: entries * (8*bank.RegisterBytes + f.TagBits() + 1), Kind: storage.FlipFlop,
			Width: 8*bank.RegisterBytes + f.TagBits() + 1})
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
