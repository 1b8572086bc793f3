package intervals

// ByPC gives, for each instruction of the program that g is the graph of, the
// number of its interval in list, and -1 for code that cannot be reached. A
// warp changes interval where the numbers of consecutive instructions of its
// path differ.
func ByPC(g *Graph, list []Interval) []int {
	out := make([]int, g.Instructions())
	for pc := range out {
		out[pc] = -1
	}
	for i := range list {
		for _, p := range list[i].Pieces {
			for at := p.From; at < p.To; at++ {
				out[g.Blocks[p.Block].First+at] = i
			}
		}
	}
	return out
}
