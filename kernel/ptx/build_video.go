package ptx

import (
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// video: the SIMD video instructions, PTX ISA section 9.7.17.
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

// buildVideo builds vop.dtype.atype.btype d{.mask}, a{.sel}, b{.sel}, c; vset
// has no dtype. Selected parts are permuted and masked ones merged by prmt.
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
	if !d.need(4, 4) {
		return
	}
	parts := 2
	if d.out.Mods.Video&ir.VideoQuad != 0 {
		parts = 4
	}
	ops := append([]operand(nil), d.in.ops...)
	var sel [3]string
	for i := range sel {
		sel[i], ops[i].member = ops[i].member, ""
	}
	dst, ok := d.dst(&ops[0], ir.U32)
	var src [3]ir.Operand
	for i := range src {
		v, good := d.src(&ops[i+1], ir.U32)
		ok = ok && good
		src[i] = v
	}
	if !ok {
		return
	}
	a, okA := d.selected(&ops[1], sel[1], parts, 0, src)
	b, okB := d.selected(&ops[2], sel[2], parts, parts, src)
	merge, okD := d.laneMask(&ops[0], sel[0], parts)
	if !okA || !okB || !okD {
		return
	}
	d.out.Src = []ir.Operand{a, b, src[2]}
	d.out.Dst = []ir.Operand{dst}
	if merge == identity {
		d.e.add(d.out)
		return
	}
	tmp := d.e.temp(4)
	d.out.Dst = []ir.Operand{tmp}
	d.e.add(d.out)
	d.permute(dst, tmp, src[2], merge)
}

// identity is the prmt selector of the unchanged first operand.
const identity = 0x3210

func (d *decoder) permute(dst, a, b ir.Operand, selector uint64) {
	d.e.add(ir.Inst{Op: ir.OpPrmt, Type: ir.B32, Guard: d.guard, Dst: []ir.Operand{dst},
		Src:  []ir.Operand{a, b, ir.Imm(selector, 1)},
		Line: d.out.Line, Col: d.out.Col})
}

// selected applies a part selector such as .b3210 or .h32. Its digits number the parts of a and then of b. from is
// the first part of the default selector.
func (d *decoder) selected(o *operand, sel string, parts, from int, src [3]ir.Operand) (ir.Operand, bool) {
	digits, prefix := "10", "h"
	if parts == 4 {
		digits, prefix = "3210", "b"
	}
	if from > 0 {
		digits = map[int]string{2: "32", 4: "7654"}[parts]
	}
	text, found := strings.CutPrefix(sel, prefix)
	if sel == "" || text == digits {
		return src[from/parts], true
	}
	n, err := strconv.ParseUint(text, 2*parts, 32)
	if !found || err != nil || len(text) != parts {
		d.errorf(o.pos, "found the selector .%s, expected .%s and %d digits below %d", sel, prefix, parts, 2*parts)
		return src[0], false
	}
	selector := uint64(0)
	for i := range parts {
		digit := n / pow(2*parts, i) % uint64(2*parts)
		if parts == 4 {
			selector |= digit << (4 * i)
		} else {
			selector |= (2*digit | (2*digit+1)<<4) << (8 * i)
		}
	}
	tmp := d.e.temp(4)
	d.permute(tmp, src[0], src[1], selector)
	return tmp, true
}

func pow(base, n int) uint64 {
	out := uint64(1)
	for range n {
		out *= uint64(base)
	}
	return out
}

// laneMask turns a destination mask such as .b20 into a prmt selector: the named parts are from the result, the
// others from c.
func (d *decoder) laneMask(o *operand, mask string, parts int) (uint64, bool) {
	if mask == "" {
		return identity, true
	}
	prefix := byte('h')
	if parts == 4 {
		prefix = 'b'
	}
	size := 4 / parts
	selector := uint64(0x7654)
	ok := mask[0] == prefix && len(mask) > 1 && len(mask) <= parts+1
	for _, c := range []byte(mask[1:]) {
		part := int(c - '0')
		if c < '0' || part >= parts {
			ok = false
			break
		}
		for i := part * size; i < (part+1)*size; i++ {
			selector = selector&^(0xf<<(4*i)) | uint64(i)<<(4*i)
		}
	}
	if ok && selector != identity && d.out.Mods.Video&ir.VideoAccumulate != 0 {
		d.errorf(o.pos, "found the mask .%s together with .add, which is not supported", mask)
		return 0, false
	}
	if !ok {
		d.errorf(o.pos, "found the mask .%s, expected .%c and parts below %d", mask, prefix, parts)
	}
	return selector, ok
}
