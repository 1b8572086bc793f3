package sched

import (
	"kumiko/kernel/compiler/alias"
	"kumiko/kernel/ir"
)

// memory keeps the order of accesses to possibly the same bytes.
type memory struct {
	loads, stores []access
}

// access is a memory instruction of the block, and its place.
type access struct {
	alias.Access
	at int
}

// order adds the memory dependences of instruction i. scratch has the register writes of earlier instructions.
func (m *memory) order(d *dag, i int, each index, scratch *tables) {
	in := &d.insts[i]
	x := access{alias.Access{In: in, Base: [2]int{-1, -1}}, i}
	n := 0
	each(&in.Addr.Base, func(r int) {
		if n < len(x.Base) {
			x.Base[n] = scratch.written(r)
		}
		n++
	})
	switch in.Op {
	case ir.OpLd, ir.OpPrefetch, ir.OpTex:
		if in.Space == ir.Const || in.Space == ir.Param || in.Op == ir.OpTex {
			return
		}
		m.after(d, m.stores, &x, 1)
		if in.Mods.Volatile {
			m.stores = append(m.stores, x)
			for _, l := range m.loads {
				if l.In.Mods.Volatile {
					d.add(l.at, i, 1)
				}
			}
		}
		m.loads = append(m.loads, x)
	case ir.OpSt, ir.OpAtom, ir.OpRed:
		m.after(d, m.stores, &x, 1)
		m.after(d, m.loads, &x, 0)
		m.stores = append(m.stores, x)
	}
}

// after makes access x wait for the earlier accesses to possibly the same bytes.
func (m *memory) after(d *dag, before []access, x *access, delay int) {
	for i := range before {
		if alias.May(&before[i].Access, &x.Access) {
			d.add(before[i].at, x.at, delay)
		}
	}
}
