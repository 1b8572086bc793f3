package flow

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// DefaultThreshold is the largest number of instructions replaced by predication: "7 if the compiler determines
// that the condition is likely to produce many divergent warps" (CUDA C Programming Guide, section Control Flow
// Instructions).
const DefaultThreshold = 7

// IfConvert puts the body of short forward branches under the guard of the branch: if-then, and if-then-else with
// both sides short. It repeats, since converted code may become part of another short body. But an instruction has
// one guard, so ifs within ifs stay branches.
func IfConvert(k *ir.Kernel, threshold int) {
	for range 8 {
		if !convertOnce(k, threshold) {
			return
		}
	}
}

// plan is the conversion of one side of a branch.
type plan struct {
	guard    ir.Operand
	from, to int  // the instructions to be guarded
	neg      bool // or its complement
}

func convertOnce(k *ir.Kernel, threshold int) bool {
	g := cfg.Build(k.Insts)
	drop := make([]bool, len(k.Insts))
	guard := make([]*plan, len(k.Insts))
	found := false
	for b := range g.Blocks {
		pc := g.Blocks[b].End - 1
		in := &k.Insts[pc]
		if in.Op != ir.OpBra || !code.Guarded(in) || guard[pc] != nil || drop[pc] {
			continue
		}
		plans, jumps := match(k, g, b, threshold)
		if plans == nil {
			continue
		}
		if overlaps(plans, guard) {
			continue
		}
		found = true
		drop[pc] = true
		for _, j := range jumps {
			drop[j] = true
		}
		for i := range plans {
			for p := plans[i].from; p < plans[i].to; p++ {
				guard[p] = &plans[i]
			}
		}
	}
	if !found {
		return false
	}
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		if drop[pc] {
			return
		}
		if p := guard[pc]; p != nil {
			in.Guard = p.guard
			in.Guard.Neg = p.guard.Neg != p.neg
		}
		e.Emit(in)
	})
	return true
}

func overlaps(plans []plan, guard []*plan) bool {
	for _, p := range plans {
		for pc := p.from; pc < p.to; pc++ {
			if guard[pc] != nil {
				return true
			}
		}
	}
	return false
}

// match recognises, at the end of block b, "@p bra J; then...; J:" and
// "@p bra E; then...; bra J; E: else...; J:".
func match(k *ir.Kernel, g *cfg.Graph, b, threshold int) (plans []plan, jumps []int) {
	bra := &k.Insts[g.Blocks[b].End-1]
	then := b + 1
	if then >= len(g.Blocks) || len(g.Blocks[then].Preds) != 1 {
		return nil, nil
	}
	from, to := g.Blocks[then].Start, g.Blocks[then].End
	last := &k.Insts[to-1]
	jump := last.Op == ir.OpBra && last.Flow != ir.FlowCall && !code.Guarded(last)
	body := to
	if jump {
		body--
	}
	if !convertible(k, from, body, bra.Guard.Pred(), threshold) {
		return nil, nil
	}
	if bra.Target == to && !jump || jump && last.Target == bra.Target && bra.Target == to {
		if jump {
			jumps = []int{to - 1}
		}
		return []plan{{bra.Guard, from, body, true}}, jumps
	}
	other := then + 1
	if !jump || other >= len(g.Blocks) || g.Blocks[other].Start != bra.Target || len(g.Blocks[other].Preds) != 1 {
		return nil, nil
	}
	end := g.Blocks[other].End
	if last.Target != end || !convertible(k, to, end, bra.Guard.Pred(), threshold) {
		return nil, nil
	}
	return []plan{{bra.Guard, from, body, true}, {bra.Guard, to, end, false}}, []int{to - 1}
}

// convertible reports whether the instructions [from, to) may stand under a guard
// with predicate p.
func convertible(k *ir.Kernel, from, to int, p ir.Pred, threshold int) bool {
	if to-from > threshold {
		return false
	}
	for pc := from; pc < to; pc++ {
		in := &k.Insts[pc]
		if code.Guarded(in) || cfg.Ends(in) || code.Convergent(in) || in.Op == ir.OpMembar || in.Op == ir.OpPrintf ||
			in.Op == ir.OpTex {
			return false
		}
		switch ir.ClassOf(in) {
		case ir.ClassFDiv, ir.ClassDDiv, ir.ClassIntDiv:
			return false // these stand for a whole routine, so that a branch around it saves more than it costs
		}
		bad := false
		code.Defs(in, func(o *ir.Operand) { bad = bad || o.Kind == ir.KindPred && o.Pred() == p })
		if bad {
			return false
		}
	}
	return true
}
