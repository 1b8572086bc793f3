package emu

import "kumiko/kernel/ir"

// part returns the i-th part of n bits of x, sign-extended if signed.
func part(x uint32, i, n uint, signed bool) int64 {
	v := x >> (i * n)
	if signed {
		return int64(int32(v<<(32-n)) >> (32 - n))
	}
	return int64(v & (1<<n - 1))
}

// decodeDp4a decodes dp4a: c plus the sum of four products of bytes, PTX ISA section 9.7.1.23, modulo 2^32.
func decodeDp4a(p *decoder) {
	sa, sb := p.dotTypes()
	p.out.lanes = lane3(func(a, b, c uint32) uint32 {
		s := int64(0)
		for i := range uint(4) {
			s += part(a, i, 8, sa) * part(b, i, 8, sb)
		}
		return c + uint32(s)
	})
}

// decodeDp2a decodes dp2a: c plus the sum of two products of a half of a and a byte of b, section 9.7.1.24.
func decodeDp2a(p *decoder) {
	sa, sb := p.dotTypes()
	first := uint(0)
	if p.in.Mods.Part == ir.Hi {
		first = 2
	}
	p.out.lanes = lane3(func(a, b, c uint32) uint32 {
		s := part(a, 0, 16, sa)*part(b, first, 8, sb) + part(a, 1, 16, sa)*part(b, first+1, 8, sb)
		return c + uint32(s)
	})
}

func (p *decoder) dotTypes() (sa, sb bool) {
	in := p.in
	for _, t := range []ir.Type{in.Type, in.SrcType} {
		if t != ir.U32 && t != ir.S32 {
			p.fail("type %s is not supported", typeWords(in))
		}
	}
	p.operands(ir.U32, 3)
	return in.Type.Signed(), in.SrcType.Signed()
}
