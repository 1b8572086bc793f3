package emu

import (
	"math/big"
	"slices"
	"testing"

	"kumiko/kernel/ir"
)

// videoWant is the reference for a video instruction, after the definitions in
// PTX ISA section 9.7.18.
func videoWant(in *ir.Inst, a []uint64) uint64 {
	v := in.Mods.Video
	n, part := 2, []ir.Type{ir.U16, ir.S16}
	if v&ir.VideoQuad != 0 {
		n, part = 4, []ir.Type{ir.U8, ir.S8}
	}
	bits := 32 / n
	pick := func(signed bool) ir.Type { return part[b2u(signed)] }
	ta := pick(in.SrcType.Signed())
	tb := pick(in.SrcType.Signed() != (v&ir.VideoMixedSigns != 0))
	sum := newInt().SetUint64(a[2])
	r := uint64(0)
	for i := range n {
		x, y := value(a[0]>>(i*bits), ta), value(a[1]>>(i*bits), tb)
		p := videoPart(in, x, y)
		sum.Add(sum, p)
		if in.Mods.Sat {
			p = clamped(p, pick(in.Type.Signed()))
		}
		r |= pattern(p, bits) << (i * bits)
	}
	if v&ir.VideoAccumulate != 0 {
		return pattern(sum, 32)
	}
	return r
}

func videoPart(in *ir.Inst, x, y *big.Int) *big.Int {
	switch in.Mods.Video & ir.VideoOpMask {
	case ir.VideoAdd:
		return newInt().Add(x, y)
	case ir.VideoSub:
		return newInt().Sub(x, y)
	case ir.VideoAvrg:
		s := newInt().Add(x, y)
		if s.Sign() >= 0 {
			s.Add(s, big.NewInt(1))
		}
		return s.Rsh(s, 1)
	case ir.VideoAbsDiff:
		return newInt().Abs(newInt().Sub(x, y))
	case ir.VideoMin:
		return smaller(x, y)
	case ir.VideoMax:
		return newInt().Neg(smaller(newInt().Neg(x), newInt().Neg(y)))
	}
	return big.NewInt(int64(b2u(slices.Contains(comparisons[in.Mods.Cmp], x.Cmp(y)))))
}

func TestVideoInstructionsWorkOnEveryPart(t *testing.T) {
	values := []uint64{0, 0x00ff00ff, 0xff00ff00, 0x7f80807f, 0x80007fff, 0x01020304, 0xffffffff, 0x80808080}
	var all []trial
	for op := ir.VideoAdd; op <= ir.VideoSet; op++ {
		for flags := uint8(0); flags < 8; flags++ {
			for _, types := range [][2]ir.Type{{ir.U32, ir.U32}, {ir.S32, ir.S32}, {ir.S32, ir.U32}, {ir.U32, ir.S32}} {
				v := op | flags<<3
				sat := v&ir.VideoAccumulate == 0 && op != ir.VideoSet
				in := ir.Inst{Op: ir.OpVideo, Type: types[0], SrcType: types[1],
					Mods: ir.Mods{Video: v, Sat: sat, Cmp: ir.LE}}
				all = append(all, trial{name: "video", in: in, src: []ir.Type{ir.U32, ir.U32, ir.U32}, dst: ir.U32,
					values: [][]uint64{values, values, {0, 0xfffffff0}},
					want:   func(a []uint64) uint64 { return videoWant(&in, a) }})
			}
		}
	}
	checkAll(t, all)
}
