package lower

import (
	"math/bits"

	"kumiko/kernel/ir"
)

var (
	lowPart  = ir.Mods{Part: ir.Lo}
	highPart = ir.Mods{Part: ir.Hi}
)

// wideMul lowers multiplications of 32 x 32 -> 64 bits, and of 64 x 64 bits, low or high half.
func wideMul(b *builder, in *ir.Inst) bool {
	switch {
	case (in.Type == ir.U32 || in.Type == ir.S32) && in.Mods.Part == ir.Wide:
		if len(in.Dst) != 1 || in.Dst[0].Words != 2 || in.Src[0].Neg || in.Src[1].Neg {
			return false
		}
		d, done := b.dest(in)
		b.mulWide(in.Type, d, in.Src[0], in.Src[1])
		done()
		return true
	case integer64(in.Type) && operands(in, 2):
		d, done := b.dest(in)
		x, y := split(in.Src[0]), split(in.Src[1])
		if in.Mods.Part == ir.Hi {
			b.mulHigh(d, x, y, in.Type.Signed())
		} else {
			b.mulLow(d, x, y)
		}
		done()
		return true
	}
	return false
}

// mulWide multiplies two words into a pair: by a power of two with shifts, as
// the assembler does for array indices.
func (b *builder) mulWide(t ir.Type, d pair, x, y ir.Operand) {
	if x.Kind == ir.KindImm {
		x, y = y, x
	}
	if v := uint32(y.Imm); y.Kind == ir.KindImm && x.Kind == ir.KindReg && bits.OnesCount32(v) == 1 &&
		!(t == ir.S32 && v>>31 != 0) {
		n := uint32(bits.TrailingZeros32(v))
		if n == 0 && t == ir.U32 {
			b.mov(d.hi, u32(0))
		} else {
			b.to(d.hi, ir.OpShr, t, ir.Mods{}, x, u32(min(31, 32-n)))
		}
		if n == 0 {
			b.mov(d.lo, x)
		} else {
			b.to(d.lo, ir.OpShl, ir.B32, ir.Mods{}, x, u32(n))
		}
		return
	}
	b.to(d.lo, ir.OpMul, t, lowPart, x, y)
	b.to(d.hi, ir.OpMul, t, highPart, x, y)
}

func (b *builder) mulLow(d, x, y pair) {
	h := b.opm(ir.OpMul, ir.U32, highPart, x.lo, y.lo)
	h = b.opm(ir.OpMad, ir.U32, lowPart, x.lo, y.hi, h)
	b.to(d.lo, ir.OpMul, ir.U32, lowPart, x.lo, y.lo)
	b.to(d.hi, ir.OpMad, ir.U32, lowPart, x.hi, y.lo, h)
}

// mulHigh returns the high half of the 128-bit product, by long multiplication. For a signed product, each operand
// is subtracted from it if the other one is negative.
func (b *builder) mulHigh(d, x, y pair, signed bool) {
	zero := u32(0)
	cc := func(part ir.Mods, in, out bool, s ...ir.Operand) (ir.Operand, ir.Operand) {
		return b.madCarry(part, in, out, s...)
	}
	t0 := b.opm(ir.OpMul, ir.U32, highPart, x.lo, y.lo)
	// x.lo*y.hi + t0 has at most 64 bits.
	u0, c := cc(lowPart, false, true, x.lo, y.hi, t0)
	u1, _ := cc(highPart, true, false, x.lo, y.hi, zero, c)
	// x.hi*y.lo + u0: its low word is dropped, its high word and carry kept.
	_, c = cc(lowPart, false, true, x.hi, y.lo, u0)
	v1, c := cc(highPart, true, true, x.hi, y.lo, u1, c)
	carry := b.opm(ir.OpAdd, ir.U32, ir.Mods{CarryIn: true}, zero, zero, c)
	// The sum of the two high words, with their carry, and x.hi*y.hi.
	lo, c := cc(lowPart, false, true, x.hi, y.hi, v1)
	hi, _ := cc(highPart, true, false, x.hi, y.hi, carry, c)
	if !signed {
		b.mov(d.lo, lo)
		b.mov(d.hi, hi)
		return
	}
	r := pair{lo, hi}
	for i, s := range []pair{x, y} {
		o := []pair{y, x}[i]
		m := b.op(ir.OpShr, ir.S32, s.hi, u32(31))
		t := pair{b.op(ir.OpAnd, ir.B32, o.lo, m), b.op(ir.OpAnd, ir.B32, o.hi, m)}
		to := d
		if i == 0 {
			_, to = b.newPair()
		}
		b.carryAdd(ir.OpSub, to, r, t)
		r = to
	}
}

// madCarry emits a 32-bit multiply-add with a carry in, as the last source, or out.
func (b *builder) madCarry(part ir.Mods, in, out bool, src ...ir.Operand) (d, c ir.Operand) {
	d = b.reg(1)
	m := part
	m.CarryIn, m.CarryOut = in, out
	i := ir.Inst{Op: ir.OpMad, Type: ir.U32, Mods: m, Dst: []ir.Operand{d}, Src: src}
	if out {
		c = b.pred()
		i.Dst = append(i.Dst, c)
	}
	b.emit(i)
	return d, c
}

// wideMad lowers multiply-adds of 32 x 32 + 64 bits, and of 64 x 64 + 64 bits, low half.
func wideMad(b *builder, in *ir.Inst) bool {
	if in.Mods.CarryIn || in.Mods.CarryOut || in.Mods.Sat || len(in.Src) != 3 || !splits(&in.Src[2]) {
		return false
	}
	z := split(in.Src[2])
	switch {
	case (in.Type == ir.U32 || in.Type == ir.S32) && in.Mods.Part == ir.Wide:
		if in.Dst[0].Words != 2 || in.Src[0].Neg || in.Src[1].Neg {
			return false
		}
		d, done := b.dest(in)
		_, p := b.newPair()
		b.mulWide(in.Type, p, in.Src[0], in.Src[1])
		b.carryAdd(ir.OpAdd, d, p, z)
		done()
		return true
	case integer64(in.Type) && operands(in, 3):
		d, done := b.dest(in)
		_, p := b.newPair()
		x, y := split(in.Src[0]), split(in.Src[1])
		if in.Mods.Part == ir.Hi {
			b.mulHigh(p, x, y, in.Type.Signed())
		} else {
			b.mulLow(p, x, y)
		}
		b.carryAdd(ir.OpAdd, d, p, z)
		done()
		return true
	}
	return false
}
