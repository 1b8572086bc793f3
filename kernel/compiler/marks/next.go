package marks

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// never is the number of an instruction behind all others.
const never = 1 << 24

// Next sets NextSrc and NextDst of a kernel: how soon the value in each register named by an instruction is read
// again. A register cache gains most by the values read soonest (the reuse distances of Abaie Shoushtary et al.,
// DATE 2023).
//
// The distances are hints. Where paths differ the shortest counts, and another turn of a loop is a path. A guarded
// read counts as a read, and a guarded write does not end the value, because of the other lanes.
func Next(k *ir.Kernel) {
	n := nexts{k: k, g: cfg.Build(k.Insts), read: make([]int32, k.NumRegs)}
	n.start = make([][]int32, len(n.g.Blocks))
	for b := range n.start {
		n.start[b] = make([]int32, k.NumRegs)
		for r := range n.start[b] {
			n.start[b][r] = never
		}
	}
	for changed := true; changed; {
		changed = false
		for b := len(n.start) - 1; b >= 0; b-- {
			n.walk(b, false)
			for r, pc := range n.read {
				if d := pc - int32(n.g.Blocks[b].Start) + 1; pc != never && d < n.start[b][r] {
					n.start[b][r], changed = d, true
				}
			}
		}
	}
	for b := range n.start {
		n.walk(b, true)
	}
}

// nexts is the analysis of a kernel.
type nexts struct {
	k     *ir.Kernel
	g     *cfg.Graph
	start [][]int32 // by block and register: instructions to the first read, 1 for a read by the block's first one
	read  []int32   // by register: number of the next instruction to read it, as if paths were laid one behind another
}

// walk goes through a block backward, with read as it is behind each instruction. At the end read is as at the start
// of the block. With set it sets the distances of the instructions.
func (n *nexts) walk(b int, set bool) {
	block := &n.g.Blocks[b]
	for r := range n.read {
		n.read[r] = never
	}
	for _, s := range block.Succs {
		for r, d := range n.start[s] {
			if d != never {
				n.read[r] = min(n.read[r], int32(block.End)-1+d)
			}
		}
	}
	for pc := block.End - 1; pc >= block.Start; pc-- {
		t := &n.k.Insts[pc].T
		if set {
			for i, r := range t.Dst[:t.NDst] {
				t.NextDst[i] = n.distance(pc, r)
			}
		}
		if !t.Guarded {
			for _, r := range t.Dst[:t.NDst] {
				n.read[r] = never
			}
		}
		if set {
			for i, r := range t.Src[:t.NSrc] {
				t.NextSrc[i] = n.distance(pc, r)
			}
		}
		for _, r := range t.Src[:t.NSrc] {
			n.read[r] = int32(pc)
		}
	}
}

// distance returns the distance of a register's next read from an instruction, in the form of Timing.
func (n *nexts) distance(pc int, r ir.RegID) uint8 {
	if n.read[r] == never {
		return 0
	}
	return uint8(min(n.read[r]-int32(pc), ir.MaxNext))
}
