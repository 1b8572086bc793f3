package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Dead sets the Dead bits of an allocated kernel whose Timing is set: one per
// source register whose value no lane of the warp needs after the read. That of a
// register which the instruction itself writes, and under no guard, the lanes that
// execute it do not need: they get another one. varying is the answer of Branches; nil means that
// lanes may disagree on every branch.
//
// The lanes that are on the read's path need what is live behind it. What the
// others may need is elsewhere's answer, which holds for warps that diverge and
// meet as the emulator has it: by a stack, at immediate post-dominators.
func Dead(k *ir.Kernel, varying []bool) {
	g := cfg.Build(k.Insts)
	ordinal := map[int]int{}
	for pc := range k.Insts {
		k.Insts[pc].T.Dead = 0
		if op := k.Insts[pc].Op; op == ir.OpBra || op == ir.OpBrx {
			ordinal[pc] = len(ordinal)
		}
	}
	l := liveness.Analyze(k, g)
	others := elsewhere(l, func(b int) bool {
		n, ok := ordinal[g.Blocks[b].End-1]
		return ok && (varying == nil || varying[n])
	})
	for b := range g.Blocks {
		l.Scan(b, func(pc int, after bitset.Set) {
			t, guarded := &k.Insts[pc].T, code.Guarded(&k.Insts[pc])
			for i := range t.NSrc {
				r := t.Src[i]
				needed := after.Has(int(r)) && (guarded || !writes(t, r))
				if !needed && !others[b].Has(int(r)) {
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
