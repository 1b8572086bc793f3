package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// carryOp decodes an addition or subtraction with a carry in a predicate: add.cc and addc, PTX ISA sections 9.7.2.1
// and 9.7.2.2; sub.cc and subc, sections 9.7.2.3 and 9.7.2.4. none is the carry-in of the forms without one.
//
// There is one flag, CC.CF. Hardware subtracts by adding the complement, a + ^b + 1, and keeps the carry of this
// sum. So the flag of a subtraction is true if nothing is borrowed, and subc is a + ^b + CC.CF, whichever
// instruction wrote the flag. Section 9.7.2.4 has a - (b + CC.CF), the same after a subtraction if the flag is the
// borrow. The difference is visible if an addition uses the flag of a subtraction, or the reverse: sub.cc and addc
// of 0x627adf75 - 0x864ccef5 and 0 + 0 give 0 on GPUs (tests of another project, passing there with PTX compiled by
// ptxas).
func (p *decoder) carryOp(none uint32, one, two carryFn) {
	p.carryOperands(2)
	f := one
	if p.in.Type.Size() == 8 {
		f = two
	}
	carryIn, carryOut := p.in.Mods.CarryIn, p.in.Mods.CarryOut
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		carry := none
		if carryIn {
			carry = w.preds[in.r] ^ in.rInv
		}
		if exec == w.all {
			carry = f(w.quad(in.d), w.pair(in.a), w.pair(in.b), carry)
		} else {
			carry = f(&w.scratch, w.pair(in.a), w.pair(in.b), carry)
			w.merge(in, exec)
		}
		if carryOut {
			w.putPred(in.q, carry, exec)
		}
	}
}

// carryFn adds or subtracts every lane's values with its carry, a bit of carry, and returns the carries out.
type carryFn func(d *[4]row, a, b *[2]row, carry uint32) (out uint32)

func addCarry1(d *[4]row, a, b *[2]row, carry uint32) (out uint32) {
	for i := range d[0] {
		v := uint64(a[0][i]) + uint64(b[0][i]) + uint64(carry>>(i&31)&1)
		d[0][i] = uint32(v)
		out |= uint32(v>>32) << (i & 31)
	}
	return out
}

func subCarry1(d *[4]row, a, b *[2]row, carry uint32) (out uint32) {
	for i := range d[0] {
		v := uint64(a[0][i]) + uint64(^b[0][i]) + uint64(carry>>(i&31)&1)
		d[0][i] = uint32(v)
		out |= uint32(v>>32) << (i & 31)
	}
	return out
}

func addCarry2(d *[4]row, a, b *[2]row, carry uint32) (out uint32) {
	for i := range d[0] {
		v, c := bits.Add64(lane64(a, i), lane64(b, i), uint64(carry>>(i&31)&1))
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		out |= uint32(c) << (i & 31)
	}
	return out
}

func subCarry2(d *[4]row, a, b *[2]row, carry uint32) (out uint32) {
	for i := range d[0] {
		v, c := bits.Add64(lane64(a, i), ^lane64(b, i), uint64(carry>>(i&31)&1))
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		out |= uint32(c) << (i & 31)
	}
	return out
}

// carryOperands resolves n sources, a carry source behind them, and the two destinations.
func (p *decoder) carryOperands(n int) {
	in := p.in
	switch in.Type {
	case ir.U32, ir.S32, ir.B32, ir.U64, ir.S64, ir.B64:
	default:
		p.fail("a carry of type %s", in.Type)
	}
	p.operands(in.Type, n)
	p.out.q = int32(p.k.NumPreds)
	if in.Mods.CarryIn {
		p.out.r, p.out.rInv = p.predSource(p.src(n))
	}
	if in.Mods.CarryOut {
		p.out.q = p.predDest(1)
	}
}

// madCarry decodes mad.cc and madc, sections 9.7.2.5 and 9.7.2.6: the low or
// the high half of the product, plus c, plus the carry.
func (p *decoder) madCarry() {
	p.carryOperands(3)
	t, part := p.in.Type, p.in.Mods.Part
	if part != ir.Lo && part != ir.Hi {
		p.fail("a multiply-add with carry needs the low or the high half")
	}
	width := uint(8 * t.Size())
	carryIn, carryOut := p.in.Mods.CarryIn, p.in.Mods.CarryOut
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		a, b, c, d := w.pair(in.a), w.pair(in.b), w.pair(in.c), w.quad(in.d)
		carry, outs := uint32(0), uint32(0)
		if carryIn {
			carry = w.preds[in.r] ^ in.rInv
		}
		for m := exec; m != 0; m &= m - 1 {
			l := lowest(m)
			x, y, z := lane64(a, l), lane64(b, l), lane64(c, l)
			if width == 32 {
				x, y, z = uint64(uint32(x)), uint64(uint32(y)), uint64(uint32(z))
			}
			v, out := bits.Add64(productHalf(x, y, t, part), z, uint64(carry>>l&1))
			if width == 32 {
				out = v >> 32
			}
			d[0][l] = uint32(v)
			if width == 64 {
				d[1][l] = uint32(v >> 32)
			}
			outs |= uint32(out) << l
		}
		if carryOut {
			w.putPred(in.q, outs, exec)
		}
	}
}

// productHalf returns the low or the high half of a product of two 32- or 64-bit integers, without sign extension.
func productHalf(x, y uint64, t ir.Type, part ir.Part) uint64 {
	if t.Size() == 4 {
		p := x * y
		if t.Signed() {
			p = uint64(int64(int32(x)) * int64(int32(y)))
		}
		if part == ir.Hi {
			p >>= 32
		}
		return uint64(uint32(p))
	}
	hi, lo := bits.Mul64(x, y)
	if t.Signed() {
		hi = mulHighSigned(x, y)
	}
	if part == ir.Hi {
		return hi
	}
	return lo
}

// mulHighSigned returns the high half of a product of signed 64-bit integers.
func mulHighSigned(x, y uint64) uint64 {
	hi, _ := bits.Mul64(x, y)
	return hi - uint64(int64(x)>>63)&y - uint64(int64(y)>>63)&x
}
