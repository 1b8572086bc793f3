package ptx

import "kumiko/kernel/ir"

// video: the SIMD video instructions, PTX ISA section 9.7.18.
func video() map[string][]row {
	out := map[string][]row{}
	for name, op := range map[string]uint8{"vadd": ir.VideoAdd, "vsub": ir.VideoSub, "vavrg": ir.VideoAvrg,
		"vabsdiff": ir.VideoAbsDiff,
		"vmin":     ir.VideoMin, "vmax": ir.VideoMax, "vset": ir.VideoSet} {
		groups := []*group{gSat, flag(func(in *ir.Inst, _ int) { in.Mods.Video |= ir.VideoAccumulate }, "add")}
		var need []*group
		if op == ir.VideoSet {
			groups, need = append(groups[1:], gCmp), []*group{gCmp}
		}
		for suffix, quad := range map[string]uint8{"2": 0, "4": ir.VideoQuad} {
			bits := op | quad
			out[name+suffix] = []row{{op: ir.OpVideo, groups: groups, need: need, build: buildVideo,
				preset: func(in *ir.Inst) { in.Mods.Video = bits }}}
		}
	}
	return out
}

// buildVideo builds vop.dtype.atype.btype d, a, b, c; vset has no dtype. All parts of d, a and b take part, in order.
func buildVideo(d *decoder) {
	ts := d.types
	if d.out.Mods.Video&ir.VideoOpMask == ir.VideoSet {
		ts = append([]ir.Type{ir.U32}, ts...)
	}
	if len(ts) != 3 || !tI32.has(ts[0]) || !tI32.has(ts[1]) || !tI32.has(ts[2]) {
		d.errorf(d.in.pos, "found %s, expected the types of d, a and b, each .u32 or .s32", d.in.full())
		return
	}
	d.out.Type, d.out.SrcType = ts[0], ts[1]
	if ts[1] != ts[2] {
		d.out.Mods.Video |= ir.VideoMixedSigns
	}
	for i := range d.in.ops {
		if part := d.in.ops[i].member; part != "" {
			d.errorf(d.in.ops[i].pos, "found the selection .%s of parts, which is not supported: select them with prmt",
				part)
			return
		}
	}
	if dst, src, ok := d.operands(ir.U32, 3); ok {
		d.out.Dst, d.out.Src = []ir.Operand{dst}, src
		d.e.add(d.out)
	}
}
