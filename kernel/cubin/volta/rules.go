package volta

import (
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// rules has the opcodes with registers, predicates and numbers for operands. A U in front of an opcode of uniforms
// stands for the same on the uniform path.
var table = map[string]rules.Rule{
	"MOV":   {Op: ir.OpMov, Type: ir.B32, Operands: "ds"},
	"SEL":   {Op: ir.OpSelp, Type: ir.B32, Operands: "dssq"},
	"IADD3": {Op: ir.OpAdd3, Type: ir.U32, Operands: "doossscc", Suffixes: "X"},
	"IMAD": {Op: ir.OpMad, Type: ir.S32, Suffixes: "MOV SHL IADD U32 WIDE HI X",
		Mods: ir.Mods{Part: ir.Lo}, Then: multiplyAdd},
	"LEA": {Op: ir.OpLea, Type: ir.U32, Suffixes: "HI X SX32", Mods: ir.Mods{Part: ir.Lo}, Then: lea},
	"ISETP": {Op: ir.OpSetp, Type: ir.S32, Operands: "ppssqc", Suffixes: rules.Compares + "U32 EX",
		Then: rules.Compare},
	"IMNMX":  {Op: ir.OpMin, Type: ir.S32, Operands: "dssq", Suffixes: "U32", Then: rules.Extreme},
	"VIMNMX": {Op: ir.OpMin, Type: ir.S32, Operands: "dssq", Suffixes: "U32", Then: rules.Extreme},
	"IABS":   {Op: ir.OpAbs, Type: ir.S32, Operands: "ds"},
	"LOP3":   {Op: ir.OpLop3, Type: ir.B32, Operands: "odsssiq", Suffixes: "LUT", Then: logic},
	"PLOP3":  {Op: ir.OpPlop3, Operands: "ppqqqii", Suffixes: "LUT"},
	"SHF":    {Op: ir.OpFunnel, Type: ir.U32, Operands: "dsss", Suffixes: "L R W U32 S32 U64 S64 HI", Then: shift},
	"SGXT":   {Op: ir.OpSzext, Type: ir.S32, Operands: "dss", Suffixes: "U32 W"},
	"PRMT":   {Op: ir.OpPrmt, Type: ir.B32, Operands: "dsss", Then: rules.Permute},
	"POPC":   {Op: ir.OpPopc, Type: ir.B32, Operands: "ds"},
	"BREV":   {Op: ir.OpBrev, Type: ir.B32, Operands: "ds"},
	"FLO":    {Op: ir.OpBfind, Type: ir.S32, Operands: "ds", Suffixes: "U32 SH"},

	"FADD": {Op: ir.OpAdd, Type: ir.F32, Operands: "dss", Suffixes: rules.Rounds + "FTZ SAT"},
	"FMUL": {Op: ir.OpMul, Type: ir.F32, Operands: "dss", Suffixes: rules.Rounds + "FTZ SAT D2", Then: rules.Scaled},
	"FFMA": {Op: ir.OpFma, Type: ir.F32, Operands: "dsss", Suffixes: rules.Rounds + "FTZ SAT"},
	"FSEL": {Op: ir.OpSelp, Type: ir.F32, Operands: "dssq"},
	"FSETP": {Op: ir.OpSetp, Type: ir.F32, Operands: "ppssq", Suffixes: rules.Compares + rules.Unordered + "FTZ",
		Then: rules.Compare},
	"FMNMX":    {Op: ir.OpMin, Type: ir.F32, Operands: "dssq", Suffixes: "FTZ", Then: rules.Extreme},
	"FCHK":     {Op: ir.OpDivCheck, Type: ir.F32, Operands: "pss", Suffixes: "DIVIDE"},
	"DADD":     {Op: ir.OpAdd, Type: ir.F64, Operands: "wll", Suffixes: rules.Rounds},
	"DMUL":     {Op: ir.OpMul, Type: ir.F64, Operands: "wll", Suffixes: rules.Rounds},
	"DFMA":     {Op: ir.OpFma, Type: ir.F64, Operands: "wlll", Suffixes: rules.Rounds},
	"VABSDIFF": {Op: ir.OpSad, Type: ir.S32, Operands: "dsss", Suffixes: "U32"},
	"DSETP": {Op: ir.OpSetp, Type: ir.F64, Operands: "ppllq", Suffixes: rules.Compares + rules.Unordered + "MIN MAX",
		Then: compareDouble},
	"HFMA2": {Op: ir.OpFma, Type: ir.F16x2, Operands: "dsss", Suffixes: "MMA", Mods: ir.Mods{Round: ir.RN}},
	"MUFU": {Type: ir.F32, Operands: "ds", Suffixes: rules.Functions, Mods: ir.Mods{Approx: true, Ftz: true},
		Then: rules.Multifunction},

	"F2F":  {Op: ir.OpCvt, Suffixes: rules.Rounds + "FTZ F32 F64", Then: rules.Convert},
	"F2I":  {Op: ir.OpCvt, Suffixes: rules.Integrals + "FTZ NTZ F32 F64 U32 S32 U64 S64", Then: rules.Convert},
	"I2F":  {Op: ir.OpCvt, Suffixes: rules.Rounds + "F32 F64 U8 S8 U16 S16 U32 S32 U64 S64", Then: rules.Convert},
	"I2FP": {Op: ir.OpCvt, Suffixes: rules.Rounds + "F32 U32 S32", Then: rules.Convert},
	"FRND": {Op: ir.OpCvt, Suffixes: rules.Integrals + "FTZ F32 F64", Then: rules.Convert},

	"R2UR": {Op: ir.OpFirst, Type: ir.B32, Operands: "ds"},
	"S2R":  {Op: ir.OpMov, Type: ir.B32, Then: rules.Special},
	"CS2R": {Op: ir.OpMov, Type: ir.B64, Suffixes: "32", Then: rules.Special},
	"P2R":  {Op: ir.OpPackPreds, Then: rules.PackPreds},
	"R2P":  {Op: ir.OpUnpackPreds, Then: rules.UnpackPreds},

	"SHFL":  {Op: ir.OpShfl, Type: ir.B32, Operands: "pdsss", Suffixes: "UP DOWN BFLY IDX", Then: rules.Shuffle},
	"VOTE":  {Op: ir.OpVote, Suffixes: "ALL ANY EQ", Then: rules.Vote},
	"VOTEU": {Op: ir.OpVote, Suffixes: "ANY", Then: voteUniform},
	"REDUX": {Op: ir.OpRedux, Type: ir.B32, Operands: "ds", Suffixes: "SUM MIN MAX OR XOR S32", Then: reduce},
	"MATCH": {Op: ir.OpMatch, Type: ir.B32, Suffixes: "ANY ALL U64", Then: match},

	"BAR":      {Op: ir.OpBar, Suffixes: rules.Barriers, Then: rules.Barrier},
	"B2R":      {Op: ir.OpMov, Type: ir.B32, Suffixes: "RESULT", Then: rules.BarrierResult},
	"BRX":      {Op: ir.OpBrx, Then: rules.BranchIndexed},
	"MEMBAR":   {Op: ir.OpMembar, Suffixes: "SC ALL GPU SYS CTA VC"},
	"DEPBAR":   {Op: ir.OpNop, Suffixes: "LE", Then: rules.Nothing},
	"NOP":      {Op: ir.OpNop},
	"YIELD":    {Op: ir.OpNop},
	"ERRBAR":   {Op: ir.OpNop},
	"BRA":      {Op: ir.OpBra, Suffixes: "U CONV", Then: branch},
	"CALL":     {Op: ir.OpBra, Suffixes: "REL NOINC", Then: branch},
	"RET":      {Op: ir.OpBrx, Suffixes: "REL NODEC", Then: comeBack},
	"EXIT":     {Op: ir.OpExit},
	"BSSY":     {Op: ir.OpBarrierSet, Then: converge},
	"BSYNC":    {Op: ir.OpBarrierWait, Then: converge},
	"BREAK":    {Op: ir.OpBarrierLeave, Then: converge},
	"BMOV":     {Op: ir.OpBarrierLeave, Suffixes: "32 CLEAR", Then: moveBarrier},
	"WARPSYNC": {Op: ir.OpConverge, Suffixes: "ALL EXCLUSIVE", Then: convergeAll},

	"LDG": {Op: ir.OpLd, Suffixes: rules.Accesses, Then: rules.Global},
	"LD":  {Op: ir.OpLd, Suffixes: rules.Accesses, Then: rules.Generic},
	"LDS": {Op: ir.OpLd, Suffixes: rules.Accesses, Then: rules.Shared},
	"LDL": {Op: ir.OpLd, Suffixes: rules.Accesses, Then: rules.Local},
	"STG": {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Global},
	"ST":  {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Generic},
	"STS": {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Shared},
	"STL": {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Local},
	"LDC": {Op: ir.OpLd, Suffixes: rules.Widths, Then: rules.LoadConstant},

	"TEX": {Op: ir.OpTex, Suffixes: "SCR LL", Then: fetch},
	"TLD": {Op: ir.OpTex, Suffixes: "SCR LZ", Then: fetch},

	"ATOM":  {Op: ir.OpAtom, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Generic},
	"ATOMG": {Op: ir.OpAtom, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Global},
	"ATOMS": {Op: ir.OpAtom, Suffixes: rules.Accesses + rules.Atomics + "POPC", Then: rules.Shared},
	"REDG":  {Op: ir.OpRed, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Global},
	"RED":   {Op: ir.OpRed, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Global},
}

// uniforms are the opcodes with a twin on the uniform path.
const uniforms = " MOV SEL IADD3 IMAD LEA ISETP LOP3 PLOP3 SHF SGXT PRMT POPC BREV FLO LDC "
