package ir

import "fmt"

// SetTiming sets the timing view of an instruction with allocated registers: everything in T except Dead,
// LongConsumer, FarSrc, FarDst, NextSrc and NextDst, which are set by analyses of the whole kernel. It panics if T
// cannot hold a register or predicate number, or the number of registers. The register allocator never makes such an
// instruction.
func SetTiming(in *Inst) {
	t := Timing{Class: ClassOf(in), Dead: in.T.Dead, LongConsumer: in.T.LongConsumer, FarSrc: in.T.FarSrc,
		FarDst: in.T.FarDst, NextSrc: in.T.NextSrc, NextDst: in.T.NextDst}
	t.guard(in.Guard)
	t.memory(in)
	if in.Addr.Base.Kind != KindNone {
		t.read(in, in.Addr.Base)
	}
	t.read(in, in.Addr.Index)
	t.NAddr = t.NSrc
	for _, o := range in.Src {
		t.read(in, o)
	}
	for _, o := range in.Dst {
		t.write(in, o)
	}
	t.barrier(in)
	in.T = t
	SetSlots(in)
	SetProduct(in)
}

// SetSlots sets the operand slots of the sources in T, from the operands. Code that sets T without SetTiming calls
// it last.
func SetSlots(in *Inst) {
	t := &in.T
	t.Slots = 0
	src, slot := 0, 0
	take := func(o *Operand) {
		if o.Kind == KindReg {
			for n := src + int(o.Words); src < n && src < int(t.NSrc); src++ {
				t.Slots |= uint32(slot) << (2 * src)
			}
		}
		if o.Kind != KindPred && o.Kind != KindNone {
			slot = min(slot+1, OperandSlots-1)
		}
	}
	take(&in.Addr.Base)
	for i := range in.Src {
		take(&in.Src[i])
	}
}

// barrier sets the CTA barrier of an instruction, or Barriers if its number or the count of threads is known only
// at execution.
func (t *Timing) barrier(in *Inst) {
	switch {
	case in.Op == OpMbarWait:
		t.Space = Barriers
	case in.Op != OpBar || len(in.Src) == 0:
	case in.Src[0].Kind != KindImm, len(in.Src) > 1 && in.Src[1].Kind != KindNone && in.Src[1].Kind != KindImm:
		t.Space = Barriers
	default:
		t.BarID = uint8(in.Src[0].Imm)
	}
}

func (t *Timing) guard(g Operand) {
	if g.Kind == KindPred {
		t.Guarded = true
		t.SrcPreds |= predBit(g.Pred())
	}
}

func predBit(p Pred) uint32 {
	if p < 0 || p >= 32 {
		panic(fmt.Sprintf("ir: predicate P%d of an allocated instruction, expected P0 to P31", p))
	}
	return 1 << p
}

// memory fills in the space and the bytes per lane.
func (t *Timing) memory(in *Inst) {
	n := 1
	switch in.Op {
	case OpTex: // its results need not be as wide as the texels, defined by a launch
	case OpLd:
		n = len(in.Dst)
	case OpSt:
		n = len(in.Src)
	case OpLdmatrix, OpStmatrix:
		t.Space, t.Bytes = in.Space, uint8(4*max(len(in.Dst), len(in.Src)))
		return
	case OpAtom, OpRed, OpPrefetch:
	default:
		return
	}
	t.Space = in.Space
	t.Bytes = uint8(n * in.Type.Size())
}

func (t *Timing) read(in *Inst, o Operand) {
	switch o.Kind {
	case KindReg:
		for i := range Reg(o.Words) {
			if t.NSrc == NumSources {
				panic(fmt.Sprintf("ir: %s reads more than %d registers", in.Op, NumSources))
			}
			t.Src[t.NSrc] = regID(o.Reg + i)
			t.NSrc++
		}
	case KindPred:
		t.SrcPreds |= predBit(o.Pred())
	case KindUniform:
		t.SrcUniform |= uniformBits(o)
	case KindParam, KindConst:
		t.Consts++
	case KindSpecial:
		if o.Special.LaunchConstant() {
			t.Consts++
		}
	}
}

func (t *Timing) write(in *Inst, o Operand) {
	switch o.Kind {
	case KindReg:
		for i := range Reg(o.Words) {
			if t.NDst == NumDests {
				panic(fmt.Sprintf("ir: %s writes more than %d registers", in.Op, NumDests))
			}
			t.Dst[t.NDst] = regID(o.Reg + i)
			t.NDst++
		}
	case KindPred:
		t.DstPreds |= predBit(o.Pred())
	case KindUniform:
		t.DstUniform |= uniformBits(o)
	}
}

// uniformBits returns the set of the uniform registers of an operand.
func uniformBits(o Operand) uint64 {
	if o.Reg < 0 || int(o.Reg)+int(o.Words) > UniformRegs {
		panic(fmt.Sprintf("ir: uniform register UR%d of an instruction, expected UR0 to UR%d", o.Reg, UniformRegs-1))
	}
	return (1<<o.Words - 1) << o.Reg
}

func regID(r Reg) RegID {
	if r < 0 || r > 255 {
		panic(fmt.Sprintf("ir: register R%d of an allocated instruction, expected R0 to R255", r))
	}
	return RegID(r)
}

// byType has the timing classes of an operation by the numeric type of its computation.
type byType struct{ integer, single, double, half Class }

// class returns the timing class of a computation in type t.
func (b byType) class(t Type) Class {
	switch {
	case t == F32:
		return b.single
	case t == F64:
		return b.double
	case t.Float():
		return b.half
	}
	return b.integer
}

// always returns one class for all types.
func always(c Class) byType { return byType{c, c, c, c} }

// The classes of operations that depend on the type: additive those of an adder, compares those of comparisons, and so
// on. A comparison in double or half precision has the class of other arithmetic in this type, because the same unit
// does it. In the other types comparisons have a class of their own.
var (
	additive = byType{ClassInt, ClassFAdd, ClassDAdd, ClassHalf}
	compares = byType{ClassCompare, ClassCompare, ClassDAdd, ClassHalf}
	products = byType{ClassIntMul, ClassFMul, ClassDMul, ClassHalf}
	fused    = byType{ClassIntMul, ClassFMA, ClassDFMA, ClassHalf}
	divides  = byType{ClassIntDiv, ClassFDiv, ClassDDiv, ClassHalf}
)

var classes = [NumOps]byType{
	OpNop: always(ClassNop), OpMov: always(ClassMove), OpCvt: always(ClassConvert), OpSelp: always(ClassMove),
	OpSlct: always(ClassMove),
	OpPrmt: always(ClassMove), OpPack: always(ClassMove), OpUnpack: always(ClassMove),
	OpAdd: additive, OpSub: additive, OpMul: products, OpMad: fused, OpFma: fused, OpMul24: products, OpMad24: fused,
	OpSad: always(ClassShift), OpDiv: divides, OpRem: divides, OpAbs: additive, OpNeg: additive, OpMin: compares,
	OpMax:  compares,
	OpSqrt: divides, OpRcp: divides, OpRsqrt: always(ClassSFU), OpSin: always(ClassSFU), OpCos: always(ClassSFU),
	OpEx2: always(ClassSFU),
	OpLg2: always(ClassSFU), OpTanh: always(ClassSFU), OpCopysign: always(ClassMove), OpTestp: compares,
	OpDp4a: always(ClassIntMul), OpDp2a: always(ClassIntMul),
	OpAnd: always(ClassMove), OpOr: always(ClassMove), OpXor: always(ClassMove), OpNot: always(ClassMove),
	OpCnot: always(ClassMove),
	OpLop3: always(ClassMove), OpShl: always(ClassShift), OpShr: always(ClassShift), OpShf: always(ClassShift),
	OpBfe: always(ClassShift), OpBfi: always(ClassShift), OpBfind: always(ClassBits), OpBrev: always(ClassBits),
	OpClz:  always(ClassBits),
	OpPopc: always(ClassBits), OpFns: always(ClassBits), OpBmsk: always(ClassInt), OpSzext: always(ClassInt),
	OpVideo: always(ClassInt),
	OpSet:   compares, OpSetp: compares,
	OpLd: always(ClassLoad), OpSt: always(ClassStore), OpAtom: always(ClassAtomic), OpRed: always(ClassAtomic),
	OpTex:      always(ClassTexture),
	OpPrefetch: always(ClassLoad),
	OpShfl:     always(ClassShuffle), OpVote: always(ClassVote), OpMatch: always(ClassVote),
	OpActivemask: always(ClassVote), OpRedux: always(ClassVote),
	OpBra: always(ClassBranch), OpBrx: always(ClassBranch), OpExit: always(ClassExit), OpBar: always(ClassBarrier),
	OpBarWarp: always(ClassBarrier), OpMbarWait: always(ClassBarrier),
	OpMembar: always(ClassFence), OpTrap: always(ClassExit), OpPrintf: always(ClassMove),
	OpTxq: always(ClassMove), OpMma: always(ClassMatrix), OpLdmatrix: always(ClassLoad),
	OpStmatrix: always(ClassStore), OpMovmatrix: always(ClassShuffle), OpAlloca: always(ClassInt),
	OpSetmaxnreg: always(ClassNop),
	OpAdd3:       always(ClassInt), OpLea: always(ClassInt), OpImad: always(ClassIntMul), OpFunnel: always(ClassShift),
	OpSetpHigh: always(ClassCompare), OpPlop3: always(ClassMove), OpPackPreds: always(ClassMove),
	OpRcpHigh: always(ClassSFU), OpRsqrtHigh: always(ClassSFU), OpUnpackPreds: always(ClassMove),
	OpDivCheck: always(ClassConvert), OpFirst: always(ClassMove),
	OpBarrierSet: always(ClassBranch), OpBarrierWait: always(ClassBranch), OpBarrierLeave: always(ClassBranch),
	OpConverge: always(ClassBranch), OpMeeting: always(ClassBranch), OpMeet: always(ClassBranch),
	OpXmad: always(ClassXmad), OpExtremes: always(ClassCompare),
	OpSetpExtreme: compares, OpBarrierSave: always(ClassMove), OpBarrierRestore: always(ClassMove),
	OpQuerySpace: always(ClassMove), OpCollective: always(ClassBranch), OpCollectiveEnd: always(ClassBranch),
}

// ClassOf returns the timing class of an instruction, allocated or not.
func ClassOf(in *Inst) Class {
	t := in.Type
	switch in.Op {
	case OpSet:
		t = in.SrcType
	case OpCvt:
		if t.Size() == 8 || in.SrcType.Size() == 8 {
			return ClassConvertWide
		}
	case OpMov:
		if len(in.Src) == 1 && in.Src[0].Kind == KindSpecial && in.Src[0].Special.Slow() {
			return ClassSpecial
		}
	case OpMma:
		if int(in.Mods.MatrixK)*8*in.SrcType.Size() > 128 {
			return ClassMatrixWide
		}
	case OpSqrt, OpRcp:
		if in.Mods.Approx {
			return ClassSFU
		}
	}
	return classes[in.Op].class(t)
}
