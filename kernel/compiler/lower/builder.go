package lower

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// builder emits the replacement of an instruction, under its guard.
type builder struct {
	k     *ir.Kernel
	e     *code.Editor
	guard ir.Operand
}

func (b *builder) reg(words int) ir.Operand {
	r := b.k.NumRegs
	b.k.NumRegs += words
	return ir.R(ir.Reg(r), words)
}

func (b *builder) pred() ir.Operand {
	b.k.NumPreds++
	return ir.P(ir.Pred(b.k.NumPreds - 1))
}

func (b *builder) emit(in ir.Inst) {
	in.Guard = b.guard
	b.e.Emit(in)
}

// to emits an operation with a given destination.
func (b *builder) to(d ir.Operand, op ir.Op, t ir.Type, m ir.Mods, src ...ir.Operand) {
	b.emit(ir.Inst{Op: op, Type: t, Mods: m, Dst: []ir.Operand{d}, Src: src})
}

// op emits an operation into a new register, of the type's size.
func (b *builder) op(op ir.Op, t ir.Type, src ...ir.Operand) ir.Operand {
	return b.opm(op, t, ir.Mods{}, src...)
}

func (b *builder) opm(op ir.Op, t ir.Type, m ir.Mods, src ...ir.Operand) ir.Operand {
	d := b.reg(t.Words())
	b.to(d, op, t, m, src...)
	return d
}

func (b *builder) cvt(to, from ir.Type, m ir.Mods, a ir.Operand) ir.Operand {
	d := b.reg(to.Words())
	b.emit(ir.Inst{Op: ir.OpCvt, Type: to, SrcType: from, Mods: m, Dst: []ir.Operand{d}, Src: []ir.Operand{a}})
	return d
}

// setp emits a comparison into a new predicate. Unless op is BoolNone, the result is combined with predicate with.
func (b *builder) setp(t ir.Type, c ir.Cmp, x, y ir.Operand, op ir.Bool, with ir.Operand) ir.Operand {
	d := b.pred()
	in := ir.Inst{Op: ir.OpSetp, Type: t, SrcType: t, Mods: ir.Mods{Cmp: c, Bool: op}, Dst: []ir.Operand{d},
		Src: []ir.Operand{x, y}}
	if op != ir.BoolNone {
		in.Src = append(in.Src, with)
	}
	b.emit(in)
	return d
}

func (b *builder) test(t ir.Type, c ir.Cmp, x, y ir.Operand) ir.Operand {
	return b.setp(t, c, x, y, ir.BoolNone, ir.Operand{})
}

func (b *builder) selp(d, x, y, p ir.Operand) { b.to(d, ir.OpSelp, ir.B32, ir.Mods{}, x, y, p) }

func (b *builder) mov(d, s ir.Operand) {
	t := ir.B32
	if d.Words == 2 {
		t = ir.B64
	}
	b.to(d, ir.OpMov, t, ir.Mods{}, s)
}

// carryAdd emits a 64-bit sum or difference, as lo and hi.
func (b *builder) carryAdd(op ir.Op, d, x, y pair) {
	c := b.pred()
	b.emit(ir.Inst{Op: op, Type: ir.U32, Mods: ir.Mods{CarryOut: true}, Dst: []ir.Operand{d.lo, c},
		Src: []ir.Operand{x.lo, y.lo}})
	b.emit(ir.Inst{Op: op, Type: ir.U32, Mods: ir.Mods{CarryIn: true}, Dst: []ir.Operand{d.hi},
		Src: []ir.Operand{x.hi, y.hi, c}})
}

func u32(v uint32) ir.Operand { return ir.Imm(uint64(v), 1) }
func u64(v uint64) ir.Operand { return ir.Imm(v, 2) }

// pair is a 64-bit operand in words.
type pair struct{ lo, hi ir.Operand }

// word returns the i-th word of an operand.
func word(o ir.Operand, i int) ir.Operand {
	o.Words = 1
	switch o.Kind {
	case ir.KindReg:
		o.Reg += ir.Reg(i)
	case ir.KindImm:
		o.Imm = o.Imm >> (32 * i) & 0xffffffff
	case ir.KindParam, ir.KindConst:
		o.Imm += uint64(4 * i)
	}
	return o
}

func split(o ir.Operand) pair { return pair{word(o, 0), word(o, 1)} }

// splits reports whether an operand can be split into words.
func splits(o *ir.Operand) bool {
	if o.Neg || o.Abs {
		return false
	}
	switch o.Kind {
	case ir.KindReg:
		return o.Words == 2
	case ir.KindImm, ir.KindParam, ir.KindConst:
		return true
	}
	return false
}

// newPair returns a 64-bit register in words.
func (b *builder) newPair() (ir.Operand, pair) {
	o := b.reg(2)
	return o, split(o)
}
