package streams

import (
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/compiler/tables"
	"kumiko/kernel/ir"
)

// facts has the properties of a kernel's static instructions needed by the caches
// beside their Timing.
type facts struct {
	tables  *tables.Tables
	regs    int    // one more than the highest register
	long    []bool // the result is a long-latency one
	barrier []bool // a CTA barrier that suspends the warp until all warps of its CTA have reached it
}

func newFacts(k *ir.Kernel, barriers bool) *facts {
	n := len(k.Insts)
	f := &facts{tables: tables.New(k), long: make([]bool, n), barrier: make([]bool, n)}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		f.long[pc] = marks.LongLatency(in)
		f.barrier[pc] = barriers && in.Op == ir.OpBar && in.Mods.Bar != ir.BarArrive
		for _, r := range in.T.Src[:in.T.NSrc] {
			f.regs = max(f.regs, int(r)+1)
		}
		for _, r := range in.T.Dst[:in.T.NDst] {
			f.regs = max(f.regs, int(r)+1)
		}
	}
	return f
}
