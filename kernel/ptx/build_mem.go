package ptx

import "kumiko/kernel/ir"

// elements resolves the value of a load or a store: one operand, a vector in
// braces, or a vector register.
func (d *decoder) elements(o *operand) []operand {
	list := d.members(o)
	if len(list) != d.vec {
		d.errorf(o.pos, "found %d elements in %s, expected %d", len(list), d.in.full(), d.vec)
		return nil
	}
	return list
}

// accessed resolves the value of a load or a store, and checks the length of a vector.
func (d *decoder) accessed(o *operand) []operand {
	if !d.vectorOK() {
		d.errorf(d.in.pos, "found %s, expected .v2 or .v4 of at most 16 bytes, or in .global space .v8 of elements of "+
			"32 bits or .v4 of elements of 64", d.in.full())
		return nil
	}
	return d.elements(o)
}

// vectorOK reports whether a load or a store may have the length of its vector: .v2 of elements of up to 64 bits,
// .v4 of up to 32, and in global memory .v8 of elements of 32 and .v4 of elements of 64 (PTX ISA 8.8, sections on
// ld and st).
func (d *decoder) vectorOK() bool {
	size, wide := d.types[0].Size(), d.out.Space == ir.Global
	switch d.vec {
	case 2:
		return size <= 8
	case 4:
		return size <= 4 || size == 8 && wide
	case 8:
		return size == 4 && wide
	}
	return true
}

// place is the place of a memory operand: a slot, or an address in out.Space.
type place struct {
	slot *slot
	v    *variable // of a symbolic address
	off  int64
	addr ir.Addr
}

// memory resolves an address operand and sets out.Space.
func (d *decoder) memory(o *operand) (p place, ok bool) {
	inner := o
	if o.kind == opAddress {
		if len(o.elems) != 1 {
			d.errorf(o.pos, "found %d parts of an address, expected one", len(o.elems))
			return p, false
		}
		inner = &o.elems[0]
	} else if o.kind != opName || !o.indexed {
		d.errorf(o.pos, "found %s, expected an address in brackets", o.describe())
		return p, false
	}
	if d.out.Space == ir.SpaceNone {
		d.out.Space = ir.Generic
	}
	if inner.kind == opConst {
		if inner.value.kind != tokInt {
			d.errorf(inner.pos, "found a floating-point constant, expected an address")
			return p, false
		}
		p.addr.Offset = int64(inner.value.bits)
		return p, true
	}
	if inner.kind != opName {
		d.errorf(inner.pos, "found %s, expected a register or a variable", inner.describe())
		return p, false
	}
	sym := d.e.lookup(d.s, inner.name)
	if sym == nil || sym.kind == symReg {
		return d.registerAddress(inner)
	}
	return d.symbolAddress(inner, sym)
}

func (d *decoder) registerAddress(o *operand) (p place, ok bool) {
	base := *o
	base.offset = 0
	sym, r, ok := d.reg(&base)
	if !ok {
		return p, false
	}
	if n := sym.typ.Size(); n != 4 && n != 8 || sym.typ.Float() {
		d.errorf(o.pos, "found the .%s register %s, expected an address of 32 or 64 bits", sym.typ, o.name)
		return p, false
	}
	if d.out.Space == ir.Param && !d.e.frame.fn.kernel {
		d.out.Space = ir.Local
	}
	p.addr = ir.Addr{Base: r, Offset: o.offset}
	return p, true
}

func (d *decoder) symbolAddress(o *operand, sym *symbol) (p place, ok bool) {
	if sym.kind != symVar {
		d.errorf(o.pos, "found the function %s, expected a variable", o.name)
		return p, false
	}
	v := sym.v
	p.v, p.off = v, o.offset
	if o.indexed {
		p.off *= int64(v.typ.Size() * v.vec)
	}
	if d.out.Space == ir.Generic {
		d.out.Space = v.space
	}
	if d.out.Space != v.space {
		d.errorf(o.pos, "found %s of .%s space, expected a variable of .%s space", o.name, v.space, d.out.Space)
		return p, false
	}
	if sym.slot != nil {
		p.slot = sym.slot
		return p, true
	}
	a, ok := d.address(o, sym)
	p.addr = sym.body.onStack(int64(a))
	return p, ok
}

// inside checks a constant offset against a parameter's size.
func (d *decoder) inside(o *operand, p place) bool {
	end := p.off + int64(d.vec*d.out.Type.Size())
	if p.off < 0 || end > int64(p.v.size) {
		d.errorf(o.pos, "found bytes %d to %d of %s, expected at most its %d", p.off, end-1, p.v.name, p.v.size)
		return false
	}
	return true
}

func buildLd(d *decoder) {
	if len(d.in.ops) == 3 && d.in.ops[2].kind == opName { // a cache policy
		d.in.ops = d.in.ops[:2]
	}
	if !d.need(2, 2) {
		return
	}
	list := d.accessed(&d.in.ops[0])
	if list == nil {
		return
	}
	p, ok := d.memory(&d.in.ops[1])
	for i := range list {
		o := &list[i]
		if o.kind == opSink {
			d.out.Dst = append(d.out.Dst, ir.Operand{})
			continue
		}
		sym, r, good := d.reg(o)
		if !good || !d.sized(o, sym, d.out.Type, true) {
			return
		}
		if sym.typ.Size() > d.out.Type.Size() {
			d.widen(sym.typ.Size())
		}
		d.out.Dst = append(d.out.Dst, r)
	}
	if !ok {
		return
	}
	switch {
	case p.slot != nil:
		if d.inside(&d.in.ops[1], p) {
			extend := d.narrowLoad()
			d.e.access(d.out, p.slot, slotLoad, p.off)
			extend()
		}
	case d.out.Space == ir.Param && p.v != nil:
		if d.inside(&d.in.ops[1], p) {
			d.loadParam(int64(p.v.addr) + p.off)
		}
	default:
		extend := d.narrowLoad()
		d.out.Addr = p.addr
		d.addAccess()
		extend()
	}
}

// widen sets the extended type of a loaded value.
func (d *decoder) widen(size int) {
	if d.out.Type.Signed() {
		d.out.SrcType = signedType(size)
		return
	}
	d.out.Type = unsigned(d.out.Type)
	d.out.SrcType = unsigned(signedType(size))
}

// loadParam reads kernel parameters at a fixed offset: a move from the constant bank for each element, or a
// conversion if the value is widened.
func (d *decoder) loadParam(off int64) {
	t, to := d.out.Type, d.out.SrcType
	for i, dst := range d.out.Dst {
		if dst.Kind == ir.KindNone {
			continue
		}
		in := d.out
		in.Op, in.Space, in.SrcType, in.Mods = ir.OpMov, ir.SpaceNone, ir.TypeNone, ir.Mods{}
		if to != ir.TypeNone && (t.Signed() || to.Size() == 8) {
			in.Op, in.Type, in.SrcType = ir.OpCvt, to, t
		}
		in.Dst = []ir.Operand{dst}
		in.Src = []ir.Operand{{Kind: ir.KindParam, Imm: uint64(off) + uint64(i*t.Size()), Words: uint8(t.Words())}}
		d.e.add(in)
	}
}

func buildSt(d *decoder) {
	if len(d.in.ops) == 3 && d.in.ops[2].kind == opName {
		d.in.ops = d.in.ops[:2]
	}
	if !d.need(2, 2) {
		return
	}
	list := d.accessed(&d.in.ops[1])
	if list == nil {
		return
	}
	p, ok := d.memory(&d.in.ops[0])
	for i := range list {
		v, good := d.source(&list[i], d.out.Type, true)
		if !good {
			return
		}
		d.out.Src = append(d.out.Src, v)
	}
	if !ok {
		return
	}
	d.narrowStore()
	switch {
	case p.slot != nil:
		if d.inside(&d.in.ops[0], p) {
			d.e.access(d.out, p.slot, slotStore, p.off)
		}
	case d.out.Space == ir.Param || d.out.Space == ir.Const:
		d.errorf(d.in.pos, "found %s, expected a store to memory that can be written", d.in.full())
	default:
		d.out.Addr = p.addr
		d.addAccess()
	}
}

// atomicTypes are the types of each atomic operation (PTX ISA section 9.7.13.5).
var atomicTypes = [...]typeSet{
	ir.AtomAdd:  tI32 | tI64 | tF | tHalf,
	ir.AtomMin:  tI32 | tI64 | tHalf | tF32,
	ir.AtomMax:  tI32 | tI64 | tHalf | tF32,
	ir.AtomInc:  types(ir.U32),
	ir.AtomDec:  types(ir.U32),
	ir.AtomAnd:  tB3 | tI32 | tI64,
	ir.AtomOr:   tB3 | tI32 | tI64,
	ir.AtomXor:  tB3 | tI32 | tI64,
	ir.AtomExch: tB3 | tI32 | tI64 | tF,
	ir.AtomCas:  tB3 | tI32 | tI64 | types(ir.B16),
}

// buildAtom builds atom d, [a], b{, c} and red [a], b.
func buildAtom(d *decoder) {
	d.hinted()
	m := d.out.Mods.Atomic
	if d.vec > 1 {
		d.vectorAtom()
		return
	}
	if !atomicTypes[m].has(d.out.Type) {
		d.errorf(d.in.pos, "found %s, expected a type of %s", d.in.full(), atomicTypes[m])
		return
	}
	ops, n := d.in.ops, 1
	if m == ir.AtomCas {
		n = 2
	}
	if d.out.Op == ir.OpAtom {
		n++
	} else if m == ir.AtomExch || m == ir.AtomCas {
		d.errorf(d.in.pos, "found %s, expected atom", d.in.full())
		return
	}
	if !d.need(n+1, n+1) {
		return
	}
	ok := true
	if d.out.Op == ir.OpAtom {
		if ops[0].kind == opSink {
			if d.out.Op = ir.OpRed; m == ir.AtomExch || m == ir.AtomCas {
				d.out.Op, d.out.Dst = ir.OpAtom, []ir.Operand{d.e.temp(d.out.Type.Size())}
			}
		} else {
			var r ir.Operand
			r, ok = d.dst(&ops[0], d.out.Type)
			d.out.Dst = []ir.Operand{r}
		}
		ops = ops[1:]
	}
	p, good := d.memory(&ops[0])
	if ok = ok && good; ok && (d.out.Space == ir.Param || d.out.Space == ir.Const || d.out.Space == ir.Local) {
		d.errorf(d.in.pos, "found %s, expected global, shared or generic memory", d.in.full())
		return
	}
	d.out.Addr = p.addr
	for i := range ops[1:] {
		v, good := d.src(&ops[1+i], d.out.Type)
		ok = ok && good
		d.out.Src = append(d.out.Src, v)
	}
	if ok {
		d.e.add(d.out)
	}
}

func buildPrefetch(d *decoder) {
	if !d.need(1, 1) {
		return
	}
	if p, ok := d.memory(&d.in.ops[0]); ok && p.slot == nil && !d.in.has("tensormap") { // no tensor map is used
		d.out.Addr = p.addr
		d.e.add(d.out)
	}
}
