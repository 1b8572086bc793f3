package emu

import (
	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Half precision, PTX ISA section 9.7.4, and bfloat16. They have no loops of their own: every lane goes through
// softfloat.

// halfOp picks the function of an operation on halves or on packed pairs.
func (p *decoder) halfOp(k floatKind) laneFn {
	m := p.in.Mods
	format := softfloat.F16
	if p.in.Type == ir.BF16 || p.in.Type == ir.BF16x2 {
		format = softfloat.BF16
	}
	if m.Round != ir.RoundDefault && m.Round != ir.RN {
		p.fail("a rounding other than to nearest even")
	}
	h := &half{f: format, k: k, ftz: m.Ftz && format == softfloat.F16, sat: m.Sat, relu: m.Relu, nan: m.NaN,
		nanBits: uint32(format.NaN()), minNormal: 0x400}
	one := h.apply
	if k == opDiv || k == opSqrt || k == opRcp {
		return nil
	}
	f := func(x, y, z uint32) uint32 { return one(x&0xffff, y&0xffff, z&0xffff) }
	if p.in.Type == ir.F16x2 || p.in.Type == ir.BF16x2 {
		f = func(x, y, z uint32) uint32 {
			return one(x&0xffff, y&0xffff, z&0xffff) | one(x>>16, y>>16, z>>16)<<16
		}
	}
	switch k {
	case opAbs, opNeg:
		return lane1(func(x uint32) uint32 { return f(x, 0, 0) })
	case opFma:
		return lane3(f)
	}
	return lane2(func(x, y uint32) uint32 { return f(x, y, 0) })
}

// half is an operation on 16-bit floating-point numbers.
type half struct {
	f                   *softfloat.Format
	k                   floatKind
	ftz, sat, relu, nan bool
	nanBits             uint32
	minNormal           uint32
}

func (h *half) apply(x, y, z uint32) uint32 {
	if h.ftz {
		x, y, z = h.flush(x), h.flush(y), h.flush(z)
	}
	r := h.core(x, y, z)
	if h.ftz {
		r = h.flush(r)
	}
	if h.sat {
		r = uint32(satFloat(uint64(r), h.f))
	}
	// relu: a negative result becomes +0, a NaN stays.
	if h.relu && r&0x8000 != 0 {
		r = 0
	}
	return r
}

func (h *half) core(x, y, z uint32) uint32 {
	switch h.k {
	case opAbs:
		return x &^ 0x8000
	case opNeg:
		return x ^ 0x8000
	case opMin, opMax:
		return h.extreme(x, y)
	}
	return uint32(softOp(h.k, h.f, softfloat.NearestEven, uint64(x), uint64(y), uint64(z)))
}

func (h *half) flush(x uint32) uint32 {
	if x&0x7fff < h.minNormal {
		x &= 0x8000
	}
	return x
}

// extreme computes min and max. If one operand is a NaN it returns the other, or the NaN with .NaN; -0 is less than
// +0.
func (h *half) extreme(x, y uint32) uint32 {
	inf := uint32(h.f.Round(softfloat.Infinity, softfloat.NearestEven))
	nx, ny := x&0x7fff > inf, y&0x7fff > inf
	switch {
	case nx && ny || h.nan && (nx || ny):
		return h.nanBits
	case nx:
		return y
	case ny:
		return x
	}
	// Sign-magnitude patterns have the order of their numbers.
	ox, oy := order32(x<<16), order32(y<<16)
	if (h.k == opMin) == (ox < oy) {
		return x
	}
	return y
}

// compareHalf compares halves, after converting them to double precision.
func (p *decoder) compareHalf(t ir.Type, c ir.Cmp) predFn {
	if c == ir.CmpNone {
		return nil
	}
	table, order := holdsTable(c), p.halfOrder(t)
	return func(w *warp, in *inst) (m uint32) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		for i := range a {
			m |= table >> (order(a[i], b[i]) + 1) & 1 << i
		}
		return m
	}
}

// halfOrder returns the function to order two halves of a type. The function ignores the upper halves of its
// arguments.
func (p *decoder) halfOrder(t ir.Type) func(x, y uint32) int8 {
	f := formatOf(t)
	h := &half{f: f, minNormal: 0x400}
	ftz := p.in.Mods.Ftz && t == ir.F16
	value := func(x uint32) float64 {
		x &= 0xffff
		if ftz {
			x = h.flush(x)
		}
		return f64(softfloat.F64.Round(f.Unpack(uint64(x)), softfloat.NearestEven))
	}
	return func(x, y uint32) int8 { return orderFloat(value(x), value(y)) }
}
