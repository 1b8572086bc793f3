package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// converging is elsewhere for machine code, whose lanes reconverge at convergence barriers (cfg.Joins). The paths of a
// diverged warp take turns in any order, and a path that spins is preempted. So while one path runs, the lanes of
// another may be at the beginning of any block that they can reach, or at a barrier of the CTA. If they wait at a
// convergence barrier, they resume behind its wait, which is the last instruction of a block.
func converging(l *liveness.Info, splits func(block int) bool) []bitset.Set {
	need := make([]bitset.Set, len(l.G.Blocks))
	for b := range need {
		need[b] = bitset.New(l.Regs + l.Preds)
	}
	j := cfg.NewJoins(l.G, l.K.Insts)
	for d := range l.G.Blocks {
		if !splits(d) {
			continue
		}
		ways := j.Ways(d, paths(l, d))
		needs := make([]bitset.Set, len(ways))
		on := map[int]int{} // by block: the only one of ways that has it, or cfg.Several
		for i, way := range ways {
			needs[i] = stopping(l, way)
			for _, b := range way {
				if _, ok := on[b]; ok {
					on[b] = cfg.Several
				} else {
					on[b] = i
				}
			}
		}
		others, all := withoutEach(l, needs, cfg.None)
		for b, i := range on {
			if i == cfg.Several {
				need[b].Or(all)
			} else {
				need[b].Or(others[i])
			}
		}
	}
	return need
}

// stopping returns the registers and predicates needed by lanes that may have stopped anywhere in the given blocks.
func stopping(l *liveness.Info, blocks []int) bitset.Set {
	need := bitset.New(l.Regs + l.Preds)
	for _, b := range blocks {
		need.Or(l.In[b])
		last := l.G.Blocks[b].End - 1
		if op := l.K.Insts[last].Op; op == ir.OpBarrierWait || op == ir.OpConverge || op == ir.OpMeet ||
			op == ir.OpCollective {
			need.Or(l.Out[b])
		}
		if !barred(l, b) {
			continue
		}
		l.Scan(b, func(pc int, after bitset.Set) {
			if l.K.Insts[pc].Op == ir.OpBar || pc < last && l.K.Insts[pc+1].Op == ir.OpBar {
				need.Or(after)
			}
		})
	}
	return need
}

// barred reports whether a block has a barrier of the CTA.
func barred(l *liveness.Info, b int) bool {
	for pc := l.G.Blocks[b].Start; pc < l.G.Blocks[b].End; pc++ {
		if l.K.Insts[pc].Op == ir.OpBar {
			return true
		}
	}
	return false
}
