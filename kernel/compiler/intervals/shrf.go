package intervals

import (
	"cmp"
	"slices"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Placed is a register kept by a strand in the upper level of a software-managed register file hierarchy.
type Placed struct {
	Register int
	Reads    int  // operands of the strand reading it, statically
	Writes   int  // results of the strand writing it
	LiveIn   bool // it has a value when the strand begins: the first read comes from the main register file
	LiveOut  bool // its value is needed behind the strand: it is written to the main register file too
}

// saved returns the number of reads of the main register file avoided by the placement.
func (p *Placed) saved() int {
	if p.LiveIn {
		return p.Reads - 1
	}
	return p.Reads
}

// Select chooses, for each strand of an allocated kernel, at most entries registers to keep in the upper level:
// those saving the most reads of the main register file, the lower number among equals. Registers without a saving
// stay out. (Gebhart et al., MICRO 2011, allocate by energy saved per entry. LTRF, ASPLOS 2018, section 5, compares
// itself with it and does not say more, so the most-read values are taken.) g and list are the results of Strands.
func Select(k *ir.Kernel, g *Graph, list []Interval, entries int) [][]Placed {
	info := liveness.Analyze(k, cfg.Build(k.Insts))
	before := info.Vectors()
	byPC := ByPC(g, list)
	out := make([][]Placed, len(list))
	for i := range list {
		out[i] = candidates(k, g, &list[i])
	}
	for i := range list {
		entry := g.Blocks[list[i].Pieces[0].Block].First + list[i].Pieces[0].From
		for j := range out[i] {
			p := &out[i][j]
			p.LiveIn = before[entry].Has(p.Register)
			p.LiveOut = leaves(info, before, byPC, i, p.Register)
		}
		out[i] = slices.DeleteFunc(out[i], func(p Placed) bool { return p.saved() <= 0 })
		slices.SortStableFunc(out[i], func(a, b Placed) int {
			return cmp.Or(cmp.Compare(b.saved(), a.saved()), cmp.Compare(a.Register, b.Register))
		})
		out[i] = out[i][:min(len(out[i]), entries)]
	}
	return out
}

// candidates returns the registers named by a strand, in ascending order.
func candidates(k *ir.Kernel, g *Graph, v *Interval) []Placed {
	var count [256]Placed
	for _, p := range v.Pieces {
		for pc := g.Blocks[p.Block].First + p.From; pc < g.Blocks[p.Block].First+p.To; pc++ {
			t := &k.Insts[pc].T
			for _, r := range t.Src[:t.NSrc] {
				count[r].Reads++
			}
			for _, r := range t.Dst[:t.NDst] {
				count[r].Writes++
			}
		}
	}
	var out []Placed
	for r := range count {
		if c := count[r]; c.Reads+c.Writes > 0 {
			c.Register = r
			out = append(out, c)
		}
	}
	return out
}

// leaves reports whether a register is live on an edge from strand i to another one.
func leaves(info *liveness.Info, before []bitset.Set, byPC []int, i, register int) bool {
	for b := range info.G.Blocks {
		blk := &info.G.Blocks[b]
		for pc := blk.Start; pc < blk.End; pc++ {
			if byPC[pc] != i {
				continue
			}
			if pc+1 < blk.End {
				if byPC[pc+1] != i && before[pc+1].Has(register) {
					return true
				}
				continue
			}
			for _, s := range blk.Succs {
				to := info.G.Blocks[s].Start
				if (byPC[to] != i || to <= pc) && before[to].Has(register) {
					return true
				}
			}
		}
	}
	return false
}
