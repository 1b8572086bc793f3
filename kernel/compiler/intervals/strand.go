package intervals

import (
	"kumiko/kernel/compiler/marks"
	"kumiko/kernel/ir"
)

// Split cuts blocks behind the instructions selected by ends. An interval begins behind each cut and behind each
// backward branch. Form then finds strands (Gebhart et al., MICRO 2011, section 4.1), as in LTRF's comparison.
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

// Strands cuts an allocated kernel with Timing set into strands of at most limit registers. A strand ends at an
// operation of long latency, a barrier or a backward branch. The pieces refer to the returned graph.
func Strands(k *ir.Kernel, limit int) (*Graph, []Interval, error) {
	g := Of(k)
	g = Split(g, func(b, i int) bool {
		in := &k.Insts[g.Blocks[b].First+i]
		return marks.LongLatency(in) || in.Op == ir.OpBar || in.Op == ir.OpMbarWait
	})
	list, err := Form(g, limit)
	return g, list, err
}
