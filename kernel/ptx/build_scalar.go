package ptx

import "kumiko/kernel/ir"

// scalarVideo: the scalar video instructions, PTX ISA section 9.7.17. They are executed as operations on 64-bit
// values, wide enough for every intermediate result.
func scalarVideo() map[string][]row {
	second := &group{"a second operation", map[string]int{"add": int(ir.OpAdd), "min": int(ir.OpMin),
		"max": int(ir.OpMax)}, ignoreValue}
	out := map[string][]row{}
	for name, op := range map[string]ir.Op{"vadd": ir.OpAdd, "vsub": ir.OpSub, "vabsdiff": ir.OpSad, "vmin": ir.OpMin,
		"vmax": ir.OpMax} {
		out[name] = []row{{op: op, groups: []*group{gSat, second}, build: buildScalar}}
	}
	for name, op := range map[string]ir.Op{"vshl": ir.OpShl, "vshr": ir.OpShr} {
		out[name] = []row{{op: op, groups: []*group{gSat, second, gWrap}, need: []*group{gWrap}, build: buildScalar}}
	}
	out["vset"] = []row{{op: ir.OpSet, groups: []*group{second, gCmp}, need: []*group{gCmp}, build: buildScalar}}
	out["vmad"] = []row{{op: ir.OpMad, groups: []*group{gSat, flag(ignore, "po"), flag(ignore, "shr7", "shr15")},
		build: buildVmad}}
	return out
}

func ignoreValue(*ir.Inst, int) {}

// buildScalar builds vop.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}{, c}. c is the operand of the
// second operation, or the value merged with the result.
func buildScalar(d *decoder) {
	ts := d.types
	if d.out.Op == ir.OpSet { // with an unsigned result
		ts = append([]ir.Type{ir.U32}, ts...)
	}
	if len(ts) != 3 || !tI32.has(ts[0]) || !tI32.has(ts[1]) || !tI32.has(ts[2]) {
		d.errorf(d.in.pos, "found %s, expected the types of d, a and b, each .u32 or .s32", d.in.full())
		return
	}
	second := ir.OpNop
	for text, op := range map[string]ir.Op{"add": ir.OpAdd, "min": ir.OpMin, "max": ir.OpMax} {
		if d.in.has(text) {
			second = op
		}
	}
	ops := append([]operand(nil), d.in.ops...)
	var sel [4]string
	for i := range min(len(ops), len(sel)) {
		sel[i], ops[i].member = ops[i].member, ""
	}
	merged := second != ir.OpNop || sel[0] != ""
	if n := map[bool]int{false: 3, true: 4}[merged]; !d.need(n, n) {
		return
	}
	if second != ir.OpNop && sel[0] != "" {
		d.errorf(ops[0].pos, "found the part .%s of the result together with a second operation, expected one of them",
			sel[0])
		return
	}
	dst, ok := d.dst(&ops[0], ir.U32)
	a, okA := d.extended(&ops[1], sel[1], ts[1])
	b, okB := d.extended(&ops[2], sel[2], ts[2])
	if !ok || !okA || !okB {
		return
	}
	at, size, okD := d.subword(&ops[0], sel[0])
	if !okD {
		return
	}
	v := d.clamped(d.scalar(a, b), ts[0], size)
	if !merged {
		d.step(ir.OpMov, ir.B32, dst, v)
		return
	}
	c, ok := d.src(&ops[3], ir.U32)
	switch {
	case !ok:
	case second != ir.OpNop:
		d.step(second, ts[0], dst, v, c)
	default:
		d.step(ir.OpBfi, ir.B32, dst, v, c, ir.Imm(uint64(at), 1), ir.Imm(uint64(size), 1))
	}
}

// scalar appends the operation on 64-bit values.
func (d *decoder) scalar(a, b ir.Operand) ir.Operand {
	switch op := d.out.Op; op {
	case ir.OpSad:
		return d.result(ir.OpAbs, ir.S64, d.result(ir.OpSub, ir.S64, a, b))
	case ir.OpSet:
		p := ir.P(d.e.newPred())
		d.step(ir.OpSetp, ir.S64, p, a, b).Mods.Cmp = d.out.Mods.Cmp
		return d.convert(ir.S64, ir.U32, d.result(ir.OpSelp, ir.U32, ir.Imm(1, 1), ir.Imm(0, 1), p))
	case ir.OpShl, ir.OpShr:
		n := d.convert(ir.U32, ir.S64, b)
		if d.out.Mods.Wrap {
			n = d.result(ir.OpAnd, ir.B32, n, ir.Imm(31, 1))
		} else {
			n = d.result(ir.OpMin, ir.U32, n, ir.Imm(32, 1))
		}
		return d.result(op, ir.S64, a, n)
	default:
		return d.result(op, ir.S64, a, b)
	}
}

// clamped returns the low word of a value. With .sat the value is first clamped to size bits of the result's type.
func (d *decoder) clamped(v ir.Operand, t ir.Type, size int) ir.Operand {
	if d.in.has("sat") {
		low, high := int64(0), int64(1)<<size-1
		if t.Signed() {
			low, high = -1<<(size-1), 1<<(size-1)-1
		}
		v = d.result(ir.OpMax, ir.S64, v, ir.Imm(uint64(low), 2))
		v = d.result(ir.OpMin, ir.S64, v, ir.Imm(uint64(high), 2))
	}
	return d.convert(ir.U32, ir.S64, v)
}

// subword returns the position and the size, in bits, of a part such as b2 or h1; "": all.
func (d *decoder) subword(o *operand, part string) (at, size int, ok bool) {
	if part == "" {
		return 0, 32, true
	}
	if len(part) == 2 && (part[0] == 'b' && part[1] >= '0' && part[1] <= '3' ||
		part[0] == 'h' && part[1] >= '0' && part[1] <= '1') {
		size = map[byte]int{'b': 8, 'h': 16}[part[0]]
		return int(part[1]-'0') * size, size, true
	}
	d.errorf(o.pos, "found the part .%s, expected one of .b0 to .b3, .h0 and .h1", part)
	return 0, 0, false
}

// extended returns a part of an operand, extended to 64 bits by its type.
func (d *decoder) extended(o *operand, part string, t ir.Type) (ir.Operand, bool) {
	at, size, ok := d.subword(o, part)
	v, good := d.src(o, t)
	if !ok || !good {
		return v, false
	}
	if size < 32 {
		v = d.result(ir.OpBfe, t, v, ir.Imm(uint64(at), 1), ir.Imm(uint64(size), 1))
	}
	return d.convert(ir.S64, t, v), true
}
