package emu

import (
	"math"
	"math/bits"

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

// complement resolves a source of an integer operation whose sign is part of the operation. flip is all ones and
// add 1 for a negated one; with a carry-in the source is complemented, without the 1.
func (p *decoder) complement(i int, flip *uint32, add *uint64) {
	o := p.src(i)
	if o.Neg {
		*flip = ^uint32(0)
		if !p.in.Mods.CarryIn {
			*add++
		}
	}
	o.Neg = false
	p.setSource(i, p.source(o, ir.U32, 1))
}

// finish makes an instruction of one that computes the lanes' results into d and returns their first and second
// carries out. They go to the predicates after the destination register.
func (p *decoder) finish(f func(w *warp, in *inst, d *row) (one, two uint32)) {
	p.out.d, p.out.words = p.dest(0, 1), 1
	p.out.p, p.out.q = p.predDest(1), p.predDest(2)
	if !p.in.Mods.CarryOut {
		p.out.lanes = func(w *warp, in *inst, d *[4]row) { f(w, in, &d[0]) }
		return
	}
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		one, two := f(w, in, &w.scratch[0])
		blend(&w.rows[in.d], &w.scratch[0], exec)
		w.putPred(in.p, one, exec)
		w.putPred(in.q, two, exec)
	}
}

// carriesIn resolves the predicates added to a sum: those of the sources from i on. none is returned as false.
func (p *decoder) carriesIn(i int) func(w *warp) (one, two uint32) {
	if !p.in.Mods.CarryIn {
		return func(*warp) (uint32, uint32) { return 0, 0 }
	}
	r, rInv := p.predSource(p.src(i))
	if p.src(i+1).Kind == ir.KindNone {
		return func(w *warp) (uint32, uint32) { return w.preds[r] ^ rInv, 0 }
	}
	s, sInv := p.predSource(p.src(i + 1))
	return func(w *warp) (uint32, uint32) { return w.preds[r] ^ rInv, w.preds[s] ^ sInv }
}

func decodeAdd3(p *decoder) {
	var flip [3]uint32
	var add uint64
	for i := range flip {
		p.complement(i, &flip[i], &add)
	}
	if !p.in.Mods.CarryIn && !p.in.Mods.CarryOut {
		f, k := flip, uint32(add)
		p.out.d, p.out.words = p.dest(0, 1), 1
		p.out.lanes = func(w *warp, in *inst, d *[4]row) {
			map3(&d[0], &w.rows[in.a], &w.rows[in.b], &w.rows[in.c], func(x, y, z uint32) uint32 {
				return (x ^ f[0]) + (y ^ f[1]) + (z ^ f[2]) + k
			})
		}
		if f == [3]uint32{} {
			p.out.lanes = lane3(func(x, y, z uint32) uint32 { return x + y + z })
		}
		return
	}
	in := p.carriesIn(3)
	p.finish(func(w *warp, i *inst, d *row) (one, two uint32) {
		c, e := in(w)
		a, b, z := &w.rows[i.a], &w.rows[i.b], &w.rows[i.c]
		for l := range d {
			v := uint64(a[l]^flip[0]) + uint64(b[l]^flip[1]) + uint64(z[l]^flip[2]) + add +
				uint64(c>>(l&31)&1) + uint64(e>>(l&31)&1)
			d[l] = uint32(v)
			one |= b2u(v>>32 >= 1) << (l & 31)
			two |= b2u(v>>32 >= 2) << (l & 31)
		}
		return one, two
	})
}

func decodeLea(p *decoder) {
	var flip [2]uint32
	var add uint64
	p.complement(0, &flip[0], &add)
	p.complement(1, &flip[1], &add)
	shift := p.src(3)
	if shift.Kind != ir.KindImm || shift.Imm > 31 {
		p.fail("a shift that is not a number up to 31")
	}
	s := shift.Imm & 31
	high, extends := p.in.Mods.Part == ir.Hi, p.src(2).Kind == ir.KindNone
	p.out.c = p.out.a
	if high && !extends {
		p.setSource(2, p.source(p.src(2), ir.U32, 1))
	}
	in := p.carriesIn(4)
	p.finish(func(w *warp, i *inst, d *row) (one, two uint32) {
		c, _ := in(w)
		a, b, h := &w.rows[i.a], &w.rows[i.b], &w.rows[i.c]
		for l := range d {
			x := a[l] << s
			if high {
				v := uint64(a[l]) | uint64(h[l])<<32
				if extends {
					v = uint64(int64(int32(a[l])))
				}
				x = uint32(v << s >> 32)
			}
			v := uint64(x^flip[0]) + uint64(b[l]^flip[1]) + add + uint64(c>>(l&31)&1)
			d[l] = uint32(v)
			one |= uint32(v>>32&1) << (l & 31)
		}
		return one, 0
	})
}

func decodeImad(p *decoder) {
	p.only(ir.U32, ir.S32)
	p.sources(p.in.Type, 2)
	if p.in.Mods.Part != ir.Lo {
		p.imadWide()
		return
	}
	var flip uint32
	var add uint64
	p.complement(2, &flip, &add)
	in := p.carriesIn(3)
	p.finish(func(w *warp, i *inst, d *row) (one, two uint32) {
		c, _ := in(w)
		a, b, z := &w.rows[i.a], &w.rows[i.b], &w.rows[i.c]
		for l := range d {
			d[l] = a[l]*b[l] + (z[l] ^ flip) + uint32(add) + c>>(l&31)&1
		}
		return 0, 0
	})
}

// imadWide decodes a multiply-add of 64 bits with carries, or of their upper word.
func (p *decoder) imadWide() {
	p.setSource(2, p.source(p.src(2), ir.U64, 2))
	high, signed, words := p.in.Mods.Part == ir.Hi, p.in.Type.Signed(), 2
	if high {
		words = 1
	}
	p.out.d, p.out.words = p.dest(0, words), uint8(words)
	p.out.p = p.predDest(1)
	in := p.carriesIn(3)
	p.out.exec = func(w *warp, i *inst, exec uint32) {
		c, _ := in(w)
		a, b, z, d := &w.rows[i.a], &w.rows[i.b], w.pair(i.c), &w.scratch
		carry := uint32(0)
		for l := range d[0] {
			v := uint64(a[l]) * uint64(b[l])
			if signed {
				v = uint64(int64(int32(a[l])) * int64(int32(b[l])))
			}
			v, out := bits.Add64(v, at(z, l), uint64(c>>(l&31)&1))
			carry |= uint32(out) << (l & 31)
			if d[0][l], d[1][l] = uint32(v), uint32(v>>32); high {
				d[0][l] = d[1][l]
			}
		}
		w.merge(i, exec)
		w.putPred(i.p, carry, exec)
	}
}

// decodeHigh decodes the approximations of the upper word of a double-precision number.
func decodeHigh(p *decoder) {
	p.out.a = p.source(p.src(0), ir.U32, 1)
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

func decodePlop3(p *decoder) {
	var n [3]int32
	var inv [3]uint32
	for i := range n {
		n[i], inv[i] = p.predSource(p.src(i))
	}
	p.out.p, p.out.q = p.predDest(0), p.predDest(1)
	one, two := uint32(p.src(3).Imm), uint32(p.src(4).Imm)
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
				v = at(b, l)
			}
			if long {
				i = at(x, l)
			}
			v = v*scale + i
			d[0][l], d[1][l] = uint32(v), uint32(v>>32)
		}
	}, base, 2), is64
}
