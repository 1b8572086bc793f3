package emu

import (
	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Conversions to and from the alternate floating-point formats, PTX ISA sections 5.2.3 and 9.7.9.21. A tf32 value
// is a single with its low 13 bits zero here.

// narrow reports whether a conversion has one of these formats.
func narrow(in *ir.Inst) bool { return in.Type > ir.PredType || in.SrcType > ir.PredType }

func decodeNarrow(p *decoder) {
	in := p.in
	p.sources(in.SrcType, len(in.Src))
	p.out.d, p.out.words = p.dest(0, 1), 1
	m := in.Mods
	switch {
	case in.Type == ir.TF32 && in.SrcType == ir.F32 && len(in.Src) == 1:
		p.out.lanes = lane1(func(x uint32) uint32 { return toTF32(x, m) })
	case in.Type > ir.PredType && in.SrcType == ir.F32 && len(in.Src) == 2:
		f := toByte(in.Type, softfloat.F32, m.Relu)
		p.out.lanes = lane2(func(x, y uint32) uint32 { return f(x)<<8 | f(y) })
	case in.Type > ir.PredType && in.SrcType == ir.F16x2 && len(in.Src) == 1:
		f := toByte(in.Type, softfloat.F16, m.Relu)
		p.out.lanes = lane1(func(x uint32) uint32 { return f(x>>16)<<8 | f(x&0xffff) })
	case in.Type == ir.F16x2 && in.SrcType != ir.TF32 && len(in.Src) == 1:
		f := fromByte(in.SrcType, m.Relu)
		p.out.lanes = lane1(func(x uint32) uint32 { return f(x>>8&0xff)<<16 | f(x&0xff) })
	}
}

// toTF32 rounds a single. With .satfinite, overflow and infinities become the largest finite number.
func toTF32(x uint32, m ir.Mods) uint32 {
	n := softfloat.F32.Unpack(uint64(x))
	if m.Relu && !n.IsNaN() && n.Negative() {
		return 0
	}
	const infinite = 0xff << 10
	r := softfloat.TF32.Round(n, softMode(m.Round))
	switch {
	case n.IsNaN():
		return nan32
	case m.Sat && r&^(1<<18) == infinite:
		r--
	}
	return uint32(r) << 13
}

// scale is the factor from a number in e4m3 to the format used to round it.
var scale = softfloat.Int(256, false)

// toByte rounds to nearest even. Larger numbers become the largest finite one.
func toByte(t ir.Type, from *softfloat.Format, relu bool) func(x uint32) uint32 {
	return func(x uint32) uint32 {
		n := from.Unpack(uint64(x))
		switch {
		case n.IsNaN():
			return 0x7f
		case relu && n.Negative():
			return 0
		}
		f, most := softfloat.E5M2, uint64(0x7b)
		if t == ir.E4M3x2 {
			f, most = softfloat.E4M3, 0x7e
			n = softfloat.Div(n, scale)
		}
		r := f.Round(n, softfloat.NearestEven)
		magnitude := r & (f.SignBit() - 1)
		sign := uint32(0)
		if r != magnitude {
			sign = 0x80
		}
		return sign | uint32(min(magnitude, most))
	}
}

// fromByte converts exactly: half precision has every value of both formats.
func fromByte(t ir.Type, relu bool) func(x uint32) uint32 {
	return func(x uint32) uint32 {
		f, bits := softfloat.E5M2, uint64(x)
		if t == ir.E4M3x2 {
			f, bits = softfloat.E4M3, uint64(x&0x7f|x&0x80<<1)
			if x&0x7f == 0x7f {
				return 0x7fff
			}
		}
		n := f.Unpack(bits)
		if t == ir.E4M3x2 {
			n = softfloat.Mul(n, scale)
		}
		if relu && !n.IsNaN() && n.Negative() {
			return 0
		}
		return uint32(softfloat.F16.Round(n, softfloat.NearestEven))
	}
}
