package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Elsewhere returns, for each block, the registers and predicates possibly needed by lanes of the warp outside the
// block while it executes, indexed as in liveness.Info. Lanes may disagree on the branches marked in the kernel's
// Varying. The result holds for warps diverging and reconverging as in the emulator: by a stack, where
// cfg.Graph.SetReconv lets lanes meet, or in machine code at convergence barriers.
func Elsewhere(l *liveness.Info) []bitset.Set {
	if l.K.Converges {
		return converging(l, divergent(l))
	}
	return elsewhere(l, divergent(l))
}

// divergent returns a function that reports whether lanes may disagree on the branch at the end of a block.
func divergent(l *liveness.Info) func(block int) bool {
	varies, n := map[int]bool{}, 0
	for pc := range l.K.Insts {
		if op := l.K.Insts[pc].Op; op == ir.OpBra || op == ir.OpBrx {
			varies[pc] = cfg.Splits(&l.K.Insts[pc]) && (l.K.Varying == nil || l.K.Varying[n])
			n++
		}
	}
	return func(b int) bool { return varies[l.G.Blocks[b].End-1] }
}

// Apart reports, by block of an allocated kernel's graph, whether some lanes of a warp may execute the block while
// others are at another place of the program.
func Apart(k *ir.Kernel, g *cfg.Graph) []bool {
	l := liveness.Analyze(k, g)
	return newParting(k, g).blocks(divergent(l))
}

// parting finds the blocks that some lanes of a warp may execute while others are at another place of the program.
type parting struct {
	g       *cfg.Graph
	between func(block int) []int // blocks executed from a divergence at the end of a block to the reconvergence
	stops   *stops                // nil in machine code, where lanes wait for the others to reconverge
}

func newParting(k *ir.Kernel, g *cfg.Graph) *parting {
	p := &parting{g: g, between: g.Parted(k)}
	if !k.Converges {
		p.stops = newStops(k, g, g.Paths(k.Insts))
	}
	return p
}

// blocks returns the result of Apart. splits reports whether lanes may disagree on the branch at the end of a block.
func (p *parting) blocks(splits func(block int) bool) []bool {
	out := make([]bool, len(p.g.Blocks))
	for d := range p.g.Blocks {
		if !splits(d) {
			continue
		}
		var ahead []int
		if p.stops != nil {
			ahead = p.stops.ahead(d)
		}
		for _, list := range [][]int{p.between(d), ahead} {
			for _, b := range list {
				out[b] = true
			}
		}
	}
	return out
}

// elsewhere is Elsewhere with its own list of divergent branches: splits reports whether lanes may disagree on the
// branch at the end of a block.
//
// Let a warp diverge behind block d, and let its lanes meet at block p (cfg.Paths). Each way out of d, except directly
// to p, becomes a path with some of the lanes. One path runs. The others stay at their first instruction until their
// turn. A finished path waits at p for all of them, with the lanes branching directly to p. While the path from
// block s runs,
//
//   - it is in a block reachable from s without passing p, or anywhere in a function called on the way, and
//   - the other lanes of d are at the start of another path, or at the start of p,
//     or in a path waiting for lanes elsewhere (waiting).
//     They need the registers live there, and nothing else: liveness is per lane.
//     A table of targets with s twice makes two paths of it.
//
// A path waits in an instruction across lanes, and its lanes continue behind this instruction. It may have diverged
// itself before: then its other lanes are at the start of one of its inner paths, or where the inner paths meet.
//
// So the needs of other lanes in a block are the union of these sets over all d and s from which the block is
// reachable in this way. Lanes separated from d's path before d are covered by the branch of their separation:
// every block reachable from s is reachable from that branch's path, through d.
//
// For the first part, a divergence inside the path must not carry lanes past p. Let d' be reachable from s without
// passing p, in the same function, and p' be the block where its lanes meet. Both meet at immediate post-dominators,
// over the paths that count (cfg.Graph.SetReconv). p post-dominates d', since the way from d to d' avoids p and the
// rest, to the exit, cannot; so p is p' or post-dominates p'. Were p met from d' before p', p' would post-dominate p as
// well, and both be the same block. So the inner paths end, at p', no later than the outer one does, and p' is in the
// region or is p. From code that leads only to a trap or a quit, no path comes back to p. A call returns with all its
// lanes, behind the call.
//
// Where a path waits or spins, the lanes at p may go on without it: ahead adds what is needed then.
//
// With the exit as p nothing is needed there: an exited lane needs no registers.
func elsewhere(l *liveness.Info, splits func(block int) bool) []bitset.Set {
	g := l.G
	way := g.Paths(l.K.Insts)
	need := make([]bitset.Set, len(g.Blocks))
	for b := range need {
		need[b] = bitset.New(l.Regs + l.Preds)
	}
	r := cfg.NewRegion(way)
	w := newWaiting(l, r, splits, way.Meet)
	for d := range g.Blocks {
		if !splits(d) {
			continue
		}
		starts := paths(l, d)
		needs := w.needs(starts, way.Meet[d])
		r.Walk(starts, way.Meet[d])
		others, all := withoutEach(l, needs, way.Meet[d])
		r.Each(func(b, path int) {
			if path == cfg.Several {
				need[b].Or(all)
			} else {
				need[b].Or(others[path])
			}
		})
	}
	w.ahead(need, newStops(l.K, g, way))
	return need
}

// withoutEach returns, for each path, the registers and predicates needed by lanes in the other paths or at the
// start of block p. all is the union over all paths and p. needs has the needs of each path. A block listed twice
// counts as two paths.
func withoutEach(l *liveness.Info, needs []bitset.Set, p int) (others []bitset.Set, all bitset.Set) {
	n := len(needs)
	others = make([]bitset.Set, n)
	all = bitset.New(l.Regs + l.Preds)
	if p != cfg.None {
		all.Or(l.In[p])
	}
	behind := all.Clone() // needs of paths i and on
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

// paths lists the target blocks of the ways out of a block, one entry for each way; the exit is left out.
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

// Live returns, for each instruction of an allocated kernel with Timing set, the registers and predicates needed by
// some lane of a warp about to execute the instruction: by lanes on its path and by lanes waiting elsewhere. They
// are indexed as in liveness.Info.
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
