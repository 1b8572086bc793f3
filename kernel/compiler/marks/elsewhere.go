package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Elsewhere gives, for each block, what lanes of the warp may need that are not in the
// block while it is executed: registers and predicates, indexed as in liveness.Info.
// Lanes may disagree on the branches that the kernel says vary. The answer holds for
// warps that diverge and meet as the emulator has it: by a stack, at immediate
// post-dominators.
func Elsewhere(l *liveness.Info) []bitset.Set {
	varies, n := map[int]bool{}, 0
	for pc := range l.K.Insts {
		if op := l.K.Insts[pc].Op; op == ir.OpBra || op == ir.OpBrx {
			varies[pc] = l.K.Varying == nil || l.K.Varying[n]
			n++
		}
	}
	return elsewhere(l, func(b int) bool { return varies[l.G.Blocks[b].End-1] })
}

// elsewhere gives for each block what lanes of the warp may need that are not in
// it while the block is executed. splits tells of a block whether lanes may
// disagree on the branch at its end.
//
// Let a warp diverge behind block d, whose immediate post-dominator is p. Each way
// out of d that leads elsewhere than to p becomes a path of its own with some of
// the lanes; one path runs, the others stay at their first instruction until it is
// their turn, and a path that reaches p waits there, with the lanes that went to p
// at once, for all of them. While the path that began at block s runs,
//
//   - it is in a block that can be reached from s without passing p, and
//   - the other lanes of d are at the start of another path, or at the start of p,
//     or in a path that waits for lanes elsewhere (waiting).
//     They need what is live there, and nothing else: liveness is of each lane for
//     itself. A table of targets that names s twice makes two paths of it.
//
// A path waits in an instruction across lanes, behind which its lanes go on. It may
// have diverged itself before: then its other lanes are at the start of one of its
// inner paths, or where these meet.
//
// So what they may need in a block is the union of that over all d and s from
// which the block can be reached so. Lanes that left d's path before d did are
// covered by the branch where they left: what is reached from s is reached from
// that branch's path, through d.
//
// For the first part, a divergence inside it must not carry lanes past p. Let d'
// be reached from s without passing p, and p' be its immediate post-dominator. p
// post-dominates d', since the way from d to d' avoids p and the rest, to the
// exit, cannot; so p is p' or post-dominates p'. Were p met from d' before p', p'
// would post-dominate p as well, and both be the same block. So the inner paths end,
// at p', no later than the outer one does, and p' is in the region or is p.
//
// The exit as p needs nothing. A lane that exits is nowhere.
func elsewhere(l *liveness.Info, splits func(block int) bool) []bitset.Set {
	g := l.G
	ip := g.IPDom()
	need := make([]bitset.Set, len(g.Blocks))
	for b := range need {
		need[b] = bitset.New(l.Regs + l.Preds)
	}
	r := newRegion(g)
	w := newWaiting(l, r, splits, ip)
	for d := range g.Blocks {
		if !splits(d) {
			continue
		}
		starts := paths(l, d)
		needs := w.needs(starts, ip[d])
		r.walk(starts, ip[d])
		others, all := withoutEach(l, needs, ip[d])
		for _, b := range r.blocks {
			if r.from[b] == several {
				need[b].Or(all)
			} else {
				need[b].Or(others[r.from[b]])
			}
		}
	}
	return need
}

// withoutEach returns, for each path, the registers and predicates that lanes in the other paths or at
// the start of block p need. needs has those of each path, and all those of any lane. A path listed twice
// is another one than itself.
func withoutEach(l *liveness.Info, needs []bitset.Set, p int) (others []bitset.Set, all bitset.Set) {
	n := len(needs)
	others = make([]bitset.Set, n)
	all = bitset.New(l.Regs + l.Preds)
	if p != cfg.None {
		all.Or(l.In[p])
	}
	behind := all.Clone() // what those from i on need
	for i := range needs {
		others[i] = all.Clone()
		all.Or(needs[i])
	}
	for i := n - 1; i >= 0; i-- {
		others[i].Or(behind)
		behind.Or(needs[i])
	}
	return others, all
}

// paths lists where the ways out of a block lead, as often as there are some; the
// exit is left out.
func paths(l *liveness.Info, b int) (out []int) {
	end := l.G.Blocks[b].End
	in := &l.K.Insts[end-1]
	var pcs []int
	if !cfg.Terminates(in) {
		pcs = append(pcs, end)
	}
	switch in.Op {
	case ir.OpBra:
		pcs = append(pcs, in.Target)
	case ir.OpBrx:
		pcs = append(pcs, in.Targets...)
	}
	for _, pc := range pcs {
		if pc < len(l.G.BlockOf) {
			out = append(out, l.G.BlockOf[pc])
		}
	}
	return out
}

// region is the blocks that the paths of a divergence go through.
type region struct {
	g      *cfg.Graph
	blocks []int // in no particular order, each once
	// from is the number of the only path that a block is reached from, or several.
	from []int
	seen []int // the walk that came by last
	n    int   // of the walk
	work []int
}

// several paths lead to a block.
const several = -1

func newRegion(g *cfg.Graph) *region {
	return &region{g: g, from: make([]int, len(g.Blocks)), seen: make([]int, len(g.Blocks))}
}

// walk finds the blocks that are reached from the starts of paths without passing
// end. A block is gone over once for the first path that reaches it, and once more
// for all others.
func (r *region) walk(starts []int, end int) {
	r.n++
	r.blocks, r.work = r.blocks[:0], r.work[:0]
	for i, s := range starts {
		if s != end {
			r.reach(s, i)
		}
	}
	for len(r.work) > 0 {
		b := r.work[len(r.work)-1]
		r.work = r.work[:len(r.work)-1]
		for _, t := range r.g.Blocks[b].Succs {
			if t != end {
				r.reach(t, r.from[b])
			}
		}
	}
}

func (r *region) reach(b, from int) {
	switch {
	case r.seen[b] != r.n:
		r.seen[b], r.from[b] = r.n, from
		r.blocks = append(r.blocks, b)
	case r.from[b] == from || r.from[b] == several:
		return
	default:
		r.from[b] = several
	}
	r.work = append(r.work, b)
}

// Live gives, for each instruction of an allocated kernel whose Timing is set, the
// registers and predicates that some lane of a warp needs when the warp is about to
// execute it: lanes on its path, and those that wait elsewhere. They are indexed as
// in liveness.Info.
func Live(k *ir.Kernel) []bitset.Set {
	l := liveness.Analyze(k, cfg.Build(k.Insts))
	others := Elsewhere(l)
	out := l.Vectors()
	for pc := range out {
		s := out[pc].Clone()
		s.Or(others[l.G.BlockOf[pc]])
		out[pc] = s
	}
	return out
}
