package fold

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// maxRounds bounds the repetition of the pass; three reach the fixed point of
// nearly every program.
const maxRounds = 6

// Run propagates and simplifies until nothing changes.
func Run(k *ir.Kernel) {
	for range maxRounds {
		f := &folder{k: k, ssa: newSSA(k)}
		for pc := range k.Insts {
			in := code.Clone(k.Insts[pc])
			f.inst(&in)
			k.Insts[pc] = in
		}
		if !f.changed {
			return
		}
	}
}

type folder struct {
	k       *ir.Kernel
	ssa     *ssa
	changed bool
}

func (f *folder) inst(in *ir.Inst) {
	if in.Guard.Kind == ir.KindPred {
		f.predicate(&in.Guard)
	}
	f.constantLoad(in)
	for i := range in.Src {
		if in.Src[i].Kind == ir.KindPred {
			f.predicate(&in.Src[i])
			continue
		}
		f.source(in, i)
	}
	if in.Space != ir.SpaceNone {
		f.address(in)
	}
	if simplify(in, f) {
		f.changed = true
	}
}

// constantLoad makes a load at a fixed address of the constant bank a move. A load past the end of the bank stays a
// load, to be refused at execution.
func (f *folder) constantLoad(in *ir.Inst) {
	if in.Op != ir.OpLd || len(in.Dst) != 1 || in.Mods.Volatile || in.Type.Size() < 4 || in.SrcType != ir.TypeNone {
		return
	}
	if b := in.Addr.Base.Kind; b != ir.KindNone && b != ir.KindImm {
		return
	}
	kind, bytes := ir.KindConst, f.k.ConstBytes
	switch in.Space {
	case ir.Param:
		kind, bytes = ir.KindParam, f.k.ParamBytes
	case ir.Const:
	default:
		return
	}
	at, size := in.Addr.Offset+int64(in.Addr.Base.Imm), int64(in.Type.Size())
	if at < 0 || at > int64(bytes)-size || at%size != 0 {
		return
	}
	in.Src = []ir.Operand{{Kind: kind, Imm: uint64(at), Words: uint8(in.Type.Words())}}
	in.Op, in.Space, in.Addr, in.Mods = ir.OpMov, ir.SpaceNone, ir.Addr{}, ir.Mods{}
}

// predicate replaces predicate o by the source of its copy or complement.
func (f *folder) predicate(o *ir.Operand) {
	for range 8 {
		d := f.ssa.definition(&ir.Operand{Kind: ir.KindPred, Reg: o.Reg})
		if d == nil || d.Type != ir.PredType || len(d.Src) != 1 || d.Src[0].Kind != ir.KindPred || d.Op != ir.OpMov &&
			d.Op != ir.OpNot {
			return
		}
		s := d.Src[0]
		if !f.ssa.stable(&s) {
			return
		}
		o.Reg = s.Reg
		if s.Neg != (d.Op == ir.OpNot) {
			o.Neg = !o.Neg
		}
		f.changed = true
	}
}

// source replaces source i of in, if a copy computes it, by the source of the copy.
func (f *folder) source(in *ir.Inst, i int) {
	for range 8 {
		o := &in.Src[i]
		if o.Kind != ir.KindReg {
			return
		}
		d := f.ssa.definition(&ir.Operand{Kind: ir.KindReg, Reg: o.Reg, Words: o.Words})
		if d == nil || len(d.Src) != 1 || !f.replace(in, i, d) {
			return
		}
		f.changed = true
	}
}

func (f *folder) replace(in *ir.Inst, i int, d *ir.Inst) bool {
	o, s := &in.Src[i], d.Src[0]
	switch d.Op {
	case ir.OpMov:
		if d.Type.Size() != 4*int(max(1, o.Words)) || s.Neg || s.Abs {
			return false
		}
		if s.Kind == ir.KindReg && (s.Words != o.Words || !f.ssa.stable(&s)) {
			return false
		}
		if s.Kind != ir.KindReg && (!Constant(&s) || narrow(in) || !fits(in, i, withMods(&s, o))) {
			return false
		}
		s.Words, s.Neg, s.Abs = o.Words, o.Neg, o.Abs
		if s.Kind == ir.KindImm && (s.Neg || s.Abs) {
			return negated(in, o, s)
		}
		*o = s
		return true
	case ir.OpNeg, ir.OpAbs:
		return f.modifier(in, i, d)
	}
	return false
}

func withMods(s, o *ir.Operand) *ir.Operand {
	c := *s
	c.Neg = o.Neg
	return &c
}

// negated folds the modifiers of a floating-point immediate.
func negated(in *ir.Inst, o *ir.Operand, s ir.Operand) bool {
	sign := uint64(1) << 31
	switch in.Type {
	case ir.F64:
		sign = 1 << 63
	case ir.F32:
	default:
		return false
	}
	if s.Abs {
		s.Imm &^= sign
	}
	if s.Neg {
		s.Imm ^= sign
	}
	s.Abs, s.Neg = false, false
	*o = s
	return true
}

// narrow reports whether in reads operands of less than a word.
func narrow(in *ir.Inst) bool {
	small := func(t ir.Type) bool { return t.Size() == 1 || t.Size() == 2 }
	return small(in.Type) && in.Op != ir.OpCvt || small(in.SrcType)
}

// negs and abses list the floating-point operations with hardware negation, or absolute value, of their sources.
var negs = map[ir.Op]bool{ir.OpAdd: true, ir.OpSub: true, ir.OpMul: true, ir.OpFma: true, ir.OpMin: true,
	ir.OpMax: true, ir.OpSetp: true}
var abses = map[ir.Op]bool{ir.OpAdd: true, ir.OpSub: true, ir.OpMin: true, ir.OpMax: true, ir.OpSetp: true}

// modifier folds a floating-point negation or absolute value into source i.
func (f *folder) modifier(in *ir.Inst, i int, d *ir.Inst) bool {
	t := in.Type
	if in.Op == ir.OpSetp && in.SrcType != ir.TypeNone {
		t = in.SrcType
	}
	s := d.Src[0]
	if d.Type != t || t != ir.F32 && t != ir.F64 || i > 2 || d.Mods.Ftz && !in.Mods.Ftz || s.Kind != ir.KindReg ||
		!f.ssa.stable(&s) {
		return false
	}
	o := &in.Src[i]
	if d.Op == ir.OpAbs {
		if !abses[in.Op] {
			return false
		}
		s.Neg, s.Abs = o.Neg, true
		*o = s
		return true
	}
	if !negs[in.Op] {
		return false
	}
	switch {
	case o.Abs: // |-x| is |x|, and ||x|| too
		s.Neg, s.Abs = o.Neg, true
	default:
		s.Neg = s.Neg != !o.Neg
	}
	*o = s
	return true
}

// handle folds a known texture handle into the fetch.
func (f *folder) handle(in *ir.Inst) {
	b := &in.Addr.Base
	if b.Kind != ir.KindReg {
		return
	}
	d := f.ssa.definition(&ir.Operand{Kind: ir.KindReg, Reg: b.Reg, Words: b.Words})
	if d == nil || d.Op != ir.OpMov || len(d.Src) != 1 || d.Type.Size() != 8 || d.Src[0].Neg || d.Src[0].Abs {
		return
	}
	switch s := d.Src[0]; s.Kind {
	case ir.KindImm:
		in.Addr = ir.Addr{Offset: int64(s.Imm) + in.Addr.Offset}
	case ir.KindParam, ir.KindConst:
		*b = s
	case ir.KindReg:
		if s.Words != b.Words || !f.ssa.stable(&s) {
			return
		}
		*b = s
	default:
		return
	}
	f.changed = true
}

// address folds constant additions to the base into the offset.
func (f *folder) address(in *ir.Inst) {
	if in.Op == ir.OpTex || in.Op == ir.OpTxq {
		f.handle(in)
		return
	}
	for range 8 {
		b := &in.Addr.Base
		if b.Kind != ir.KindReg {
			return
		}
		d := f.ssa.definition(&ir.Operand{Kind: ir.KindReg, Reg: b.Reg, Words: b.Words})
		if d == nil || len(d.Src) == 0 {
			return
		}
		s := d.Src[0]
		switch {
		case d.Op == ir.OpMov && len(d.Src) == 1 && d.Type.Size() == 4*int(b.Words) && !s.Neg && !s.Abs:
			if s.Kind == ir.KindImm {
				at := int64(s.Imm) + in.Addr.Offset
				if b.Words == 1 {
					at = int64(uint32(at))
				}
				if at < 0 || at >= offsetLimit {
					return
				}
				in.Addr = ir.Addr{Offset: at}
				f.changed = true
				return
			}
			if s.Kind != ir.KindReg || s.Words != b.Words || !f.ssa.stable(&s) {
				return
			}
			*b = s
		case d.Op == ir.OpAdd && len(d.Src) == 2 && d.Mods == (ir.Mods{}) && d.Type.Size() == 4*int(b.Words):
			x, c := s, d.Src[1]
			if x.Kind == ir.KindImm {
				x, c = c, x
			}
			off := int64(c.Imm)
			if b.Words == 1 {
				off = int64(int32(c.Imm))
			}
			off += in.Addr.Offset
			if x.Kind != ir.KindReg || c.Kind != ir.KindImm || x.Words != b.Words || x.Neg || x.Abs || c.Neg || c.Abs ||
				!f.ssa.stable(&x) || off >= offsetLimit || off < -offsetLimit {
				return
			}
			*b, in.Addr.Offset = x, off
		default:
			return
		}
		f.changed = true
	}
}
