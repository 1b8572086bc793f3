package emu

import (
	"math"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// The approximate functions, PTX ISA sections 9.7.3.13 to 9.7.3.22. Each is computed in double precision with an
// error far below half a unit in the last place of a single, and rounded to the type. So the result is within the
// ISA's bound, and nearly always the correctly rounded one. On a real GPU the last bits differ.

// approximation decodes a function of one number for the types given.
func (p *decoder) approximation(f func(x float64) float64, types ...ir.Type) {
	p.only(types...)
	t := p.in.Type
	p.operands(t, 1)
	ftz := p.in.Mods.Ftz
	format := formatOf(t)
	switch t {
	case ir.F32:
		p.out.lanes = lane1(ftz32(ftz, func(x uint32) uint32 {
			r := fromF32(float32(f(float64(f32(x)))))
			if ftz {
				r = flush32(r)
			}
			return r
		}))
	case ir.F64:
		p.out.lanes = long1(func(x uint64) uint64 { return fromF64(f(f64(x))) })
	case ir.F16, ir.BF16:
		p.out.lanes = lane1(func(x uint32) uint32 { return halfFunc(format, f, x) })
	case ir.F16x2, ir.BF16x2:
		p.out.lanes = lane1(func(x uint32) uint32 { return halfFunc(format, f, x) | halfFunc(format, f, x>>16)<<16 })
	}
}

func halfFunc(format *softfloat.Format, f func(x float64) float64, x uint32) uint32 {
	v := f64(softfloat.F64.Round(format.Unpack(uint64(x&0xffff)), softfloat.NearestEven))
	return uint32(format.Round(softfloat.F64.Unpack(math.Float64bits(f(v))), softfloat.NearestEven))
}

func decodeRsqrt(p *decoder) {
	p.approximation(func(x float64) float64 { return 1 / math.Sqrt(x) }, ir.F32, ir.F64)
	p.gross()
}

// decodeRcp decodes rcp in its rounded and its approximate forms.
func decodeRcp(p *decoder) {
	p.floatOp(opRcp, 1)
	p.gross()
}

// gross applies the definitions of rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 in sections 9.7.3.14 and 9.7.3.17:
// subnormals are flushed, and the low word of the result is zero.
func (p *decoder) gross() {
	if p.in.Type != ir.F64 || !p.in.Mods.Approx || !p.in.Mods.Ftz {
		return
	}
	f := p.out.lanes
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		t := *in
		tmp := w.lay().temp() + tempRows - 2
		src := w.quad(tmp)
		wide1(src, w.pair(in.a), flush64)
		t.a = tmp
		f(w, &t, d)
		wide1(d, (*[2]row)(d[:2]), func(x uint64) uint64 {
			if isNaN64(x) {
				return x
			}
			return flush64(x) &^ 0xffffffff
		})
	}
}

// flush64 returns x with a subnormal replaced by a zero of its sign.
func flush64(x uint64) uint64 {
	if x<<1>>53 == 0 {
		x &= 1 << 63
	}
	return x
}

func decodeSin(p *decoder)  { p.approximation(p.angle(sin), ir.F32) }
func decodeCos(p *decoder)  { p.approximation(p.angle(cos), ir.F32) }
func decodeLg2(p *decoder)  { p.approximation(lg2, ir.F32) }
func decodeEx2(p *decoder)  { p.approximation(ex2, ir.F32, ir.F16, ir.F16x2, ir.BF16, ir.BF16x2) }
func decodeTanh(p *decoder) { p.approximation(tanh, ir.F32, ir.F16, ir.F16x2, ir.BF16, ir.BF16x2) }

// angle returns f, a function of radians, or the same of turns.
func (p *decoder) angle(f func(x float64) float64) func(x float64) float64 {
	if !p.in.Mods.Turns {
		return f
	}
	return func(x float64) float64 { return f((x - math.RoundToEven(x)) * (2 * math.Pi)) }
}

// decodeCopysign decodes copysign: b with the sign of a, section 9.7.3.2.
func decodeCopysign(p *decoder) {
	p.simple(2, map[ir.Type]laneFn{
		ir.F32: lane2(func(x, y uint32) uint32 { return x&0x80000000 | y&0x7fffffff }),
		ir.F64: long2(func(x, y uint64) uint64 { return x&(1<<63) | y&^(1<<63) }),
	})
}
