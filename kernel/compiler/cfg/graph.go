package cfg

import (
	"kumiko/kernel/ir"
)

// None stands for "no block": the virtual exit as a post-dominator, the virtual
// entry as a dominator.
const None = -1

// Block is a maximal run of instructions, entered at its first and left at its last.
type Block struct {
	Start, End int   // PCs [Start, End)
	Succs      []int // block numbers, each once, in order: fall-through first
	Preds      []int
	// Exits: a lane may leave the kernel at the end of the block.
	Exits bool
}

// Graph is a control-flow graph. Block 0 starts at PC 0; blocks are numbered in
// the order of their PCs.
type Graph struct {
	Blocks []Block
	// BlockOf gives the block of each PC.
	BlockOf []int

	idom  []int
	ipdom []int
	depth []int
	dom   []interval // of the tree of dominators
}

// Terminates reports whether no lane continues at the instruction behind in.
func Terminates(in *ir.Inst) bool {
	if in.Guard.Kind != ir.KindNone || in.Flow == ir.FlowConverged || in.Flow == ir.FlowApart {
		return false
	}
	switch in.Op {
	case ir.OpBra, ir.OpBrx, ir.OpExit, ir.OpTrap, ir.OpMeet, ir.OpCollective, ir.OpCollectiveEnd:
		return true
	}
	return false
}

// Ends reports whether in is always the last instruction of its block.
func Ends(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpBra, ir.OpBrx, ir.OpExit, ir.OpTrap, ir.OpBarrierWait, ir.OpConverge, ir.OpMeet,
		ir.OpCollective, ir.OpCollectiveEnd:
		return true
	}
	return false
}

// Build returns the graph of a program. A target of len(insts) is the exit. Build panics if a target is outside [0,
// len(insts)].
func Build(insts []ir.Inst) *Graph {
	g := &Graph{BlockOf: make([]int, len(insts))}
	leader := make([]bool, len(insts)+1)
	if len(insts) > 0 {
		leader[0] = true
	}
	for pc := range insts {
		in := &insts[pc]
		if !Ends(in) {
			continue
		}
		leader[pc+1] = true
		if in.Op == ir.OpBra {
			leader[in.Target] = true
		}
		switch in.Op {
		case ir.OpBrx, ir.OpMeet, ir.OpCollective, ir.OpCollectiveEnd:
			for _, t := range in.Targets {
				leader[t] = true
			}
		}
	}
	for pc := range insts {
		if leader[pc] {
			g.Blocks = append(g.Blocks, Block{Start: pc})
		}
		b := len(g.Blocks) - 1
		g.BlockOf[pc] = b
		g.Blocks[b].End = pc + 1
	}
	g.connect(insts)
	return g
}

func (g *Graph) connect(insts []ir.Inst) {
	from := make([]int, len(g.Blocks)) // the last block with an edge to each, counted from 1
	for b := range g.Blocks {
		last := &insts[g.Blocks[b].End-1]
		if !Terminates(last) {
			g.edge(b, g.Blocks[b].End, from)
		}
		switch last.Op {
		case ir.OpBra:
			g.edge(b, last.Target, from)
		case ir.OpBrx, ir.OpMeet, ir.OpCollective, ir.OpCollectiveEnd:
			for _, t := range last.Targets {
				g.edge(b, t, from)
			}
		case ir.OpExit, ir.OpTrap:
			g.Blocks[b].Exits = true
		}
	}
}

// edge adds, once, the edge from block b to the block beginning at pc.
func (g *Graph) edge(b, pc int, from []int) {
	if pc == len(g.BlockOf) {
		g.Blocks[b].Exits = true
		return
	}
	to := g.BlockOf[pc]
	if from[to] == b+1 {
		return
	}
	from[to] = b + 1
	g.Blocks[b].Succs = append(g.Blocks[b].Succs, to)
	g.Blocks[to].Preds = append(g.Blocks[to].Preds, b)
}

// Reachable reports, for each block, whether a path leads to it from the entry.
func (g *Graph) Reachable() []bool {
	seen := make([]bool, len(g.Blocks))
	if len(seen) == 0 {
		return seen
	}
	seen[0] = true
	for work := []int{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range g.Blocks[b].Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}
