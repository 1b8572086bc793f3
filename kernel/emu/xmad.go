package emu

import "kumiko/kernel/ir"

// Operations of machine code before Volta: ir/machine.go defines them.

// decodeXmad decodes a multiply-add of halves.
func decodeXmad(p *decoder) {
	p.operands(ir.U32, 3)
	o := p.src(3)
	if o.Kind != ir.KindImm || o.Imm >= ir.XmadEnd {
		p.fail("a multiply-add of halves without its kind")
	}
	m := uint32(o.Imm)
	if m&ir.XmadSignsC != 0 && m&(ir.XmadHighA|ir.XmadHighB|ir.XmadSignedA|ir.XmadSignedB) !=
		ir.XmadHighA|ir.XmadHighB|ir.XmadSignedA|ir.XmadSignedB {
		p.fail("a correction for signs without two upper halves that have some")
	}
	p.out.imm = m
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		m := in.imm
		map3(&d[0], &w.rows[in.a], &w.rows[in.b], &w.rows[in.c], func(a, b, c uint32) uint32 {
			return xmad(m, a, b, c)
		})
	}
}

// xmadHalf returns a half, with or without its sign.
func xmadHalf(x uint32, high, signed bool) uint32 {
	if high {
		x >>= 16
	}
	if signed {
		return s16(x)
	}
	return x & 0xffff
}

func xmad(m, a, b, c uint32) uint32 {
	product := xmadHalf(a, m&ir.XmadHighA != 0, m&ir.XmadSignedA != 0) *
		xmadHalf(b, m&ir.XmadHighB != 0, m&ir.XmadSignedB != 0)
	if m&ir.XmadShifts != 0 {
		product <<= 16
	}
	switch {
	case m&ir.XmadLowC != 0:
		c &= 0xffff
	case m&ir.XmadHighC != 0:
		c >>= 16
	case m&ir.XmadAddsB != 0:
		c += b << 16
	case m&ir.XmadSignsC != 0:
		c -= (b2u(int32(a) < 0 && b&0xffff != 0) + b2u(int32(b) < 0 && a&0xffff != 0)) << 16
	}
	d := product + c
	if m&ir.XmadMerges != 0 {
		d = d&0xffff | b<<16
	}
	return d
}

// decodeExtremes decodes a minimum or a maximum of one of two numbers and a third.
func decodeExtremes(p *decoder) {
	p.only(ir.U32, ir.S32)
	p.operands(p.in.Type, 3)
	flip := uint32(0) // makes the order of signed numbers one of unsigned ones
	if p.in.Type.Signed() {
		flip = 1 << 31
	}
	choose := [2]func(x, y uint32) uint32{func(x, y uint32) uint32 { return min(x, y) },
		func(x, y uint32) uint32 { return max(x, y) }}
	o := p.src(3)
	if o.Kind != ir.KindImm || o.Imm > 3 {
		p.fail("a minimum or maximum of three without its kind")
	}
	first, second := choose[o.Imm&1], choose[o.Imm>>1&1]
	p.out.lanes = lane3(func(a, b, c uint32) uint32 { return second(first(a^flip, b^flip), c^flip) ^ flip })
}

// decodeSetpExtreme decodes the choice of a minimum or maximum of two numbers in double precision.
func decodeSetpExtreme(p *decoder) {
	p.only(ir.F64)
	p.sources(ir.F64, 2)
	p.out.p, p.out.q = p.predDest(0), p.predDest(1)
	largest := p.src(2).Imm != 0
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		a, b := w.pair(in.a), w.pair(in.b)
		first, neither := uint32(0), uint32(0)
		for l := range a[0] {
			x, y := lane64(a, l), lane64(b, l)
			switch u, v := f64(x), f64(y); {
			case v != v:
				first |= b2u(u == u) << l
				neither |= b2u(u != u) << l
			case u == v: // zeros may differ in their signs
				first |= b2u(x != y && x>>63 == uint64(b2u(!largest))) << l
			case u == u:
				first |= b2u(u > v == largest) << l
			}
		}
		w.putPred(in.p, first, exec)
		w.putPred(in.q, neither, exec)
	}
}

// extremeWord decodes the minimum or maximum of the upper words of two numbers, or that of the lower ones behind it.
func (p *decoder) extremeWord() {
	p.only(ir.U32, ir.S32)
	p.operands(p.in.Type, 2)
	flip := uint32(0)
	if p.in.Type.Signed() {
		flip = 1 << 31
	}
	largest := p.in.Op == ir.OpMax
	if p.in.Mods.CarryIn {
		p.lowerWord(flip, largest)
		return
	}
	p.out.p, p.out.q = p.predDest(1), p.predDest(2)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		first, equal := uint32(0), uint32(0)
		for l := range a {
			first |= b2u(a[l] != b[l] && (a[l]^flip > b[l]^flip) == largest) << l
			equal |= b2u(a[l] == b[l]) << l
		}
		choose(&w.scratch[0], a, b, first)
		w.merge(in, exec)
		w.putPred(in.p, first, exec)
		w.putPred(in.q, equal, exec)
	}
}

// lowerWord decodes the choice of a lower word, by that of the upper ones.
func (p *decoder) lowerWord(flip uint32, largest bool) {
	first, firstInv := p.predSource(p.src(2))
	equal, equalInv := p.predSource(p.src(3))
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		m, e := w.preds[first]^firstInv, w.preds[equal]^equalInv
		for l := range a {
			m |= e & (b2u((a[l]^flip > b[l]^flip) == largest) << l)
		}
		choose(&d[0], a, b, m)
	}
}
