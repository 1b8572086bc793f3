package intervals

import (
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// Split cuts blocks behind the instructions that ends names, and makes an
// interval begin behind each of them and behind each backward branch. Form then
// finds strands: Gebhart et al., MICRO 2011, section 4.1, as LTRF compares
// itself with them.
func Split(g *Graph, ends func(block, inst int) bool) *Graph {
	out := &Graph{Name: g.Name}
	first := make([]int, len(g.Blocks))
	for b := range g.Blocks {
		from := &g.Blocks[b]
		first[b] = len(out.Blocks)
		part := Block{Label: from.Label, First: from.First, Header: from.Header}
		for i, s := range from.Insts {
			part.Insts = append(part.Insts, s)
			if !ends(b, i) || i == len(from.Insts)-1 {
				continue
			}
			part.Succs = []int{len(out.Blocks) + 1}
			out.Blocks = append(out.Blocks, part)
			part = Block{Label: from.Label, First: from.First + i + 1, Header: true}
		}
		out.Blocks = append(out.Blocks, part)
	}
	for b := range g.Blocks {
		from := &g.Blocks[b]
		last := len(out.Blocks) - 1
		if b+1 < len(first) {
			last = first[b+1] - 1
		}
		n := len(from.Insts)
		header := n > 0 && ends(b, n-1)
		for _, s := range from.Succs {
			header = header || s <= b
		}
		for _, s := range from.Succs {
			out.Blocks[last].Succs = append(out.Blocks[last].Succs, first[s])
			if header {
				out.Blocks[first[s]].Header = true
			}
		}
	}
	return out
}

// Strands cuts an allocated kernel whose Timing is set into strands of at most
// limit registers: they end at operations of long latency, barriers and
// backward branches. The graph is the one that the pieces refer to.
func Strands(k *ir.Kernel, limit int) (*Graph, []Interval, error) {
	g := Of(k)
	g = Split(g, func(b, i int) bool {
		in := &k.Insts[g.Blocks[b].First+i]
		return marks.LongLatency(in) || in.Op == ir.OpBar || in.Op == ir.OpMbarWait
	})
	list, err := Form(g, limit)
	return g, list, err
}
