package cfg

import "slices"

// IDom returns the immediate dominator of each block: None for the entry and for unreachable blocks.
func (g *Graph) IDom() []int {
	if g.idom == nil {
		g.idom = dominators(0, len(g.Blocks), func(b int) []int { return g.Blocks[b].Succs },
			func(b int) []int { return g.Blocks[b].Preds })
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
	leaves := make([]bool, n)
	for _, b := range exits {
		leaves[b] = true
	}
	before := func(b int) []int {
		if b == n {
			return exits
		}
		return blocks[b].Preds
	}
	after := func(b int) []int {
		if leaves[b] {
			return append(slices.Clip(blocks[b].Succs), n)
		}
		return blocks[b].Succs
	}
	return dominators(n, n, before, after)
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

// dominators returns the immediate dominators of nodes 0 to n-1 of a graph, None if it is a node from n on or does not
// exist. It is the method of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001): each node's
// dominator is the one common to its predecessors, found in reverse post-order until nothing changes.
func dominators(root, n int, succs, preds func(b int) []int) []int {
	if n == 0 {
		return nil
	}
	size := max(n, root+1)
	order, idom := postorder(root, size, succs), make([]int, size)
	place := make([]int, size) // in the order
	for i := range idom {
		idom[i] = None
	}
	for i, b := range order {
		place[b] = i
	}
	idom[root] = root
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(order[:len(order)-1]) {
			d := None
			for _, p := range preds(b) {
				switch {
				case idom[p] == None: // not known yet, or never reached
				case d == None:
					d = p
				default:
					d = common(d, p, idom, place)
				}
			}
			changed = changed || d != idom[b]
			idom[b] = d
		}
	}
	for b, d := range idom {
		if b == root || d >= n {
			idom[b] = None
		}
	}
	return idom[:n]
}

// common returns the nearest dominator that two nodes share. A dominator comes after its nodes in post-order.
func common(a, b int, idom, place []int) int {
	for a != b {
		if place[a] < place[b] {
			a = idom[a]
		} else {
			b = idom[b]
		}
	}
	return a
}

// postorder returns the nodes with a path from root: each after all nodes that a depth-first walk reached by it.
func postorder(root, size int, succs func(b int) []int) []int {
	var order []int
	seen := make([]bool, size)
	next := make([]int, size) // successors visited
	seen[root] = true
	for path := []int{root}; len(path) > 0; {
		b := path[len(path)-1]
		if to := succs(b); next[b] < len(to) {
			s := to[next[b]]
			next[b]++
			if !seen[s] {
				seen[s] = true
				path = append(path, s)
			}
			continue
		}
		order = append(order, b)
		path = path[:len(path)-1]
	}
	return order
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
