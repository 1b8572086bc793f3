package marks

import (
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Branches returns, for each branch of k in program order, whether lanes of a warp may disagree on it. It is most
// precise before register allocation, when each register stands for one variable. Allocation keeps the branches and
// their order.
//
// A value is the same in all lanes when it is computed, with all lanes together, from uniform values: parameters,
// launch constants, the CTA's coordinates, and data loaded from one address.
func Branches(k *ir.Kernel) []bool {
	u := &uniform{k: k, g: cfg.Build(k.Insts), varies: make([]bool, k.NumRegs+k.NumPreds)}
	u.apart = make([]bool, len(u.g.Blocks))
	parting := newParting(k, u.g)
	splits := func(b int) bool { return u.branch(&k.Insts[u.g.Blocks[b].End-1]) }
	for u.pass() {
		u.apart = parting.blocks(splits)
	}
	var out []bool
	for pc := range k.Insts {
		if op := k.Insts[pc].Op; op == ir.OpBra || op == ir.OpBrx {
			out = append(out, u.branch(&k.Insts[pc]))
		}
	}
	return out
}

type uniform struct {
	k      *ir.Kernel
	g      *cfg.Graph
	varies []bool // registers, then predicates
	apart  []bool // blocks with a possibly diverged warp
}

func (u *uniform) each(o *ir.Operand, f func(int)) {
	switch o.Kind {
	case ir.KindReg:
		for i := range code.Words(o) {
			f(int(o.Reg) + i)
		}
	case ir.KindPred:
		f(u.k.NumRegs + int(o.Reg))
	}
}

// pass marks the varying registers given the known ones, and reports whether any
// was new.
func (u *uniform) pass() bool {
	changed := false
	for pc := range u.k.Insts {
		in := &u.k.Insts[pc]
		if in.Uniform || !u.apart[u.g.BlockOf[pc]] && !u.varying(in) {
			continue // an instruction of the uniform path has one result for the warp
		}
		code.Defs(in, func(o *ir.Operand) {
			u.each(o, func(i int) {
				changed = changed || !u.varies[i]
				u.varies[i] = true
			})
		})
	}
	return changed
}

// varying reports whether the result of in may differ between lanes executing it together.
func (u *uniform) varying(in *ir.Inst) bool {
	switch in.Op {
	case ir.OpAtom, ir.OpShfl, ir.OpMatch, ir.OpPrintf:
		return true
	case ir.OpVote, ir.OpRedux:
		// A lane outside the membermask gets a result of its own.
		if m := in.Membermask(); m != nil && (m.Kind != ir.KindImm || uint32(m.Imm) != ^uint32(0)) {
			return true
		}
	case ir.OpLd:
		if in.Space == ir.Local || in.Space == ir.Generic {
			return true
		}
	}
	out := false
	code.Uses(in, func(o *ir.Operand) {
		u.each(o, func(i int) { out = out || u.varies[i] })
		out = out || o.Kind == ir.KindSpecial && perLane(o.Special)
	})
	return out
}

func perLane(s ir.Special) bool {
	return s >= ir.TidX && s <= ir.TidZ || s == ir.LaneID || s >= ir.LanemaskEq && s <= ir.LanemaskGt
}

// branch reports whether lanes may disagree on in.
func (u *uniform) branch(in *ir.Inst) bool {
	out := false
	if cfg.Splits(in) {
		code.Uses(in, func(o *ir.Operand) { u.each(o, func(i int) { out = out || u.varies[i] }) })
	}
	return out
}
