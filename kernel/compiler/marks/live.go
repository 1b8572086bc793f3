package marks

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

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
