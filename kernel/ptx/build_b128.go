package ptx

import "kumiko/kernel/ir"

// Registers of 128 bits (PTX ISA 8.3) are two registers of 64 bits. Instructions on them become moves of the
// halves, and loads and stores of vectors.

// halves resolves a register of 128 bits.
func (d *decoder) halves(o *operand) ([]ir.Operand, bool) {
	sym, r, ok := d.reg(o)
	if !ok || !d.sized(o, sym, ir.B128, false) {
		return nil, false
	}
	return []ir.Operand{ir.R(r.Reg, 2), ir.R(r.Reg+2, 2)}, true
}

// wide resolves a register of 128 bits, or two of 64 in braces.
func (d *decoder) wide(o *operand) ([]ir.Operand, bool) {
	if o.kind != opVector {
		return d.halves(o)
	}
	if len(o.elems) != 2 {
		d.errorf(o.pos, "found %d parts of a .b128, expected two of 64 bits", len(o.elems))
		return nil, false
	}
	out := make([]ir.Operand, 2)
	for i := range o.elems {
		if o.elems[i].kind == opSink {
			out[i] = d.e.temp(8)
			continue
		}
		r, ok := d.dst(&o.elems[i], ir.B64)
		if !ok {
			return nil, false
		}
		out[i] = r
	}
	return out, true
}

// moveWide builds mov.b128.
func (d *decoder) moveWide(dst, src *operand) {
	to, ok := d.wide(dst)
	from, good := d.wide(src)
	if !ok || !good {
		return
	}
	d.out.Type = ir.B64
	if from[1].Reg == to[0].Reg { // written by the first move
		own := d.e.temp(8)
		d.emitMove(own, from[1])
		from[1] = own
	}
	for i := range to {
		d.emitMove(to[i], from[i])
	}
}

// accessWide builds ld.b128 and st.b128, except of parameters.
func (d *decoder) accessWide(value, at *operand) {
	parts, ok := d.halves(value)
	d.out.Type = ir.B64
	p, good := d.memory(at)
	switch {
	case !ok || !good:
		return
	case p.slot != nil || d.out.Space == ir.Param || d.out.Op == ir.OpSt && d.out.Space == ir.Const:
		d.errorf(d.in.pos, "found %s, expected global, shared, local or generic memory", d.in.full())
		return
	case d.out.Op == ir.OpLd:
		d.out.Dst = parts
	default:
		d.out.Src = parts
	}
	d.out.Addr = p.addr
	d.e.add(d.out)
}
