package fold

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// slots has, for each operation, the sources that may be an immediate or come from the constant bank: bit i for
// Src[i]. Commutative operations are listed with both sides: the assembler swaps them; a subtraction negates.
var slots = [ir.NumOps]uint8{
	ir.OpMov: 1, ir.OpCvt: 1, ir.OpSelp: 3, ir.OpSlct: 2, ir.OpPrmt: 6, ir.OpPack: 3, ir.OpUnpack: 1,
	ir.OpAdd: 3, ir.OpSub: 3, ir.OpMul: 3, ir.OpMad: 7, ir.OpFma: 7, ir.OpMul24: 3, ir.OpMad24: 7, ir.OpSad: 6,
	ir.OpDiv: 3, ir.OpRem: 3, ir.OpAbs: 1, ir.OpNeg: 1, ir.OpMin: 3, ir.OpMax: 3,
	ir.OpCopysign: 3, ir.OpTestp: 1, ir.OpDp4a: 6, ir.OpDp2a: 6,
	ir.OpAnd: 3, ir.OpOr: 3, ir.OpXor: 3, ir.OpNot: 1, ir.OpCnot: 1, ir.OpLop3: 7,
	ir.OpShl: 2, ir.OpShr: 2, ir.OpShf: 4, ir.OpBfe: 2, ir.OpBfi: 4, ir.OpBfind: 1, ir.OpBrev: 1, ir.OpClz: 1,
	ir.OpPopc: 1,
	ir.OpSet:  3, ir.OpSetp: 3, ir.OpAlloca: 2,
}

// free has the sources with immediates in the encoding, not counted as its one constant.
var free = [ir.NumOps]uint8{
	ir.OpLop3: 8, ir.OpBfe: 6, ir.OpBfi: 12, ir.OpShfl: 14, ir.OpVote: 2, ir.OpMatch: 2, ir.OpRedux: 2,
	ir.OpBar: 7, ir.OpBarWarp: 1, ir.OpMbarWait: 1,
	ir.OpVideo: 0xff, ir.OpBmsk: 3, ir.OpSzext: 2, ir.OpPrintf: 3, ir.OpTrap: 15, ir.OpDp2a: 0,
	ir.OpSetmaxnreg: 1,
}

// Constant reports whether o is an immediate or an operand from the constant bank.
func Constant(o *ir.Operand) bool {
	switch o.Kind {
	case ir.KindImm, ir.KindParam, ir.KindConst:
		return true
	case ir.KindSpecial:
		return o.Special.LaunchConstant()
	}
	return false
}

func zero(o *ir.Operand) bool { return o.Kind == ir.KindImm && o.Imm == 0 && !o.Neg }

// predicate reports whether source i of in is a predicate, or stands for one.
func predicate(in *ir.Inst, i int) bool {
	if in.Src[i].Kind == ir.KindPred || in.Type == ir.PredType {
		return true
	}
	switch in.Op {
	case ir.OpSelp, ir.OpSetp, ir.OpSet:
		return i == 2
	case ir.OpAdd, ir.OpSub:
		return i == 2
	case ir.OpMad:
		return i == 3
	case ir.OpVote:
		return i == 0
	case ir.OpBar:
		return i == 2
	}
	return false
}

// counts reports whether source i of in uses the instruction's one place for a constant.
func counts(in *ir.Inst, i int) bool {
	o := &in.Src[i]
	if !Constant(o) || zero(o) || predicate(in, i) {
		return false
	}
	return o.Kind != ir.KindImm || free[in.Op]>>i&1 == 0
}

// fits reports whether constant o may become source i of in.
func fits(in *ir.Inst, i int, o *ir.Operand) bool {
	if predicate(in, i) {
		return false
	}
	if zero(o) {
		return in.Op != ir.OpTex
	}
	if o.Kind == ir.KindImm && free[in.Op]>>i&1 != 0 {
		return true
	}
	if slots[in.Op]>>i&1 == 0 {
		return false
	}
	for j := range in.Src {
		if j != i && counts(in, j) {
			return false
		}
	}
	return true
}

// Legalize loads a constant into a register if the encoding has no place for it. It does the same with an address that
// no register holds, if the address is too large for the offset field or comes from the constant bank. Uses of the same
// constant that follow soon in the same block share the register.
func Legalize(k *ir.Kernel) {
	leader := leaders(k)
	const reach = 32 // instructions after a use in which the register may be used again; bounds its live range
	type held struct {
		reg  ir.Operand
		upTo int
	}
	have := map[ir.Operand]held{}
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		if leader[pc] {
			clear(have)
		}
		in = code.Clone(in)
		get := func(o ir.Operand) ir.Operand {
			key := o
			key.Neg, key.Abs = false, false
			h, ok := have[key]
			if !ok || pc > h.upTo {
				r := make([]ir.Operand, 0, 2)
				h.reg = ir.R(ir.Reg(k.NumRegs), int(max(1, o.Words)))
				k.NumRegs += int(h.reg.Words)
				for w := range int(h.reg.Words) {
					r = append(r, ir.R(h.reg.Reg+ir.Reg(w), 1))
					e.Emit(ir.Inst{Op: ir.OpMov, Type: ir.B32, Dst: r[w : w+1], Src: []ir.Operand{Word(key, w)}})
				}
			}
			h.upTo = pc + reach
			have[key] = h
			out := h.reg
			out.Neg, out.Abs = o.Neg, o.Abs
			return out
		}
		legalSources(&in, get)
		legalAddress(&in, get)
		e.Emit(in)
	})
}

func legalSources(in *ir.Inst, get func(ir.Operand) ir.Operand) {
	taken := false
	for i := range in.Src {
		if !counts(in, i) {
			continue
		}
		ok := slots[in.Op]>>i&1 != 0 && !taken
		if ok {
			taken = true
			continue
		}
		in.Src[i] = get(in.Src[i])
	}
}

// offsetLimit bounds the offsets of memory instructions: 24 bits with sign.
const offsetLimit = 1 << 23

func legalAddress(in *ir.Inst, get func(ir.Operand) ir.Operand) {
	b := &in.Addr.Base
	if in.Op == ir.OpTex || in.Op == ir.OpTxq {
		return // TEX names its texture by an immediate or a place in the constant bank
	}
	if b.Kind == ir.KindParam || b.Kind == ir.KindConst {
		*b = get(*b)
	}
	if in.Space == ir.SpaceNone || b.Kind != ir.KindNone && b.Kind != ir.KindImm {
		return
	}
	if b.Kind == ir.KindImm {
		in.Addr.Offset += int64(b.Imm)
		*b = ir.Operand{}
	}
	if o := in.Addr.Offset; o >= offsetLimit || o < -offsetLimit {
		words := 2
		if in.Space == ir.Shared || in.Space == ir.Local || in.Space == ir.Const || in.Space == ir.Param {
			words = 1
		}
		*b = get(ir.Imm(uint64(o), words))
		in.Addr.Offset = 0
	}
}

// Word returns the i-th word of a register or constant operand.
func Word(o ir.Operand, i int) ir.Operand {
	if o.Words < 2 && o.Kind != ir.KindImm {
		return o
	}
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

func leaders(k *ir.Kernel) []bool {
	out := make([]bool, len(k.Insts)+1)
	for pc := range k.Insts {
		in := &k.Insts[pc]
		switch in.Op {
		case ir.OpBra:
			out[in.Target], out[pc+1] = true, true
		case ir.OpBrx:
			for _, t := range in.Targets {
				out[t] = true
			}
			out[pc+1] = true
		case ir.OpExit, ir.OpTrap:
			out[pc+1] = true
		}
	}
	return out
}
