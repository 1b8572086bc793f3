package marks

import (
	"slices"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// All sets the marks of an allocated kernel with Timing and Varying set.
func All(k *ir.Kernel) {
	Dead(k)
	LongConsumers(k)
	Far(k)
	Next(k)
}

// Dead sets the Dead bits of an allocated kernel with Timing set. A source register is dead if no lane of the warp
// needs its value after the read. If an unguarded instruction overwrites its own source, its lanes do not need the
// old value.
//
// Lanes on the path of the read need the set live behind it. The needs of the other lanes are those found by
// Elsewhere.
func Dead(k *ir.Kernel) {
	g := cfg.Build(k.Insts)
	for pc := range k.Insts {
		k.Insts[pc].T.Dead = 0
	}
	l := liveness.Analyze(k, g)
	others := Elsewhere(l)
	for b := range g.Blocks {
		l.Scan(b, func(pc int, after bitset.Set) {
			t, guarded := &k.Insts[pc].T, code.Guarded(&k.Insts[pc])
			for i := range t.NSrc {
				r := t.Src[i]
				needed := after.Has(int(r)) && (guarded || !slices.Contains(t.Dst[:t.NDst], r))
				if !needed && !others[b].Has(int(r)) {
					t.Dead |= 1 << i
				}
			}
		})
	}
}
