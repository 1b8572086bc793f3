package emu

import (
	"math/bits"

	"kumiko/kernel/ir"
)

// Sums of machine code, with carries and flags: ir/machine.go defines them.

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

// finish completes an instruction from f, which computes the lanes' results into d and returns their first and second
// carries out. The carries go to the predicates after the destination register.
func (p *decoder) finish(f func(w *warp, in *inst, d *row) (one, two uint32)) {
	p.out.d, p.out.words = p.dest(0, 1), 1
	p.out.p, p.out.q = p.predDest(1), p.predDest(2)
	if !p.in.Mods.CarryOut {
		p.out.lanes = func(w *warp, in *inst, d *[4]row) { f(w, in, &d[0]) }
		return
	}
	more := p.flagsOf(3, p.src(5))
	p.out.exec = func(w *warp, in *inst, exec uint32) {
		one, two := f(w, in, &w.scratch[0])
		blend(&w.rows[in.d], &w.scratch[0], exec)
		w.putPred(in.p, one, exec)
		w.putPred(in.q, two, exec)
		if more != nil {
			more(w, exec)
		}
	}
}

// flagsOf returns a function that writes predicates from the result in the scratch row: Dst[i], whether it is zero, and
// Dst[i+1], its sign. It returns nil if there are no such destinations. If the result is the upper word of a longer
// number, lower is the predicate that the other words are zero.
func (p *decoder) flagsOf(i int, lower ir.Operand) func(w *warp, exec uint32) {
	if p.dst(i).Kind == ir.KindNone && p.dst(i+1).Kind == ir.KindNone {
		return nil
	}
	if lower.Kind == ir.KindNone {
		lower = ir.Imm(1, 1)
	}
	zero, sign := p.predDest(i), p.predDest(i+1)
	r, rInv := p.predSource(lower)
	return func(w *warp, exec uint32) {
		z, s := uint32(0), uint32(0)
		for l, x := range &w.scratch[0] {
			z |= b2u(x == 0) << l
			s |= x >> 31 << l
		}
		w.putPred(zero, z&(w.preds[r]^rInv), exec)
		w.putPred(sign, s, exec)
	}
}

// carriesIn resolves the predicates added to a sum: those of the sources from i on. A missing predicate counts as
// false.
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
	if p.in.Mods.Part != ir.PartNone {
		p.shiftedSum()
		return
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

// shiftedSum decodes a sum of two numbers shifted by a half word, plus a third.
func (p *decoder) shiftedSum() {
	if p.in.Mods.CarryIn || p.in.Mods.CarryOut || p.src(0).Neg || p.src(1).Neg || p.src(2).Neg {
		p.fail("a shifted sum with carries or signs")
	}
	p.out.d, p.out.words = p.dest(0, 1), 1
	if p.in.Mods.Part == ir.Lo {
		p.out.lanes = lane3(func(x, y, z uint32) uint32 { return (x+y)<<16 + z })
		return
	}
	p.out.lanes = lane3(func(x, y, z uint32) uint32 { return uint32((uint64(x)+uint64(y))>>16) + z })
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
	low := int32(-1) // the lower word of an address that is examined
	if p.src(6).Kind != ir.KindNone {
		low = p.source(p.src(6), ir.U32, 1)
	}
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
			if low >= 0 {
				two |= b2u(isGlobal(uint64(d[l])<<32|uint64(w.rows[low][l]))) << (l & 31)
			}
		}
		return one, two
	})
}

// isGlobal reports whether a generic address is neither one of shared nor one of local memory.
func isGlobal(a uint64) bool {
	return a-ir.SharedWindow >= ir.SharedWindowSize && a-ir.LocalWindow >= ir.LocalWindowSize
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
			v, out := bits.Add64(v, lane64(z, l), uint64(c>>(l&31)&1))
			carry |= uint32(out) << (l & 31)
			if d[0][l], d[1][l] = uint32(v), uint32(v>>32); high {
				d[0][l] = d[1][l]
			}
		}
		w.merge(i, exec)
		w.putPred(i.p, carry, exec)
	}
}
