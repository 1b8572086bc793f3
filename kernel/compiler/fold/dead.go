package fold

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// Dead removes instructions without effects and with unread results, drops unused carries, and turns atomics with
// unread results into reductions.
func Dead(k *ir.Kernel) {
	for range 20 {
		g := cfg.Build(k.Insts)
		l := liveness.Analyze(k, g)
		drop := make([]bool, len(k.Insts))
		changed := false
		for b := range g.Blocks {
			l.Scan(b, func(pc int, after bitset.Set) {
				in := &k.Insts[pc]
				live := func(o *ir.Operand) bool {
					any := false
					one := ir.Inst{Dst: []ir.Operand{*o}}
					l.Defs(&one, func(i int) { any = any || after.Has(i) })
					return any
				}
				switch {
				case useless(in, live):
					drop[pc], changed = true, true
				case trim(in, live):
					changed = true
				}
			})
		}
		if !changed {
			return
		}
		code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
			if !drop[pc] {
				e.Emit(in)
			}
		})
	}
}

func useless(in *ir.Inst, live func(*ir.Operand) bool) bool {
	if in.Op == ir.OpNop {
		return true
	}
	if code.Effects(in) {
		return false
	}
	for i := range in.Dst {
		if in.Dst[i].Kind != ir.KindNone && live(&in.Dst[i]) {
			return false
		}
	}
	return true
}

// trim drops an unread result from an instruction with other effects.
func trim(in *ir.Inst, live func(*ir.Operand) bool) bool {
	if in.Mods.CarryOut && len(in.Dst) == 2 && !live(&in.Dst[1]) {
		in.Mods.CarryOut = false
		in.Dst = in.Dst[:1]
		return true
	}
	if in.Op == ir.OpAtom && len(in.Dst) == 1 && in.Dst[0].Kind != ir.KindNone && !live(&in.Dst[0]) &&
		in.Mods.Atomic != ir.AtomExch && in.Mods.Atomic != ir.AtomCas {
		in.Op, in.Dst = ir.OpRed, nil
		return true
	}
	return false
}
