package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// waiting computes the registers and predicates needed by lanes in one path while another path runs.
type waiting struct {
	l      *liveness.Info
	r      *cfg.Region
	splits func(block int) bool
	meet   []int // by block: where its lanes meet again
	// behind has, for each block in which lanes may wait for lanes in other blocks, the registers and predicates live
	// where they wait: behind instructions across lanes, in front of barriers. It is nil without such blocks.
	behind map[int]bitset.Set
}

func newWaiting(l *liveness.Info, r *cfg.Region, splits func(block int) bool, meet []int) *waiting {
	w := &waiting{l: l, r: r, splits: splits, meet: meet}
	for b := range l.G.Blocks {
		if !w.waits(b) {
			continue
		}
		live := bitset.New(l.Regs + l.Preds)
		if l.K.Insts[l.G.Blocks[b].Start].Op == ir.OpBar {
			live.Or(l.In[b])
		}
		l.Scan(b, func(pc int, after bitset.Set) {
			if l.K.Insts[pc].Membermask() != nil || pc+1 < l.G.Blocks[b].End && l.K.Insts[pc+1].Op == ir.OpBar {
				live.Or(after)
			}
		})
		if w.behind == nil {
			w.behind = map[int]bitset.Set{}
		}
		w.behind[b] = live
	}
	return w
}

// waits reports whether lanes may wait in a block for lanes that are not there.
func (w *waiting) waits(b int) bool {
	for pc := w.l.G.Blocks[b].Start; pc < w.l.G.Blocks[b].End; pc++ {
		if w.l.K.Insts[pc].Membermask() != nil || w.l.K.Insts[pc].Op == ir.OpBar {
			return true
		}
	}
	return false
}

// needs returns, for each path from one of the blocks starts to block end, the registers and predicates needed by
// the path's lanes while it does not run.
func (w *waiting) needs(starts []int, end int) []bitset.Set {
	out := make([]bitset.Set, len(starts))
	for i, s := range starts {
		out[i] = w.l.In[s]
		if w.behind != nil && s != end {
			out[i] = w.needsOf(s, end)
		}
	}
	return out
}

// needsOf returns the registers and predicates needed by the lanes of one path while it does not run.
func (w *waiting) needsOf(start, end int) bitset.Set {
	w.r.Walk([]int{start}, end)
	need := w.l.In[start].Clone()
	stops := false
	w.r.Each(func(b, _ int) {
		live, ok := w.behind[b]
		if ok {
			need.Or(live)
		}
		stops = stops || ok
	})
	if !stops {
		return w.l.In[start]
	}
	w.r.Each(func(b, _ int) {
		if !w.splits(b) {
			return
		}
		for _, s := range paths(w.l, b) {
			need.Or(w.l.In[s])
		}
		if p := w.meet[b]; p != cfg.None {
			need.Or(w.l.In[p])
		}
	})
	return need
}
