package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// Bit fields and counts, PTX ISA sections 9.7.1.14 to 9.7.1.22.

func decodePopc(p *decoder) {
	p.counted(map[ir.Type]laneFn{
		ir.B32: lane1(func(x uint32) uint32 { return uint32(bits.OnesCount32(x)) }),
		ir.B64: lane21(func(x uint64) uint32 { return uint32(bits.OnesCount64(x)) }),
	})
}

func decodeClz(p *decoder) {
	p.counted(map[ir.Type]laneFn{
		ir.B32: lane1(func(x uint32) uint32 { return uint32(bits.LeadingZeros32(x)) }),
		ir.B64: lane21(func(x uint64) uint32 { return uint32(bits.LeadingZeros64(x)) }),
	})
}

// counted decodes an operation with one source and a 32-bit result.
func (p *decoder) counted(fns map[ir.Type]laneFn) {
	p.sources(p.in.Type, 1)
	p.out.d, p.out.words = p.dest(0, 1), 1
	p.out.lanes = fns[p.in.Type]
}

// decodeBfind decodes bfind: the most significant bit different from the sign.
func decodeBfind(p *decoder) {
	amount := p.in.Mods.ShiftAmt
	find := func(x uint64, msb int) uint32 {
		n := bits.Len64(x) - 1
		switch {
		case n < 0:
			return ^uint32(0)
		case amount:
			return uint32(msb - n)
		}
		return uint32(n)
	}
	p.counted(map[ir.Type]laneFn{
		ir.U32: lane1(func(x uint32) uint32 { return find(uint64(x), 31) }),
		ir.S32: lane1(func(x uint32) uint32 { return find(uint64(x^uint32(int32(x)>>31)), 31) }),
		ir.U64: lane21(func(x uint64) uint32 { return find(x, 63) }),
		ir.S64: lane21(func(x uint64) uint32 { return find(x^uint64(int64(x)>>63), 63) }),
	})
}

// decodeBfe decodes bfe: it extracts a field and extends it.
func decodeBfe(p *decoder) {
	p.only(ir.U32, ir.S32, ir.U64, ir.S64)
	words := p.in.Type.Words()
	p.out.a = p.source(p.src(0), p.in.Type, words)
	p.out.b, p.out.c = p.field(1)
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
	signed, width := p.in.Type.Signed(), uint(8*p.in.Type.Size())
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		a, b, c := w.pair(in.a), &w.rows[in.b], &w.rows[in.c]
		for i := range 32 {
			x := lane64(a, i)
			if width == 32 {
				x = uint64(uint32(x))
			}
			v := extract(x, b[i]&0xff, c[i]&0xff, width, signed)
			d[0][i] = uint32(v)
			if width == 64 {
				d[1][i] = uint32(v >> 32)
			}
		}
	}
}

// field resolves the position of a field, source i, and its length. In machine code before Volta one source may have
// both, in its two lowest bytes.
func (p *decoder) field(i int) (pos, n int32) {
	pos = p.source(p.src(i), ir.U32, 1)
	if len(p.in.Src) == i+1 {
		return pos, p.pre(func(w *warp, o *preOp, d *[4]row) {
			map1(&d[0], &w.rows[o.a], func(x uint32) uint32 { return x >> 8 })
		}, pos, 1)
	}
	return pos, p.source(p.src(i+1), ir.U32, 1)
}

// extract returns the field of n bits from position pos on, extended to the width. The sign is the highest bit of
// the field within x.
func extract(x uint64, pos, n uint32, width uint, signed bool) uint64 {
	if n == 0 {
		return 0
	}
	if signed {
		// Shift to the top, then down with the sign; a field beyond the end is all sign.
		x <<= 64 - width
		last := min(uint(pos+n-1), width-1)
		x = uint64(int64(x<<(width-1-last)) >> (64 - width + width - 1 - last))
		return uint64(int64(x) >> pos)
	}
	v := x >> pos
	if n < 64 {
		v &= 1<<n - 1
	}
	return v
}

// decodeBfi decodes bfi: it inserts the low bits of a into b.
func decodeBfi(p *decoder) {
	p.only(ir.B32, ir.B64, ir.U32, ir.U64, ir.S32, ir.S64)
	words := p.in.Type.Words()
	p.out.a = p.source(p.src(0), p.in.Type, words)
	p.out.b = p.source(p.src(1), p.in.Type, words)
	p.out.c, p.out.e = p.field(2)
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		a, b, c, e := w.pair(in.a), w.pair(in.b), &w.rows[in.c], &w.rows[in.e]
		for i := range 32 {
			v := insert(lane64(a, i), lane64(b, i), c[i]&0xff, e[i]&0xff)
			d[0][i] = uint32(v)
			if words == 2 {
				d[1][i] = uint32(v >> 32)
			}
		}
	}
}

func insert(a, b uint64, pos, n uint32) uint64 {
	field := ^uint64(0)
	if n < 64 {
		field = 1<<n - 1
	}
	field <<= pos
	return a<<pos&field | b&^field
}

// decodeFns decodes fns: the n-th set bit of a mask, section 9.7.1.17.
func decodeFns(p *decoder) {
	p.operands(ir.B32, 3)
	p.out.lanes = lane3(fns)
}

func fns(mask, base, offset uint32) uint32 {
	if base > 31 {
		return ^uint32(0) // undefined in the ISA
	}
	if offset == 0 {
		if mask>>base&1 != 0 {
			return base
		}
		return ^uint32(0)
	}
	count, step := int32(offset), 1
	if count < 0 {
		count, step = -count, -1
	}
	for pos := int(base); pos >= 0 && pos < 32; pos += step {
		if mask>>pos&1 != 0 {
			if count--; count == 0 {
				return uint32(pos)
			}
		}
	}
	return ^uint32(0)
}

// decodeBmsk decodes bmsk: a mask of b bits from bit a on, section 9.7.1.22.
func decodeBmsk(p *decoder) {
	p.operands(ir.B32, 2)
	wrap := p.in.Mods.Wrap
	p.out.lanes = lane2(func(a, b uint32) uint32 {
		if wrap {
			a, b = a&31, b&31
		}
		if a >= 32 {
			return 0
		}
		return (1<<min(b, 32) - 1) << a
	})
}

// decodeSzext decodes szext: the extension of an n-bit value, section 9.7.1.21.
func decodeSzext(p *decoder) {
	p.only(ir.U32, ir.S32)
	p.operands(p.in.Type, 2)
	wrap, signed := p.in.Mods.Wrap, p.in.Type.Signed()
	p.out.lanes = lane2(func(a, n uint32) uint32 {
		if n >= 32 && !wrap {
			return a
		}
		n &= 31
		if n == 0 {
			return 0
		}
		if signed {
			return uint32(int32(a<<(32-n)) >> (32 - n))
		}
		return a & (1<<n - 1)
	})
}
