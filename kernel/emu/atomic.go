package emu

import (
	"encoding/binary"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Atomic operations, PTX ISA sections 9.7.13.5 and 9.7.13.6. The lanes of a warp perform them in lane order.

// atomicFn returns the new value of a memory cell.
type atomicFn func(old, b, c uint64) uint64

// atomicOp is the operation of a memory instruction.
type atomicOp struct {
	fn      atomicFn
	global  atomicFn // in global memory, where it differs; nil: it does not
	b, c    int32
	returns bool
	arrives bool // on an mbarrier
	tries   bool // returns whether the words were equal
}

func decodeAtom(p *decoder) {
	in := p.in
	m := p.decodeMem([]ir.Operand{{}}, true)
	p.out.mem = m
	m.atomic.returns = in.Op == ir.OpAtom
	m.atomic.arrives = in.Mods.Atomic == ir.AtomArrive
	words := max(in.Type.Words(), 1)
	p.out.d = p.lay.sink()
	if m.atomic.returns {
		p.out.d = p.dest(0, words)
	}
	m.atomic.b = p.source(p.src(0), in.Type, words)
	m.atomic.c = m.atomic.b
	if in.Mods.Atomic == ir.AtomCas || in.Mods.Atomic == ir.AtomTryCas {
		m.atomic.c = p.source(p.src(1), in.Type, words)
	}
	if in.Space == ir.Local || in.Space == ir.Const || in.Space == ir.Param {
		p.fail("an atomic operation on %s space", in.Space)
	}
	switch in.Type.Size() {
	case 8:
		m.atomic.fn = atomic64(in.Mods.Atomic, in.Type)
	case 4:
		m.atomic.fn = atomic32(in.Mods.Atomic, in.Type)
	case 2:
		m.atomic.fn = atomic16(in.Mods.Atomic, in.Type)
	}
	if in.Type == ir.F32 && in.Mods.Atomic == ir.AtomAdd {
		m.atomic.global = flushingAdd(m.atomic.fn)
	}
	if m.atomic.fn == nil {
		p.fail("this operation of type %s", in.Type)
	}
	m.atomic.tries = in.Mods.Atomic == ir.AtomTryCas
	p.out.exec = atomically
	if p.dst(1).Kind != ir.KindNone {
		p.onlyGlobal()
	}
}

// onlyGlobal makes an atomic operation on generic addresses skip the lanes with addresses in shared or local memory.
// Its predicate says which lanes it has not skipped.
func (p *decoder) onlyGlobal() {
	if p.in.Space != ir.Generic {
		p.fail("an atomic operation on %s space with a predicate", p.in.Space)
	}
	p.out.p = p.predDest(1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		var a access
		w.addresses(in.mem, exec, &a)
		global := uint32(0)
		for m := exec; m != 0; m &= m - 1 {
			l, address := lowest(m), a.base
			if a.regular {
				address += uint64(a.stride * int64(l))
			} else {
				address = w.addr[l]
			}
			global |= b2u(isGlobal(address)) << l
		}
		w.resolve(exec, &a)
		w.record(in, exec, &a)
		if global != 0 {
			w.updateEach(in, global)
		}
		w.putPred(in.p, global, exec)
	}
}

func atomically(w *warp, in *inst, exec uint32) {
	var a access
	w.addresses(in.mem, exec, &a)
	if a.space == ir.Generic {
		w.resolve(exec, &a)
	}
	w.record(in, exec, &a)
	if in.mem.atomic.arrives && !w.atMbarrier(exec, &a) {
		return
	}
	if !a.mixed {
		if !w.aligned(in, exec, &a) {
			return
		}
		if data := w.locate(in, exec, &a); data != nil {
			w.update(in, exec, &a, data)
			return
		}
	}
	w.updateEach(in, exec)
}

// updateEach performs the operation for one lane after the other, each at its own place.
func (w *warp) updateEach(in *inst, exec uint32) {
	w.eachLane(exec, func(one uint32) {
		var a access
		w.addresses(in.mem, one, &a)
		if a.space == ir.Generic {
			w.resolve(one, &a)
		}
		if w.aligned(in, one, &a) {
			if data := w.locate(in, one, &a); data != nil {
				w.update(in, one, &a, data)
			}
		}
	})
}

// update performs the operation for each lane in turn. The old values are gathered before the destination is
// written, since the destination may be a source too.
func (w *warp) update(in *inst, exec uint32, a *access, data []byte) {
	m := in.mem
	fn := m.atomic.fn
	if a.space == ir.Global && m.atomic.global != nil {
		fn = m.atomic.global
	}
	bs, cs := w.pair(m.atomic.b), w.pair(m.atomic.c)
	var olds [2]row
	changed := false
	if m.atomic.arrives {
		w.cta.operation(w.index1(a, lowest(exec)))
	}
	for s := exec; s != 0; s &= s - 1 {
		l := lowest(s)
		cell := data[w.index1(a, l):]
		var old, now uint64
		switch m.elem {
		case 8:
			old = binary.LittleEndian.Uint64(cell)
			now = fn(old, lane64(bs, l), lane64(cs, l))
			binary.LittleEndian.PutUint64(cell, now)
			if m.atomic.arrives && ir.MbarrierParity(old) != ir.MbarrierParity(now) {
				w.cta.completed(w.index1(a, l))
			}
		case 4:
			old = uint64(binary.LittleEndian.Uint32(cell))
			now = fn(old, uint64(bs[0][l]), uint64(cs[0][l]))
			binary.LittleEndian.PutUint32(cell, uint32(now))
		default:
			old = uint64(binary.LittleEndian.Uint16(cell))
			now = fn(old, uint64(bs[0][l]&0xffff), uint64(cs[0][l]&0xffff)) & 0xffff
			binary.LittleEndian.PutUint16(cell, uint16(now))
		}
		changed = changed || now != old
		if m.atomic.tries {
			expected := uint64(bs[0][l])
			if m.elem == 8 {
				expected = lane64(bs, l)
			}
			old = uint64(b2u(old == expected))
		}
		olds[0][l], olds[1][l] = uint32(old), uint32(old>>32)
	}
	if changed {
		w.eng.version++
		w.eng.visible++
	}
	if m.atomic.returns {
		w.spin.polled = true
		d := w.quad(in.d)
		blend(&d[0], &olds[0], exec)
		if m.elem == 8 {
			blend(&d[1], &olds[1], exec)
		}
	}
}

// atomic32 returns the operation on 32-bit cells, nil if there is none. Its operands are zero-extended.
func atomic32(op ir.Atomic, t ir.Type) atomicFn {
	switch t {
	case ir.F32:
		return atomicFloat(op, softfloat.F32)
	case ir.F16x2, ir.BF16x2:
		return atomicPair(op, t)
	}
	switch op {
	case ir.AtomAdd:
		return func(old, b, _ uint64) uint64 { return uint64(uint32(old + b)) }
	case ir.AtomMin:
		if t.Signed() {
			return func(old, b, _ uint64) uint64 { return uint64(uint32(min(int32(old), int32(b)))) }
		}
		return func(old, b, _ uint64) uint64 { return min(old, b) }
	case ir.AtomMax:
		if t.Signed() {
			return func(old, b, _ uint64) uint64 { return uint64(uint32(max(int32(old), int32(b)))) }
		}
		return func(old, b, _ uint64) uint64 { return max(old, b) }
	}
	return atomicBits(op)
}

func atomic64(op ir.Atomic, t ir.Type) atomicFn {
	if t == ir.F64 {
		return atomicFloat(op, softfloat.F64)
	}
	switch op {
	case ir.AtomAdd:
		return func(old, b, _ uint64) uint64 { return old + b }
	case ir.AtomMin:
		if t.Signed() {
			return func(old, b, _ uint64) uint64 { return uint64(min(int64(old), int64(b))) }
		}
		return func(old, b, _ uint64) uint64 { return min(old, b) }
	case ir.AtomMax:
		if t.Signed() {
			return func(old, b, _ uint64) uint64 { return uint64(max(int64(old), int64(b))) }
		}
		return func(old, b, _ uint64) uint64 { return max(old, b) }
	case ir.AtomArrive:
		return func(old, b, _ uint64) uint64 { return ir.MbarrierArrive(old, b) }
	}
	return atomicBits(op)
}

func atomic16(op ir.Atomic, t ir.Type) atomicFn {
	switch t {
	case ir.F16:
		return atomicFloat(op, softfloat.F16)
	case ir.BF16:
		return atomicFloat(op, softfloat.BF16)
	}
	if op == ir.AtomCas || op == ir.AtomExch {
		return atomicBits(op)
	}
	return nil
}

// atomicBits returns the operations independent of sign and width. inc and dec are unsigned and do depend on the
// width.
func atomicBits(op ir.Atomic) atomicFn {
	switch op {
	case ir.AtomAnd:
		return func(old, b, _ uint64) uint64 { return old & b }
	case ir.AtomOr:
		return func(old, b, _ uint64) uint64 { return old | b }
	case ir.AtomXor:
		return func(old, b, _ uint64) uint64 { return old ^ b }
	case ir.AtomExch:
		return func(_, b, _ uint64) uint64 { return b }
	case ir.AtomCas, ir.AtomTryCas:
		return func(old, b, c uint64) uint64 {
			if old == b {
				return c
			}
			return old
		}
	case ir.AtomInc:
		return func(old, b, _ uint64) uint64 {
			if old >= b {
				return 0
			}
			return old + 1
		}
	case ir.AtomDec:
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b {
				return b
			}
			return old - 1
		}
	}
	return nil
}

// flushingAdd returns an addition of f32 with subnormal inputs and results flushed to zero, their signs kept: what
// sections 9.7.13.5 and 9.7.13.6 say about global memory.
func flushingAdd(add atomicFn) atomicFn {
	return func(old, b, c uint64) uint64 {
		return withoutSubnormal(add(withoutSubnormal(old), withoutSubnormal(b), c))
	}
}

// withoutSubnormal returns an f32, or the zero of its sign in place of a subnormal.
func withoutSubnormal(v uint64) uint64 {
	if v&0x7f800000 == 0 {
		return v & 0x80000000
	}
	return v
}

// atomicFloat adds floating-point numbers, rounding to nearest even and keeping subnormals.
func atomicFloat(op ir.Atomic, f *softfloat.Format) atomicFn {
	switch op {
	case ir.AtomAdd:
		return func(old, b, _ uint64) uint64 { return softOp(opAdd, f, softfloat.NearestEven, old, b, 0) }
	case ir.AtomExch:
		return atomicBits(op)
	}
	return nil
}

// atomicPair adds two halves, each atomically.
func atomicPair(op ir.Atomic, t ir.Type) atomicFn {
	f := softfloat.F16
	if t == ir.BF16x2 {
		f = softfloat.BF16
	}
	add := atomicFloat(op, f)
	if add == nil || op == ir.AtomExch {
		return add
	}
	return func(old, b, _ uint64) uint64 {
		return add(old&0xffff, b&0xffff, 0) | add(old>>16&0xffff, b>>16&0xffff, 0)<<16
	}
}
