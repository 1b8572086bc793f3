package emu

import "kumiko/kernel/ir"

// Predicates are one bit per lane: operations on them are operations on words.

func (p *decoder) predMove() {
	p.out.p, p.out.q = p.predDest(0), int32(p.k.NumPreds)
	p.out.r, p.out.rInv = p.predSource(p.src(0))
	p.out.boolOp = ir.BoolNone
	p.out.pred = func(w *warp, in *inst) uint32 { return w.preds[in.r] ^ in.rInv }
}

// predLogic decodes and, or, xor and not of predicates.
func (p *decoder) predLogic() {
	if p.in.Op == ir.OpNot {
		p.predMove()
		p.out.rInv = ^p.out.rInv
		return
	}
	p.predMove()
	n, inv := p.predSource(p.src(1))
	switch p.in.Op {
	case ir.OpAnd:
		p.out.pred = func(w *warp, in *inst) uint32 { return (w.preds[in.r] ^ in.rInv) & (w.preds[n] ^ inv) }
	case ir.OpOr:
		p.out.pred = func(w *warp, in *inst) uint32 { return (w.preds[in.r] ^ in.rInv) | (w.preds[n] ^ inv) }
	case ir.OpXor:
		p.out.pred = func(w *warp, in *inst) uint32 { return w.preds[in.r] ^ in.rInv ^ w.preds[n] ^ inv }
	}
}

// setPreds writes the predicate results of an instruction for the lanes of
// exec: PTX ISA section 9.7.6.2, p = t op c and q = !t op c.
func (w *warp) setPreds(in *inst, t, exec uint32) {
	f := ^t
	switch in.boolOp {
	case ir.BoolAnd:
		c := w.preds[in.r] ^ in.rInv
		t, f = t&c, f&c
	case ir.BoolOr:
		c := w.preds[in.r] ^ in.rInv
		t, f = t|c, f|c
	case ir.BoolXor:
		c := w.preds[in.r] ^ in.rInv
		t, f = t^c, f^c
	}
	w.putPred(in.p, t, exec)
	w.putPred(in.q, f, exec)
}

// decodeSetp decodes setp. Its p and q may be the sink.
func decodeSetp(p *decoder) {
	in := p.in
	t := in.Type
	if t == ir.TypeNone {
		t = in.SrcType
	}
	p.sources(t, 2)
	p.out.p, p.out.q = p.predDest(0), p.predDest(1)
	if in.Mods.Bool != ir.BoolNone {
		p.out.r, p.out.rInv = p.predSource(p.src(2))
	}
	if halfType(t) != ir.TypeNone {
		p.setpPairs(t)
		return
	}
	p.out.pred = p.comparison(t)
}

// decodeSet decodes set: all ones, or 1.0 for a floating-point destination, if the comparison is true, and zero
// otherwise.
func decodeSet(p *decoder) {
	in, out := p.in, p.out
	p.sources(in.SrcType, 2)
	if in.Mods.Bool != ir.BoolNone {
		out.r, out.rInv = p.predSource(p.src(2))
	}
	out.d, out.words = p.dest(0, 1), 1
	if halfType(in.SrcType) != ir.TypeNone {
		p.setPairs()
		return
	}
	yes := uint32(0)
	switch in.Type {
	case ir.U32, ir.S32, ir.B32:
		yes = ^uint32(0)
	case ir.U16, ir.S16, ir.B16:
		yes = 0xffff
	case ir.F32:
		yes = 0x3f800000
	case ir.F16:
		yes = 0x3c00
	case ir.BF16:
		yes = 0x3f80
	default:
		p.fail("a result of type %s", in.Type)
	}
	test := p.comparison(in.SrcType)
	if test == nil {
		return
	}
	if in.Mods.CarryIn {
		test = p.flagComparison(in.SrcType)
	}
	boolOp := in.Mods.Bool
	out.lanes = func(w *warp, in *inst, d *[4]row) {
		m := w.combined(in, boolOp, test(w, in))
		for i := range d[0] {
			d[0][i] = uint32(int32(m<<(31-i&31))>>31) & yes
		}
	}
}

// decodeTestp decodes testp, the test of a floating-point number for a property, section 9.7.3.1.
func decodeTestp(p *decoder) {
	t := p.in.Type
	p.sources(t, 1)
	p.out.p, p.out.q = p.predDest(0), int32(p.k.NumPreds)
	p.out.boolOp = ir.BoolNone
	test := p.in.Mods.Test
	switch t {
	case ir.F32:
		p.out.pred = func(w *warp, in *inst) (m uint32) {
			for i, x := range &w.rows[in.a] {
				m |= b2u(property(test, uint64(x&0x7fffffff), 23, 0x7f800000)) << i
			}
			return m
		}
	case ir.F64:
		p.out.pred = func(w *warp, in *inst) (m uint32) {
			a := w.pair(in.a)
			for i := range 32 {
				m |= b2u(property(test, lane64(a, i)&^(1<<63), 52, 0x7ff<<52)) << i
			}
			return m
		}
	}
}

// property tests the magnitude of a number with man mantissa bits and infinity inf. Zero is neither normal nor
// subnormal.
func property(test ir.Test, x uint64, man int, inf uint64) bool {
	switch test {
	case ir.TestFinite:
		return x < inf
	case ir.TestInfinite:
		return x == inf
	case ir.TestNumber:
		return x <= inf
	case ir.TestNotANumber:
		return x > inf
	case ir.TestNormal:
		return x >= 1<<man && x < inf
	case ir.TestSubnormal:
		return x > 0 && x < 1<<man
	}
	return false
}
