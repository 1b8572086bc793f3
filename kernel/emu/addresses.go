package emu

import (
	"math/bits"

	"kumiko/kernel/emu/internal/vector"
)

// allAddresses computes the addresses of all lanes, executing or not.
func (w *warp) allAddresses(m *memOp, r *[2]row) {
	var high *vector.Row
	if m.wide {
		high = (*vector.Row)(&r[1])
	}
	vector.Addresses(&w.addr, (*vector.Row)(&r[0]), high, m.offset)
}

// someIrregular is irregular for a warp with only some lanes executing, with package vector.
func (w *warp) someIrregular(m *memOp, r *[2]row, exec uint32, a *access) {
	w.allAddresses(m, r)
	first := lowest(exec)
	base, stride := w.addr[first], int64(0)
	a.regular, a.stride = true, 0
	if rest := exec & (exec - 1); rest != 0 {
		second := bits.TrailingZeros32(rest) & 31
		lanes := int64(second - first)
		d := int64(w.addr[second] - base)
		stride = d / lanes
		a.stride = stride
		a.regular = stride*lanes == d
	}
	base -= uint64(stride * int64(first))
	if a.regular && vector.Regular(&w.addr, base, uint64(stride), exec) {
		a.base = base
		return
	}
	a.regular = false
	w.bound(exec, a)
}
