package opcode

import (
	"strings"

	"kumiko/kernel/ir"
)

// flow is the effect of an instruction on control.
type flow uint8

const (
	onward flow = iota
	jumps       // may go somewhere else than to the next instruction
	exits
)

// width is the rule for the number of registers of an operand.
type width uint8

const (
	single  width = iota // one each
	double               // two each: double precision
	compare              // two per source, one for the result: double precision compared
	wide                 // result and addend two: 32 x 32 + 64
	convert              // by the types in the name
	loadW                // result by the data size, address pair where extended
	storeW               // data by the data size, address pair where extended
	atomicW              // both
	clock                // CS2R: two unless .32
	matrix               // tensor operations, by shape
)

// info is the table entry of a mnemonic.
type info struct {
	class ir.Class
	op    ir.Op
	typ   ir.Type
	width width
	space ir.Space
	flow  flow
	konst bool   // reads the constant bank by its nature
	lacks string // what of it is not simulated; "": nothing that a note should say
}

var table = map[string]info{}

func add(i info, names string) {
	for _, n := range strings.Fields(names) {
		if _, ok := table[n]; ok {
			panic("opcode: " + n + " stands in the table twice")
		}
		table[n] = i
	}
}

func init() {
	arithmetic()
	moves()
	memory()
	control()
	uniform()
}

func arithmetic() {
	f := func(c ir.Class, o ir.Op) info { return info{class: c, op: o, typ: ir.F32} }
	add(f(ir.ClassFAdd, ir.OpAdd), "FADD FADD32I FADD2 FSWZ FSWZADD")
	add(f(ir.ClassFAdd, ir.OpMin), "FCHK")
	add(f(ir.ClassCompare, ir.OpMin), "FMNMX FMNMX3 FCMP FCMP32I")
	add(f(ir.ClassFMul, ir.OpMul), "FMUL FMUL32I FMUL2")
	add(f(ir.ClassFMA, ir.OpFma), "FFMA FFMA32I FFMA2 IPA")
	add(f(ir.ClassMove, ir.OpSelp), "FSEL")
	add(f(ir.ClassCompare, ir.OpSet), "FSET FSETP")
	add(f(ir.ClassSFU, ir.OpRcp), "MUFU MUFU32I")
	add(f(ir.ClassSFU, ir.OpSin), "RRO") // range reduction in front of MUFU

	h := func(o ir.Op) info { return info{class: ir.ClassHalf, op: o, typ: ir.F16x2} }
	add(h(ir.OpAdd), "HADD2 HADD2_32I HMNMX2")
	add(h(ir.OpMul), "HMUL2 HMUL2_32I")
	add(h(ir.OpFma), "HFMA2 HFMA2_32I")
	add(h(ir.OpSet), "HSET2 HSETP2")
	add(info{class: ir.ClassMatrix, op: ir.OpMma, typ: ir.F32, width: matrix}, "HMMA BMMA IMMA DMMA QMMA")
	add(info{class: ir.ClassMatrixGroup, op: ir.OpMma, typ: ir.F32, width: matrix, lacks: "its operands in shared " +
		"memory take no bank, and its result is its first register"}, "HGMMA QGMMA IGMMA BGMMA")

	d := func(c ir.Class, o ir.Op, w width) info { return info{class: c, op: o, typ: ir.F64, width: w} }
	add(d(ir.ClassDAdd, ir.OpAdd, double), "DADD")
	add(d(ir.ClassDAdd, ir.OpMin, double), "DMNMX")
	add(d(ir.ClassDMul, ir.OpMul, double), "DMUL")
	add(d(ir.ClassDFMA, ir.OpFma, double), "DFMA")
	add(d(ir.ClassDAdd, ir.OpSet, compare), "DSET DSETP")

	i := func(c ir.Class, o ir.Op) info { return info{class: c, op: o, typ: ir.S32} }
	add(i(ir.ClassInt, ir.OpAdd), "IADD IADD3 IADD32I IABS ISUB ICADD VADD VADD2 VADD4 "+
		"VIADD VIADDMNMX VSET VSET2 VSET4 VSETP VSEL VSEL2 VSEL4")
	add(i(ir.ClassShift, ir.OpAdd), "ISCADD ISCADD32I LEA")
	add(i(ir.ClassShift, ir.OpSad), "ISAD")
	add(i(ir.ClassInt, ir.OpSad), "VABSDIFF VABSDIFF2 VABSDIFF4 VSAD")
	add(i(ir.ClassCompare, ir.OpMin), "IMNMX IMNMX3 ICMP VIMNMX VIMNMX3")
	add(i(ir.ClassInt, ir.OpMin), "VMNMX VMNMX2 VMNMX4")
	add(i(ir.ClassBits, ir.OpPopc), "POPC")
	add(i(ir.ClassBits, ir.OpBfind), "FLO BFIND")
	add(i(ir.ClassBits, ir.OpBrev), "BREV")
	add(i(ir.ClassShift, ir.OpBfe), "BFE BFI")
	add(i(ir.ClassInt, ir.OpPopc), "BMSK SGXT")
	add(i(ir.ClassIntMul, ir.OpMul), "IMUL IMUL32I IMUL32 IMULS")
	m := i(ir.ClassIntMul, ir.OpMad)
	m.width = wide
	add(m, "IMAD IMAD32I IMADSP IMAD3 VMAD VSHL VSHR IDP IDP4A IDP2A")
	m.class = ir.ClassXmad
	add(m, "XMAD")
	add(i(ir.ClassMove, ir.OpLop3), "LOP LOP3 LOP32I LOP32")
	add(i(ir.ClassShift, ir.OpShf), "SHL SHR SHF")
	add(i(ir.ClassCompare, ir.OpSet), "ISET ISETP")

	add(info{class: ir.ClassConvert, op: ir.OpCvt, typ: ir.F32, width: convert},
		"F2F F2I I2F I2I F2FP F2IP I2IP FRND F2F32 F2FP32")
	// CUDA programming guide: from 8.6 on conversions between types of 32 bits have 64 results per cycle and SM. ptxas'
	// words for sm_86 keep the distance of the ALU to readers of I2FP, and wait for no counter.
	add(info{class: ir.ClassInt, op: ir.OpCvt, typ: ir.F32, width: convert}, "I2FP")
}

func moves() {
	v := func(o ir.Op) info { return info{class: ir.ClassMove, op: o, typ: ir.B32} }
	add(v(ir.OpMov), "MOV MOV32I MOV64IUR MOVM R2B P2R R2P LEPC AL2P PIXLD ISBERD GETCRSPTR GETLMEMBASE "+
		"LDTRAM CSMTEST QSPC")
	add(info{class: ir.ClassSpecial, op: ir.OpMov, typ: ir.B32}, "S2R B2R")
	add(v(ir.OpSelp), "SEL")
	add(v(ir.OpPrmt), "PRMT")
	add(info{class: ir.ClassCompare, op: ir.OpSetp, typ: ir.B32}, "PSETP PSET CSET CSETP")
	add(v(ir.OpSetp), "PLOP3")
	add(info{class: ir.ClassMove, op: ir.OpMov, typ: ir.B64, width: clock}, "CS2R")
	add(info{class: ir.ClassShuffle, op: ir.OpShfl, typ: ir.B32}, "SHFL")
	add(info{class: ir.ClassVote, op: ir.OpVote, typ: ir.B32}, "VOTE VOTE_VTG VOTEU")
	add(info{class: ir.ClassVote, op: ir.OpMatch, typ: ir.B32}, "MATCH")
	add(info{class: ir.ClassVote, op: ir.OpRedux, typ: ir.B32}, "REDUX CREDUX")
	add(info{class: ir.ClassNop, op: ir.OpNop},
		"NOP PMTRIG TEXDEPBAR LDGDEPBAR DEPBAR SETCRSPTR SETLMEMBASE SETCTAID NANOSLEEP BMOV USETMAXREG CCTL CCTLL "+
			"CCTLT UTMACCTL WARPGROUPSET ELECT")
	add(info{class: ir.ClassNop, op: ir.OpNop, lacks: noWait}, "UTMACMDFLUSH WARPGROUP")
}

func memory() {
	l := func(s ir.Space) info { return info{class: ir.ClassLoad, op: ir.OpLd, width: loadW, space: s} }
	add(l(ir.Generic), "LD LDU")
	add(l(ir.Global), "LDG LDGSTS")
	add(l(ir.Shared), "LDS LDSM LDSLK")
	add(l(ir.Local), "LDL LDLK")
	c := l(ir.Const)
	c.konst = true
	add(c, "LDC LDCU")
	s := func(s ir.Space) info { return info{class: ir.ClassStore, op: ir.OpSt, width: storeW, space: s} }
	add(s(ir.Generic), "ST")
	add(s(ir.Global), "STG")
	add(s(ir.Shared), "STS STSM STSUL STSCUL STUL")
	remote := s(ir.Shared)
	remote.lacks = "it stores to the shared memory of its own SM"
	add(remote, "STAS")
	add(s(ir.Local), "STL")
	a := func(s ir.Space, o ir.Op) info { return info{class: ir.ClassAtomic, op: o, width: atomicW, space: s} }
	add(a(ir.Generic, ir.OpAtom), "ATOM")
	add(a(ir.Global, ir.OpAtom), "ATOMG")
	add(a(ir.Shared, ir.OpAtom), "ATOMS")
	add(a(ir.Global, ir.OpRed), "RED REDG REDS")
	t := info{class: ir.ClassTexture, op: ir.OpTex, typ: ir.B32, width: loadW, space: ir.Texture}
	add(t, "TEX TEXS TLD TLDS TLD4 TLD4S TMML TXA TXD TXQ TXG")
	add(info{class: ir.ClassLoad, op: ir.OpLd, width: loadW, space: ir.Global}, "SULD SULDB SULDGA SUQ SUQUERY")
	add(info{class: ir.ClassStore, op: ir.OpSt, width: storeW, space: ir.Global}, "SUST SUSTB SUSTGA")
	add(a(ir.Global, ir.OpRed), "SURED SUATOM")
	add(info{class: ir.ClassInt, op: ir.OpAdd, typ: ir.S32}, "SUBFM SUCLAMP SUEAU SULEA")
	add(info{class: ir.ClassMove, op: ir.OpMov, typ: ir.B32}, "ALD AST OUT")
	add(info{class: ir.ClassMove, op: ir.OpMov, typ: ir.B32, lacks: "the copy takes no time and moves no data"},
		"UBLKCP UBLKPF UBLKRED UTMALDG UTMASTG UTMAPF UTMAREDG")
	add(info{class: ir.ClassMove, op: ir.OpMov, typ: ir.B32, lacks: noWait}, "SYNCS")
	add(info{class: ir.ClassFence, op: ir.OpMembar}, "MEMBAR ERRBAR FENCE CGAERRBAR")
	add(info{class: ir.ClassFence, op: ir.OpMembar, lacks: noWait}, "ARRIVES")
}

func control() {
	b := info{class: ir.ClassBranch, op: ir.OpBra, flow: jumps}
	add(b, "BRA BRX BRXU JMP JMX JMXU CALL CAL JCAL RET BRK CONT SYNC BSYNC BREAK LONGJMP RTT")
	b.flow = onward // they only announce where control will meet
	b.op = ir.OpNop
	add(b, "SSY PBK PCNT PRET PLONGJMP BSSY YIELD RPCMOV WARPSYNC ENDCOLLECTIVE")
	b.lacks = noWait
	add(b, "ACQBULK")
	add(info{class: ir.ClassExit, op: ir.OpExit, flow: exits}, "EXIT KIL KILL")
	add(info{class: ir.ClassNop, op: ir.OpNop}, "BPT")
	add(info{class: ir.ClassBarrier, op: ir.OpBar}, "BAR")
	add(info{class: ir.ClassNop, op: ir.OpNop, lacks: "the thread blocks of a cluster do not wait for each other"},
		"UCGABAR_ARV UCGABAR_WAIT")
}

// noWait is what the simulation leaves out of instructions that wait for asynchronous operations, or count them.
const noWait = "it waits for nothing"

// uniform adds the instructions of the uniform datapath, with operands in a file of their own: they occupy an issue
// slot and a place in a pipeline.
func uniform() {
	add(info{class: ir.ClassInt, op: ir.OpAdd, typ: ir.S32},
		"UIADD3 UIADD UIABS UIMNMX UVIADD UVIMNMX ULEA UCLEA UFLO UPOPC UBREV UBMSK USGXT")
	add(info{class: ir.ClassIntMul, op: ir.OpMad, typ: ir.S32, width: wide}, "UIMAD")
	add(info{class: ir.ClassMove, op: ir.OpMov, typ: ir.B32},
		"USEL UPRMT ULOP ULOP3 ULOP32I USHF USHL USHR UISETP UPSETP UPLOP3 UP2UR UR2UP R2UR S2UR UF2FP "+
			"UI2F UF2I UFADD UFMUL UFFMA UFSETP UFSEL UFMNMX CS2UR UGETNEXTWORKID")
	add(info{class: ir.ClassUniformMove, op: ir.OpMov, typ: ir.B32}, "UMOV UMOV32I")
	add(info{class: ir.ClassUniformMove, op: ir.OpMov, typ: ir.B32, konst: true}, "ULDC")
}
