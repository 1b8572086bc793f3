package sched

import "kumiko/kernel/ir"

// memory keeps the order of accesses that may touch the same bytes.
type memory struct {
	loads, stores []access
}

// access is a memory instruction of the block.
type access struct {
	in *ir.Inst
	at int
	// base has, for each register of the base, the instruction of the block that
	// wrote it last before the access, or -1: with it the register has one value.
	base [2]int
}

// order adds what instruction i depends on through memory. scratch has the writes
// to registers of what stands before it.
func (m *memory) order(d *dag, i int, each index, scratch *tables) {
	in := &d.insts[i]
	x := access{in: in, at: i, base: [2]int{-1, -1}}
	n := 0
	each(&in.Addr.Base, func(r int) {
		if n < len(x.base) {
			x.base[n] = scratch.written(r)
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
				if l.in.Mods.Volatile {
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

// after makes an access wait for those before it that may touch its bytes.
func (m *memory) after(d *dag, before []access, x *access, delay int) {
	for i := range before {
		if mayAlias(&before[i], x) {
			d.add(before[i].at, x.at, delay)
		}
	}
}

// mayAlias reports whether two accesses, of which one writes or is volatile, may
// touch the same bytes of a lane: not when they are in different spaces, nor, if
// both are plain, at different offsets from one value of a base. Lanes are not
// told apart: what one writes and another reads is ordered by barriers, or is
// volatile.
func mayAlias(a, b *access) bool {
	if a.in.Mods.Volatile && b.in.Mods.Volatile || a.in.Op == ir.OpAtom && b.in.Op == ir.OpAtom {
		return true
	}
	if a.in.Space != b.in.Space && a.in.Space != ir.Generic && b.in.Space != ir.Generic {
		return false
	}
	same := a.in.Space == b.in.Space && a.in.Addr.Base == b.in.Addr.Base && a.base == b.base
	if !same || !plain(a.in) || !plain(b.in) {
		return true
	}
	low, high := a.in, b.in
	if low.Addr.Offset > high.Addr.Offset {
		low, high = high, low
	}
	apart := high.Addr.Offset - low.Addr.Offset
	return apart < bytes(low) || apart > mostApart
}

// mostApart is how far apart offsets may be without a doubt that an address of 32
// bits wraps around.
const mostApart = 1 << 30

// plain reports whether an instruction is a load or a store of no other lane's
// concern.
func plain(in *ir.Inst) bool { return (in.Op == ir.OpLd || in.Op == ir.OpSt) && !in.Mods.Volatile }

// bytes is how many a load or a store touches.
func bytes(in *ir.Inst) int64 {
	elements := len(in.Dst)
	if in.Op == ir.OpSt {
		elements = len(in.Src)
	}
	return int64(elements * in.Type.Size())
}
