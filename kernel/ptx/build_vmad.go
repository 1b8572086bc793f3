package ptx

import "kumiko/kernel/ir"

// buildVmad builds vmad.dtype.atype.btype{.po}{.sat}{.scale} d, {-}a{.asel}, {-}b{.bsel}, {-}c (PTX ISA section
// 9.7.17.9). Product and sum are computed exactly, in 64 bits.
func buildVmad(d *decoder) {
	ts := d.types
	if len(ts) != 3 || !tI32.has(ts[0]) || !tI32.has(ts[1]) || !tI32.has(ts[2]) {
		d.errorf(d.in.pos, "found %s, expected the types of d, a and b, each .u32 or .s32", d.in.full())
		return
	}
	if !d.need(4, 4) {
		return
	}
	ops := append([]operand(nil), d.in.ops...)
	var neg [4]bool
	for i := range ops {
		neg[i] = ops[i].minus && ops[i].kind == opName
		ops[i].minus = ops[i].minus && !neg[i]
	}
	product := neg[1] != neg[2]
	if neg[0] || product && neg[3] || d.in.has("po") && (neg[1] || neg[2] || neg[3]) {
		d.errorf(d.in.pos, "found a negation in %s that cannot be, expected one of the product or of the last "+
			"operand, and none with .po", d.in.full())
		return
	}
	signed := ts[1].Signed() || ts[2].Signed() || product
	third := ir.U32
	if signed {
		third = ir.S32
	}
	dst, ok := d.dst(&ops[0], ir.U32)
	a, okA := d.part(&ops[1], ts[1])
	b, okB := d.part(&ops[2], ts[2])
	c, okC := d.extended(&ops[3], "", third)
	if !ok || !okA || !okB || !okC {
		return
	}
	v := d.result(ir.OpMul, ir.S64, a, b)
	d.low()
	if product {
		v = d.result(ir.OpSub, ir.S64, c, v)
	} else {
		op := map[bool]ir.Op{false: ir.OpAdd, true: ir.OpSub}[neg[3]]
		v = d.result(op, ir.S64, v, c)
	}
	if d.in.has("po") {
		v = d.result(ir.OpAdd, ir.S64, v, ir.Imm(1, 2))
	}
	d.step(ir.OpCvt, ir.U32, dst, d.scaled(v, signed || neg[3])).SrcType = ir.S64
}

// part returns an operand with its selector applied, in 64 bits.
func (d *decoder) part(o *operand, t ir.Type) (ir.Operand, bool) {
	sel := o.member
	o.member = ""
	return d.extended(o, sel, t)
}

// scaled returns a sum shifted to the right by .shr7 or .shr15 and, with .sat, clamped to 32 bits.
func (d *decoder) scaled(v ir.Operand, signed bool) ir.Operand {
	t, low, high := ir.U64, int64(0), int64(1)<<32-1
	if signed {
		t, low, high = ir.S64, -1<<31, 1<<31-1
	}
	for text, n := range map[string]uint64{"shr7": 7, "shr15": 15} {
		if d.in.has(text) {
			v = d.result(ir.OpShr, t, v, ir.Imm(n, 1))
		}
	}
	if d.in.has("sat") {
		v = d.result(ir.OpMin, t, v, ir.Imm(uint64(high), 2))
		v = d.result(ir.OpMax, t, v, ir.Imm(uint64(low), 2))
	}
	return v
}
