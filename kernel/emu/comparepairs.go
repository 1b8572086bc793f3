package emu

import "kumiko/kernel/ir"

// Comparisons of pairs of halves, PTX ISA sections 9.7.7.1 and 9.7.7.2: one comparison for each half.

// halfType returns the type of each half of a pair, or TypeNone.
func halfType(t ir.Type) ir.Type {
	switch t {
	case ir.F16x2:
		return ir.F16
	case ir.BF16x2:
		return ir.BF16
	}
	return ir.TypeNone
}

// pairFn compares the lower and the upper halves.
type pairFn func(w *warp, in *inst) (low, high uint32)

func (p *decoder) comparePairs(t ir.Type) pairFn {
	order := p.halfOrder(halfType(t))
	c := p.in.Mods.Cmp
	if c == ir.CmpNone {
		p.fail("comparison %s of type %s", c, t)
		return nil
	}
	table := holdsTable(c)
	return func(w *warp, in *inst) (low, high uint32) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		for i := range a {
			low |= table >> (order(a[i], b[i]) + 1) & 1 << i
			high |= table >> (order(a[i]>>16, b[i]>>16) + 1) & 1 << i
		}
		return low, high
	}
}

// combined returns a comparison's result m combined with the predicate source of the instruction, if any.
func (w *warp) combined(in *inst, b ir.Bool, m uint32) uint32 {
	c := w.preds[in.r] ^ in.rInv
	switch b {
	case ir.BoolAnd:
		return m & c
	case ir.BoolOr:
		return m | c
	case ir.BoolXor:
		return m ^ c
	}
	return m
}

// setPairs decodes set of pairs. Its results are pairs of ones or of 1.0.
func (p *decoder) setPairs() {
	yes := uint32(0)
	switch p.in.Type {
	case ir.U32, ir.S32, ir.B32:
		yes = 0xffff
	case ir.F16x2:
		yes = 0x3c00
	case ir.BF16x2:
		yes = 0x3f80
	default:
		p.fail("a result of type %s", p.in.Type)
	}
	test, b := p.comparePairs(p.in.SrcType), p.in.Mods.Bool
	if p.err != "" {
		return
	}
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		low, high := test(w, in)
		low, high = w.combined(in, b, low), w.combined(in, b, high)
		for i := range d[0] {
			d[0][i] = (low>>i&1)*yes | (high>>i&1)*yes<<16
		}
	}
}

// setpPairs decodes setp of pairs: p is the result of the lower halves, q of the upper ones.
func (p *decoder) setpPairs(t ir.Type) {
	test, b := p.comparePairs(t), p.in.Mods.Bool
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		low, high := test(w, in)
		low, high = w.combined(in, b, low), w.combined(in, b, high)
		w.putPred(in.p, low, exec)
		w.putPred(in.q, high, exec)
	}
}
