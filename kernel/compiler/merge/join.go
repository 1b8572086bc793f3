package merge

import (
	"cmp"
	"math/bits"
	"slices"

	"kumiko/kernel/compiler/alias"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Bounds of the search: the largest distance an access moves, in instructions, and the number of candidates
// examined near the address of the first access.
const (
	reach = 512
	near  = 32
)

// join joins each access with later ones of the block, into the widest access possible.
func (w *block) join() {
	place := map[group]int{} // of the next access of a group
	for i := range w.list {
		g := group{w.list[i].kind, w.list[i].at >> 4}
		place[g]++
		behind := w.groups[g][place[g]:]
		for width := widest(g.space); width >= 8; width /= 2 {
			if list := w.fill(&w.list[i], behind[:min(len(behind), near)], width); list != nil {
				w.make(list)
				break
			}
		}
	}
}

// fill returns accesses covering the aligned width bytes around the first access, in the order of their addresses.
// The others are behind the first in the program. fill returns nil if some bytes are not covered.
func (w *block) fill(first *access, behind []int, width int64) []*access {
	if w.gone[first.pc] || first.known < bits.TrailingZeros64(uint64(width)) || alias.Bytes(first.In) >= width {
		return nil
	}
	from, filled := first.at&^(width-1), alias.Bytes(first.In)
	list := []*access{first}
	for _, j := range behind {
		a := &w.list[j]
		if w.gone[a.pc] || a.at < from || a.at+alias.Bytes(a.In) > from+width || a.pc-first.pc > reach {
			continue
		}
		if !slices.ContainsFunc(list, a.meets) {
			list = append(list, a)
			filled += alias.Bytes(a.In)
		}
	}
	if filled < width || !w.allowed(list) {
		return nil
	}
	slices.SortFunc(list, func(a, b *access) int { return cmp.Compare(a.at, b.at) })
	return list
}

// meets reports whether two accesses have a byte or a register in common, and so cannot be joined.
func (a *access) meets(b *access) bool {
	if a.at < b.at+alias.Bytes(b.In) && b.at < a.at+alias.Bytes(a.In) {
		return true
	}
	for _, x := range alias.Elements(a.In) {
		for _, y := range alias.Elements(b.In) {
			if code.SameReg(&x, &y) {
				return true
			}
		}
	}
	return false
}

// allowed reports whether accesses in program order may be joined: loads at the first, stores at the last.
func (w *block) allowed(list []*access) bool {
	first, last := list[0].pc, list[len(list)-1].pc
	more := make([]int, last-first+1)
	for _, a := range list {
		from, to := first, a.pc
		if w.op == ir.OpSt {
			from, to = a.pc, last
		}
		if !w.moves(a, from, to, list) {
			return false
		}
		for pc := from + 1; pc <= to; pc++ {
			if more[pc-first] += a.live; w.live[pc-w.start]+more[pc-first] > w.registers {
				return false
			}
		}
	}
	for pc := first + 1; pc <= last; pc++ {
		w.live[pc-w.start] += more[pc-first]
	}
	return true
}

// moves reports whether access a may pass every instruction between from and to. a is at one of these two places.
// The accesses in with move along.
func (w *block) moves(a *access, from, to int, with []*access) bool {
	for pc := from + 1; pc < to; pc++ {
		in := &w.k.Insts[pc]
		if code.Pinned(in) || in.Mods.Ordered {
			return false
		}
		o := &w.memory[pc-w.start]
		if o.In != nil && !joined(pc, with) && w.orders(in) && alias.May(o, &a.Access) {
			return false
		}
		free := true
		for _, o := range alias.Elements(a.In) {
			touch := func(x *ir.Operand) { free = free && !code.SameReg(&o, x) }
			code.Defs(in, touch)
			if w.op == ir.OpLd {
				code.Uses(in, touch)
			}
		}
		if !free {
			return false
		}
	}
	return true
}

func joined(pc int, with []*access) bool {
	return slices.ContainsFunc(with, func(b *access) bool { return b.pc == pc })
}

// orders reports whether a memory instruction must keep its order with a candidate of the pass touching the same
// bytes.
func (w *block) orders(in *ir.Inst) bool {
	if w.op == ir.OpSt {
		return in.Op != ir.OpPrefetch
	}
	return in.Op != ir.OpPrefetch && in.Op != ir.OpTex && (in.Op != ir.OpLd || in.Mods.Volatile)
}

// make records the access replacing the given ones. list is in the order of addresses.
func (w *block) make(list []*access) {
	place, t := list[0].pc, list[0].In.Type
	var elements []ir.Operand
	for _, a := range list {
		if w.op == ir.OpLd {
			place = min(place, a.pc)
		} else {
			place = max(place, a.pc)
		}
		if a.In.Type != t {
			t = map[int]ir.Type{4: ir.B32, 8: ir.B64}[t.Size()]
		}
		elements = append(elements, alias.Elements(a.In)...)
		w.gone[a.pc] = true
	}
	in := code.Clone(w.k.Insts[place])
	in.Type, in.Addr = t, list[0].In.Addr
	if w.op == ir.OpSt {
		in.Src = elements
	} else {
		in.Dst = elements
	}
	w.made[place] = in
}
