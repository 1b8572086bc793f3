package emu

import (
	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
)

// vectorizer makes the operations of package vector for one instruction.
type vectorizer struct {
	*decoder
	ops []vector.Op
	bad bool // there are none
}

// vectorOps returns the decoded instruction as operations of package vector, or nil. They have the effect of its
// lanes, pred or exec function.
func (p *decoder) vectorOps() []vector.Op {
	v := &vectorizer{decoder: p}
	for i := range p.out.pre {
		v.modify(&p.out.pre[i])
	}
	if p.in.Op != ir.OpCvt && p.in.Type == ir.F32 && p.in.SrcType == ir.F16 { // a single made of halves
		return nil
	}
	if f := vectorizers[p.in.Op]; f != nil && !v.bad {
		f(v)
		if !v.bad {
			return v.ops
		}
	}
	return nil
}

// vectorizers have a function for each operation possibly available in package vector.
var vectorizers = [ir.NumOps]func(*vectorizer){
	ir.OpMov: (*vectorizer).mov, ir.OpSelp: (*vectorizer).selp, ir.OpCvt: (*vectorizer).cvt,
	ir.OpAdd: (*vectorizer).add, ir.OpSub: (*vectorizer).add,
	ir.OpMul: (*vectorizer).product, ir.OpMad: (*vectorizer).product,
	ir.OpFma: func(v *vectorizer) { v.float(vector.FFma, vector.DFma) },
	ir.OpDiv: (*vectorizer).div, ir.OpRcp: (*vectorizer).rcp,
	ir.OpSqrt: func(v *vectorizer) { v.float(vector.FSqrt, vector.DSqrt) },
	ir.OpMin:  func(v *vectorizer) { v.extreme(vector.MinU, vector.MinS, vector.FMin) },
	ir.OpMax:  func(v *vectorizer) { v.extreme(vector.MaxU, vector.MaxS, vector.FMax) },
	ir.OpAbs:  (*vectorizer).absNeg, ir.OpNeg: (*vectorizer).absNeg,
	ir.OpAnd: func(v *vectorizer) { v.logic(vector.And, vector.PAnd) },
	ir.OpOr:  func(v *vectorizer) { v.logic(vector.Or, vector.POr) },
	ir.OpXor: func(v *vectorizer) { v.logic(vector.Xor, vector.PXor) },
	ir.OpNot: (*vectorizer).not, ir.OpShf: (*vectorizer).funnel,
	ir.OpShl:  func(v *vectorizer) { v.shift(vector.Shl, vector.Shl) },
	ir.OpShr:  func(v *vectorizer) { v.shift(vector.ShrU, vector.ShrS) },
	ir.OpSetp: (*vectorizer).setp,
}

func rowAt(r int32) int32  { return r * 128 }
func predAt(p int32) int32 { return p * 4 }

// none records that package vector has no operation for the instruction.
func (v *vectorizer) none() { v.bad = true }

// op adds an operation on the rows d, a, b and c.
func (v *vectorizer) op(code vector.Code, d, a, b, c int32) {
	v.raw(code, vector.Op{D: rowAt(d), A: rowAt(a), B: rowAt(b), C: rowAt(c)})
}

// bits adds d = a & keep ^ flip.
func (v *vectorizer) bits(d, a int32, keep, flip uint32) {
	v.raw(vector.Bits, vector.Op{D: rowAt(d), A: rowAt(a), X: keep, Y: flip})
}

// extend adds the extension of the low bytes of a row to 32 bits.
func (v *vectorizer) extend(d, a int32, t ir.Type) {
	switch s := uint32(32 - 8*t.Size()); {
	case s == 0:
		v.op(vector.Mov, d, a, 0, 0)
	case t.Signed():
		v.raw(vector.Extend, vector.Op{D: rowAt(d), A: rowAt(a), X: s})
	default:
		v.bits(d, a, ^uint32(0)>>s, 0)
	}
}

func (v *vectorizer) raw(code vector.Code, op vector.Op) {
	v.ops = append(v.ops, vector.Make(code, op))
}

// temp returns a new temporary row, or the sink if none is left.
func (v *vectorizer) temp() int32 {
	if v.temps+1 > tempRows-scratchRows {
		v.none()
		return v.lay.sink()
	}
	v.temps++
	return v.lay.temp() + int32(v.temps) - 1
}

// modify adds the operations for a preOp.
func (v *vectorizer) modify(p *preOp) {
	switch t := p.t; {
	case t == ir.F32 || t == ir.F16x2 || t == ir.BF16x2 || t == ir.F16 || t == ir.BF16:
		v.signs(p.d, p.a, signMask(t), p.abs, p.neg)
	case t == ir.F64:
		v.op(vector.Mov, p.d, p.a, 0, 0)
		v.signs(p.d+1, p.a+1, 1<<31, p.abs, p.neg)
	case t.Size() == 4 && p.t != ir.TypeNone && !p.abs:
		v.op(vector.Neg, p.d, p.a, 0, 0)
	default:
		v.none()
	}
}

// signs adds a change of sign bits.
func (v *vectorizer) signs(d, a int32, sign uint32, abs, neg bool) {
	keep, flip := ^uint32(0), uint32(0)
	if abs {
		keep = ^sign
	}
	if neg {
		flip = sign
	}
	v.bits(d, a, keep, flip)
}

// pairs reports whether an operation of two words can be done word by word: no source's second word is the
// destination's first.
func (v *vectorizer) pairs(sources ...int32) bool {
	for _, s := range sources {
		if s+1 == v.out.d {
			v.none()
			return false
		}
	}
	return true
}

// words adds an operation of one or of two words on a and row b.
func (v *vectorizer) words(code vector.Code, b int32) {
	o := v.out
	v.op(code, o.d, o.a, b, 0)
	if o.words == 2 && v.pairs(o.a, b) {
		v.op(code, o.d+1, o.a+1, b+1, 0)
	}
}

func (v *vectorizer) mov() {
	switch {
	case v.in.Type == ir.PredType:
		v.predOp(vector.PMov, 0, 0)
	case v.out.words <= 2:
		v.words(vector.Mov, v.out.a)
	default:
		v.none()
	}
}

func (v *vectorizer) selp() {
	o := v.out
	one := func(i int32) {
		v.raw(vector.Select, vector.Op{D: rowAt(o.d + i), A: rowAt(o.a + i), B: rowAt(o.b + i),
			C: predAt(o.r), X: o.rInv})
	}
	one(0)
	if o.words == 2 && v.pairs(o.a, o.b) {
		one(1)
	}
}

// isInteger reports whether a type is an integer type of at most 64 bits.
func isInteger(t ir.Type) bool {
	return !t.Float() && t != ir.PredType && t.Size() > 0 && t.Size() <= 8
}

func (v *vectorizer) cvt() {
	d, s, m := v.in.Type, v.in.SrcType, &v.in.Mods
	if len(v.in.Src) != 1 || m.Relu || narrow(v.in) {
		v.none()
		return
	}
	o := v.out
	nearest := m.Round == ir.RoundDefault || m.Round == ir.RN
	truncated := m.Round == ir.RoundDefault || m.Round == ir.RZ || m.Round == ir.RZI
	switch {
	case isInteger(d) && isInteger(s) && !m.Sat:
		v.cvtInt(d, s)
	case d == ir.F32 && isInteger(s) && s.Size() <= 4 && nearest && !m.Sat && o.words == 1:
		v.extend(o.d, o.a, s)
		code := vector.U32ToF32
		if s.Signed() {
			code = vector.S32ToF32
		}
		v.op(code, o.d, o.d, 0, 0)
	case s == ir.F32 && d == ir.S32 && truncated && o.words == 1:
		v.op(vector.F32ToS32, o.d, o.a, 0, 0)
	case s == ir.F32 && d == ir.U32 && truncated && o.words == 1:
		v.op(vector.F32ToU32, o.d, o.a, 0, 0)
	default:
		v.none()
	}
}

// cvtInt extends by the source's type, and then by the destination's.
func (v *vectorizer) cvtInt(d, s ir.Type) {
	o := v.out
	switch {
	case d.Size() == 8 && s.Size() == 8:
		v.words(vector.Mov, v.out.a)
		return
	case s.Size() < d.Size():
		v.extend(o.d, o.a, s)
		if d.Size() < 4 {
			v.extend(o.d, o.d, d)
		}
	default:
		v.extend(o.d, o.a, d)
	}
	if o.words == 1 {
		return
	}
	if d.Size() < 8 && d.Signed() || d.Size() == 8 && s.Signed() {
		v.op(vector.Sign, o.d+1, o.d, 0, 0)
	} else {
		v.bits(o.d+1, o.d, 0, 0)
	}
}
