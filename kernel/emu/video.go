package emu

import "kumiko/kernel/ir"

// decodeVideo decodes a SIMD video instruction, PTX ISA section 9.7.18, with the default lane mask and part
// selection.
func decodeVideo(p *decoder) {
	in := p.in
	p.operands(ir.U32, 3)
	v := &videoOp{op: in.Mods.Video & ir.VideoOpMask, bits: 16, cmp: in.Mods.Cmp, sat: in.Mods.Sat,
		signD: in.Type.Signed(), signA: in.SrcType.Signed(), add: in.Mods.Video&ir.VideoAccumulate != 0}
	v.signB = v.signA != (in.Mods.Video&ir.VideoMixedSigns != 0)
	if in.Mods.Video&ir.VideoQuad != 0 {
		v.bits = 8
	}
	if v.op > ir.VideoSet || v.op == ir.VideoSet && (v.cmp == ir.CmpNone || v.cmp > ir.GE) {
		p.fail("video operation %#x", in.Mods.Video)
	}
	p.out.lanes = lane3(v.apply)
}

// videoOp is a decoded video instruction.
type videoOp struct {
	op                  uint8
	bits                uint // of a part
	cmp                 ir.Cmp
	sat, add            bool
	signD, signA, signB bool
}

func (v *videoOp) apply(a, b, c uint32) uint32 {
	r := uint32(0)
	for i := range 32 / v.bits {
		t := v.part(part(a, i, v.bits, v.signA), part(b, i, v.bits, v.signB))
		if v.add {
			c += uint32(t)
			continue
		}
		if v.sat {
			t = clampBits(t, v.bits, v.signD)
		}
		r |= uint32(t) & (1<<v.bits - 1) << (i * v.bits)
	}
	if v.add {
		return c
	}
	return r
}

// part computes the operation on one part of each operand.
func (v *videoOp) part(x, y int64) int64 {
	switch v.op {
	case ir.VideoAdd:
		return x + y
	case ir.VideoSub:
		return x - y
	case ir.VideoAvrg:
		// The mean, rounded away from zero if it is not negative.
		s := x + y
		if s >= 0 {
			s++
		}
		return s >> 1
	case ir.VideoAbsDiff:
		return max(x, y) - min(x, y)
	case ir.VideoMin:
		return min(x, y)
	case ir.VideoMax:
		return max(x, y)
	}
	return int64(b2u(holds(v.cmp, sign(x < y, x > y))))
}

// clampBits saturates to an integer of n bits.
func clampBits(t int64, n uint, signed bool) int64 {
	if signed {
		return min(max(t, -1<<(n-1)), 1<<(n-1)-1)
	}
	return min(max(t, 0), 1<<n-1)
}
