package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// Logic and shifts, PTX ISA section 9.7.8.

func decodeLogic(p *decoder) {
	if p.in.Type == ir.PredType {
		p.predLogic()
		return
	}
	t := p.in.Type
	p.operands(t, 2)
	var fns [2]laneFn
	switch p.in.Op {
	case ir.OpAnd:
		fns = [2]laneFn{and1, and2}
	case ir.OpOr:
		fns = [2]laneFn{or1, or2}
	default:
		fns = [2]laneFn{xor1, xor2}
	}
	p.out.lanes = byWords(t, fns[0], fns[1])
	if t.Size() == 2 {
		// Bits above 16 must not reach the result.
		f := fns[0]
		p.out.lanes = func(w *warp, in *inst, d *[4]row) {
			f(w, in, d)
			map1(&d[0], &d[0], func(x uint32) uint32 { return x & 0xffff })
		}
	}
}

// byWords picks the function for a type of one or of two words.
func byWords(t ir.Type, one, two laneFn) laneFn {
	switch t.Words() {
	case 1:
		return one
	case 2:
		return two
	}
	return nil
}

func and1(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x & y })
}

func or1(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x | y })
}

func xor1(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x ^ y })
}

var (
	and2 = long2(func(x, y uint64) uint64 { return x & y })
	or2  = long2(func(x, y uint64) uint64 { return x | y })
	xor2 = long2(func(x, y uint64) uint64 { return x ^ y })
)

func decodeNot(p *decoder) {
	if p.in.Type == ir.PredType {
		p.predLogic()
		return
	}
	p.simple(1, notFns)
}

var notFns = typed(
	forTypes(lane1(func(x uint32) uint32 { return ^x & 0xffff }), ir.B16, ir.U16, ir.S16),
	forTypes(func(w *warp, in *inst, d *[4]row) {
		map1(&d[0], &w.rows[in.a], func(x uint32) uint32 { return ^x })
	}, ir.B32, ir.U32, ir.S32),
	forTypes(long1(func(x uint64) uint64 { return ^x }), ir.B64, ir.U64, ir.S64),
)

// decodeCnot decodes cnot: 1 for zero and 0 otherwise.
func decodeCnot(p *decoder) {
	p.simple(1, map[ir.Type]laneFn{
		ir.B16: lane1(func(x uint32) uint32 { return b2u(x&0xffff == 0) }),
		ir.B32: lane1(func(x uint32) uint32 { return b2u(x == 0) }),
		ir.B64: long1(func(x uint64) uint64 { return uint64(b2u(x == 0)) }),
	})
}

// decodeLop3 decodes lop3, any function of three bits given as a table of eight, section 9.7.8.6: bit 4a+2b+c of
// the table is the result.
func decodeLop3(p *decoder) {
	p.only(ir.B32, ir.U32, ir.S32)
	p.operands(ir.B32, 3)
	if p.src(3).Kind != ir.KindImm {
		p.fail("lop3 needs its table as an immediate")
	}
	p.out.imm = uint32(p.src(3).Imm)
	if len(p.in.Dst) > 1 {
		p.lop3Test()
		return
	}
	switch p.out.imm & 0xff {
	case 0x80:
		p.out.lanes = lane3(func(x, y, z uint32) uint32 { return x & y & z })
	case 0xfe:
		p.out.lanes = lane3(func(x, y, z uint32) uint32 { return x | y | z })
	case 0x96:
		p.out.lanes = lane3(func(x, y, z uint32) uint32 { return x ^ y ^ z })
	case 0xf8:
		p.out.lanes = lane3(func(x, y, z uint32) uint32 { return x | y&z })
	default:
		p.out.lanes = lop3
	}
}

// lop3Test decodes lop3 with a predicate: the result is not zero, or the predicate source is true.
func (p *decoder) lop3Test() {
	p.out.p, p.out.q = p.predDest(1), int32(p.k.NumPreds)
	p.out.r, p.out.rInv = p.predSource(p.src(4))
	more := p.flagsOf(2, ir.Operand{})
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		lop3(w, in, &w.scratch)
		m := w.preds[in.r] ^ in.rInv
		for l, x := range &w.scratch[0] {
			m |= b2u(x != 0) << l
		}
		blend(&w.rows[in.d], &w.scratch[0], exec)
		w.putPred(in.p, m, exec)
		if more != nil {
			more(w, exec)
		}
	}
}

func lop3(w *warp, in *inst, d *[4]row) {
	var t [8]uint32
	for i := range t {
		t[i] = -(in.imm >> i & 1)
	}
	map3(&d[0], &w.rows[in.a], &w.rows[in.b], &w.rows[in.c], func(x, y, z uint32) uint32 {
		return ^x&^y&^z&t[0] | ^x&^y&z&t[1] | ^x&y&^z&t[2] | ^x&y&z&t[3] |
			x&^y&^z&t[4] | x&^y&z&t[5] | x&y&^z&t[6] | x&y&z&t[7]
	})
}

// Shifts, sections 9.7.8.8 and 9.7.8.9: an amount beyond the width is clamped to it, as in Go.

func decodeShl(p *decoder) { p.shift(shlFns) }
func decodeShr(p *decoder) { p.shift(shrFns) }

func (p *decoder) shift(fns map[ir.Type]laneFn) {
	t := p.in.Type
	words := max(t.Words(), 1)
	p.out.a = p.source(p.src(0), t, words)
	p.out.b = p.source(p.src(1), ir.U32, 1)
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
	p.out.lanes = fns[t]
}

var shlFns = typed(
	forTypes(lane2(func(x, y uint32) uint32 { return x << y & 0xffff }), ir.B16, ir.U16, ir.S16),
	forTypes(func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x << y })
	}, ir.B32, ir.U32, ir.S32),
	forTypes(func(w *warp, in *inst, d *[4]row) {
		a, b := w.pair(in.a), &w.rows[in.b]
		for i := range d[0] {
			v := (uint64(a[0][i]) | uint64(a[1][i])<<32) << b[i]
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	}, ir.B64, ir.U64, ir.S64),
)

var shrFns = typed(
	forTypes(lane2(func(x, y uint32) uint32 { return (x & 0xffff) >> y }), ir.B16, ir.U16),
	forTypes(func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x >> y })
	}, ir.B32, ir.U32),
	forTypes(func(w *warp, in *inst, d *[4]row) {
		a, b := w.pair(in.a), &w.rows[in.b]
		for i := range d[0] {
			v := (uint64(a[0][i]) | uint64(a[1][i])<<32) >> b[i]
			d[0][i], d[1][i] = uint32(v), uint32(v>>32)
		}
	}, ir.B64, ir.U64),
	map[ir.Type]laneFn{
		ir.S16: lane2(func(x, y uint32) uint32 { return uint32(int16(x)>>y) & 0xffff }),
		ir.S32: func(w *warp, in *inst, d *[4]row) {
			map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return uint32(int32(x) >> y) })
		},
		ir.S64: func(w *warp, in *inst, d *[4]row) {
			a, b := w.pair(in.a), &w.rows[in.b]
			for i := range d[0] {
				v := uint64(int64(uint64(a[0][i])|uint64(a[1][i])<<32) >> b[i])
				d[0][i], d[1][i] = uint32(v), uint32(v>>32)
			}
		},
	},
)

// decodeShf decodes shf, a shift of the 64 bits b:a, section 9.7.8.7.
func decodeShf(p *decoder) {
	p.operands(ir.B32, 3)
	amount := func(n uint32) uint32 { return min(n, 32) }
	if p.in.Mods.Wrap {
		amount = func(n uint32) uint32 { return n & 31 }
	}
	if p.in.Mods.Left {
		p.out.lanes = lane3(func(x, y, z uint32) uint32 {
			return uint32((uint64(y)<<32 | uint64(x)) << amount(z) >> 32)
		})
		return
	}
	p.out.lanes = lane3(func(x, y, z uint32) uint32 { return uint32((uint64(y)<<32 | uint64(x)) >> amount(z)) })
}

func decodeBrev(p *decoder) {
	p.simple(1, map[ir.Type]laneFn{
		ir.B32: lane1(bits.Reverse32),
		ir.B64: long1(bits.Reverse64),
	})
}
