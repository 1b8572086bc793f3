package emu

import (
	"math"

	"kumiko/kernel/ir"
)

// The operations of machine code: ir/machine.go defines them.

// oncePerWarp makes an instruction execute once for the warp: its results go to all lanes, executing or not. OpFirst
// does so itself, since it reads one of those executing.
func (in *inst) oncePerWarp() {
	if in.src.Op == ir.OpFirst {
		return
	}
	switch lanes, pred, exec := in.lanes, in.pred, in.exec; in.kind {
	case kindLanes:
		in.exec = func(w *warp, in *inst, _ uint32) { lanes(w, in, w.quad(in.d)) }
	case kindPred:
		in.exec = func(w *warp, in *inst, _ uint32) { w.setPreds(in, pred(w, in), ^uint32(0)) }
	case kindExec:
		in.exec = func(w *warp, in *inst, _ uint32) { exec(w, in, ^uint32(0)) }
	default:
		return
	}
	in.kind = kindExec
}

// decodeHigh decodes the approximations of the upper word of a double-precision number.
func decodeHigh(p *decoder) {
	p.out.a = p.source(p.src(0), ir.F32, 1) // whose sign is where that of a double's upper word is
	p.out.d, p.out.words = p.dest(0, 1), 1
	root := p.in.Op == ir.OpRsqrtHigh
	p.out.lanes = lane1(func(x uint32) uint32 {
		v := f64(flush64(uint64(x) << 32))
		if root {
			v = math.Sqrt(v)
		}
		return uint32(flush64(fromF64(1/v)) >> 32)
	})
}

func decodeFunnel(p *decoder) {
	p.only(ir.U32, ir.S32, ir.U64, ir.S64)
	p.out.a = p.source(p.src(0), ir.U32, 1)
	p.out.b = p.source(p.src(1), ir.U32, 1)
	p.out.c = p.source(p.src(2), ir.U32, 1)
	p.out.d, p.out.words = p.dest(0, 1), 1
	m, width, signed := p.in.Mods, uint32(8*p.in.Type.Size()), p.in.Type.Signed()
	p.out.lanes = lane3(func(low, n, high uint32) uint32 {
		v, wrapped := uint64(low)|uint64(high)<<32, n
		if n = min(n, width); m.Wrap {
			n = wrapped & (width - 1)
		}
		switch {
		case m.Left:
			v <<= n
		case signed:
			v = uint64(int64(v) >> n)
		default:
			v >>= n
		}
		if m.Part == ir.Hi {
			v >>= 32
		}
		return uint32(v)
	})
}

// decodeSetpHigh decodes a comparison of upper words, behind one of lower words.
func decodeSetpHigh(p *decoder) {
	decodeSetp(p)
	if p.in.Mods.CarryIn {
		p.out.pred = p.flagComparison(p.in.Type)
		return
	}
	low, inv := p.predSource(p.src(3))
	strict, equal, c := p.out.pred, cmpU32[ir.EQ], p.in.Mods.Cmp
	if p.in.Type.Size() != 4 || p.in.Type.Float() {
		p.fail("a comparison of upper words of type %s", p.in.Type)
	}
	table, unsigned := &cmpS32, !p.in.Type.Signed()
	if unsigned {
		table = &cmpU32
	}
	switch c {
	case ir.LE:
		strict = table[ir.LT]
	case ir.GE:
		strict = table[ir.GT]
	case ir.EQ:
		strict = func(*warp, *inst) uint32 { return 0 }
	}
	p.out.pred = func(w *warp, in *inst) uint32 { return strict(w, in) | equal(w, in)&(w.preds[low]^inv) }
}

// flagComparison returns the comparison of upper words, given the flags that the difference of the lower words has
// left: carry and zero.
func (p *decoder) flagComparison(t ir.Type) predFn {
	carry, carryInv := p.predSource(p.src(3))
	zero, zeroInv := p.predSource(p.src(4))
	if t.Size() != 4 || t.Float() || p.in.Mods.Cmp > ir.GE {
		p.fail("a comparison of upper words of type %s", t)
	}
	table, flip := holdsTable(p.in.Mods.Cmp), uint32(0)
	if t.Signed() {
		flip = 1 << 31
	}
	return func(w *warp, in *inst) (m uint32) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		c, z := w.preds[carry]^carryInv, w.preds[zero]^zeroInv
		for i := range a {
			difference := int64(a[i]^flip) - int64(b[i]^flip) - int64(^c>>(i&31)&1)
			equal := difference == 0 && z>>(i&31)&1 != 0
			m |= table >> (sign(difference < 0, difference >= 0 && !equal) + 1) & 1 << i
		}
		return m
	}
}

func decodePlop3(p *decoder) {
	var n [3]int32
	var inv [3]uint32
	signs := false
	for i := range n {
		if o := p.src(i); o.Kind != ir.KindPred && o.Kind != ir.KindImm && o.Kind != ir.KindNone {
			signs = true
			continue
		}
		n[i], inv[i] = p.predSource(p.src(i))
	}
	if signs {
		p.logicOfSigns()
		return
	}
	one, two := uint32(p.src(3).Imm), uint32(p.src(4).Imm)
	if p.dst(0).Kind == ir.KindReg {
		p.out.d, p.out.words = p.dest(0, 1), 1
		p.out.lanes = func(w *warp, in *inst, d *[4]row) {
			m := table3(one, w.preds[n[0]]^inv[0], w.preds[n[1]]^inv[1], w.preds[n[2]]^inv[2])
			for i := range d[0] {
				d[0][i] = -(m >> (i & 31) & 1)
			}
		}
		return
	}
	p.out.p, p.out.q = p.predDest(0), p.predDest(1)
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		a, b, c := w.preds[n[0]]^inv[0], w.preds[n[1]]^inv[1], w.preds[n[2]]^inv[2]
		w.putPred(in.p, table3(one, a, b, c), exec)
		w.putPred(in.q, table3(two, a, b, c), exec)
	}
}

// table3 returns the function of three words of bits with a table of eight: bit 4a+2b+c is the result.
func table3(t, a, b, c uint32) (r uint32) {
	for i := range uint32(8) {
		if t>>i&1 != 0 {
			r |= (a ^ (i>>2&1 - 1)) & (b ^ (i>>1&1 - 1)) & (c ^ (i&1 - 1))
		}
	}
	return r
}

func decodePackPreds(p *decoder) {
	p.out.a = p.source(p.src(0), ir.U32, 1)
	p.out.d, p.out.words = p.dest(0, 1), 1
	mask := uint32(p.src(1).Imm)
	var preds []int32
	for i := 2; i < len(p.in.Src); i++ {
		n, _ := p.predSource(p.src(i))
		preds = append(preds, n)
	}
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		for l, x := range &w.rows[in.a] {
			v := uint32(0)
			for i, n := range preds {
				v |= w.preds[n] >> l & 1 << i
			}
			d[0][l] = x&^mask | v&mask
		}
	}
}

func decodeUnpackPreds(p *decoder) {
	p.out.a = p.source(p.src(0), ir.U32, 1)
	first := int(p.src(1).Imm)
	var preds []int32
	for i := range p.in.Dst {
		preds = append(preds, p.predDest(i))
	}
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		for i, n := range preds {
			v := uint32(0)
			for l, x := range &w.rows[in.a] {
				v |= x >> (first + i) & 1 << l
			}
			w.putPred(n, v, exec)
		}
	}
}

func decodeDivCheck(p *decoder) {
	p.sources(ir.F32, 2)
	p.out.p, p.out.q = p.predDest(0), int32(p.k.NumPreds)
	p.out.boolOp = ir.BoolNone
	p.out.pred = func(w *warp, in *inst) uint32 { return test2(&w.rows[in.a], &w.rows[in.b], ir.DivideSlowly) }
}

func decodeFirst(p *decoder) {
	p.out.a = p.source(p.src(0), ir.U32, 1)
	p.out.d = p.dest(0, 1)
	p.out.exec = func(w *warp, in *inst, exec uint32) { w.rows[in.d].fill(w.rows[in.a][lowest(exec)]) }
}

// indexed adds the computation of an address with an index or a scale. It returns its rows, and whether it has 64
// bits.
func (p *decoder) indexed(a *ir.Addr, base int32, wide bool) (first int32, is64 bool) {
	index, long := p.lay.imm(0, 2), false
	if a.Index.Kind != ir.KindNone {
		long = a.Index.Words == 2
		index = p.source(a.Index, ir.U64, max(int(a.Index.Words), 1))
	}
	if base < 0 {
		base = p.lay.imm(0, 2)
	}
	scale := uint64(max(a.Scale, 1))
	is64 = wide || long
	return p.pre(func(w *warp, o *preOp, d *[4]row) {
		b, x := w.pair(o.a), w.pair(index)
		for l := range d[0] {
			v, i := uint64(b[0][l]), uint64(x[0][l])
			if wide {
				v = lane64(b, l)
			}
			if long {
				i = lane64(x, l)
			}
			v = v*scale + i
			d[0][l], d[1][l] = uint32(v), uint32(v>>32)
		}
	}, base, 2), is64
}
