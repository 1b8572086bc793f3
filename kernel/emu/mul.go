package emu

import (
	"math/bits"
	"slices"

	"kumiko/kernel/ir"
)

func decodeMul(p *decoder) {
	if p.in.Type.Float() {
		p.floatOp(opMul, 2)
		return
	}
	p.product(2, mulFns)
}

// decodeMad decodes mad, the integer multiply-add; on floating-point types mad is fma, PTX ISA section 9.7.3.7.
func decodeMad(p *decoder) {
	switch {
	case p.in.Type.Float():
		decodeFma(p)
	case p.in.Mods.CarryIn || p.in.Mods.CarryOut:
		p.madCarry()
	case p.in.Mods.Sat:
		// mad.hi.sat.s32, PTX ISA section 9.7.1.4.
		if p.in.Mods.Part != ir.Hi || p.in.Type != ir.S32 {
			p.fail("saturation other than of mad.hi.s32")
		}
		p.operands(p.in.Type, 3)
		p.out.lanes = lane3(func(x, y, z uint32) uint32 {
			return clampS32(int64(int32(x))*int64(int32(y))>>32 + int64(int32(z)))
		})
	default:
		p.product(3, madFns)
	}
}

// productKey identifies a multiplication.
type productKey struct {
	t    ir.Type
	part ir.Part
}

// product decodes a multiplication of two sources, and an addition of a third one, if any. The wide form's result
// and third source have twice the width.
func (p *decoder) product(n int, fns map[productKey]laneFn) {
	in, t := p.in, p.in.Type
	part := in.Mods.Part
	if part == ir.PartNone {
		part = ir.Lo
	}
	p.out.lanes = fns[productKey{unsignedLow(t, part), part}]
	p.sources(t, 2)
	words := max(t.Words(), 1)
	if part == ir.Wide && t.Size() == 4 {
		words = 2
	}
	if n == 3 {
		wt := t
		if part == ir.Wide {
			wt = widened(t)
		}
		p.out.c = p.source(p.src(2), wt, words)
	}
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
}

// widened returns the integer type of twice the width.
func widened(t ir.Type) ir.Type {
	switch t {
	case ir.U16:
		return ir.U32
	case ir.S16:
		return ir.S32
	case ir.U32:
		return ir.U64
	case ir.S32:
		return ir.S64
	}
	return t
}

// unsignedLow maps a type to the unsigned type if the sign does not affect the result.
func unsignedLow(t ir.Type, part ir.Part) ir.Type {
	if part != ir.Lo {
		return t
	}
	switch t {
	case ir.S16, ir.B16:
		return ir.U16
	case ir.S32, ir.B32:
		return ir.U32
	case ir.S64, ir.B64:
		return ir.U64
	}
	return t
}

var mulFns = map[productKey]laneFn{
	{ir.U32, ir.Lo}: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x * y })
	},
	{ir.U32, ir.Hi}: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b],
			func(x, y uint32) uint32 { return uint32(uint64(x) * uint64(y) >> 32) })
	},
	{ir.S32, ir.Hi}: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 {
			return uint32(int64(int32(x)) * int64(int32(y)) >> 32)
		})
	},
	{ir.U32, ir.Wide}: func(w *warp, in *inst, d *[4]row) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		for i := range d[0] {
			v := uint64(a[i]) * uint64(b[i])
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	},
	{ir.S32, ir.Wide}: func(w *warp, in *inst, d *[4]row) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		for i := range d[0] {
			v := uint64(int64(int32(a[i])) * int64(int32(b[i])))
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	},
	{ir.U16, ir.Lo}:   short2(func(x, y uint32) uint32 { return x * y }),
	{ir.U16, ir.Hi}:   short2(func(x, y uint32) uint32 { return x * y >> 16 }),
	{ir.S16, ir.Hi}:   short2(func(x, y uint32) uint32 { return uint32(int32(s16(x)) * int32(s16(y)) >> 16) }),
	{ir.U16, ir.Wide}: lane2(func(x, y uint32) uint32 { return x & 0xffff * (y & 0xffff) }),
	{ir.S16, ir.Wide}: lane2(func(x, y uint32) uint32 { return s16(x) * s16(y) }),
	{ir.U64, ir.Lo}:   long2(func(x, y uint64) uint64 { return x * y }),
	{ir.U64, ir.Hi}:   long2(func(x, y uint64) uint64 { hi, _ := bits.Mul64(x, y); return hi }),
	{ir.S64, ir.Hi}:   long2(mulHighSigned),
}

var madFns = map[productKey]laneFn{
	{ir.U32, ir.Lo}: func(w *warp, in *inst, d *[4]row) {
		map3(&d[0], &w.rows[in.a], &w.rows[in.b], &w.rows[in.c], func(x, y, z uint32) uint32 { return x*y + z })
	},
	{ir.U32, ir.Hi}: lane3(func(x, y, z uint32) uint32 { return uint32(uint64(x)*uint64(y)>>32) + z }),
	{ir.S32, ir.Hi}: lane3(func(x, y, z uint32) uint32 { return uint32(int64(int32(x))*int64(int32(y))>>32) + z }),
	{ir.U32, ir.Wide}: func(w *warp, in *inst, d *[4]row) {
		a, b, c := &w.rows[in.a], &w.rows[in.b], w.pair(in.c)
		for i := range d[0] {
			v := uint64(a[i])*uint64(b[i]) + (uint64(c[0][i]) | uint64(c[1][i])<<32)
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	},
	{ir.S32, ir.Wide}: func(w *warp, in *inst, d *[4]row) {
		a, b, c := &w.rows[in.a], &w.rows[in.b], w.pair(in.c)
		for i := range d[0] {
			v := uint64(int64(int32(a[i]))*int64(int32(b[i]))) + (uint64(c[0][i]) | uint64(c[1][i])<<32)
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	},
	{ir.U16, ir.Lo}:   short3(func(x, y, z uint32) uint32 { return x*y + z }),
	{ir.U16, ir.Hi}:   short3(func(x, y, z uint32) uint32 { return x*y>>16 + z }),
	{ir.S16, ir.Hi}:   short3(func(x, y, z uint32) uint32 { return uint32(int32(s16(x))*int32(s16(y))>>16) + z }),
	{ir.U16, ir.Wide}: lane3(func(x, y, z uint32) uint32 { return x&0xffff*(y&0xffff) + z }),
	{ir.S16, ir.Wide}: lane3(func(x, y, z uint32) uint32 { return s16(x)*s16(y) + z }),
	{ir.U64, ir.Lo}:   long3(func(x, y, z uint64) uint64 { return x*y + z }),
	{ir.U64, ir.Hi}:   long3(func(x, y, z uint64) uint64 { hi, _ := bits.Mul64(x, y); return hi + z }),
	{ir.S64, ir.Hi}:   long3(func(x, y, z uint64) uint64 { return mulHighSigned(x, y) + z }),
}

// The 24-bit products, PTX ISA sections 9.7.1.5 and 9.7.1.6: bits 31..0 or
// 47..16 of the 48-bit product of the low 24 bits.

func product24(x, y uint32, signed bool) uint64 {
	if signed {
		return uint64(int64(int32(x<<8)>>8) * int64(int32(y<<8)>>8))
	}
	return uint64(x&0xffffff) * uint64(y&0xffffff)
}

func half24(in *ir.Inst) func(x, y uint32) uint32 {
	signed := in.Type.Signed()
	if in.Mods.Part == ir.Hi {
		return func(x, y uint32) uint32 { return uint32(product24(x, y, signed) >> 16) }
	}
	return func(x, y uint32) uint32 { return uint32(product24(x, y, signed)) }
}

func decodeMul24(p *decoder) {
	p.only(ir.U32, ir.S32)
	p.operands(p.in.Type, 2)
	p.out.lanes = lane2(half24(p.in))
}

func decodeMad24(p *decoder) {
	p.only(ir.U32, ir.S32)
	p.operands(p.in.Type, 3)
	f := half24(p.in)
	if p.in.Mods.Sat {
		// mad24.hi.sat.s32
		p.out.lanes = lane3(func(x, y, z uint32) uint32 { return clampS32(int64(int32(f(x, y))) + int64(int32(z))) })
		return
	}
	p.out.lanes = lane3(func(x, y, z uint32) uint32 { return f(x, y) + z })
}

// only reports an error for every type except the given ones.
func (p *decoder) only(types ...ir.Type) {
	if slices.Contains(types, p.in.Type) {
		return
	}
	p.fail("type %s is not supported", p.in.Type)
}
