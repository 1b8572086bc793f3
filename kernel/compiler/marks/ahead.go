package marks

import (
	"slices"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

// Diverged lanes need not reconverge. If a path waits for lanes of another path, or spins, the lanes that have reached
// the reconvergence point go on without it (kernel/emu/paths.go). Then some lanes may be at any instruction that can
// follow this point, while others have yet to reach it. The methods called ahead find the registers that either need.

// stops has the blocks in which lanes may wait for lanes elsewhere, or spin.
type stops struct {
	k   *ir.Kernel
	g   *cfg.Graph
	r   *cfg.Region
	at  []bool
	any bool // there are such blocks
}

func newStops(k *ir.Kernel, g *cfg.Graph, way *cfg.Paths) *stops {
	s := &stops{k: k, g: g, r: cfg.NewRegion(way), at: make([]bool, len(g.Blocks))}
	for b := range g.Blocks {
		if s.at[b] || !s.has(b, polls) {
			continue
		}
		if loop := s.loop(b); s.decides(loop) {
			for _, c := range loop {
				s.at[c] = true
			}
		}
	}
	for b := range g.Blocks {
		s.at[b] = s.at[b] || s.has(b, func(in *ir.Inst) bool { return in.Membermask() != nil })
	}
	s.any = slices.Contains(s.at, true)
	return s
}

// has reports whether a block has such an instruction.
func (s *stops) has(b int, such func(in *ir.Inst) bool) bool {
	return slices.ContainsFunc(s.k.Insts[s.g.Blocks[b].Start:s.g.Blocks[b].End],
		func(in ir.Inst) bool { return such(&in) })
}

// ahead returns the blocks that lanes may execute separately after they diverged at the end of block d. It returns none
// if no lane leaves their reconvergence point before all have reached it.
func (s *stops) ahead(d int) []int {
	if !s.any || !slices.ContainsFunc(s.r.Between(d), func(b int) bool { return s.at[b] }) {
		return nil
	}
	return s.reachable(d)
}

// reachable lists the blocks that can be reached from the end of block d, through calls and returns too.
func (s *stops) reachable(d int) (out []int) {
	seen := make([]bool, len(s.g.Blocks))
	for work := []int{d}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range s.g.Blocks[b].Succs {
			if !seen[c] {
				seen[c] = true
				out, work = append(out, c), append(work, c)
			}
		}
	}
	return out
}

// ahead adds to need, by block, the registers that other lanes of the warp may need while some execute this block,
// where lanes go on without each other.
func (w *waiting) ahead(need []bitset.Set, s *stops) {
	var all []bitset.Set // by block, what a lane that stops there needs
	for d := range w.l.G.Blocks {
		if !w.splits(d) {
			continue
		}
		blocks := s.ahead(d)
		if blocks != nil && all == nil {
			all = w.stopping()
		}
		sum := bitset.New(w.l.Regs + w.l.Preds)
		for _, b := range blocks {
			sum.Or(all[b])
		}
		for _, b := range blocks {
			need[b].Or(sum)
		}
	}
}

// stopping returns, by block, the registers and predicates needed by a lane that stops there: at its beginning, or
// where it waits.
func (w *waiting) stopping() []bitset.Set {
	out := make([]bitset.Set, len(w.l.G.Blocks))
	for b := range out {
		out[b] = w.l.In[b].Clone()
		if live, ok := w.behind[b]; ok {
			out[b].Or(live)
		}
	}
	return out
}
