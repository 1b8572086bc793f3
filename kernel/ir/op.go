package ir

// Op is an operation. Together with the types and modifiers of an instruction it defines the semantics.
type Op uint8

// Operations. Operand order is PTX's unless a comment says otherwise.
const (
	OpNop Op = iota

	// Data movement.
	OpMov    // also cvta between spaces with common addresses, ld.param folded to the constant bank
	OpCvt    // Type: destination, SrcType: source
	OpSelp   // d, a, b, p (p is Src[2], a predicate)
	OpSlct   // d, a, b, c; SrcType: type of c
	OpPrmt   // Mods.Prmt
	OpPack   // d(64) <- Src[0] low, Src[1] high; or d(32) <- two 16-bit halves; SrcType: type of a part
	OpUnpack // Dst[0] low, Dst[1] high <- Src[0]; Type: type of a part, SrcType: of the whole

	// Arithmetic, integer and floating point by Type.
	OpAdd   // Mods.CarryIn: Src[2] is the carry predicate; Mods.CarryOut: Dst[1] is
	OpSub   // carries as OpAdd, of a + ^b + 1: true where nothing is borrowed
	OpMul   // Mods.Part: low, high or wide half for integers
	OpMad   // integer multiply-add, Mods.Part; carries as OpAdd (Src[3])
	OpFma   // floating point, rounded once
	OpMul24 // Mods.Part: low or high
	OpMad24
	OpSad
	OpDiv
	OpRem
	OpAbs
	OpNeg
	OpMin
	OpMax
	OpSqrt
	OpRcp
	OpRsqrt
	OpSin // Mods.Turns
	OpCos // Mods.Turns
	OpEx2
	OpLg2
	OpTanh
	OpCopysign
	OpTestp // Mods.Test
	OpDp4a  // SrcType: type of b's bytes, Type: type of a's bytes
	OpDp2a  // Mods.Part: the half of b

	// Bits.
	OpAnd
	OpOr
	OpXor
	OpNot
	OpCnot
	OpLop3 // immLut is Src[3]; Dst[1] optionally whether the result is not zero, or Src[4] is true
	OpShl
	OpShr
	OpShf // Mods.Left, Mods.Wrap
	OpBfe
	OpBfi
	OpBfind // Mods.ShiftAmt
	OpBrev
	OpClz
	OpPopc
	OpFns
	OpBmsk
	OpSzext
	OpVideo // SIMD video instructions; Mods.Video

	// Comparison.
	OpSet  // Type: destination, SrcType: compared
	OpSetp // Dst[0] and optionally Dst[1] = the complement; Mods.Bool combines with Src[2]

	// Memory. Addr is set. Type: in memory; SrcType, if set: the type of the extended value (the destination
	// register is wider); a sink in Dst is KindNone
	OpLd
	OpSt
	OpAtom // Mods.Atomic; returns the old value
	OpRed  // Mods.Atomic; returns nothing
	// Mods.Tex; Addr holds the texture's handle, Inst.Sym its name if the source has it; Src are the coordinates
	// (layer first), then a level of detail if there is one
	OpTex
	OpPrefetch

	// Across the lanes of a warp.
	OpShfl // d, a, lane or offset, clamp, membermask; Dst[1] optionally a predicate; Mods.Shfl
	OpVote // Mods.Vote; Src[0] a predicate, Src[1] membermask
	OpMatch
	OpActivemask
	OpRedux // Mods.Atomic

	// Control.
	OpBra     // Target; guarded: divergent; Src[0] optionally one more predicate, besides the guard
	OpBrx     // Targets, indexed by Src[0]
	OpExit    // in machine code Src[0] is, as of OpBra, one more predicate besides the guard, which is there then
	OpBar     // Mods.Bar; Src[0] barrier number, Src[1] thread count or none, Src[2] predicate for a reduction
	OpBarWarp // Src[0] membermask
	OpMembar
	// For a failed assertion, Src are the generic addresses of its text and file, its line, and the address of its
	// function.
	OpTrap
	OpPrintf // Src[0] generic address of the format, Src[1] of the arguments; Dst[0]: how many arguments were printed

	// Recorded programs and fingerprints contain the numbers of operations, so new operations go here.

	// Waits until a phase of the mbarrier at Addr is complete. Src[0] is the object before an arrival in the phase
	// or, with SrcType U32, the phase's parity. Dst[0]: the phase is complete. The wait ends early, with Dst[0]
	// false, if no warp of the CTA could continue otherwise.
	OpMbarWait
	OpTxq // Mods.Query of the texture or surface with its handle in Addr, as in OpTex

	// Matrices, PTX ISA section 9.7.14; all lanes of the warp take part.
	// D = A B + C: Src has the registers of A, of B and of C. SrcType: elements of A; Mods.Matrix: the shape, and the
	// elements of B; Type: elements of C and D. Integers with Mods.Sat: clamped.
	OpMma
	// Dst: a register for each 8x8 matrix of 16-bit elements; Mods.Trans; Addr of row i of matrix j in lane 8j+i
	OpLdmatrix
	OpStmatrix // the same with Src
	OpMovmatrix

	// d = Src[0] + Src[1] of 32 bits: the end, on a thread's stack, of an allocation of Src[1] bytes, of 32 or 64
	// bits, at Src[0]. The launch fails if the stack is smaller.
	OpAlloca

	// Changes the number of registers of a thread to Src[0]: more with Mods.Grow, otherwise fewer. All lanes of the
	// warp execute it. The contents of registers given up are lost.
	OpSetmaxnreg

	// Operations of machine code without a counterpart in PTX. Integers have 32 bits. machine.go has the definitions.
	OpAdd3
	OpLea
	OpImad
	OpFunnel
	OpSetpHigh
	OpPlop3
	OpPackPreds
	OpUnpackPreds
	OpDivCheck
	OpFirst
	OpRcpHigh
	OpRsqrtHigh

	// Convergence of lanes, for kernels with Converges set; Src[0] is the number of a barrier register.
	OpBarrierSet   // the executing lanes are to meet in OpBarrierWait, and continue behind it together
	OpBarrierWait  // waits for the lanes of the same OpBarrierSet, except those that have left it or exited
	OpBarrierLeave // the executing lanes are no longer waited for
	OpConverge     // waits for the lanes of the membermask Src[0], as OpBarrierWait

	// Machine code before Volta: a stack of places where lanes meet. Src[0] is a Meeting.
	OpMeeting // the executing lanes are to meet at Target
	// The executing lanes wait at the innermost place of the kind, one of Targets, for those of the OpMeeting.
	// Src[1] is, as of OpExit, one more predicate besides the guard.
	OpMeet

	// More operations of machine code: machine.go.
	OpXmad
	OpExtremes
	OpSetpExtreme

	OpBarrierSave    // Dst[0]: the lanes that each lane is to meet at the barrier register Src[0]; Src[1]: then none
	OpBarrierRestore // the executing lanes are to meet those of the mask Src[1] at the barrier register Src[0]

	OpQuerySpace    // Dst[0]: whether the generic address Src[0] + Src[1] is one of Space
	OpCollective    // waits for the lanes of the membermask Src[0] at any OpCollective: machine.go
	OpCollectiveEnd // each lane goes on at the Target of its OpCollective, one of Targets

	NumOps
)

var opNames = [NumOps]string{
	"nop", "mov", "cvt", "selp", "slct", "prmt", "pack", "unpack",
	"add", "sub", "mul", "mad", "fma", "mul24", "mad24", "sad", "div", "rem", "abs", "neg", "min", "max",
	"sqrt", "rcp", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh", "copysign", "testp", "dp4a", "dp2a",
	"and", "or", "xor", "not", "cnot", "lop3", "shl", "shr", "shf", "bfe", "bfi", "bfind", "brev", "clz", "popc",
	"fns", "bmsk", "szext", "video",
	"set", "setp",
	"ld", "st", "atom", "red", "tex", "prefetch",
	"shfl", "vote", "match", "activemask", "redux",
	"bra", "brx", "exit", "bar", "bar.warp", "membar", "trap", "printf",
	"mbarrier.wait", "txq", "mma", "ldmatrix", "stmatrix", "movmatrix", "alloca", "setmaxnreg",
	"add3", "lea", "imad", "funnel", "setp.high", "plop3", "pack.preds", "unpack.preds", "div.check", "first",
	"rcp.high", "rsqrt.high",
	"barrier.set", "barrier.wait", "barrier.leave", "converge",
	"meeting", "meet", "xmad", "extremes", "setp.extreme", "barrier.save", "barrier.restore",
	"query.space", "collective", "collective.end",
}

// String returns the operation's name, PTX's where PTX has it.
func (o Op) String() string { return opNames[o] }

// Round is a rounding modifier of PTX ISA section 6.5.2.
type Round uint8

// Rounding modes; the I forms round to an integral value.
const (
	RoundDefault Round = iota
	RN
	RZ
	RM
	RP
	RNA
	RNI
	RZI
	RMI
	RPI
)

// Cmp is a comparison of set, setp; the U forms are true on NaN.
type Cmp uint8

// Comparisons. LO, LS, HI and HS are LT, LE, GT and GE on unsigned types.
const (
	CmpNone Cmp = iota
	EQ
	NE
	LT
	LE
	GT
	GE
	EQU
	NEU
	LTU
	LEU
	GTU
	GEU
	NUM
	NAN
)

// Bool combines a comparison with a predicate.
type Bool uint8

// Combinations.
const (
	BoolNone Bool = iota
	BoolAnd
	BoolOr
	BoolXor
)

// Part selects a half of a product.
type Part uint8

// Parts. Wide keeps the whole product in a register of twice the width.
const (
	PartNone Part = iota
	Lo
	Hi
	Wide
)

// Atomic is the operation of atom, red and redux.
type Atomic uint8

// Atomic operations.
const (
	AtomNone Atomic = iota
	AtomAdd
	AtomMin
	AtomMax
	AtomInc
	AtomDec
	AtomAnd
	AtomOr
	AtomXor
	AtomExch
	AtomCas
	AtomArrive // on an mbarrier object: MbarrierArrive
	AtomTryCas // as AtomCas, but what returns is 1 if the words were equal, and otherwise 0
)

// Shfl is the mode of a shuffle.
type Shfl uint8

// Shuffle modes.
const (
	ShflUp Shfl = iota
	ShflDown
	ShflBfly
	ShflIdx
)

// Vote is the mode of vote and match.
type Vote uint8

// Vote modes. VoteAny on a match instruction is match.any, and VoteDiffer is on a match alone: its predicate is whether
// lanes have different values.
const (
	VoteAll Vote = iota
	VoteAny
	VoteUni
	VoteBallot
	VoteDiffer
)

// Bar is the kind of a CTA barrier.
type Bar uint8

// Barrier kinds.
const (
	BarSync Bar = iota
	BarArrive
	BarRedPopc
	BarRedAnd
	BarRedOr
)

// Cache is a cache operator of PTX ISA section 9.7.9.1, passed to the memory system.
type Cache uint8

// Cache operators; CacheNC is ld.global.nc.
const (
	CacheDefault Cache = iota
	CacheCA
	CacheCG
	CacheCS
	CacheLU
	CacheCV
	CacheWB
	CacheWT
	CacheNC
)

// Prmt is the mode of prmt.
type Prmt uint8

// Permutation modes.
const (
	PrmtIndex Prmt = iota
	PrmtF4E
	PrmtB4E
	PrmtRC8
	PrmtECL
	PrmtECR
	PrmtRC16
)

// Test is the property tested by testp.
type Test uint8

// Tested properties.
const (
	TestFinite Test = iota
	TestInfinite
	TestNumber
	TestNotANumber
	TestNormal
	TestSubnormal
)

// Tex is the geometry of a texture fetch.
type Tex uint8

// Texture geometries; A forms are layered arrays.
const (
	Tex1D Tex = iota
	Tex2D
	Tex3D
	TexA1D
	TexA2D
	TexCube
	TexACube
)

// Scope is the set of threads with accesses ordered by a fence.
type Scope uint8

// Scopes.
const (
	ScopeGPU Scope = iota
	ScopeCTA
	ScopeSystem
	NumScopes
)

// Query is a property of a texture or surface.
type Query uint8

// Properties. Sizes are in texels unless a name says bytes. QueryAddress is the 64-bit address of the first texel
// in global memory.
const (
	QueryWidth Query = iota
	QueryHeight
	QueryDepth
	QueryLayers
	QueryTexelBytes
	QueryRowBytes
	QueryNormalized
	QueryFilter // 0 nearest, 1 linear
	QueryMode0  // 0 wrap, 1 mirror, 3 clamp to edge, 4 clamp to border
	QueryMode1
	QueryMode2
	QueryAddress
)
