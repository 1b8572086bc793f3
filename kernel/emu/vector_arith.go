package emu

import (
	"kumiko/kernel/emu/internal/vector"
	"kumiko/kernel/ir"
)

// add adds the operations for add and sub.
func (v *vectorizer) add() {
	t, m, o := v.in.Type, &v.in.Mods, v.out
	sub := v.in.Op == ir.OpSub
	switch {
	case t.Float() && sub:
		v.float(vector.FSub, vector.DSub)
	case t.Float():
		v.float(vector.FAdd, vector.DAdd)
	case m.Sat:
		v.none()
	case m.CarryIn || m.CarryOut:
		v.carry(sub)
	case t.Size() <= 4 && sub:
		v.op(vector.Sub, o.d, o.a, o.b, 0)
	case t.Size() <= 4:
		v.op(vector.Add, o.d, o.a, o.b, 0)
	default:
		v.none()
	}
	v.cut(t)
}

// cut clears the bits of a 16-bit result above its type.
func (v *vectorizer) cut(t ir.Type) {
	if isInteger(t) && t.Size() == 2 {
		v.bits(v.out.d, v.out.d, 0xffff, 0)
	}
}

func (v *vectorizer) carry(sub bool) {
	o, m := v.out, &v.in.Mods
	if v.in.Type.Size() != 4 {
		v.none()
		return
	}
	codes := [2][3]vector.Code{
		{vector.AddOut, vector.AddWith, vector.AddCarry}, {vector.SubOut, vector.SubWith, vector.SubBorrow},
	}
	i := 0
	if m.CarryIn {
		i++
	}
	if m.CarryIn && m.CarryOut {
		i++
	}
	inverted := o.rInv
	if sub {
		inverted = ^inverted // a borrow is the complement of a carry
	}
	v.raw(codes[b2u(sub)][i], vector.Op{D: rowAt(o.d), A: rowAt(o.a), B: rowAt(o.b),
		C: predAt(o.r), X: inverted, Y: uint32(predAt(o.q))})
}

// float adds an operation rounded to nearest even: on singles, with subnormals kept or flushed, or on doubles.
func (v *vectorizer) float(single, double vector.Code) {
	m, o := &v.in.Mods, v.out
	if m.Round != ir.RoundDefault && m.Round != ir.RN {
		v.none()
		return
	}
	switch v.in.Type {
	case ir.F32:
		a, b, c := o.a, o.b, o.c
		if m.Ftz {
			a, b, c = v.flushed(0, a), v.flushed(1, b), v.flushed(2, c)
		}
		v.op(single, o.d, a, b, c)
		if m.Ftz {
			v.op(vector.FFlush, o.d, o.d, 0, 0)
		}
		if m.Sat {
			v.op(vector.FSat, o.d, o.d, 0, 0)
		}
	case ir.F64:
		v.op(double, o.d, o.a, o.b, o.c)
	default:
		v.none()
	}
}

// flushed returns source i with subnormals flushed, if the instruction has this source.
func (v *vectorizer) flushed(i int, r int32) int32 {
	if v.src(i).Kind == ir.KindNone {
		return r
	}
	t := v.temp()
	v.op(vector.FFlush, t, r, 0, 0)
	return t
}

// div adds the division of floating-point numbers. div.approx is excluded, because of its own range.
func (v *vectorizer) div() {
	if m := &v.in.Mods; !v.in.Type.Float() || m.Approx && !m.Full {
		v.none()
		return
	}
	v.float(vector.FDiv, vector.DDiv)
}

func (v *vectorizer) rcp() {
	if v.in.Type != ir.F32 {
		v.none()
		return
	}
	v.float(vector.FRcp, 0)
}

// extreme adds min or max.
func (v *vectorizer) extreme(unsigned, signed, single vector.Code) {
	t, m, o := v.in.Type, &v.in.Mods, v.out
	a, b := o.a, o.b
	if t == ir.F32 && m.Ftz {
		a, b = v.flushed(0, a), v.flushed(1, b)
	}
	switch {
	case m.Relu || m.NaN || m.CarryIn || m.CarryOut:
		v.none()
	case t == ir.F32:
		v.op(single, o.d, a, b, 0)
	case t == ir.U32:
		v.op(unsigned, o.d, a, b, 0)
	case t == ir.S32:
		v.op(signed, o.d, a, b, 0)
	default:
		v.none()
	}
}

func (v *vectorizer) absNeg() {
	t, o, abs := v.in.Type, v.out, v.in.Op == ir.OpAbs
	switch {
	case t == ir.F32 && v.in.Mods.Ftz:
		v.op(vector.FFlush, o.d, o.a, 0, 0)
		v.signs(o.d, o.d, signMask(t), abs, !abs)
	case t == ir.F32:
		v.signs(o.d, o.a, signMask(t), abs, !abs)
	case t == ir.S32 && abs:
		v.op(vector.AbsS, o.d, o.a, 0, 0)
	case (t == ir.S32 || t == ir.U32 || t == ir.B32) && !abs:
		v.op(vector.Neg, o.d, o.a, 0, 0)
	default:
		v.none()
	}
}

// product adds mul or mad.
func (v *vectorizer) product() {
	t, m, o := v.in.Type, &v.in.Mods, v.out
	part, mad := m.Part, v.in.Op == ir.OpMad
	if part == ir.PartNone {
		part = ir.Lo
	}
	signed := b2u(t.Signed())
	switch {
	case t.Float() && mad:
		v.float(vector.FFma, vector.DFma)
	case t.Float():
		v.float(vector.FMul, vector.DMul)
	case m.Sat || m.CarryIn || m.CarryOut || t.Size() == 8:
		v.none()
	case part == ir.Lo && mad:
		v.op(vector.Mad, o.d, o.a, o.b, o.c)
		v.cut(t)
	case part == ir.Lo:
		v.op(vector.Mul, o.d, o.a, o.b, 0)
		v.cut(t)
	case part == ir.Wide && t.Size() == 2:
		a, b := v.temp(), v.temp()
		v.extend(a, o.a, t)
		v.extend(b, o.b, t)
		v.op([2]vector.Code{vector.Mul, vector.Mad}[b2u(mad)], o.d, a, b, o.c)
	case part == ir.Wide && mad:
		v.op([2]vector.Code{vector.MadWideU, vector.MadWideS}[signed], o.d, o.a, o.b, o.c)
	case part == ir.Wide:
		v.op([2]vector.Code{vector.MulWideU, vector.MulWideS}[signed], o.d, o.a, o.b, 0)
	case part == ir.Hi && !mad && t.Size() == 4:
		v.op([2]vector.Code{vector.MulHiU, vector.MulHiS}[signed], o.d, o.a, o.b, 0)
	default:
		v.none()
	}
}

// logic adds and, or or xor.
func (v *vectorizer) logic(rows, preds vector.Code) {
	if v.in.Type == ir.PredType {
		n, inv := v.predSource(v.src(1))
		v.predOp(preds, n, inv)
		return
	}
	v.words(rows, v.out.b)
	v.cut(v.in.Type)
}

func (v *vectorizer) not() {
	t, o := v.in.Type, v.out
	switch {
	case t == ir.PredType:
		v.predOp(vector.PMov, 0, 0)
	case t.Size() == 2:
		v.bits(o.d, o.a, 0xffff, 0xffff)
	case t.Size() == 4:
		v.bits(o.d, o.a, ^uint32(0), ^uint32(0))
	default:
		v.none()
	}
}

func (v *vectorizer) shift(unsigned, signed vector.Code) {
	t, o := v.in.Type, v.out
	switch {
	case t.Size() != 4:
		v.none()
	case t.Signed():
		v.op(signed, o.d, o.a, o.b, 0)
	default:
		v.op(unsigned, o.d, o.a, o.b, 0)
	}
}

func (v *vectorizer) funnel() {
	o, m := v.out, &v.in.Mods
	amount := o.c
	if m.Wrap {
		amount = v.temp()
		v.bits(amount, o.c, 31, 0)
	}
	code := vector.FunnelR
	if m.Left {
		code = vector.FunnelL
	}
	v.op(code, o.d, o.a, o.b, amount)
}

// predOp adds an operation on predicates, with n as the second one.
func (v *vectorizer) predOp(code vector.Code, n int32, inv uint32) {
	o := v.out
	v.raw(code, vector.Op{A: predAt(o.r), X: o.rInv, B: predAt(n), Y: inv})
	v.put(ir.BoolNone)
}

// put adds the writing of the result of a comparison, or of an operation on predicates.
func (v *vectorizer) put(how ir.Bool) {
	o := v.out
	code := map[ir.Bool]vector.Code{ir.BoolNone: vector.Put, ir.BoolAnd: vector.PutAnd, ir.BoolOr: vector.PutOr,
		ir.BoolXor: vector.PutXor}[how]
	v.raw(code, vector.Op{A: predAt(o.p), B: predAt(o.q), C: predAt(o.r), X: o.rInv})
}

// setp adds a comparison. Greater is less with exchanged sources.
func (v *vectorizer) setp() {
	t, m, o := v.in.Type, &v.in.Mods, v.out
	if t == ir.TypeNone {
		t = v.in.SrcType
	}
	a, b := o.a, o.b
	var codes *[ir.NAN + 1]vector.Code
	switch {
	case t == ir.F32:
		codes = &comparisonsF
		if m.Ftz {
			a, b = v.flushed(0, a), v.flushed(1, b)
		}
	case isInteger(t) && t.Size() == 4, isInteger(t) && t.Size() == 2:
		codes = &comparisonsU
		if t.Signed() {
			codes = &comparisonsS
		}
		if t.Size() == 2 {
			a, b = v.temp(), v.temp()
			v.extend(a, o.a, t)
			v.extend(b, o.b, t)
		}
	}
	if codes == nil || codes[m.Cmp] == vector.End {
		v.none()
		return
	}
	switch m.Cmp {
	case ir.GT, ir.GE, ir.GTU, ir.GEU:
		a, b = b, a
	}
	v.op(codes[m.Cmp], 0, a, b, 0)
	v.put(m.Bool)
}

var (
	comparisonsS = [ir.NAN + 1]vector.Code{ir.EQ: vector.Equal, ir.NE: vector.NotEqual, ir.LT: vector.LessS,
		ir.LE: vector.LessEqualS, ir.GT: vector.LessS, ir.GE: vector.LessEqualS}
	comparisonsU = [ir.NAN + 1]vector.Code{ir.EQ: vector.Equal, ir.NE: vector.NotEqual, ir.LT: vector.LessU,
		ir.LE: vector.LessEqualU, ir.GT: vector.LessU, ir.GE: vector.LessEqualU}
	comparisonsF = [ir.NAN + 1]vector.Code{ir.EQ: vector.FEqual, ir.NE: vector.FNotEqual, ir.LT: vector.FLess,
		ir.LE: vector.FLessEqual, ir.GT: vector.FLess, ir.GE: vector.FLessEqual,
		ir.EQU: vector.FEqualU, ir.NEU: vector.FNotEqualU, ir.LTU: vector.FLessU, ir.LEU: vector.FLessEqualU,
		ir.GTU: vector.FLessU, ir.GEU: vector.FLessEqualU, ir.NUM: vector.FOrdered, ir.NAN: vector.FUnordered}
)
