package emu

import (
	"fmt"
	"math/bits"

	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// memOp is the memory part of an instruction.
type memOp struct {
	base   int32 // first row of the address register; -1: absolute
	wide   bool  // the register has 64 bits
	offset uint64
	space  ir.Space
	elem   int     // bytes of an element
	n      int     // elements
	size   uint64  // bytes in all, a power of two
	rows   []int32 // first row of each element
	words  int     // rows of each element
	signed bool
	store  bool
	view   int // index into engine.views
	atomic atomicOp
}

// view is the region last accessed by an instruction.
type view struct {
	lo, hi uint64
	data   []byte
}

// decodeMem resolves the address and the elements of a memory instruction.
func (p *decoder) decodeMem(elems []ir.Operand, store bool) *memOp {
	in := p.in
	m := &memOp{base: -1, space: in.Space, elem: in.Type.Size(), n: len(elems), store: store, view: p.prog.views}
	p.prog.views++
	m.words = max(in.Type.Words(), 1)
	m.signed = in.Type.Signed()
	m.size = uint64(m.elem * m.n)
	m.offset = uint64(in.Addr.Offset)
	switch b := in.Addr.Base; b.Kind {
	case ir.KindReg, ir.KindUniform:
		m.wide = b.Words == 2
		m.base = p.source(b, ir.U64, max(int(b.Words), 1))
	case ir.KindNone:
	case ir.KindImm, ir.KindParam, ir.KindConst:
		m.offset += b.Imm
	default:
		p.fail("an address that is neither a register nor a number")
	}
	if in.Addr.Index.Kind != ir.KindNone || in.Addr.Scale > 1 {
		m.base, m.wide = p.indexed(&in.Addr, m.base, m.wide)
	}
	if m.elem == 0 || m.size == 0 || m.size > 32 || bits.OnesCount64(m.size) != 1 {
		p.fail("%d elements of type %s", m.n, in.Type)
	}
	switch m.space {
	case ir.Generic, ir.Global, ir.Shared, ir.Local:
	case ir.Const, ir.Param:
		if store {
			p.fail("a store to %s space", m.space)
		}
	default:
		p.fail("memory of space %q", m.space.String())
	}
	return m
}

// access is the resolved access of the current instruction.
type access struct {
	regular bool // lane l at base + l*stride, for the lanes of the mask
	base    uint64
	stride  int64
	space   ir.Space
	mixed   bool // lanes in several spaces
	// The lowest and the highest of listed addresses, and the bitwise or of all.
	lo, hi, or uint64
	// origin is subtracted from a listed address to get an index into the memory located for the access.
	origin uint64
}

// addresses computes the addresses of the lanes of exec: into a when they are
// regular, otherwise into w.addr.
func (w *warp) addresses(m *memOp, exec uint32, a *access) {
	a.space = m.space
	if m.base < 0 {
		a.regular, a.base, a.stride = true, m.offset, 0
		return
	}
	r := w.pair(m.base)
	if exec == ^uint32(0) && w.regular(m, r, a) {
		return
	}
	w.irregular(m, r, exec, a)
}

// regular finds equidistant addresses in a full warp.
func (w *warp) regular(m *memOp, r *[2]row, a *access) bool {
	low := &r[0]
	step := low[1] - low[0]
	first := uint64(low[0])
	if m.wide {
		first = lane64(r, 0)
	}
	stride := int64(int32(step))
	if int64(low[31])-int64(low[0]) != 31*stride || !spaced(r, m.wide, step) {
		return false
	}
	first += m.offset
	if !m.wide {
		// A 32-bit address wraps around. If any lane's address does, irregular handles the access.
		first = uint64(uint32(first))
		if last := int64(first) + 31*stride; last < 0 || last > 0xffffffff {
			return false
		}
	}
	a.regular, a.base, a.stride = true, first, stride
	return true
}

// spaced reports whether the lanes' low words are step apart, and the high words all equal.
func spaced(r *[2]row, wide bool, step uint32) bool {
	low, high := &r[0], &r[1]
	if vector.Available {
		if !wide {
			high = nil
		}
		return vector.Spaced((*vector.Row)(low), (*vector.Row)(high), step)
	}
	bad := uint32(0)
	for i := 1; i < 32; i++ {
		bad |= low[i] - low[i-1] ^ step
	}
	if wide {
		for i := 1; i < 32; i++ {
			bad |= high[i] ^ high[0]
		}
	}
	return bad == 0
}

// irregular computes the address of every lane of exec, and checks whether they are nevertheless equidistant.
func (w *warp) irregular(m *memOp, r *[2]row, exec uint32, a *access) {
	if exec == ^uint32(0) {
		w.listAll(m, r, a)
		return
	}
	if vector.Available {
		w.someIrregular(m, r, exec, a)
		return
	}
	first := lowest(exec)
	second := -1
	a.regular, a.stride = true, 0
	for s := exec; s != 0; s &= s - 1 {
		l := lowest(s)
		v := uint64(uint32(uint64(r[0][l]) + m.offset))
		if m.wide {
			v = lane64(r, l) + m.offset
		}
		w.addr[l] = v
		switch {
		case l == first:
		case second < 0:
			second = l
			d := int64(v - w.addr[first])
			a.stride = d / int64(l-first)
			a.regular = a.stride*int64(l-first) == d
		case v != w.addr[first]+uint64(a.stride*int64(l-first)):
			a.regular = false
		}
	}
	if a.regular {
		a.base = w.addr[first] - uint64(a.stride*int64(first))
		return
	}
	w.bound(exec, a)
}

// listAll lists the addresses of a full warp.
func (w *warp) listAll(m *memOp, r *[2]row, a *access) {
	a.regular = false
	if vector.Available {
		w.allAddresses(m, r)
		a.lo, a.hi, a.or = vector.Bounds(&w.addr, ^uint32(0))
		return
	}
	lo, hi, or := ^uint64(0), uint64(0), uint64(0)
	for l := range &w.addr {
		v := uint64(uint32(uint64(r[0][l]) + m.offset))
		if m.wide {
			v = lane64(r, l) + m.offset
		}
		w.addr[l] = v
		lo, hi, or = min(lo, v), max(hi, v), or|v
	}
	a.lo, a.hi, a.or = lo, hi, or
}

// bound finds the bounds of listed addresses.
func (w *warp) bound(exec uint32, a *access) {
	if vector.Available {
		a.lo, a.hi, a.or = vector.Bounds(&w.addr, exec)
		return
	}
	a.lo, a.hi, a.or = ^uint64(0), 0, 0
	for m := exec; m != 0; m &= m - 1 {
		v := w.addr[lowest(m)]
		a.lo, a.hi, a.or = min(a.lo, v), max(a.hi, v), a.or|v
	}
}

// resolve turns a generic access into an access to the space of its addresses. If they are in several spaces, it
// lists them all and leaves them generic.
func (w *warp) resolve(exec uint32, a *access) {
	if a.regular {
		first := a.base + uint64(a.stride*int64(lowest(exec)))
		last := a.base + uint64(a.stride*int64(31-bits.LeadingZeros32(exec)))
		s, off := window(first)
		if t, _ := window(last); s == t && sameWindow(first, last, s) {
			a.space = s
			a.base -= off
			return
		}
		w.list(exec, a)
	}
	s, off := window(w.addr[lowest(exec)])
	for m := exec; m != 0; m &= m - 1 {
		if t, _ := window(w.addr[lowest(m)]); t != s {
			a.mixed = true
			return
		}
	}
	a.space = s
	a.lo, a.hi = a.lo-off, a.hi-off
	for m := exec; m != 0; m &= m - 1 {
		w.addr[lowest(m)] -= off
	}
}

// sameWindow reports whether all addresses between two addresses of a space belong to this space. Below the
// buffers, global memory lies on both sides of the windows.
func sameWindow(x, y uint64, s ir.Space) bool {
	return s != ir.Global || x >= ir.GlobalBase && y >= ir.GlobalBase
}

// window returns the space of a generic address, and the offset to subtract from the address to get an address of
// that space.
func window(addr uint64) (ir.Space, uint64) {
	switch {
	case addr-ir.SharedWindow < ir.SharedWindowSize:
		return ir.Shared, ir.SharedWindow
	case addr-ir.LocalWindow < ir.LocalWindowSize:
		return ir.Local, ir.LocalWindow
	case addr-ir.ConstWindow < ir.ConstWindowSize:
		return ir.Const, ir.ConstWindow
	case addr-ir.ParamWindow < ir.ParamWindowSize:
		return ir.Param, ir.ParamWindow
	}
	return ir.Global, 0
}

// list writes the addresses of a regular access into w.addr.
func (w *warp) list(exec uint32, a *access) {
	for m := exec; m != 0; m &= m - 1 {
		l := lowest(m)
		w.addr[l] = a.base + uint64(a.stride*int64(l))
	}
	a.regular = false
	w.bound(exec, a)
}

// record adds the access to the stream.
func (w *warp) record(in *inst, exec uint32, a *access) {
	if !in.access || !w.rec.on {
		return
	}
	space := a.space
	if a.mixed {
		space = ir.Generic
	}
	if a.regular && stream.Fits(a.stride) {
		w.rec.regular(space, a.base, int32(a.stride))
		return
	}
	if a.regular {
		apart := *a
		w.list(exec, &apart)
	}
	w.recordList(space, exec)
}

// recordList adds an access at the listed addresses to the stream.
func (w *warp) recordList(space ir.Space, exec uint32) {
	list := w.rec.list(space, bits.OnesCount32(exec))
	switch {
	case exec == ^uint32(0):
		copy(list, w.addr[:])
	case vector.Available:
		vector.Compress(&list[0], &w.addr, exec)
	default:
		i := 0
		for m := exec; m != 0; m &= m - 1 {
			list[i] = w.addr[lowest(m)]
			i++
		}
	}
}

// aligned checks the alignment of every lane's address.
func (w *warp) aligned(in *inst, exec uint32, a *access) bool {
	mask := in.mem.size - 1
	if a.regular && (a.base|uint64(a.stride))&mask == 0 || !a.regular && a.or&mask == 0 {
		return true
	}
	if a.regular {
		regular := *a
		w.list(exec, &regular)
	}
	for m := exec; m != 0; m &= m - 1 {
		if l := lowest(m); w.addr[l]&mask != 0 {
			w.fail("thread %s: address %#x in %s space is not aligned to the %d bytes accessed",
				w.thread(l), w.addr[l], a.space, in.mem.size)
			return false
		}
	}
	return true
}

// outside reports the first lane with an access outside [0, size) of a space other than global.
func (w *warp) outside(in *inst, exec uint32, a *access, size uint64) {
	if a.regular {
		w.list(exec, a)
	}
	for m := exec; m != 0; m &= m - 1 {
		if l := lowest(m); w.addr[l] > size || in.mem.size > size-w.addr[l] {
			w.fail("thread %s: address %#x (%d bytes) in %s space, which has %d bytes%s",
				w.thread(l), w.addr[l], in.mem.size, a.space, size, w.eng.l.stackNote(a.space))
			return
		}
	}
	panic(fmt.Sprintf("emu: no lane of %#x lies outside", exec))
}
