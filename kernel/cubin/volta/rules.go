package volta

import "kumiko/kernel/ir"

// rule is the meaning of an opcode.
type rule struct {
	op  ir.Op
	typ ir.Type // of the operation, unless a suffix gives another
	src ir.Type // the source's, if it is another
	// operands has a letter for each operand in the listing's order:
	//
	//	d w    destination register, pair of registers
	//	p      destination predicate
	//	o      destination predicate that may be left out
	//	s l    source of one word, of two
	//	q      source predicate
	//	c      source predicate, there only with the suffix X or EX
	//	i      immediate number
	//	n      none: a source that is not there
	operands string
	// suffixes are the suffixes understood, besides those of allSuffixes named in it.
	suffixes string
	mods     ir.Mods
	// then completes or replaces the instruction made of the above.
	then func(b *builder) error
}

// rules has the opcodes with registers, predicates and numbers for operands. A U in front of an opcode of uniforms
// stands for the same on the uniform path.
var rules = map[string]rule{
	"MOV":   {op: ir.OpMov, typ: ir.B32, operands: "ds"},
	"SEL":   {op: ir.OpSelp, typ: ir.B32, operands: "dssq"},
	"IADD3": {op: ir.OpAdd3, typ: ir.U32, operands: "doossscc", suffixes: "X"},
	"IMAD": {op: ir.OpMad, typ: ir.S32, suffixes: "MOV SHL IADD U32 WIDE HI X",
		mods: ir.Mods{Part: ir.Lo}, then: multiplyAdd},
	"LEA":   {op: ir.OpLea, typ: ir.U32, suffixes: "HI X SX32", mods: ir.Mods{Part: ir.Lo}, then: lea},
	"ISETP": {op: ir.OpSetp, typ: ir.S32, operands: "ppssqc", suffixes: compares + "U32 EX", then: compare},
	"IMNMX": {op: ir.OpMin, typ: ir.S32, operands: "dssq", suffixes: "U32", then: extreme},
	"IABS":  {op: ir.OpAbs, typ: ir.S32, operands: "ds"},
	"LOP3":  {op: ir.OpLop3, typ: ir.B32, operands: "odsssiq", suffixes: "LUT", then: logic},
	"PLOP3": {op: ir.OpPlop3, operands: "ppqqqii", suffixes: "LUT"},
	"SHF":   {op: ir.OpFunnel, typ: ir.U32, operands: "dsss", suffixes: "L R W U32 S32 U64 S64 HI", then: shift},
	"SGXT":  {op: ir.OpSzext, typ: ir.S32, operands: "dss", suffixes: "U32 W"},
	"PRMT":  {op: ir.OpPrmt, typ: ir.B32, operands: "dsss", then: permute},
	"POPC":  {op: ir.OpPopc, typ: ir.B32, operands: "ds"},
	"BREV":  {op: ir.OpBrev, typ: ir.B32, operands: "ds"},
	"FLO":   {op: ir.OpBfind, typ: ir.S32, operands: "ds", suffixes: "U32 SH"},

	"FADD":  {op: ir.OpAdd, typ: ir.F32, operands: "dss", suffixes: rounds + "FTZ SAT"},
	"FMUL":  {op: ir.OpMul, typ: ir.F32, operands: "dss", suffixes: rounds + "FTZ SAT D2", then: scaled},
	"FFMA":  {op: ir.OpFma, typ: ir.F32, operands: "dsss", suffixes: rounds + "FTZ SAT"},
	"FSEL":  {op: ir.OpSelp, typ: ir.F32, operands: "dssq"},
	"FSETP": {op: ir.OpSetp, typ: ir.F32, operands: "ppssq", suffixes: compares + unordered + "FTZ", then: compare},
	"FMNMX": {op: ir.OpMin, typ: ir.F32, operands: "dssq", suffixes: "FTZ", then: extreme},
	"FCHK":  {op: ir.OpDivCheck, typ: ir.F32, operands: "pss", suffixes: "DIVIDE"},
	"DADD":  {op: ir.OpAdd, typ: ir.F64, operands: "wll", suffixes: rounds},
	"DMUL":  {op: ir.OpMul, typ: ir.F64, operands: "wll", suffixes: rounds},
	"DFMA":  {op: ir.OpFma, typ: ir.F64, operands: "wlll", suffixes: rounds},
	"DSETP": {op: ir.OpSetp, typ: ir.F64, operands: "ppllq", suffixes: compares + unordered, then: compare},
	"HFMA2": {op: ir.OpFma, typ: ir.F16x2, operands: "dsss", suffixes: "MMA", mods: ir.Mods{Round: ir.RN}},
	"MUFU": {typ: ir.F32, operands: "ds", suffixes: functions, mods: ir.Mods{Approx: true, Ftz: true},
		then: multifunction},

	"F2F":  {op: ir.OpCvt, suffixes: rounds + "FTZ F32 F64", then: convert},
	"F2I":  {op: ir.OpCvt, suffixes: integrals + "FTZ NTZ F32 F64 U32 S32 U64 S64", then: convert},
	"I2F":  {op: ir.OpCvt, suffixes: rounds + "F32 F64 U8 S8 U16 S16 U32 S32 U64 S64", then: convert},
	"I2FP": {op: ir.OpCvt, suffixes: rounds + "F32 U32 S32", then: convert},
	"FRND": {op: ir.OpCvt, suffixes: integrals + "FTZ F32 F64", then: convert},

	"R2UR": {op: ir.OpFirst, typ: ir.B32, operands: "ds"},
	"S2R":  {op: ir.OpMov, typ: ir.B32, then: special},
	"CS2R": {op: ir.OpMov, typ: ir.B64, suffixes: "32", then: special},
	"P2R":  {op: ir.OpPackPreds, then: packPreds},
	"R2P":  {op: ir.OpUnpackPreds, then: unpackPreds},

	"SHFL": {op: ir.OpShfl, typ: ir.B32, operands: "pdsss", suffixes: "UP DOWN BFLY IDX", then: shuffle},
	"VOTE": {op: ir.OpVote, suffixes: "ALL ANY EQ", then: vote},

	"BAR":      {op: ir.OpBar, operands: "i", suffixes: "SYNC DEFER_BLOCKING"},
	"MEMBAR":   {op: ir.OpMembar, suffixes: "SC ALL GPU SYS CTA VC"},
	"DEPBAR":   {op: ir.OpNop, suffixes: "LE", then: nothing},
	"NOP":      {op: ir.OpNop},
	"YIELD":    {op: ir.OpNop},
	"ERRBAR":   {op: ir.OpNop},
	"BRA":      {op: ir.OpBra, then: branch},
	"CALL":     {op: ir.OpBra, suffixes: "REL NOINC", then: branch},
	"RET":      {op: ir.OpBrx, suffixes: "REL NODEC", then: comeBack},
	"EXIT":     {op: ir.OpExit},
	"BSSY":     {op: ir.OpBarrierSet, then: converge},
	"BSYNC":    {op: ir.OpBarrierWait, then: converge},
	"BREAK":    {op: ir.OpBarrierLeave, then: converge},
	"BMOV":     {op: ir.OpBarrierLeave, suffixes: "32 CLEAR", then: clearBarrier},
	"WARPSYNC": {op: ir.OpConverge, operands: "s"},

	"LDG": {op: ir.OpLd, suffixes: access, then: global},
	"LD":  {op: ir.OpLd, suffixes: access, then: generic},
	"LDS": {op: ir.OpLd, suffixes: access, then: shared},
	"LDL": {op: ir.OpLd, suffixes: access, then: local},
	"STG": {op: ir.OpSt, suffixes: access, then: global},
	"ST":  {op: ir.OpSt, suffixes: access, then: generic},
	"STS": {op: ir.OpSt, suffixes: access, then: shared},
	"STL": {op: ir.OpSt, suffixes: access, then: local},
	"LDC": {op: ir.OpLd, suffixes: widths, then: constant},

	"TEX": {op: ir.OpTex, suffixes: "SCR LL", then: fetch},
	"TLD": {op: ir.OpTex, suffixes: "SCR LZ", then: fetch},

	"ATOM":  {op: ir.OpAtom, suffixes: access + atomics, then: generic},
	"ATOMG": {op: ir.OpAtom, suffixes: access + atomics, then: global},
	"ATOMS": {op: ir.OpAtom, suffixes: access + atomics + "POPC", then: shared},
	"RED":   {op: ir.OpRed, suffixes: access + atomics, then: global},
}

// uniforms are the opcodes with a twin on the uniform path.
const uniforms = " MOV SEL IADD3 IMAD LEA ISETP LOP3 PLOP3 SHF SGXT PRMT POPC BREV FLO LDC "

// Suffixes of several opcodes.
const (
	functions = " RCP RSQ SQRT SIN COS EX2 LG2 TANH RCP64H RSQ64H "
	compares  = " EQ NE LT LE GT GE AND OR XOR "
	unordered = " EQU NEU LTU LEU GTU GEU NUM NAN "
	rounds    = " RN RZ RM RP "
	integrals = " FLOOR CEIL TRUNC "
	widths    = " U8 S8 U16 S16 32 64 128 "
	access    = widths + " E SYS U CONSTANT STRONG WEAK GPU SM CTA EF EL LU EU NA "
	atomics   = " ADD MIN MAX INC DEC AND OR XOR EXCH CAS U32 S32 U64 S64 F32 F64 FTZ RN "
)

// suffixes has the effect on an instruction of those with the same one on all opcodes.
var suffixes = map[string]func(in *ir.Inst){
	"FTZ": func(in *ir.Inst) { in.Mods.Ftz = true }, "SAT": func(in *ir.Inst) { in.Mods.Sat = true },
	"X":  func(in *ir.Inst) { in.Mods.CarryIn = true },
	"HI": func(in *ir.Inst) { in.Mods.Part = ir.Hi }, "WIDE": func(in *ir.Inst) { in.Mods.Part = ir.Wide },
	"W": func(in *ir.Inst) { in.Mods.Wrap = true }, "L": func(in *ir.Inst) { in.Mods.Left = true },
	"SH":     func(in *ir.Inst) { in.Mods.ShiftAmt = true },
	"STRONG": func(in *ir.Inst) { in.Mods.Ordered = true },
	"U32":    typed(ir.U32), "S32": typed(ir.S32), "U64": typed(ir.U64), "S64": typed(ir.S64),
	"RN": rounded(ir.RN), "RZ": rounded(ir.RZ), "RM": rounded(ir.RM), "RP": rounded(ir.RP),
	"FLOOR": rounded(ir.RMI), "CEIL": rounded(ir.RPI), "TRUNC": rounded(ir.RZI),
	"EQ": compared(ir.EQ), "NE": compared(ir.NE), "LT": compared(ir.LT), "LE": compared(ir.LE), "GT": compared(ir.GT),
	"GE": compared(ir.GE), "EQU": compared(ir.EQU), "NEU": compared(ir.NEU), "LTU": compared(ir.LTU),
	"LEU": compared(ir.LEU), "GTU": compared(ir.GTU), "GEU": compared(ir.GEU), "NUM": compared(ir.NUM),
	"NAN": compared(ir.NAN),
	"AND": combined(ir.BoolAnd), "OR": combined(ir.BoolOr), "XOR": combined(ir.BoolXor),
}

func typed(t ir.Type) func(in *ir.Inst)    { return func(in *ir.Inst) { in.Type = t } }
func rounded(r ir.Round) func(in *ir.Inst) { return func(in *ir.Inst) { in.Mods.Round = r } }
func compared(c ir.Cmp) func(in *ir.Inst)  { return func(in *ir.Inst) { in.Mods.Cmp = c } }
func combined(c ir.Bool) func(in *ir.Inst) { return func(in *ir.Inst) { in.Mods.Bool = c } }
