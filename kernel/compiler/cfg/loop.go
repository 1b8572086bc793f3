package cfg

// Depth returns each block's loop nesting depth: the number of natural loops around it (back edges to a dominating
// block; loops with the same header are one). Irreducible cycles do not count.
func (g *Graph) Depth() []int {
	if g.depth != nil {
		return g.depth
	}
	g.depth = make([]int, len(g.Blocks))
	body := make([]int, len(g.Blocks)) // header+1 of the last loop found around the block
	for h := range g.Blocks {
		var work []int
		for _, p := range g.Blocks[h].Preds {
			if p == h || g.Dominates(h, p) {
				work = append(work, p)
			}
		}
		if len(work) == 0 {
			continue
		}
		body[h] = h + 1
		g.depth[h]++
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if body[b] == h+1 {
				continue
			}
			body[b] = h + 1
			g.depth[b]++
			work = append(work, g.Blocks[b].Preds...)
		}
	}
	return g.depth
}
