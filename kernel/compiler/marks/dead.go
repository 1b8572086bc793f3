package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Dead sets the Dead bits of an allocated kernel whose Timing is set: one per
// source register that no lane needs after the read, unless the instruction
// itself writes it. varying is the answer of Branches; nil means that lanes may
// disagree on every guarded branch. Where a warp may be diverged no register is
// called dead.
func Dead(k *ir.Kernel, varying []bool) {
	g := cfg.Build(k.Insts)
	ordinal := map[int]int{}
	for pc := range k.Insts {
		k.Insts[pc].T.Dead = 0
		if op := k.Insts[pc].Op; op == ir.OpBra || op == ir.OpBrx {
			ordinal[pc] = len(ordinal)
		}
	}
	apart := Divergent(g, func(b int) bool {
		pc := g.Blocks[b].End - 1
		n, ok := ordinal[pc]
		return ok && (varying == nil || varying[n])
	})
	l := liveness.Analyze(k, g)
	for b := range g.Blocks {
		if apart[b] {
			continue
		}
		l.Scan(b, func(pc int, after bitset.Set) {
			t := &k.Insts[pc].T
			for i := range t.NSrc {
				r := t.Src[i]
				if !after.Has(int(r)) && !writes(t, r) {
					t.Dead |= 1 << i
				}
			}
		})
	}
}

func writes(t *ir.Timing, r ir.RegID) bool {
	for _, d := range t.Dst[:t.NDst] {
		if d == r {
			return true
		}
	}
	return false
}
