package lower

import "kumiko/kernel/ir"

// wideShl shifts a pair left. Shifts of 32 and more clamp as in PTX. So a shift by a variable amount is the shifts
// of two words and a selection.
func wideShl(b *builder, in *ir.Inst) bool {
	if !integer64(in.Type) || !operands(in, 1) {
		return false
	}
	d, done := b.dest(in)
	x, n := split(in.Src[0]), in.Src[1]
	if n.Kind == ir.KindImm {
		b.shlBy(d, x, uint32(n.Imm))
		done()
		return true
	}
	if n.Neg || n.Abs {
		return false
	}
	hi := b.opm(ir.OpShf, ir.B32, ir.Mods{Left: true}, x.lo, x.hi, n)
	over := b.op(ir.OpShl, ir.B32, x.lo, b.op(ir.OpAdd, ir.U32, n, u32(^uint32(31))))
	p := b.test(ir.U32, ir.GE, n, u32(32))
	b.to(d.lo, ir.OpShl, ir.B32, ir.Mods{}, x.lo, n)
	b.selp(d.hi, over, hi, p)
	done()
	return true
}

func (b *builder) shlBy(d, x pair, n uint32) {
	switch {
	case n == 0:
		b.mov(d.lo, x.lo)
		b.mov(d.hi, x.hi)
	case n < 32:
		b.to(d.hi, ir.OpShf, ir.B32, ir.Mods{Left: true}, x.lo, x.hi, u32(n))
		b.to(d.lo, ir.OpShl, ir.B32, ir.Mods{}, x.lo, u32(n))
	case n < 64:
		b.to(d.hi, ir.OpShl, ir.B32, ir.Mods{}, x.lo, u32(n-32))
		b.mov(d.lo, u32(0))
	default:
		b.mov(d.hi, u32(0))
		b.mov(d.lo, u32(0))
	}
}

// wideShr shifts a pair right, filling with the sign if the type has one.
func wideShr(b *builder, in *ir.Inst) bool {
	if !integer64(in.Type) || !operands(in, 1) {
		return false
	}
	t := ir.U32
	if in.Type.Signed() {
		t = ir.S32
	}
	d, done := b.dest(in)
	x, n := split(in.Src[0]), in.Src[1]
	if n.Kind == ir.KindImm {
		b.shrBy(d, x, uint32(n.Imm), t)
		done()
		return true
	}
	if n.Neg || n.Abs {
		return false
	}
	lo := b.op(ir.OpShf, ir.B32, x.lo, x.hi, n)
	over := b.op(ir.OpShr, t, x.hi, b.op(ir.OpAdd, ir.U32, n, u32(^uint32(31))))
	p := b.test(ir.U32, ir.GE, n, u32(32))
	b.to(d.hi, ir.OpShr, t, ir.Mods{}, x.hi, n)
	b.selp(d.lo, over, lo, p)
	done()
	return true
}

func (b *builder) shrBy(d, x pair, n uint32, t ir.Type) {
	switch {
	case n == 0:
		b.mov(d.lo, x.lo)
		b.mov(d.hi, x.hi)
	case n < 32:
		b.to(d.lo, ir.OpShf, ir.B32, ir.Mods{}, x.lo, x.hi, u32(n))
		b.to(d.hi, ir.OpShr, t, ir.Mods{}, x.hi, u32(n))
	case t.Signed():
		b.to(d.lo, ir.OpShr, t, ir.Mods{}, x.hi, u32(min(n, 63)-32))
		b.to(d.hi, ir.OpShr, t, ir.Mods{}, x.hi, u32(31))
	case n < 64:
		b.to(d.lo, ir.OpShr, t, ir.Mods{}, x.hi, u32(n-32))
		b.mov(d.hi, u32(0))
	default:
		b.mov(d.lo, u32(0))
		b.mov(d.hi, u32(0))
	}
}

// wideBfe extracts an unsigned field at a fixed place of a pair.
func wideBfe(b *builder, in *ir.Inst) bool {
	if in.Type != ir.U64 || !operands(in, 1) || len(in.Src) < 3 || in.Src[1].Kind != ir.KindImm ||
		in.Src[2].Kind != ir.KindImm {
		return false
	}
	at, n := uint32(in.Src[1].Imm)&255, uint32(in.Src[2].Imm)&255
	d, done := b.dest(in)
	x := split(in.Src[0])
	switch {
	case n == 0 || at >= 64:
		b.mov(d.lo, u32(0))
		b.mov(d.hi, u32(0))
	case at+n <= 32:
		b.to(d.lo, ir.OpBfe, ir.U32, ir.Mods{}, x.lo, u32(at), u32(n))
		b.mov(d.hi, u32(0))
	case at >= 32:
		b.to(d.lo, ir.OpBfe, ir.U32, ir.Mods{}, x.hi, u32(at-32), u32(min(n, 32)))
		b.mov(d.hi, u32(0))
	default:
		t, tp := b.newPair()
		b.shrBy(tp, x, at, ir.U32)
		mask := ^uint64(0)
		if n < 64 {
			mask = 1<<n - 1
		}
		m := split(u64(mask))
		b.to(d.lo, ir.OpAnd, ir.B32, ir.Mods{}, word(t, 0), m.lo)
		b.to(d.hi, ir.OpAnd, ir.B32, ir.Mods{}, word(t, 1), m.hi)
	}
	done()
	return true
}
