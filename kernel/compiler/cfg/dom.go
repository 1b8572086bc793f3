package cfg

import (
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/flow"
	"gonum.org/v1/gonum/graph/simple"
)

// IDom returns the immediate dominator of each block: None for the entry and for unreachable blocks.
func (g *Graph) IDom() []int {
	if g.idom == nil {
		d := simple.NewDirectedGraph()
		for b := range g.Blocks {
			addNode(d, b)
		}
		for b := range g.Blocks {
			for _, s := range g.Blocks[b].Succs {
				addEdge(d, b, s)
			}
		}
		g.idom = dominators(d, 0, len(g.Blocks))
	}
	return g.idom
}

// IPDom returns the immediate post-dominator of each block, None for the exit of the kernel. A loop without a way
// out gets an edge to the exit from its last block, so every block has a post-dominator.
func (g *Graph) IPDom() []int {
	if g.ipdom == nil {
		g.ipdom = postDominators(g.Blocks, exits(g.Blocks, make([]bool, len(g.Blocks))))
	}
	return g.ipdom
}

// postDominators returns the immediate post-dominator of each block. exits lists the blocks followed by the exit of
// the kernel. A block without a path to the exit has no post-dominator.
func postDominators(blocks []Block, exits []int) []int {
	n := len(blocks)
	d := simple.NewDirectedGraph()
	for b := 0; b <= n; b++ {
		addNode(d, b)
	}
	for b := range blocks {
		for _, s := range blocks[b].Succs {
			addEdge(d, s, b)
		}
	}
	for _, b := range exits {
		addEdge(d, n, b)
	}
	return dominators(d, n, n)
}

// exits lists the blocks with an exit from the kernel. It adds the last block in program order of every loop
// without a way out, unless the loop leads to a block of skip.
func exits(blocks []Block, skip []bool) []int {
	var out []int
	reach := make([]bool, len(blocks))
	for b := range blocks {
		if blocks[b].Exits {
			out = append(out, b)
			leadingTo(blocks, b, reach)
		}
	}
	for b := range blocks {
		if skip[b] {
			leadingTo(blocks, b, reach)
		}
	}
	for b := len(blocks) - 1; b >= 0; b-- {
		if !reach[b] {
			out = append(out, b)
			leadingTo(blocks, b, reach)
		}
	}
	return out
}

// leadingTo adds block b and all blocks with a path to b to set.
func leadingTo(blocks []Block, b int, set []bool) {
	set[b] = true
	for work := []int{b}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range blocks[b].Preds {
			if !set[p] {
				set[p] = true
				work = append(work, p)
			}
		}
	}
}

func addNode(d *simple.DirectedGraph, b int) { d.AddNode(simple.Node(b)) }

func addEdge(d *simple.DirectedGraph, from, to int) {
	if from != to { // a self loop says nothing about dominance
		d.SetEdge(simple.Edge{F: simple.Node(from), T: simple.Node(to)})
	}
}

// dominators returns the immediate dominators of nodes 0 to n-1 in d, None if it is a node from n on or does not
// exist.
func dominators(d graph.Directed, root, n int) []int {
	out := make([]int, n)
	for b := range out {
		out[b] = None
	}
	if n == 0 {
		return out
	}
	tree := flow.Dominators(simple.Node(root), d)
	for b := range out {
		if p := tree.DominatorOf(int64(b)); p != nil && int(p.ID()) < n && int(p.ID()) != b {
			out[b] = int(p.ID())
		}
	}
	return out
}

// Dominates reports whether every path from the entry to b passes through a. A
// block dominates itself.
func (g *Graph) Dominates(a, b int) bool {
	if g.dom == nil {
		g.dom = intervals(g.IDom())
	}
	return g.dom[a].from <= g.dom[b].from && g.dom[b].to <= g.dom[a].to
}

// interval is the entry and exit time of a node in a depth-first walk.
type interval struct{ from, to int }

// intervals walks trees, with the parent of each node, None for a root. A node is an ancestor of exactly the nodes
// with intervals within its own.
func intervals(parent []int) []interval {
	first, next := make([]int, len(parent)), make([]int, len(parent)) // child, sibling
	roots := None
	for i := range first {
		first[i] = None
	}
	for i, p := range parent {
		if p == None {
			next[i], roots = roots, i
		} else {
			next[i], first[p] = first[p], i
		}
	}
	out := make([]interval, len(parent))
	now := 0
	var open []int
	for at := roots; at != None || len(open) > 0; {
		if at != None {
			out[at].from, now = now, now+1
			open = append(open, at)
			at = first[at]
			continue
		}
		last := open[len(open)-1]
		open = open[:len(open)-1]
		out[last].to, now = now, now+1
		at = next[last]
	}
	return out
}
