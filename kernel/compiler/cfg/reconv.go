package cfg

import (
	"slices"

	"kumiko/kernel/ir"
)

// SetReconv sets Reconv of every branch to the first PC of the block where lanes that
// part there meet, len(insts) where they meet only at the exit.
func (g *Graph) SetReconv(insts []ir.Inst) {
	ip := g.meetings(insts)
	for b := range g.Blocks {
		last := &insts[g.Blocks[b].End-1]
		if last.Op != ir.OpBra && last.Op != ir.OpBrx {
			continue
		}
		last.Reconv = len(insts)
		if ip[b] != None {
			last.Reconv = g.Blocks[ip[b]].Start
		}
	}
}

// meetings gives for each block the one where lanes that part at its end meet: its
// immediate post-dominator on the paths that count. Lanes that a trap or a quit ends are
// waited for nowhere, so paths that can only lead there do not; a compiler puts one where
// it knows that no lane comes, behind a switch for example. And the lanes of a call meet
// behind it, so its path leads there, and the path of a return ends.
func (g *Graph) meetings(insts []ir.Inst) []int {
	blocks := make([]Block, len(g.Blocks))
	quits, changed := make([]bool, len(blocks)), false
	for b := range blocks {
		blocks[b] = g.Blocks[b]
		blocks[b].Succs, blocks[b].Preds = slices.Clone(blocks[b].Succs), nil
		switch last := &insts[blocks[b].End-1]; {
		case last.Flow == ir.FlowCall:
			blocks[b].Succs, changed = g.at(last.Targets), true
		case last.Flow == ir.FlowReturn:
			blocks[b].Succs, blocks[b].Exits, changed = nil, true, true
		case last.Flow == ir.FlowQuit || last.Op == ir.OpTrap:
			quits[b], changed = true, true
		}
	}
	if !changed {
		return g.IPDom()
	}
	return withoutQuits(blocks, quits)
}

// at lists the blocks at some PCs, of which one may be the exit.
func (g *Graph) at(pcs []int) []int {
	var out []int
	for _, pc := range pcs {
		if pc < len(g.BlockOf) {
			out = append(out, g.BlockOf[pc])
		}
	}
	return out
}

// withoutQuits gives the immediate post-dominators on paths that do not end in blocks that
// quit. Where the program has no other end these count like any.
func withoutQuits(blocks []Block, quits []bool) []int {
	link(blocks)
	ends := make([]bool, len(blocks))
	for b := range blocks {
		if blocks[b].Exits && !quits[b] {
			leadingTo(blocks, b, ends)
		}
	}
	if len(blocks) == 0 || !ends[0] {
		return postDominators(blocks, exits(blocks, make([]bool, len(blocks))))
	}
	doomed := make([]bool, len(blocks)) // that can only quit
	for b := range blocks {
		if quits[b] {
			blocks[b].Exits = false
			leadingTo(blocks, b, doomed)
		}
	}
	for b := range blocks {
		doomed[b] = doomed[b] && !ends[b]
	}
	for b := range blocks {
		if doomed[b] {
			blocks[b].Succs = nil
		}
		blocks[b].Succs = slices.DeleteFunc(blocks[b].Succs, func(s int) bool { return doomed[s] })
	}
	link(blocks)
	return postDominators(blocks, exits(blocks, doomed))
}

// link sets the predecessors by the successors.
func link(blocks []Block) {
	for b := range blocks {
		blocks[b].Preds = nil
	}
	for b := range blocks {
		for _, s := range blocks[b].Succs {
			blocks[s].Preds = append(blocks[s].Preds, b)
		}
	}
}
