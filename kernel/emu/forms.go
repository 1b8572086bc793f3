package emu

import (
	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
)

// Sources of machine code that are parts of registers, and operations on them: ir/machine.go defines them.

// formed adds the making of a source from its register.
func (p *decoder) formed(f ir.Form, base int32, words int) int32 {
	if words != 1 {
		p.fail("a part of a register of %d words", words)
		return base
	}
	round := floatToFloat(ir.F16, ir.F32, ir.Mods{Round: ir.RN})
	one := map[ir.Form]func(x uint32) uint32{
		ir.FormLow:   func(x uint32) uint32 { return x&0xffff | x<<16 },
		ir.FormHigh:  func(x uint32) uint32 { return x&^0xffff | x>>16 },
		ir.FormNot:   func(x uint32) uint32 { return ^x },
		ir.FormByte1: func(x uint32) uint32 { return x >> 8 },
		ir.FormByte2: func(x uint32) uint32 { return x >> 16 },
		ir.FormByte3: func(x uint32) uint32 { return x >> 24 },

		ir.FormUpperZero: func(x uint32) uint32 { return x & 0xffff },
		ir.FormSingle:    func(x uint32) uint32 { return uint32(round(uint64(x))) * 0x10001 },
	}[f]
	if one == nil {
		p.fail("form %d of a source", f)
		return base
	}
	return p.pre(func(w *warp, o *preOp, d *[4]row) { map1(&d[0], &w.rows[o.a], one) }, base, 1)
}

// singleOfHalves decodes an operation on the lower halves of n sources, whose result becomes a single.
func (p *decoder) singleOfHalves(k floatKind, n int) {
	p.sources(ir.F16x2, n)
	p.out.d, p.out.words = p.dest(0, 1), 1
	h := &half{f: softfloat.F16, k: k}
	convert := floatToFloat(ir.F32, ir.F16, ir.Mods{})
	one := func(x, y, z uint32) uint32 {
		return uint32(convert(uint64(h.apply(x&0xffff, y&0xffff, z&0xffff))))
	}
	p.out.lanes = lane3(one)
	if n == 2 {
		p.out.lanes = lane2(func(x, y uint32) uint32 { return one(x, y, 0) })
	}
}

// logicOfSigns decodes a function of predicates and of the signs of registers.
func (p *decoder) logicOfSigns() {
	var of [3]func(w *warp) uint32
	for i := range of {
		o := p.src(i)
		if o.Kind == ir.KindPred || o.Kind == ir.KindImm {
			n, inv := p.predSource(o)
			of[i] = func(w *warp) uint32 { return w.preds[n] ^ inv }
			continue
		}
		neg := uint32(0)
		if o.Neg {
			neg = ^neg
		}
		o.Neg = false
		r := p.source(o, ir.U32, 1)
		of[i] = func(w *warp) (m uint32) {
			for l, x := range &w.rows[r] {
				m |= x >> 31 << l
			}
			return m ^ neg
		}
	}
	one, two := uint32(p.src(3).Imm), uint32(p.src(4).Imm)
	p.out.p, p.out.q = p.predDest(0), p.predDest(1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		a, b, c := of[0](w), of[1](w), of[2](w)
		w.putPred(in.p, table3(one, a, b, c), exec)
		w.putPred(in.q, table3(two, a, b, c), exec)
	}
}

// decodeQuerySpace decodes a question for the space of a generic address.
func decodeQuerySpace(p *decoder) {
	p.out.a, p.out.b = p.source(p.src(0), ir.U64, 2), p.source(p.src(1), ir.U64, 2)
	p.out.p, p.out.q = p.predDest(0), int32(p.k.NumPreds)
	p.out.boolOp = ir.BoolNone
	var in func(a uint64) bool
	switch p.in.Space {
	case ir.Shared:
		in = func(a uint64) bool { return a-ir.SharedWindow < ir.SharedWindowSize }
	case ir.Local:
		in = func(a uint64) bool { return a-ir.LocalWindow < ir.LocalWindowSize }
	case ir.Global:
		in = isGlobal
	default:
		p.fail("a question for %s space", p.in.Space)
		return
	}
	p.out.pred = func(w *warp, i *inst) (m uint32) {
		a, b := w.pair(i.a), w.pair(i.b)
		for l := range a[0] {
			m |= b2u(in(lane64(a, l)+lane64(b, l))) << l
		}
		return m
	}
}
