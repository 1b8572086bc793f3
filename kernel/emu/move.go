package emu

import "kumiko/kernel/ir"

func decodeMov(p *decoder) {
	in, out := p.in, p.out
	if in.Type == ir.PredType {
		p.predMove()
		return
	}
	words := max(in.Type.Words(), 1)
	out.a = p.source(p.src(0), in.Type, words)
	out.d, out.words = p.dest(0, words), uint8(words)
	switch words {
	case 1:
		out.lanes = func(w *warp, in *inst, d *[4]row) { d[0] = w.rows[in.a] }
	case 2:
		out.lanes = func(w *warp, in *inst, d *[4]row) { a := *w.pair(in.a); d[0], d[1] = a[0], a[1] }
	case 4:
		out.lanes = func(w *warp, in *inst, d *[4]row) { a := *w.quad(in.a); *d = a }
	}
}

// decodeSelp decodes selp: d = p ? a : b.
func decodeSelp(p *decoder) {
	p.operands(p.in.Type, 2)
	p.out.r, p.out.rInv = p.predSource(p.src(2))
	p.out.lanes = byWords(p.in.Type, selp1, selp2)
}

func selp1(w *warp, in *inst, d *[4]row) {
	choose(&d[0], &w.rows[in.a], &w.rows[in.b], w.preds[in.r]^in.rInv)
}

func selp2(w *warp, in *inst, d *[4]row) {
	a, b, m := *w.pair(in.a), *w.pair(in.b), w.preds[in.r]^in.rInv
	choose(&d[0], &a[0], &b[0], m)
	choose(&d[1], &a[1], &b[1], m)
}

// choose copies the lanes of m from a and the others from b.
func choose(d, a, b *row, m uint32) {
	for i := range d {
		s := uint32(int32(m<<(31-i&31)) >> 31)
		d[i] = a[i]&s | b[i]&^s
	}
}

// decodeSlct decodes slct: d = c >= 0 ? a : b, PTX ISA section 9.7.6.4; b for a NaN. Machine code has any comparison
// with zero.
func decodeSlct(p *decoder) {
	in := p.in
	p.operands(in.Type, 2)
	p.out.c = p.source(p.src(2), in.SrcType, 1)
	if in.Mods.Cmp != ir.CmpNone {
		p.out.a, p.out.b, p.out.c, p.out.e = p.out.c, p.lay.imm(0, 1), p.out.a, p.out.b
		test := p.comparison(in.SrcType)
		if test == nil || in.Type.Size() != 4 {
			p.fail("a choice by a comparison of type %s", in.SrcType)
			return
		}
		p.out.lanes = func(w *warp, in *inst, d *[4]row) { choose(&d[0], &w.rows[in.c], &w.rows[in.e], test(w, in)) }
		return
	}
	var f laneFn
	ftz := in.Mods.Ftz
	switch in.SrcType {
	case ir.S32:
		f = slct(in.Type, func(c uint32) bool { return int32(c) >= 0 })
	case ir.F32:
		// -0 is not less than zero.
		f = slct(in.Type, func(c uint32) bool {
			if ftz {
				c = flush32(c)
			}
			return f32(c) >= 0
		})
	}
	p.out.lanes = f
}

func slct(t ir.Type, first func(c uint32) bool) laneFn {
	words := t.Words()
	return func(w *warp, in *inst, d *[4]row) {
		m := uint32(0)
		for i, c := range &w.rows[in.c] {
			m |= b2u(first(c)) << i
		}
		a, b := *w.pair(in.a), *w.pair(in.b)
		for i := range words {
			choose(&d[i&3], &a[i&1], &b[i&1], m)
		}
	}
}

// decodePack decodes the packing of two 32-bit halves into 64 bits, or of two 16-bit halves into 32.
func decodePack(p *decoder) {
	in, out := p.in, p.out
	t := in.SrcType
	if t == ir.TypeNone {
		t = halfOf(in.Type)
	}
	n := len(in.Src)
	parts := make([]int32, n)
	for i := range parts {
		parts[i] = p.source(p.src(i), t, max(t.Words(), 1))
	}
	size, total := t.Size(), t.Size()*n
	words := (total + 3) / 4
	if size == 0 || total != 2 && total != 4 && total != 8 && total != 16 {
		p.fail("%d parts of type %s", n, t)
		return
	}
	out.d, out.words = p.dest(0, words), uint8(words)
	out.lanes = func(w *warp, in *inst, d *[4]row) {
		var v [4]row
		for i, r := range parts {
			packPart(&v, w.quad(r), i*size, size)
		}
		copy(d[:words], v[:words])
	}
}

// packPart copies a part of the given size, at most 8 bytes, to a byte offset.
func packPart(v, s *[4]row, at, size int) {
	if size >= 4 {
		copy(v[at/4:], s[:size/4])
		return
	}
	shift, mask := 8*(at%4), uint32(1)<<(8*size)-1
	d := &v[at/4]
	for i := range d {
		d[i] |= (s[0][i] & mask) << shift
	}
}

// halfOf returns the type of half the width.
func halfOf(t ir.Type) ir.Type {
	switch t.Size() {
	case 2:
		return ir.B8
	case 4:
		return ir.B16
	case 16:
		return ir.B64
	}
	return ir.B32
}

// decodeUnpack decodes the splitting of a value into parts, low first.
func decodeUnpack(p *decoder) {
	in, out := p.in, p.out
	whole, t := in.SrcType, in.Type
	n := len(in.Dst)
	size := t.Size()
	if size == 0 || whole.Size() != size*n {
		p.fail("%d parts of type %s of a %s", n, t, whole)
		return
	}
	out.a = p.source(p.src(0), whole, max(whole.Words(), 1))
	words := max(t.Words(), 1)
	parts := make([]int32, n)
	for i := range parts {
		parts[i] = p.dest(i, words)
	}
	out.exec = func(w *warp, in *inst, exec uint32) {
		v := *w.quad(in.a)
		for i, r := range parts {
			d := w.quad(r)
			at := i * size
			if size >= 4 {
				for j := range words {
					blend(&d[j&3], &v[(at/4+j)&3], exec)
				}
				continue
			}
			var part row
			shift, mask := 8*(at%4), uint32(1)<<(8*size)-1
			map1(&part, &v[at/4], func(x uint32) uint32 { return x >> shift & mask })
			blend(&d[0], &part, exec)
		}
	}
}

// decodePrmt decodes prmt, section 9.7.9.7.
func decodePrmt(p *decoder) {
	p.operands(ir.B32, 3)
	mode := p.in.Mods.Prmt
	p.out.lanes = lane3(func(x, y, z uint32) uint32 { return prmt(mode, x, y, z) })
}

func prmt(mode ir.Prmt, x, y, z uint32) uint32 {
	v := uint64(y)<<32 | uint64(x)
	r := uint32(0)
	for i := range uint32(4) {
		b := uint32(v>>(8*prmtIndex(mode, i, z))) & 0xff
		if mode == ir.PrmtIndex && z>>(4*i+3)&1 != 0 {
			b = uint32(int32(int8(b))>>7) & 0xff
		}
		r |= b << (8 * i)
	}
	return r
}

// prmtIndex returns the index, among the eight bytes of b:a, of byte i of the result.
func prmtIndex(mode ir.Prmt, i, z uint32) uint32 {
	s := z & 3
	switch mode {
	case ir.PrmtF4E:
		return s + i
	case ir.PrmtB4E:
		return (s - i) & 7
	case ir.PrmtRC8:
		return s
	case ir.PrmtECL:
		return max(i, s)
	case ir.PrmtECR:
		return min(i, s)
	case ir.PrmtRC16:
		return s&1*2 + i&1
	}
	return z >> (4 * i) & 7
}
