package sass

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"kumiko/kernel/ir"
	"kumiko/kernel/sass/opcode"
)

// instBytes is the distance between the instructions of a written trace, in bytes, as in GPUs from Volta on.
const instBytes = 16

// binaryVersion is the code version of written traces. Accel-Sim selects its opcode table by it and has none older
// than Kepler's; the mnemonics are Volta's.
const binaryVersion = 70

// lineOf returns the part of a line equal at every execution of an instruction, and its memory width. Accel-Sim
// reads one result and four sources, with one register for each operand.
func lineOf(in *ir.Inst) ([]byte, int) {
	var b []byte
	if in.T.NDst > 0 {
		b = append(b, "1 R"...)
		b = strconv.AppendUint(b, uint64(in.T.Dst[0]), 10)
		b = append(b, ' ')
	} else if name := mnemonic(in); strings.HasPrefix(name, atomicWithResult) {
		b = append(b, noResult...)
	} else {
		b = append(b, "0 "...)
	}
	b = append(b, mnemonic(in)...)
	src := make([]ir.Reg, 0, 4)
	for _, o := range append([]ir.Operand{in.Addr.Base}, in.Src...) {
		if o.Kind == ir.KindReg && len(src) < 4 {
			src = append(src, o.Reg)
		}
	}
	b = append(b, ' ')
	b = strconv.AppendInt(b, int64(len(src)), 10)
	for _, r := range src {
		b = append(b, " R"...)
		b = strconv.AppendInt(b, int64(r), 10)
	}
	width := 0
	if in.T.Space != ir.SpaceNone {
		width = max(int(in.T.Bytes), 1)
	}
	b = append(b, ' ')
	return strconv.AppendInt(b, int64(width), 10), width
}

// atomicWithResult begins the opcodes of atomic operations with a result; those on shared memory always have one.
// noResult is an unread result, as written by tracers. Accel-Sim considers such an instruction completed, and
// counts it, when its result is there. Register 255 is RZ, never written.
const (
	atomicWithResult = "ATOM"
	noResult         = "1 R255 "
)

// earlierLine returns a line in the form of recordings before noResult, or nil if the form is the same.
func earlierLine(line []byte) []byte {
	rest, ok := bytes.CutPrefix(line, []byte(noResult))
	if !ok || !bytes.HasPrefix(rest, []byte(atomicWithResult)) {
		return nil
	}
	return append([]byte("0 "), rest...)
}

// mnemonic returns the nearest machine instruction. An instruction from a trace keeps its name.
func mnemonic(in *ir.Inst) string {
	if in.Op != ir.OpTex && in.Sym != "" && opcode.Valid(in.Sym) {
		return in.Sym
	}
	switch in.T.Class {
	case ir.ClassLoad, ir.ClassStore, ir.ClassAtomic, ir.ClassTexture:
		return memoryMnemonic(in)
	case ir.ClassBarrier:
		if in.Op == ir.OpBarWarp {
			return "WARPSYNC"
		}
		if in.Mods.Bar == ir.BarArrive {
			return "BAR.ARV"
		}
		return "BAR.SYNC"
	case ir.ClassMove, ir.ClassUniformMove, ir.ClassShift, ir.ClassCompare, ir.ClassBits:
		if m, ok := opNames[in.Op]; ok {
			return m
		}
		if in.T.Class == ir.ClassCompare && in.Type.Float() && (in.Op == ir.OpMin || in.Op == ir.OpMax) {
			return "FMNMX"
		}
	case ir.ClassMatrix, ir.ClassMatrixWide, ir.ClassMatrixGroup:
		return matrixMnemonic(in)
	case ir.ClassShuffle:
		if in.Op == ir.OpMovmatrix {
			return "MOVM.16.MT88"
		}
	case ir.ClassFence:
		return [ir.NumScopes]string{"MEMBAR.SC.GPU", "MEMBAR.SC.CTA", "MEMBAR.SC.SYS"}[in.Mods.Scope]
	case ir.ClassBranch:
		if in.Op == ir.OpBrx {
			return "BRX"
		}
	}
	return classNames[in.T.Class]
}

var classNames = [ir.NumClasses]string{
	ir.ClassNop: "NOP", ir.ClassMove: "MOV", ir.ClassUniformMove: "UMOV", ir.ClassInt: "IADD3", ir.ClassIntMul: "IMAD",
	ir.ClassIntDiv: "IMAD.HI", ir.ClassXmad: "XMAD",
	ir.ClassConvert: "I2F", ir.ClassFAdd: "FADD", ir.ClassFMul: "FMUL", ir.ClassFMA: "FFMA", ir.ClassFDiv: "MUFU.RCP",
	ir.ClassSFU: "MUFU", ir.ClassDAdd: "DADD", ir.ClassDMul: "DMUL", ir.ClassDFMA: "DFMA", ir.ClassDDiv: "MUFU.RCP64H",
	ir.ClassHalf: "HFMA2", ir.ClassHalfMMA: "HFMA2.MMA", ir.ClassShuffle: "SHFL.IDX", ir.ClassVote: "VOTE.ANY",
	ir.ClassBranch: "BRA", ir.ClassExit: "EXIT", ir.ClassSpecial: "S2R",
	ir.ClassShift: "SHF.L.U32", ir.ClassCompare: "IMNMX", ir.ClassBits: "POPC", ir.ClassConvertWide: "F2F.F64.F32",
}

var opNames = map[ir.Op]string{
	ir.OpLop3: "LOP3.LUT", ir.OpAnd: "LOP3.LUT", ir.OpOr: "LOP3.LUT", ir.OpXor: "LOP3.LUT", ir.OpNot: "LOP3.LUT",
	ir.OpShl: "SHF.L.U32", ir.OpShr: "SHF.R.U32.HI", ir.OpShf: "SHF.L.W.U32", ir.OpSelp: "SEL", ir.OpPrmt: "PRMT",
	ir.OpSetp: "ISETP.NE.AND", ir.OpSet: "ISETP.NE.AND", ir.OpBfind: "FLO", ir.OpClz: "FLO", ir.OpBrev: "BREV",
}

// matrixMnemonic returns a mnemonic with the shape in its suffix: m16n8k16 is 16816.
func matrixMnemonic(in *ir.Inst) string {
	shape := fmt.Sprintf(".%d8%d", in.Mods.MatrixM, in.Mods.MatrixK)
	switch in.Type {
	case ir.S32:
		return "IMMA" + shape + ".S8.S8"
	case ir.F64:
		return "DMMA" + shape
	}
	return "HMMA" + shape + "." + strings.ToUpper(in.Type.String())
}

func memoryMnemonic(in *ir.Inst) string {
	size := map[uint8]string{1: ".U8", 2: ".U16", 8: ".64", 16: ".128"}[in.T.Bytes]
	switch in.Op {
	case ir.OpTex:
		return "TEX"
	case ir.OpLdmatrix:
		return fmt.Sprintf("LDSM.16.M88.%d", len(in.Dst))
	case ir.OpStmatrix:
		return "STS" + size
	case ir.OpAtom, ir.OpRed:
		return atomicName(in) + size
	}
	name := "LD"
	if in.Op == ir.OpSt {
		name = "ST"
	}
	switch in.T.Space {
	case ir.Global:
		name += "G.E"
	case ir.Shared:
		name += "S"
	case ir.Local:
		name += "L"
	case ir.Const, ir.Param:
		name += "C"
	default:
		name += ".E"
	}
	return name + size
}

func atomicName(in *ir.Inst) string {
	name := "ATOM.E"
	switch {
	case in.T.Space == ir.Shared:
		name = "ATOMS"
	case in.Op == ir.OpRed:
		name = "RED.E"
	case in.T.Space == ir.Global:
		name = "ATOMG.E"
	}
	return name + atomicSuffix[in.Mods.Atomic]
}

var atomicSuffix = [...]string{
	ir.AtomNone: "", ir.AtomAdd: ".ADD", ir.AtomMin: ".MIN", ir.AtomMax: ".MAX", ir.AtomInc: ".INC", ir.AtomDec: ".DEC",
	ir.AtomAnd: ".AND", ir.AtomOr: ".OR", ir.AtomXor: ".XOR", ir.AtomExch: ".EXCH", ir.AtomCas: ".CAS",
}
