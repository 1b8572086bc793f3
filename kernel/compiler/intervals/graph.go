package intervals

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// Block is a basic block: the registers of each of its instructions, and its successors.
type Block struct {
	Label string
	Insts []Set
	Succs []int
	First int // index of the first instruction in its program
	// Header: an interval begins here, whatever its predecessors.
	Header bool
}

// Graph is the control-flow graph of one kernel or function. Block 0 is the
// entry.
type Graph struct {
	Name   string
	Blocks []Block
}

// Instructions returns the number of instructions.
func (g *Graph) Instructions() int {
	n := 0
	for i := range g.Blocks {
		n += len(g.Blocks[i].Insts)
	}
	return n
}

// Of returns the graph of an allocated kernel with Timing set.
func Of(k *ir.Kernel) *Graph {
	c := cfg.Build(k.Insts)
	g := &Graph{Name: k.Name, Blocks: make([]Block, len(c.Blocks))}
	for b := range c.Blocks {
		from := &c.Blocks[b]
		to := Block{First: from.Start, Succs: from.Succs}
		for pc := from.Start; pc < from.End; pc++ {
			to.Insts = append(to.Insts, registers(&k.Insts[pc].T))
		}
		g.Blocks[b] = to
	}
	return g
}

func registers(t *ir.Timing) Set {
	var s Set
	for _, r := range t.Src[:t.NSrc] {
		s.Add(int(r))
	}
	for _, r := range t.Dst[:t.NDst] {
		s.Add(int(r))
	}
	return s
}
