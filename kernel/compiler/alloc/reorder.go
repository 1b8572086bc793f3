package alloc

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Reorder renumbers the registers of an allocated kernel by their first use in program order, pairs and quads
// together. Register sharing needs this order, because the registers used first are private (Jatala et al., HPDC
// 2016, section 4.3). Alignment may leave gaps; later single registers fill them. If the numbers would still exceed
// limit, the kernel is left unchanged. Reorder reports whether it renumbered.
func Reorder(k *ir.Kernel, limit int) bool {
	groups := groupRegs(k)
	of := make([]int, k.NumRegs) // register to group
	for g := range groups {
		for i := range groups[g].words {
			of[groups[g].first+i] = g
		}
	}
	to, used := firstUse(k, groups, of)
	if used > limit {
		return false
	}
	move := func(o *ir.Operand) {
		if o.Kind == ir.KindReg {
			g := of[o.Reg]
			o.Reg += ir.Reg(to[g] - groups[g].first)
		}
	}
	for pc := range k.Insts {
		in := code.Clone(k.Insts[pc])
		code.Uses(&in, move)
		code.Defs(&in, move)
		k.Insts[pc] = in
	}
	k.NumRegs = used
	return true
}

// firstUse returns, for each group, the lowest free place at the group's first use in program order, and the number
// of registers used.
func firstUse(k *ir.Kernel, groups []group, of []int) (to []int, used int) {
	to = make([]int, len(groups))
	for g := range to {
		to[g] = -1
	}
	var taken []bool
	free := func(at, words int) bool {
		for i := at; i < min(at+words, len(taken)); i++ {
			if taken[i] {
				return false
			}
		}
		return true
	}
	place := func(o *ir.Operand) {
		if o.Kind != ir.KindReg || to[of[o.Reg]] >= 0 {
			return
		}
		g := &groups[of[o.Reg]]
		at := 0
		for ; !free(at, g.words); at += g.align {
		}
		for len(taken) < at+g.words {
			taken = append(taken, false)
		}
		for i := range g.words {
			taken[at+i] = true
		}
		to[of[o.Reg]] = at
		used = max(used, at+g.words)
	}
	for pc := range k.Insts {
		code.Uses(&k.Insts[pc], place)
		code.Defs(&k.Insts[pc], place)
	}
	return to, used
}
