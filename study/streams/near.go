package streams

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// facts is what the caches need of the static instructions of a kernel.
type facts struct {
	regs     int    // one more than the highest register
	long     []bool // the result is a long-latency one
	barrier  []bool // the warp waits for its CTA
	near     []Near // registers that are read after the instruction before the next suspension
	barriers bool   // barriers suspend
}

func newFacts(k *ir.Kernel, barriers bool) *facts {
	n := len(k.Insts)
	f := &facts{long: make([]bool, n), barrier: make([]bool, n), near: make([]Near, n), barriers: barriers}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		f.long[pc] = marks.LongLatency(in)
		f.barrier[pc] = in.Op == ir.OpBar && in.Mods.Bar != ir.BarArrive
		for _, r := range in.T.Src[:in.T.NSrc] {
			f.regs = max(f.regs, int(r)+1)
		}
		for _, r := range in.T.Dst[:in.T.NDst] {
			f.regs = max(f.regs, int(r)+1)
		}
	}
	f.flow(k)
	return f
}

// flow fills near in: backward over the control-flow graph until nothing
// changes. A register is near if it is read on some path; a guarded write leaves
// the value of other lanes.
func (f *facts) flow(k *ir.Kernel) {
	g := cfg.Build(k.Insts)
	into := make([]Near, len(g.Blocks))
	for changed := true; changed; {
		changed = false
		for b := len(g.Blocks) - 1; b >= 0; b-- {
			var n Near
			for _, s := range g.Blocks[b].Succs {
				for i := range n {
					n[i] |= into[s][i]
				}
			}
			for pc := g.Blocks[b].End - 1; pc >= g.Blocks[b].Start; pc-- {
				n = f.step(&k.Insts[pc], pc, n)
			}
			if n != into[b] {
				into[b] = n
				changed = true
			}
		}
	}
}

// step goes back over one instruction and keeps what is near after it.
func (f *facts) step(in *ir.Inst, pc int, n Near) Near {
	if f.barrier[pc] && f.barriers {
		n = Near{}
	}
	f.near[pc] = n
	if !in.T.Guarded {
		for _, r := range in.T.Dst[:in.T.NDst] {
			n[r>>6] &^= 1 << (r & 63)
		}
	}
	for _, r := range in.T.Src[:in.T.NSrc] {
		n[r>>6] |= 1 << (r & 63)
	}
	if in.T.LongConsumer {
		return Near{}
	}
	return n
}
