package flow

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Thread redirects a branch that leads to an unguarded jump to the target of this jump. It removes jumps to the
// next instruction, and unreachable code. It repeats until nothing changes.
func Thread(k *ir.Kernel) {
	for range 10 {
		changed := retarget(k)
		reach := reachable(k)
		n := len(k.Insts)
		code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
			if !reach[pc] || in.Op == ir.OpBra && in.Flow != ir.FlowCall && next(k, reach, pc) == in.Target {
				return
			}
			e.Emit(in)
		})
		if !changed && len(k.Insts) == n {
			return
		}
	}
}

// next returns the instruction behind pc after the removal of unreachable instructions.
func next(k *ir.Kernel, reach []bool, pc int) int {
	for pc++; pc < len(k.Insts) && !reach[pc]; pc++ {
	}
	return pc
}

// retarget follows chains of unguarded jumps.
func retarget(k *ir.Kernel) bool {
	changed := false
	final := func(t int) int {
		for hops := 0; t < len(k.Insts) && hops < 64; hops++ {
			in := &k.Insts[t]
			if in.Op != ir.OpBra || in.Flow == ir.FlowCall || code.Guarded(in) || in.Target == t {
				break
			}
			t = in.Target
		}
		return t
	}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		if in.Op == ir.OpBra {
			if t := final(in.Target); t != in.Target {
				in.Target, changed = t, true
			}
		}
		for i, t := range in.Targets { // of a call the same as of the return from it
			if f := final(t); f != t {
				in.Targets[i], changed = f, true
			}
		}
	}
	return changed
}

func reachable(k *ir.Kernel) []bool {
	g := cfg.Build(k.Insts)
	out := make([]bool, len(k.Insts))
	for b, r := range g.Reachable() {
		if r {
			for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
				out[pc] = true
			}
		}
	}
	return out
}
