package emu

import (
	"math/bits"
	"slices"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// locate returns the memory of an access. Afterwards the address of lane l, less origin if the addresses are
// listed, is an index into this memory, within bounds. locate returns nil after an error.
func (w *warp) locate(in *inst, exec uint32, a *access) []byte {
	if in.mem.store && (a.space == ir.Const || a.space == ir.Param) {
		w.fail("thread %s: a store through a generic address of %s space, which cannot be written",
			w.thread(lowest(exec)), a.space)
		return nil
	}
	switch a.space {
	case ir.Global:
		return w.locateGlobal(in, exec, a)
	case ir.Shared:
		return w.boundsChecked(in, exec, a, w.cta.shared)
	case ir.Local:
		return w.locateLocal(in, exec, a)
	case ir.Param:
		return w.boundsChecked(in, exec, a, w.eng.l.Params)
	case ir.Const:
		return w.boundsChecked(in, exec, a, w.eng.l.Const)
	}
	panic("emu: no memory for space " + a.space.String())
}

// span returns the lowest address of an access, and the address behind its last byte.
func (w *warp) span(in *inst, exec uint32, a *access) (lo, hi uint64) {
	if a.regular {
		lo = a.base + uint64(a.stride*int64(lowest(exec)))
		hi = a.base + uint64(a.stride*int64(31-bits.LeadingZeros32(exec)))
		if lo > hi {
			lo, hi = hi, lo
		}
		return lo, hi + in.mem.size
	}
	return a.lo, a.hi + in.mem.size
}

// boundsChecked checks an access to a memory beginning at address 0.
func (w *warp) boundsChecked(in *inst, exec uint32, a *access, data []byte) []byte {
	if lo, hi := w.span(in, exec, a); hi <= uint64(len(data)) && lo < hi {
		return data
	}
	w.outside(in, exec, a, uint64(len(data)))
	return nil
}

// locateGlobal finds the region of global memory. It first tries the last region accessed by the same instruction.
// For an access to several regions it returns nil without an error, and the caller handles the access.
func (w *warp) locateGlobal(in *inst, exec uint32, a *access) []byte {
	lo, hi := w.span(in, exec, a)
	v := &w.eng.views[in.mem.view]
	if lo < v.lo || hi > v.hi || lo >= hi {
		if !w.findRegion(in, exec, a, v, lo, hi) {
			return nil
		}
	}
	if w.eng.noted != nil && in.mem.store {
		w.noteStore(in, exec, a, lo, hi)
	}
	if a.regular {
		a.base -= v.lo
	} else {
		a.origin = v.lo
	}
	return v.data
}

// noteStore notes the pages of a store between two addresses. The lanes of one between distant addresses are noted each
// by itself.
func (w *warp) noteStore(in *inst, exec uint32, a *access, lo, hi uint64) {
	if hi-lo <= mem.PageBytes {
		w.eng.noted.Add(lo, hi)
		return
	}
	for m := exec; m != 0; m &= m - 1 {
		at := w.index1(a, lowest(m))
		w.eng.noted.Add(at, at+in.mem.size)
	}
}

func (w *warp) findRegion(in *inst, exec uint32, a *access, v *view, lo, hi uint64) bool {
	if lo < hi && hi-lo <= 1<<62 {
		if r := w.eng.mem.Find(lo, int(hi-lo)); r != nil {
			*v = view{lo: r.Addr, hi: r.Addr + uint64(len(r.Data)), data: r.Data}
			return true
		}
	}
	if a.regular {
		w.list(exec, a)
	}
	for m := exec; m != 0; m &= m - 1 {
		if l := lowest(m); w.eng.mem.Find(w.addr[l], int(in.mem.size)) == nil {
			w.fail("thread %s: address %#x (%d bytes) is in no buffer%s%s",
				w.thread(l), w.addr[l], in.mem.size, w.eng.mem.Near(w.addr[l]), w.lacksWorkspace(w.addr[l]))
			return false
		}
	}
	return false
}

// lacksWorkspace says how a kernel with barriers of the grid gets the workspace that it needs for them. Without one it
// has found the address 0 in %envreg1 and %envreg2, and counts the CTAs in the second word from there.
func (w *warp) lacksWorkspace(addr uint64) string {
	reads := func(c constRow) bool { return c.kind == ir.KindSpecial && (c.sp == ir.EnvReg1 || c.sp == ir.EnvReg2) }
	if w.eng.l.workspace != 0 || addr >= 8 || !slices.ContainsFunc(w.eng.prog.lay.consts, reads) {
		return ""
	}
	return ". The kernel has a barrier of the grid, this_grid().sync() or the like, and the launch is not a " +
		"cooperative one: set cooperative = true for it in the launch file"
}

// locateLocal checks per-thread addresses and turns them into indices of the warp's local memory, which has the
// memories of its threads one after the other.
func (w *warp) locateLocal(in *inst, exec uint32, a *access) []byte {
	per := uint64(w.eng.l.localBytes())
	lo, hi := w.span(in, exec, a)
	if hi > per || lo >= hi {
		w.outside(in, exec, a, per)
		return nil
	}
	if in.mem.store {
		w.stored.lo, w.stored.hi = min(w.stored.lo, lo), max(w.stored.hi, hi)
	}
	if a.regular {
		a.stride += int64(per)
		return w.local
	}
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		w.addr[l] += per * uint64(l)
	}
	return w.local
}
