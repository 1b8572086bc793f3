package lower

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Wide splits 64-bit integer operations, moves and selections into operations
// on 32-bit words, with carries in predicates as on the GPUs since Volta (before
// them the carry was a flag of its own). Conversions to and from floating point
// and memory accesses keep their pairs.
func Wide(k *ir.Kernel) {
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		b := &builder{k: k, e: e, guard: in.Guard}
		if f := wideOps[in.Op]; f == nil || !f(b, &in) {
			e.Emit(in)
		}
	})
}

// A wideFn replaces an instruction, or returns false and leaves it alone.
type wideFn func(b *builder, in *ir.Inst) bool

var wideOps = [ir.NumOps]wideFn{
	ir.OpMov: wideMov, ir.OpCvt: wideCvt, ir.OpSelp: wideSelp, ir.OpPack: widePack, ir.OpUnpack: wideUnpack,
	ir.OpAdd: wideAdd, ir.OpSub: wideAdd, ir.OpMul: wideMul, ir.OpMad: wideMad, ir.OpNeg: wideNeg, ir.OpAbs: wideAbs,
	ir.OpMin: wideMinMax, ir.OpMax: wideMinMax,
	ir.OpAnd: wideLogic, ir.OpOr: wideLogic, ir.OpXor: wideLogic, ir.OpNot: wideLogic,
	ir.OpShl: wideShl, ir.OpShr: wideShr, ir.OpSetp: wideSetp, ir.OpPopc: widePopc, ir.OpBfe: wideBfe,
}

func integer64(t ir.Type) bool { return t == ir.U64 || t == ir.S64 || t == ir.B64 }

// operands reports whether the destination and the first n sources are splittable 64-bit operands.
func operands(in *ir.Inst, n int) bool {
	if len(in.Dst) == 0 || in.Dst[0].Kind != ir.KindReg || in.Dst[0].Words != 2 || len(in.Src) < n {
		return false
	}
	for i := range n {
		if !splits(&in.Src[i]) {
			return false
		}
	}
	return true
}

// dest returns the words to write: the destination's own, or new ones if the destination shares a register with a
// source. done then copies the new words.
func (b *builder) dest(in *ir.Inst) (d pair, done func()) {
	for i := range in.Src {
		if code.SameReg(&in.Dst[0], &in.Src[i]) {
			o, d := b.newPair()
			return d, func() {
				b.mov(word(in.Dst[0], 0), word(o, 0))
				b.mov(word(in.Dst[0], 1), word(o, 1))
			}
		}
	}
	return split(in.Dst[0]), func() {}
}

func wideMov(b *builder, in *ir.Inst) bool {
	if in.Type.Size() != 8 || !operands(in, 1) {
		return false
	}
	d, done := b.dest(in)
	s := split(in.Src[0])
	b.mov(d.lo, s.lo)
	b.mov(d.hi, s.hi)
	done()
	return true
}

func wideSelp(b *builder, in *ir.Inst) bool {
	if in.Type.Size() != 8 || !operands(in, 2) {
		return false
	}
	d, done := b.dest(in)
	x, y := split(in.Src[0]), split(in.Src[1])
	b.selp(d.lo, x.lo, y.lo, in.Src[2])
	b.selp(d.hi, x.hi, y.hi, in.Src[2])
	done()
	return true
}

func widePack(b *builder, in *ir.Inst) bool {
	if len(in.Dst) != 1 || in.Dst[0].Words != 2 || len(in.Src) != 2 || in.SrcType.Size() != 4 {
		return false
	}
	d, done := b.dest(in)
	b.mov(d.lo, in.Src[0])
	b.mov(d.hi, in.Src[1])
	done()
	return true
}

func wideUnpack(b *builder, in *ir.Inst) bool {
	if len(in.Dst) != 2 || len(in.Src) != 1 || in.Type.Size() != 4 || !splits(&in.Src[0]) {
		return false
	}
	s := split(in.Src[0])
	if code.SameReg(&in.Dst[0], &s.hi) && in.Dst[1].Kind == ir.KindReg {
		t := b.reg(1)
		b.mov(t, s.hi)
		s.hi = t
	}
	if in.Dst[0].Kind == ir.KindReg {
		b.mov(in.Dst[0], s.lo)
	}
	if in.Dst[1].Kind == ir.KindReg {
		b.mov(in.Dst[1], s.hi)
	}
	return true
}

// wideCvt lowers conversions between integers, at least one of 64 bits.
func wideCvt(b *builder, in *ir.Inst) bool {
	if in.Type.Float() || in.SrcType.Float() || in.Mods.Sat || len(in.Src) != 1 || in.Src[0].Neg || in.Src[0].Abs {
		return false
	}
	s := in.Src[0]
	if s.Kind == ir.KindSpecial {
		return false
	}
	switch {
	case in.Type.Size() == 8 && in.SrcType.Size() == 8:
		return operands(in, 1) && wideMov(b, &ir.Inst{Op: ir.OpMov, Type: ir.B64, Dst: in.Dst, Src: in.Src})
	case in.Type.Size() == 8 && in.Dst[0].Words == 2:
		lo, hi := word(in.Dst[0], 0), word(in.Dst[0], 1)
		if code.SameReg(&hi, &s) {
			return false
		}
		if in.SrcType.Size() == 4 {
			b.mov(lo, word(s, 0))
		} else {
			t := ir.U32
			if in.SrcType.Signed() {
				t = ir.S32
			}
			b.emit(ir.Inst{Op: ir.OpCvt, Type: t, SrcType: in.SrcType, Dst: []ir.Operand{lo}, Src: in.Src})
		}
		if in.SrcType.Signed() {
			b.to(hi, ir.OpShr, ir.S32, ir.Mods{}, lo, u32(31))
		} else {
			b.mov(hi, u32(0))
		}
		return true
	case in.SrcType.Size() == 8 && in.Type.Size() == 4 && in.Dst[0].Words == 1 && splits(&s):
		b.mov(in.Dst[0], word(s, 0))
		return true
	case in.SrcType.Size() == 8 && in.Type.Size() < 4 && in.Dst[0].Words == 1 && splits(&s):
		b.emit(ir.Inst{Op: ir.OpCvt, Type: in.Type, SrcType: ir.U32, Dst: in.Dst, Src: []ir.Operand{word(s, 0)}})
		return true
	}
	return false
}

func wideAdd(b *builder, in *ir.Inst) bool {
	if !integer64(in.Type) || in.Mods.Sat || !operands(in, 2) {
		return false
	}
	d, done := b.dest(in)
	x, y := split(in.Src[0]), split(in.Src[1])
	c := b.pred()
	lo := ir.Inst{Op: in.Op, Type: ir.U32, Mods: ir.Mods{CarryOut: true}, Dst: []ir.Operand{d.lo, c},
		Src: []ir.Operand{x.lo, y.lo}}
	if in.Mods.CarryIn {
		lo.Mods.CarryIn = true
		lo.Src = append(lo.Src, in.Src[2])
	}
	b.emit(lo)
	hi := ir.Inst{Op: in.Op, Type: ir.U32, Mods: ir.Mods{CarryIn: true}, Dst: []ir.Operand{d.hi},
		Src: []ir.Operand{x.hi, y.hi, c}}
	if in.Mods.CarryOut {
		hi.Mods.CarryOut = true
		hi.Dst = append(hi.Dst, in.Dst[1])
	}
	b.emit(hi)
	done()
	return true
}

func wideNeg(b *builder, in *ir.Inst) bool {
	if !integer64(in.Type) || !operands(in, 1) {
		return false
	}
	d, done := b.dest(in)
	b.carryAdd(ir.OpSub, d, split(u64(0)), split(in.Src[0]))
	done()
	return true
}

// wideAbs lowers abs to (x ^ s) - s with s the sign in all bits.
func wideAbs(b *builder, in *ir.Inst) bool {
	if !integer64(in.Type) || !operands(in, 1) {
		return false
	}
	d, done := b.dest(in)
	x := split(in.Src[0])
	s := b.op(ir.OpShr, ir.S32, x.hi, u32(31))
	b.carryAdd(ir.OpSub, d, pair{b.op(ir.OpXor, ir.B32, x.lo, s), b.op(ir.OpXor, ir.B32, x.hi, s)}, pair{s, s})
	done()
	return true
}

func wideMinMax(b *builder, in *ir.Inst) bool {
	if !integer64(in.Type) || !operands(in, 2) {
		return false
	}
	d, done := b.dest(in)
	x, y := split(in.Src[0]), split(in.Src[1])
	c := ir.LT
	if in.Op == ir.OpMax {
		c = ir.GT
	}
	p := b.compare(in.Type, c, x, y)
	b.selp(d.lo, x.lo, y.lo, p)
	b.selp(d.hi, x.hi, y.hi, p)
	done()
	return true
}

func wideLogic(b *builder, in *ir.Inst) bool {
	n := 2
	if in.Op == ir.OpNot {
		n = 1
	}
	if !integer64(in.Type) || !operands(in, n) {
		return false
	}
	d, done := b.dest(in)
	var lo, hi []ir.Operand
	for _, s := range in.Src[:n] {
		lo, hi = append(lo, word(s, 0)), append(hi, word(s, 1))
	}
	b.to(d.lo, in.Op, ir.B32, ir.Mods{}, lo...)
	b.to(d.hi, in.Op, ir.B32, ir.Mods{}, hi...)
	done()
	return true
}

// compare returns a predicate for x c y. It takes one comparison per word, and one more for an order with equal
// high words.
func (b *builder) compare(t ir.Type, c ir.Cmp, x, y pair) ir.Operand {
	switch c {
	case ir.EQ:
		p := b.test(ir.U32, ir.EQ, x.lo, y.lo)
		return b.setp(ir.U32, ir.EQ, x.hi, y.hi, ir.BoolAnd, p)
	case ir.NE:
		p := b.test(ir.U32, ir.NE, x.lo, y.lo)
		return b.setp(ir.U32, ir.NE, x.hi, y.hi, ir.BoolOr, p)
	}
	strict := ir.LT
	if c == ir.GT || c == ir.GE {
		strict = ir.GT
	}
	high := ir.U32
	if t.Signed() {
		high = ir.S32
	}
	p := b.test(ir.U32, c, x.lo, y.lo)
	p = b.setp(ir.U32, ir.EQ, x.hi, y.hi, ir.BoolAnd, p)
	return b.setp(high, strict, x.hi, y.hi, ir.BoolOr, p)
}

func wideSetp(b *builder, in *ir.Inst) bool {
	t := in.SrcType
	if t == ir.TypeNone {
		t = in.Type
	}
	if !integer64(t) || len(in.Src) < 2 || !splits(&in.Src[0]) || !splits(&in.Src[1]) {
		return false
	}
	switch in.Mods.Cmp {
	case ir.EQ, ir.NE, ir.LT, ir.LE, ir.GT, ir.GE:
	default:
		return false
	}
	p := b.compare(t, in.Mods.Cmp, split(in.Src[0]), split(in.Src[1]))
	not := p
	not.Neg = true
	if in.Mods.Bool != ir.BoolNone {
		op := map[ir.Bool]ir.Op{ir.BoolAnd: ir.OpAnd, ir.BoolOr: ir.OpOr, ir.BoolXor: ir.OpXor}[in.Mods.Bool]
		if len(in.Dst) > 1 && in.Dst[1].Kind == ir.KindPred {
			q := b.pred()
			b.to(q, op, ir.PredType, ir.Mods{}, not, in.Src[2])
			not = q
		}
		q := b.pred()
		b.to(q, op, ir.PredType, ir.Mods{}, p, in.Src[2])
		p = q
	}
	if len(in.Dst) > 1 && in.Dst[1].Kind == ir.KindPred {
		t := b.pred() // the guard may be the first destination
		b.to(t, ir.OpMov, ir.PredType, ir.Mods{}, not)
		b.setBoth(in.Dst[0], in.Dst[1], p, t)
		return true
	}
	b.to(in.Dst[0], ir.OpMov, ir.PredType, ir.Mods{}, p)
	return true
}

// setBoth writes two predicates, one of them possibly the guard. The guard is written last.
func (b *builder) setBoth(d, e, p, q ir.Operand) {
	if b.guard.Kind == ir.KindPred && b.guard.Reg == d.Reg {
		d, e, p, q = e, d, q, p
	}
	if d.Kind == ir.KindPred {
		b.to(d, ir.OpMov, ir.PredType, ir.Mods{}, p)
	}
	if e.Kind == ir.KindPred {
		b.to(e, ir.OpMov, ir.PredType, ir.Mods{}, q)
	}
}

func widePopc(b *builder, in *ir.Inst) bool {
	if in.Type.Size() != 8 || len(in.Src) != 1 || !splits(&in.Src[0]) || in.Dst[0].Words != 1 {
		return false
	}
	s := split(in.Src[0])
	hi := b.op(ir.OpPopc, ir.B32, s.hi)
	b.to(in.Dst[0], ir.OpAdd, ir.U32, ir.Mods{}, b.op(ir.OpPopc, ir.B32, s.lo), hi)
	return true
}
