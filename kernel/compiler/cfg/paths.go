package cfg

import (
	"slices"

	"kumiko/kernel/ir"
)

// Paths has the paths of a warp's lanes through a program, as the emulator lets them go. Lanes that diverge at a branch
// reconverge where SetReconv says. This may be before the immediate post-dominator, since a trap or a quit ends its
// lanes.
// The lanes of a call return together, so the code behind the call follows it, and the code of the function comes
// between.
type Paths struct {
	// Meet has, for each block, the block where lanes diverging at its end meet again, None for the exit.
	Meet   []int
	next   [][]int // by block: the blocks behind it in the same function
	callee []int   // by block: the first block of the function called at its end, or None
	calls  bool
}

// Paths returns the ways of lanes through the instructions of the graph.
func (g *Graph) Paths(insts []ir.Inst) *Paths {
	p := &Paths{Meet: g.meetings(insts), next: make([][]int, len(g.Blocks)), callee: make([]int, len(g.Blocks))}
	for b := range g.Blocks {
		p.next[b], p.callee[b] = g.Blocks[b].Succs, None
		switch last := &insts[g.Blocks[b].End-1]; last.Flow {
		case ir.FlowCall:
			p.next[b], p.calls = g.blocksAt(last.Targets), true
			if last.Target < len(g.BlockOf) {
				p.callee[b] = g.BlockOf[last.Target]
			}
		case ir.FlowReturn:
			p.next[b] = nil
		}
	}
	return p
}

// Splits reports whether lanes may part at an instruction: at a branch, but not at a call or a return, where a warp's
// lanes stay together.
func Splits(in *ir.Inst) bool {
	return (in.Op == ir.OpBra || in.Op == ir.OpBrx) && in.Flow != ir.FlowCall && in.Flow != ir.FlowReturn
}

// Region is the set of blocks of some paths of a warp.
//
// A path ends at a block of its own function. In a function called by the path, the same block is not its end: a
// recursive function passes the block in an inner call while lanes of the outer call are elsewhere. So the blocks of
// called functions are places of their own.
type Region struct {
	p *Paths
	// places are the blocks of the paths, and behind them, from len(p.next) on, those of functions that they call.
	places []int // in no particular order, each once
	from   []int // by place: the number of the only path to reach it, or Several
	seen   []int // by place: number of the last walk over it
	n      int   // of the walk
	work   []int
}

// Several marks a place reached by several paths.
const Several = -1

// NewRegion returns an empty region.
func NewRegion(p *Paths) *Region {
	n := len(p.next)
	if p.calls {
		n *= 2
	}
	return &Region{p: p, from: make([]int, n), seen: make([]int, n)}
}

// Walk makes the region that of the paths from the blocks starts to block end, without the end. A place is visited
// once for the first path to reach it, and once more for all others.
func (r *Region) Walk(starts []int, end int) {
	r.n++
	r.places, r.work = r.places[:0], r.work[:0]
	for i, s := range starts {
		if s != end {
			r.visit(s, i)
		}
	}
	for len(r.work) > 0 {
		at := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		b, inner := at, 0
		if n := len(r.p.next); at >= n {
			b, inner = at-n, n
		}
		for _, t := range r.p.next[b] {
			if t != end || inner > 0 {
				r.visit(t+inner, r.from[at])
			}
		}
		if c := r.p.callee[b]; c != None {
			r.visit(c+len(r.p.next), r.from[at])
		}
	}
}

func (r *Region) visit(at, from int) {
	switch {
	case r.seen[at] != r.n:
		r.seen[at], r.from[at] = r.n, from
		r.places = append(r.places, at)
	case r.from[at] == from || r.from[at] == Several:
		return
	default:
		r.from[at] = Several
	}
	r.work = append(r.work, at)
}

// Each calls f with the blocks of the region. path is the number of the only path to reach the block, or Several. A
// block may come twice, from the path itself and from a function that it calls.
func (r *Region) Each(f func(block, path int)) {
	for _, at := range r.places {
		f(at%len(r.p.next), r.from[at])
	}
}

// Between lists the blocks that lanes diverging at the end of block d may be in before they meet, each once.
func (r *Region) Between(d int) []int {
	r.Walk(r.p.next[d], r.p.Meet[d])
	return r.Blocks()
}

// Blocks lists the blocks of the region, each once.
func (r *Region) Blocks() []int {
	var out []int
	r.Each(func(b, _ int) { out = append(out, b) })
	if r.p.calls {
		slices.Sort(out)
		out = slices.Compact(out)
	}
	return out
}
