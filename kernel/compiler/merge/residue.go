package merge

import (
	"math/bits"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
)

// residue is the known low bits of a word, equal in every lane at any time.
type residue struct {
	bits  int // how many of them are known
	value uint32
}

// wordBits is the size of a register.
const wordBits = 32

// exact returns the residue of a fully known word.
func exact(v uint32) residue { return residue{wordBits, v} }

// low returns the residue limited to the n lowest bits.
func (a residue) low(n int) residue {
	n = max(0, min(n, a.bits))
	return residue{n, a.value & (1<<n - 1)}
}

// either returns the residue of a word with either of two residues.
func either(a, b residue) residue {
	return a.low(min(b.bits, bits.TrailingZeros32(a.value^b.value)))
}

// residues has the residue of each register of a kernel. The order of execution does not matter: a register's
// residue holds for all its definitions.
type residues struct {
	k    *ir.Kernel
	of   []residue
	seen []bool // a definition has been met
}

// newResidues computes the residues of k. It starts from the registers read before they are written, which hold
// zero, and adds definitions until nothing changes. The known bits of a register only shrink, so the loop ends.
func newResidues(k *ir.Kernel) *residues {
	s := &residues{k: k, of: make([]residue, k.NumRegs), seen: make([]bool, k.NumRegs)}
	if len(k.Insts) == 0 {
		return s
	}
	l := liveness.Analyze(k, cfg.Build(k.Insts))
	for _, r := range l.Registers(l.In[0]) {
		s.meet(int(r), exact(0))
	}
	for changed := true; changed; {
		changed = false
		for pc := range k.Insts {
			if s.define(&k.Insts[pc]) {
				changed = true
			}
		}
	}
	return s
}

// define adds the results of an instruction, and reports whether a residue shrank.
func (s *residues) define(in *ir.Inst) bool {
	changed := false
	for i := range in.Dst {
		if in.Dst[i].Kind != ir.KindReg {
			continue
		}
		for w := range code.Words(&in.Dst[i]) {
			r, ok := residue{}, true
			if i == 0 && w == 0 {
				r, ok = s.result(in)
			}
			if ok && s.meet(int(in.Dst[i].Reg)+w, r) {
				changed = true
			}
		}
	}
	return changed
}

func (s *residues) meet(reg int, r residue) bool {
	old := s.of[reg]
	if s.seen[reg] {
		r = either(old, r)
	}
	if s.seen[reg] && r == old {
		return false
	}
	s.of[reg], s.seen[reg] = r, true
	return true
}

// operand returns the residue of the low word of an operand, and false for a register without a definition so far.
func (s *residues) operand(o *ir.Operand) (residue, bool) {
	if o.Neg || o.Abs {
		return residue{}, true
	}
	switch o.Kind {
	case ir.KindReg:
		return s.of[o.Reg], s.seen[o.Reg]
	case ir.KindImm:
		return s.immediate(uint32(o.Imm)), true
	case ir.KindParam:
		return s.parameter(o.Imm), true
	}
	return residue{}, true
}

// slack is the largest distance, in bytes, of an address below the variable it refers to.
const slack = 1 << 24

// immediate returns the residue of a constant. For a possible address of a variable in global space, only the
// declared alignment is known, since the module's loader places the variable.
func (s *residues) immediate(v uint32) residue {
	r := exact(v)
	if s.k.GlobalAlign > 0 && v >= ir.GlobalBase-slack {
		r = r.low(bits.TrailingZeros32(uint32(s.k.GlobalAlign)))
	}
	return r
}

// parameter returns the residue of the parameter bytes at an offset. It is known for a pointer with declared
// alignment.
func (s *residues) parameter(at uint64) residue {
	for i := range s.k.Params {
		if p := &s.k.Params[i]; p.Pointee > 0 && uint64(p.Offset) == at {
			return exact(0).low(bits.TrailingZeros32(uint32(p.Pointee)))
		}
	}
	return residue{}
}

// result returns the residue of the low word of the first destination, and false if an operand is not known yet.
func (s *residues) result(in *ir.Inst) (residue, bool) {
	var src [3]residue
	rule := rules[in.Op]
	if rule == nil || in.Type.Float() || in.Type.Size() < 4 && in.Op != ir.OpCvt || in.Mods.CarryIn || in.Mods.Sat {
		return residue{}, true
	}
	n := 0
	for i := range in.Src {
		if in.Src[i].Kind == ir.KindPred {
			continue
		}
		if n == len(src) {
			return residue{}, true
		}
		r, ok := s.operand(&in.Src[i])
		if !ok {
			return residue{}, false
		}
		src[n] = r
		n++
	}
	return rule(in, src), true
}

// rules compute the residue of a result from the residues of the sources, without predicates.
var rules = [ir.NumOps]func(in *ir.Inst, src [3]residue) residue{
	ir.OpMov: func(_ *ir.Inst, src [3]residue) residue { return src[0] },
	ir.OpCvt: converted,
	ir.OpAdd: func(_ *ir.Inst, src [3]residue) residue { return sum(src[0], src[1]) },
	ir.OpSub: func(_ *ir.Inst, src [3]residue) residue {
		return residue{min(src[0].bits, src[1].bits), src[0].value - src[1].value}.low(wordBits)
	},
	ir.OpMul: func(in *ir.Inst, src [3]residue) residue { return multiplied(in, src[0], src[1]) },
	ir.OpMad: func(in *ir.Inst, src [3]residue) residue { return sum(multiplied(in, src[0], src[1]), src[2]) },
	ir.OpShl: shiftedLeft, ir.OpShr: shiftedRight,
	ir.OpAnd: func(_ *ir.Inst, src [3]residue) residue { return masked(src[0], src[1]) },
	ir.OpOr: func(_ *ir.Inst, src [3]residue) residue {
		return inverse(masked(inverse(src[0]), inverse(src[1])))
	},
	ir.OpXor: func(_ *ir.Inst, src [3]residue) residue {
		return residue{min(src[0].bits, src[1].bits), src[0].value ^ src[1].value}.low(wordBits)
	},
	ir.OpSelp: func(_ *ir.Inst, src [3]residue) residue { return either(src[0], src[1]) },
	ir.OpMin:  func(_ *ir.Inst, src [3]residue) residue { return either(src[0], src[1]) },
	ir.OpMax:  func(_ *ir.Inst, src [3]residue) residue { return either(src[0], src[1]) },
}

func sum(a, b residue) residue {
	return residue{min(a.bits, b.bits), a.value + b.value}.low(wordBits)
}

// converted returns the residue of an integer conversion.
func converted(in *ir.Inst, src [3]residue) residue {
	if in.SrcType.Float() || in.Type == ir.PredType || in.SrcType == ir.PredType {
		return residue{}
	}
	return src[0].low(8 * min(in.Type.Size(), in.SrcType.Size()))
}

// multiplied returns the residue of the low word of a product. Of (x*2^m + a) * (y*2^n + b) it has the bits of a*b
// below the lowest possible bits of a*y*2^n, b*x*2^m and x*y*2^(m+n).
func multiplied(in *ir.Inst, a, b residue) residue {
	if in.Mods.Part == ir.Hi {
		return residue{}
	}
	zeros := func(r residue) int {
		if r.value == 0 {
			return wordBits
		}
		return bits.TrailingZeros32(r.value)
	}
	unknown := func(known int) int { // the lowest unknown bit
		if known == wordBits {
			return 2 * wordBits
		}
		return known
	}
	m, n := unknown(a.bits), unknown(b.bits)
	known := min(zeros(a)+n, zeros(b)+m, m+n, wordBits)
	return residue{wordBits, a.value * b.value}.low(known)
}

func shiftedLeft(_ *ir.Inst, src [3]residue) residue {
	if src[1].bits < wordBits {
		return residue{}
	}
	by := int(min(src[1].value, wordBits))
	return residue{min(wordBits, src[0].bits+by), src[0].value << by}
}

// shiftedRight treats the bits shifted in at the top as unknown, even for a fully known word.
func shiftedRight(in *ir.Inst, src [3]residue) residue {
	if src[1].bits < wordBits || in.Type.Size() != 4 {
		return residue{}
	}
	by := int(min(src[1].value, wordBits))
	return residue{max(0, src[0].bits-by), src[0].value >> by}.low(wordBits)
}

// masked returns the residue of a conjunction. A bit is known if it is known in both operands, or known to be zero
// in one.
func masked(a, b residue) residue {
	zeros := func(r residue) uint32 { return ^r.value & mask(r.bits) }
	known := mask(a.bits)&mask(b.bits) | zeros(a) | zeros(b)
	return residue{wordBits, a.value & b.value}.low(bits.TrailingZeros32(^known))
}

func inverse(a residue) residue { return residue{a.bits, ^a.value & mask(a.bits)} }

func mask(n int) uint32 { return uint32(1<<n - 1) }
