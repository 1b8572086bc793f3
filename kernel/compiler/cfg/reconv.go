package cfg

import (
	"slices"

	"kumiko/kernel/ir"
)

// SetReconv sets Reconv of every branch to the first PC of the block where its lanes meet again, len(insts) if they
// meet only at the exit.
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

// meetings returns, for each block, the block where lanes diverging at its end meet again: the immediate
// post-dominator, over some of the paths. Paths leading only to a trap or a quit do not count, since no lane waits
// for lanes ended there. A compiler puts a trap where it knows that no lane comes, for example behind a switch. And
// the lanes of a call meet behind it, so its path leads there, and the path of a return ends.
func (g *Graph) meetings(insts []ir.Inst) []int {
	blocks := make([]Block, len(g.Blocks))
	quits, changed := make([]bool, len(blocks)), false
	for b := range blocks {
		blocks[b] = g.Blocks[b]
		blocks[b].Succs, blocks[b].Preds = slices.Clone(blocks[b].Succs), nil
		switch last := &insts[blocks[b].End-1]; {
		case last.Flow == ir.FlowCall:
			blocks[b].Succs, changed = g.blocksAt(last.Targets), true
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

// blocksAt lists the blocks at some PCs, without the exit.
func (g *Graph) blocksAt(pcs []int) []int {
	var out []int
	for _, pc := range pcs {
		if pc < len(g.BlockOf) {
			out = append(out, g.BlockOf[pc])
		}
	}
	return out
}

// withoutQuits returns the immediate post-dominators on paths not ending in blocks that quit. If the program has no
// other end, all paths count.
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
	doomed := make([]bool, len(blocks)) // all paths lead to a quit
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
