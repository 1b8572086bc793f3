package ptx

import "kumiko/kernel/ir"

// gPair are the packed types of two 16-bit integers.
var gPair = &group{"a packed type", map[string]int{"u16x2": int(ir.U32), "s16x2": int(ir.S32)},
	func(in *ir.Inst, v int) { in.Type, in.SrcType = ir.Type(v), ir.Type(v) }}

// packedForms are the forms of instructions on packed values with types that no register has. They are selected by
// the type, since other forms of the opcode have types of their own.
var packedForms = map[string]map[string]row{}

func init() {
	pair := func(video uint8) row {
		return row{op: ir.OpVideo, groups: []*group{gPair}, build: buildPair,
			preset: func(in *ir.Inst) { in.Mods.Video = video }}
	}
	for name, video := range map[string]uint8{"add": ir.VideoAdd, "sub": ir.VideoSub, "min": ir.VideoMin,
		"max": ir.VideoMax} {
		packedForms[name] = map[string]row{"u16x2": pair(video), "s16x2": pair(video)}
	}
	two := func(op ir.Op, rounding []*group) row {
		return row{op: op, groups: []*group{gFloatRound, gFtz, flag(ignore, "f32x2")}, need: rounding,
			build: buildSingles}
	}
	for name, op := range map[string]ir.Op{"add": ir.OpAdd, "sub": ir.OpSub, "mul": ir.OpMul} {
		if packedForms[name] == nil {
			packedForms[name] = map[string]row{}
		}
		packedForms[name]["f32x2"] = two(op, nil)
	}
	gNarrow := &group{"a type", map[string]int{"tf32": int(ir.TF32), "e4m3x2": int(ir.E4M3x2),
		"e5m2x2": int(ir.E5M2x2)}, ignore}
	gFinite := flag(func(in *ir.Inst, _ int) { in.Mods.Sat = true }, "satfinite")
	packedForms["cvt"] = map[string]row{}
	for name := range gNarrow.vals {
		packedForms["cvt"][name] = row{op: ir.OpCvt, groups: []*group{gRound, gFinite, gRelu, gNarrow},
			need:  []*group{gRound},
			build: buildNarrow}
	}
	packedForms["cvt"]["pack"] = row{op: ir.OpCvt, groups: []*group{gSat, flag(ignore, "pack")},
		need: []*group{gSat}, build: buildCvtPack}
	packedForms["fma"] = map[string]row{"f32x2": two(ir.OpFma, []*group{gFloatRound})}
}

// packed returns the rows of an instruction on packed values, nil for other instructions.
func (in *inst) packed() []row {
	for _, m := range in.mods {
		if r, ok := packedForms[in.op][m.text]; ok {
			return []row{r}
		}
	}
	return nil
}

// step appends an instruction under the guard of the decoded one.
func (d *decoder) step(op ir.Op, t ir.Type, dst ir.Operand, src ...ir.Operand) *ir.Inst {
	in := d.plain(op)
	in.Type, in.Guard, in.Dst, in.Src = t, d.guard, []ir.Operand{dst}, src
	return &d.e.add(in).in
}

// result is step with a fresh register as the destination. It returns this register.
func (d *decoder) result(op ir.Op, t ir.Type, src ...ir.Operand) ir.Operand {
	r := d.e.temp(t.Size())
	d.step(op, t, r, src...)
	return r
}

// convert appends a conversion and returns the result.
func (d *decoder) convert(to, from ir.Type, v ir.Operand) ir.Operand {
	r := d.e.temp(to.Size())
	d.step(ir.OpCvt, to, r, v).SrcType = from
	return r
}

// operands resolves a destination and sources of one type.
func (d *decoder) operands(t ir.Type, sources int) (dst ir.Operand, src []ir.Operand, ok bool) {
	if !d.need(1+sources, 1+sources) {
		return dst, nil, false
	}
	dst, ok = d.dst(&d.in.ops[0], t)
	for i := range sources {
		v, good := d.src(&d.in.ops[1+i], t)
		ok = ok && good
		src = append(src, v)
	}
	return dst, src, ok
}

// buildPair builds add, sub, min and max of two 16-bit integers (PTX ISA sections 9.7.1.1,
// 9.7.1.2, 9.7.1.10 and 9.7.1.11): a SIMD video instruction without a third operand.
func buildPair(d *decoder) {
	if dst, src, ok := d.operands(ir.B32, 2); ok {
		d.out.Dst, d.out.Src = []ir.Operand{dst}, append(src, ir.Imm(0, 1))
		d.e.add(d.out)
	}
}

// buildSingles builds an operation on two packed single-precision values (PTX ISA section
// 9.7.3): one operation on each half.
func buildSingles(d *decoder) {
	n := 2
	if d.out.Op == ir.OpFma {
		n = 3
	}
	dst, src, ok := d.operands(ir.B64, n)
	if !ok {
		return
	}
	var half [2][]ir.Operand
	for _, v := range src {
		if v.Kind == ir.KindImm {
			half[0] = append(half[0], ir.Imm(v.Imm&allLanes, 1))
			half[1] = append(half[1], ir.Imm(v.Imm>>32, 1))
			continue
		}
		low, high := d.e.temp(4), d.e.temp(4)
		in := d.step(ir.OpUnpack, ir.B32, low, v)
		in.SrcType, in.Dst = ir.B64, []ir.Operand{low, high}
		half[0], half[1] = append(half[0], low), append(half[1], high)
	}
	var out []ir.Operand
	for _, h := range half {
		r := d.e.temp(4)
		d.step(d.out.Op, ir.F32, r, h...).Mods = d.out.Mods
		out = append(out, r)
	}
	d.step(ir.OpPack, ir.B64, dst, out...).SrcType = ir.B32
}

// buildExtremum builds min and max (PTX ISA sections 9.7.3.11 and 9.7.4.7): of magnitudes
// with .abs, with the signs multiplied with .xorsign, and of three values.
func buildExtremum(d *decoder) {
	abs, sign := d.in.has("abs"), d.in.has("xorsign")
	t := d.out.Type
	three := len(d.in.ops) == 4
	if !d.need(3, 4) {
		return
	}
	switch {
	case three && t != ir.F32:
		d.errorf(d.in.pos, "found %s of three values, expected .f32", d.in.full())
		return
	case sign && !abs:
		d.errorf(d.in.pos, "found %s, expected .xorsign.abs", d.in.full())
		return
	case !three && !sign:
		if abs {
			d.errorf(d.in.pos, "found %s of two values, expected .xorsign.abs", d.in.full())
			return
		}
		d.generic()
		return
	}
	dst, src, ok := d.operands(t, len(d.in.ops)-1)
	if !ok {
		return
	}
	signs := src[0]
	for i, v := range src {
		if i > 0 && sign {
			signs = d.result(ir.OpXor, ir.B32, signs, v)
		}
		if abs {
			src[i] = d.result(ir.OpAbs, t, v)
		}
	}
	at := d.e.temp(t.Size())
	d.step(d.out.Op, t, at, src[0], src[1]).Mods = d.out.Mods
	if three {
		next := d.e.temp(4)
		d.step(d.out.Op, t, next, at, src[2]).Mods = d.out.Mods
		at = next
	}
	if !sign {
		d.step(ir.OpMov, bitType(t), dst, at)
		return
	}
	mask := map[int]uint64{ir.F32.Size(): 1 << 31, ir.F16.Size(): 1 << 15}[t.Size()]
	if t == ir.F16x2 || t == ir.BF16x2 {
		mask = 1<<31 | 1<<15
	}
	signs = d.result(ir.OpAnd, ir.B32, signs, ir.Imm(mask, 1))
	d.step(ir.OpOr, ir.B32, dst, at, signs)
}

// bitType returns the untyped form of a type of up to 32 bits.
func bitType(t ir.Type) ir.Type {
	if t.Size() == 2 {
		return ir.B16
	}
	return ir.B32
}

// has reports whether an instruction has a modifier.
func (in *inst) has(modifier string) bool {
	for _, m := range in.mods {
		if m.text == modifier {
			return true
		}
	}
	return false
}
