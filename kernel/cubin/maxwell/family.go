package maxwell

import (
	"kumiko/kernel/cubin/rules"
	"kumiko/kernel/ir"
)

// Family has the architectures with instructions of 64 bits and a control word for each three.
var Family = &rules.Family{
	Architectures: map[int]rules.Driver{50: driver, 52: driver, 53: driver, 60: pascal, 61: pascal, 62: pascal},
	Rules:         table, Preds: resultPred + 1, ResultPred: resultPred, Flags: true, Bundled: true,
	SingleHalves: true,
}

var driver = rules.Driver{SharedWindow: 0x0, LocalWindow: 0x4, WindowWords: 1, BlockSize: 0x8, GridSize: 0x14,
	StackTop: 0x20, ConstWindow: 0xd0}

var pascal = rules.Driver{SharedWindow: 0x0, LocalWindow: 0x4, WindowWords: 1, WindowHigh: 0x100, BlockSize: 0x8,
	GridSize: 0x14, StackTop: 0x20, ConstWindow: 0xd0}

// The flags, and a predicate behind them.
const (
	carryFlag = ir.UniformPreds + iota
	secondCarryFlag
	zeroFlag
	signFlag
	resultPred // of a reduction at a barrier
)

// table has the opcodes.
var table = map[string]rules.Rule{
	"MOV":       {Op: ir.OpMov, Type: ir.B32, Operands: "ds"},
	"MOV32I":    {Op: ir.OpMov, Type: ir.B32, Operands: "ds"},
	"SEL":       {Op: ir.OpSelp, Type: ir.B32, Operands: "dssq"},
	"IADD":      {Op: ir.OpAdd3, Type: ir.U32, Operands: "dss", Suffixes: "X SAT", Then: sum},
	"IADD32I":   {Op: ir.OpAdd3, Type: ir.U32, Operands: "dss", Suffixes: "X SAT", Then: sum},
	"IADD3":     {Op: ir.OpAdd3, Type: ir.U32, Operands: "dsss", Suffixes: "X RS LS", Then: sum},
	"ISCADD":    {Op: ir.OpLea, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Operands: "dssni", Then: scaledSum},
	"ISCADD32I": {Op: ir.OpLea, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Operands: "dssni", Then: scaledSum},
	"LEA":       {Op: ir.OpLea, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Suffixes: "HI X", Then: lea},
	"XMAD":      {Op: ir.OpXmad, Type: ir.U32, Suffixes: "MRG PSL CBCC CLO CHI CSFU U16 S16", Then: multiplyAdd},
	"IMUL":      {Op: ir.OpMul, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Operands: "dss", Suffixes: "U32"},
	"IMUL32I":   {Op: ir.OpMul, Type: ir.U32, Mods: ir.Mods{Part: ir.Lo}, Operands: "dss", Suffixes: "U32"},
	"IMNMX":     {Op: ir.OpMin, Type: ir.S32, Operands: "dssq", Suffixes: "U32 XHI XLO", Then: extreme},
	"VMNMX":     {Op: ir.OpExtremes, Type: ir.S32, Operands: "dsss", Suffixes: "UD MX MIN MAX U16 U32", Then: extremes},
	"ISETP":     {Op: ir.OpSetp, Type: ir.S32, Operands: "ppssq", Suffixes: rules.Compares + "U32 X", Then: compare},
	"ISET":      {Op: ir.OpSet, Src: ir.S32, Operands: "dssq", Suffixes: rules.Compares + "U32 BF X", Then: set},
	"ICMP":      {Op: ir.OpSlct, Src: ir.S32, Operands: "dsss", Suffixes: rules.Compares + "U32", Then: choose},
	"LOP":       {Op: ir.OpLop3, Type: ir.B32, Suffixes: "AND OR XOR PASS_B NZ X", Then: logic},
	"LOP32I":    {Op: ir.OpLop3, Type: ir.B32, Suffixes: "AND OR XOR PASS_B", Then: logic},
	"LOP3":      {Op: ir.OpLop3, Type: ir.B32, Suffixes: "LUT NZ", Operands: "odsssi", Then: logic3},
	"CSETP":     {Op: ir.OpPlop3, Suffixes: "SFT LT EQ NE AND", Then: testFlags},
	"PSETP":     {Op: ir.OpPlop3, Operands: "ppqqq", Suffixes: "AND OR XOR", Then: combine},
	"PSET":      {Op: ir.OpPlop3, Type: ir.B32, Operands: "dqqq", Suffixes: "AND OR XOR", Then: combine},
	"SHL":       {Op: ir.OpShl, Type: ir.B32, Operands: "dss", Suffixes: "W", Then: shift},
	"SHR":       {Op: ir.OpShr, Type: ir.S32, Operands: "dss", Suffixes: "U32 W", Then: shift},
	"SHF":       {Op: ir.OpFunnel, Type: ir.U32, Operands: "dsss", Suffixes: "L R W U64 S64", Then: funnel},
	"BFE":       {Op: ir.OpBfe, Type: ir.S32, Operands: "dss", Suffixes: "U32 BREV", Then: field},
	"BFI":       {Op: ir.OpBfi, Type: ir.B32, Operands: "dsss", Then: insert},
	"VABSDIFF":  {Op: ir.OpSad, Type: ir.S32, Operands: "dsss", Suffixes: "SD ACC U16 U32", Then: difference},
	"PRMT":      {Op: ir.OpPrmt, Type: ir.B32, Operands: "dsss", Suffixes: rules.Permutes, Then: rules.Permute},
	"POPC":      {Op: ir.OpPopc, Type: ir.B32, Operands: "ds"},
	"FLO":       {Op: ir.OpBfind, Type: ir.S32, Operands: "ds", Suffixes: "U32 SH"},

	"VABSDIFF4": {Op: ir.OpVideo, Type: ir.U32, Operands: "dsss", Suffixes: "U8 ACC", Then: rules.ByteDifferences},
	"IDP": {Op: ir.OpDp4a, Type: ir.U32, Operands: "dsss", Suffixes: "4A 2A LO HI U8 S8 U16 S16",
		Then: rules.DotProduct},
	"HADD2": {Op: ir.OpAdd, Type: ir.F16x2, Suffixes: "F32", Then: rules.Halves},
	"HMUL2": {Op: ir.OpMul, Type: ir.F16x2, Suffixes: "F32", Then: rules.Halves},
	"HFMA2": {Op: ir.OpFma, Type: ir.F16x2, Suffixes: "F32", Mods: ir.Mods{Round: ir.RN},
		Then: rules.Halves},
	"HSETP2": {Op: ir.OpSetp, Type: ir.F16x2, Operands: "ppssq", Suffixes: rules.Compares + rules.Unordered,
		Then: rules.CompareHalves},

	"FADD":    {Op: ir.OpAdd, Type: ir.F32, Operands: "dss", Suffixes: rules.Rounds + "FTZ SAT"},
	"FADD32I": {Op: ir.OpAdd, Type: ir.F32, Operands: "dss", Suffixes: "FTZ"},
	"FMUL":    {Op: ir.OpMul, Type: ir.F32, Operands: "dss", Suffixes: rules.Rounds + "FTZ SAT D2", Then: rules.Scaled},
	"FMUL32I": {Op: ir.OpMul, Type: ir.F32, Operands: "dss", Suffixes: "FTZ SAT"},
	"FFMA":    {Op: ir.OpFma, Type: ir.F32, Operands: "dsss", Suffixes: rules.Rounds + "FTZ SAT"},
	"FFMA32I": {Op: ir.OpFma, Type: ir.F32, Operands: "dsss", Suffixes: "FTZ SAT"},
	"FMNMX":   {Op: ir.OpMin, Type: ir.F32, Operands: "dssq", Suffixes: "FTZ", Then: rules.Extreme},
	"FSETP": {Op: ir.OpSetp, Type: ir.F32, Operands: "ppssq", Suffixes: rules.Compares + rules.Unordered + "FTZ",
		Then: rules.Compare},
	"FSET": {Op: ir.OpSet, Src: ir.F32, Operands: "dssq", Suffixes: rules.Compares + rules.Unordered + "FTZ BF",
		Then: set},
	"FCMP": {Op: ir.OpSlct, Src: ir.F32, Operands: "dsss", Suffixes: rules.Compares + rules.Unordered + "FTZ",
		Then: choose},
	"FCHK": {Op: ir.OpDivCheck, Type: ir.F32, Operands: "pss", Suffixes: "DIVIDE"},
	"MUFU": {Type: ir.F32, Operands: "ds", Suffixes: rules.Functions, Mods: ir.Mods{Approx: true, Ftz: true},
		Then: multifunction},
	"RRO":  {Op: ir.OpMov, Type: ir.F32, Operands: "ds", Suffixes: "SINCOS EX2"},
	"DADD": {Op: ir.OpAdd, Type: ir.F64, Operands: "wll", Suffixes: rules.Rounds},
	"DMUL": {Op: ir.OpMul, Type: ir.F64, Operands: "wll", Suffixes: rules.Rounds},
	"DFMA": {Op: ir.OpFma, Type: ir.F64, Operands: "wlll", Suffixes: rules.Rounds},
	"DSETP": {Op: ir.OpSetp, Type: ir.F64, Operands: "ppllq", Suffixes: rules.Compares + rules.Unordered,
		Then: rules.Compare},
	"DSET": {Op: ir.OpSet, Src: ir.F64, Operands: "dllq", Suffixes: rules.Compares + rules.Unordered + "BF",
		Then: set},
	"DMNMX": {Op: ir.OpMin, Type: ir.F64, Operands: "wllq", Then: rules.Extreme},

	"F2F": {Op: ir.OpCvt, Suffixes: rules.Rounds + rules.Integrals + "ROUND FTZ F16 F32 F64 SAT", Then: convert},
	"F2I": {Op: ir.OpCvt, Suffixes: rules.Integrals + "FTZ F16 F32 F64 U8 S8 U16 S16 U32 S32 U64 S64", Then: convert},
	"I2F": {Op: ir.OpCvt, Suffixes: rules.Rounds + "F16 F32 F64 U8 S8 U16 S16 U32 S32 U64 S64", Then: convert},
	"I2I": {Op: ir.OpCvt, Suffixes: "U8 S8 U16 S16 U32 S32 SAT", Then: convert},

	"S2R":  {Op: ir.OpMov, Type: ir.B32, Then: rules.Special},
	"CS2R": {Op: ir.OpMov, Type: ir.B32, Then: clockWord},
	"P2R":  {Op: ir.OpPackPreds, Then: packPreds},
	"R2P":  {Op: ir.OpUnpackPreds, Then: unpackPreds},

	"SHFL": {Op: ir.OpShfl, Type: ir.B32, Operands: "pdsss", Suffixes: "UP DOWN BFLY IDX", Then: rules.Shuffle},
	"VOTE": {Op: ir.OpVote, Suffixes: "ALL ANY EQ", Then: rules.Vote},

	"BAR":    {Op: ir.OpBar, Suffixes: rules.Barriers, Then: rules.Barrier},
	"B2R":    {Op: ir.OpMov, Type: ir.B32, Suffixes: "RESULT", Then: rules.BarrierResult},
	"CCTL":   {Op: ir.OpNop, Suffixes: "IVALL"},
	"MEMBAR": {Op: ir.OpMembar, Suffixes: "CTA GL SYS IVALLD"},
	"DEPBAR": {Op: ir.OpNop, Suffixes: "LE", Then: rules.Nothing},
	"NOP":    {Op: ir.OpNop},
	"BRA":    {Op: ir.OpBra, Suffixes: "U", Then: branch},
	"BRX":    {Op: ir.OpBrx, Then: rules.BranchIndexed},
	"CAL":    {Op: ir.OpBra, Suffixes: "NOINC", Then: call},
	"EXIT":   {Op: ir.OpExit, Then: leave},
	"SSY":    {Op: ir.OpMeeting, Then: meeting},
	"PBK":    {Op: ir.OpMeeting, Then: meeting},
	"PCNT":   {Op: ir.OpMeeting, Then: meeting},
	"PRET":   {Op: ir.OpMeeting, Then: meeting},
	"SYNC":   {Op: ir.OpMeet, Then: meet},
	"BRK":    {Op: ir.OpMeet, Then: meet},
	"CONT":   {Op: ir.OpMeet, Then: meet},
	"RET":    {Op: ir.OpMeet, Then: meet},

	"LDG": {Op: ir.OpLd, Suffixes: rules.Accesses + "CI", Then: rules.Global},
	"LD":  {Op: ir.OpLd, Suffixes: rules.Accesses, Then: generic},
	"LDS": {Op: ir.OpLd, Suffixes: rules.Accesses, Then: rules.Shared},
	"LDL": {Op: ir.OpLd, Suffixes: rules.Accesses, Then: rules.Local},
	"STG": {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Global},
	"ST":  {Op: ir.OpSt, Suffixes: rules.Accesses, Then: generic},
	"STS": {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Shared},
	"STL": {Op: ir.OpSt, Suffixes: rules.Accesses, Then: rules.Local},
	"LDC": {Op: ir.OpLd, Suffixes: rules.Widths, Then: rules.LoadConstant},

	"TEXS": {Op: ir.OpTex, Suffixes: "P T", Then: fetch},
	"TLDS": {Op: ir.OpTex, Suffixes: "LZ P T", Then: fetch},

	"ATOM":  {Op: ir.OpAtom, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Global},
	"ATOMS": {Op: ir.OpAtom, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Shared},
	"RED":   {Op: ir.OpRed, Suffixes: rules.Accesses + rules.Atomics, Then: rules.Global},
}
