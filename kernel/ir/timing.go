package ir

// Class is the timing class of an instruction. The GPU's configuration has the pipeline, the latency and the
// initiation interval of each class.
type Class uint8

// Timing classes.
const (
	ClassNop     Class = iota
	ClassMove          // mov, selp, logic
	ClassInt           // integer add and other operations of an adder
	ClassIntMul        // 32-bit integer multiply and multiply-add
	ClassIntDiv        // unlowered division and remainder
	ClassConvert       // cvt between types of at most 32 bits
	ClassFAdd
	ClassFMul
	ClassFMA
	ClassFDiv // unlowered single-precision division and roots
	ClassSFU  // approximations: rcp, rsqrt, sin, cos, ex2, lg2, tanh
	ClassDAdd
	ClassDMul
	ClassDFMA
	ClassDDiv
	ClassHalf // f16 arithmetic
	ClassShuffle
	ClassVote
	ClassLoad
	ClassStore
	ClassAtomic
	ClassTexture
	ClassFence
	ClassBranch
	ClassBarrier
	ClassExit
	ClassMatrix      // matrix multiply-add of at most 128 bits of a row of A
	ClassMatrixWide  // of more
	ClassSpecial     // reads of special registers: S2R
	ClassShift       // shifts, bit fields, sums of absolute differences
	ClassCompare     // set, setp, min, max of integers and single precision
	ClassBits        // population count, leading zeros, reversal
	ClassConvertWide // cvt from or to a type of 64 bits
	ClassMatrixGroup // matrix multiply-add of a warpgroup
	ClassUniformMove // into uniform registers from one another, a number or the constant bank: UMOV, ULDC
	ClassHalfMMA     // f16 arithmetic that machine code has elsewhere than the rest of it: HFMA2.MMA
	ClassXmad        // 16-bit multiply-add: XMAD, of which Maxwell makes 32-bit multiplications
	NumClasses
)

var classNames = [NumClasses]string{
	"nop", "move", "int", "int_mul", "int_div", "convert", "fadd", "fmul", "fma", "fdiv", "sfu",
	"dadd", "dmul", "dfma", "ddiv", "half", "shuffle", "vote", "load", "store", "atomic", "texture", "fence",
	"branch", "barrier", "exit", "matrix", "matrix_wide", "special",
	"shift", "compare", "bits", "convert_wide", "matrix_group",
	"uniform_move", "half_mma", "xmad",
}

// String returns the name of the class in configurations.
func (c Class) String() string { return classNames[c] }

// variable has the classes of variable latency, not counted in control words: memory, and the operations on units
// shared between sub-cores or used in several steps on some chip (Huerta et al., MICRO 2025, section 4).
var variable = [NumClasses]bool{ClassLoad: true, ClassStore: true, ClassAtomic: true, ClassTexture: true,
	ClassSFU: true, ClassConvert: true, ClassFDiv: true, ClassIntDiv: true, ClassShuffle: true, ClassDAdd: true,
	ClassDMul: true, ClassDFMA: true, ClassDDiv: true, ClassSpecial: true, ClassBits: true, ClassConvertWide: true,
	ClassMatrixGroup: true}

// FixedLatency reports whether results of the class are there after a known number of cycles, on an execution unit
// private to a scheduler.
func (c Class) FixedLatency() bool { return !variable[c] }

// Memory reports whether the class accesses memory: loads, stores, atomics and texture fetches.
func (c Class) Memory() bool {
	return c == ClassLoad || c == ClassStore || c == ClassAtomic || c == ClassTexture
}

// Double reports whether the class is arithmetic of double precision, but for divisions, which stand for several
// instructions. On some chips it has a fixed latency.
func (c Class) Double() bool { return c == ClassDAdd || c == ClassDMul || c == ClassDFMA }

// NumSources and NumDests are the largest numbers of warp registers read and written by one instruction. All except
// matrix multiply-adds read at most PlainSources, the basis for the sizes of queues.
const (
	NumSources   = 10
	NumDests     = 4
	PlainSources = 8
)

// UniformPreds is the first bit of the uniform predicates of a trace in the sets of
// predicates.
const UniformPreds = 8

// RegID is an allocated warp register in the timing model, 0 to 255.
type RegID uint8

// Timing is the timing model's view of a static instruction, computed once (see SetTiming). Registers are warp
// registers: a 64-bit operand counts as two.
type Timing struct {
	Class Class
	Space Space // memory instructions; Generic where unknown before execution
	NSrc  uint8
	NDst  uint8
	NAddr uint8 // the first NAddr sources are the address
	// Src has every register read, in operand order, with a register listed as often as it is used; Dst has every
	// register written.
	Src [NumSources]RegID
	Dst [NumDests]RegID
	// Slots has two bits per source, source 0 lowest: its operand slot (see Slot). It follows from the operands, so
	// recorded programs and fingerprints leave it out.
	Slots uint32 `json:"-"`
	// SrcPreds and DstPreds are bit sets of predicate registers, guard included.
	SrcPreds uint32
	DstPreds uint32
	// SrcUniform and DstUniform are bit sets of uniform registers, UR0 to UR62 of a trace: they are dependences
	// without an access to the register file. Uniform predicates are predicates from UniformPreds on.
	SrcUniform uint64 `json:",omitempty"`
	DstUniform uint64 `json:",omitempty"`
	// Guarded: the executed lanes may be fewer than the warp's active lanes.
	Guarded bool
	// Bytes is the number of bytes per lane of a memory instruction, all vector elements together. For a texture
	// fetch it is one word: its address is the address of a texel of at most 16 bytes, aligned to its size, and so
	// in one sector.
	Bytes uint8
	// Consts is the number of operands from the constant bank.
	Consts uint8
	// Dead has a bit per source: no lane needs the register's present value after this read; the instruction itself
	// may write another value (set by liveness analysis, conservative under divergence).
	Dead uint16
	// LongConsumer: reads a result of a long-latency operation first (two-level scheduling).
	LongConsumer bool
	BarID        uint8
	// Product and Work are the kind of a matrix product and a warp's multiply-adds in it. They follow from the
	// operation, so recorded programs and fingerprints leave them out.
	Product Product `json:"-"`
	Work    uint32  `json:"-"`
	// Upper: the instruction makes the upper word of a product of integers, alone or beside the lower one. It follows
	// from the operation too.
	Upper bool `json:"-"`
	// FarSrc has a bit per source, FarDst a bit per destination: on no path is the register read after this
	// instruction and before the next LongConsumer.
	FarSrc uint16
	FarDst uint16
	// NextSrc has a distance per source, NextDst one per destination: the number of instructions on the shortest path
	// from this instruction to the next read of the register's value. 1 is the next instruction, MaxNext is MaxNext
	// or more, and 0 means that no path reads the value. The distances follow from the code, so recorded programs and
	// fingerprints leave the distances out, and the reader of a recording computes them again (marks.Next).
	NextSrc [NumSources]uint8 `json:"-"`
	NextDst [NumDests]uint8   `json:"-"`
}

// MaxNext is the largest distance in Timing.NextSrc and NextDst.
const MaxNext = 255

// OperandSlots is the number of operand slots of an instruction, a to d. Reuse flags name operands by slot
// (Control.Reuse).
const OperandSlots = 4

// Slot returns the operand slot of source i, 0 for a: the place of its operand in the text of the instruction, the
// base of its address first, then Src in order. Immediates and operands of the constant bank occupy a slot;
// predicates and the guard occupy none. The registers of a wide operand are in one slot, and operands behind the
// fourth are in d. Some encodings have an operand in another field; the slot still follows the text.
func (t *Timing) Slot(i int) int { return int(t.Slots >> (2 * i) & (OperandSlots - 1)) }

// Result reports whether the instruction writes a register or a predicate of any file.
func (t *Timing) Result() bool { return t.NDst > 0 || t.Elsewhere() }

// Wide reports whether the instruction multiplies integers to a product of two words.
func (t *Timing) Wide() bool { return t.Class == ClassIntMul && t.NDst == 2 }

// Elsewhere reports whether the instruction writes predicates or uniform registers.
func (t *Timing) Elsewhere() bool { return t.DstPreds != 0 || t.DstUniform != 0 }
