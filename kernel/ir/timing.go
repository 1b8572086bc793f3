package ir

// Class is the timing class of an instruction: which pipeline executes it and
// with which latency and initiation interval is looked up by class in the GPU's
// configuration.
type Class uint8

// Timing classes.
const (
	ClassNop     Class = iota
	ClassMove          // mov, selp, logic
	ClassInt           // integer add and what adders do
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
	NumClasses
)

var classNames = [NumClasses]string{
	"nop", "move", "int", "int_mul", "int_div", "convert", "fadd", "fmul", "fma", "fdiv", "sfu",
	"dadd", "dmul", "dfma", "ddiv", "half", "shuffle", "vote", "load", "store", "atomic", "texture", "fence",
	"branch", "barrier", "exit", "matrix", "matrix_wide", "special",
	"shift", "compare", "bits", "convert_wide",
}

// String is the name by which configurations know the class.
func (c Class) String() string { return classNames[c] }

// variable has the classes whose results take a time that control words do not count: memory and
// whatever the sub-cores of some chip share or repeat a step for (Huerta et al., MICRO 2025,
// section 4).
var variable = [NumClasses]bool{ClassLoad: true, ClassStore: true, ClassAtomic: true, ClassTexture: true,
	ClassSFU: true, ClassConvert: true, ClassFDiv: true, ClassIntDiv: true, ClassShuffle: true, ClassDAdd: true,
	ClassDMul: true, ClassDFMA: true, ClassDDiv: true, ClassSpecial: true, ClassBits: true, ClassConvertWide: true}

// FixedLatency reports whether results of the class are there after a known number of cycles, on
// an execution unit that belongs to one scheduler.
func (c Class) FixedLatency() bool { return !variable[c] }

// NumSources and NumDests bound the warp registers that one instruction names. All but
// matrix multiply-adds read at most PlainSources, by which queues are sized.
const (
	NumSources   = 10
	NumDests     = 4
	PlainSources = 8
)

// UniformPreds is the first bit of the uniform predicates of a trace in the sets of
// predicates.
const UniformPreds = 8

// RegID is an allocated warp register as the timing model knows it, 0 to 255.
type RegID uint8

// Timing is what the timing model needs of a static instruction, worked out
// once (see SetTiming). Registers are warp registers: a 64-bit operand counts
// as two.
type Timing struct {
	Class Class
	Space Space // memory instructions; Generic where unknown before execution
	NSrc  uint8
	NDst  uint8
	NAddr uint8 // the first NAddr sources are the address
	// Src holds every register read, in operand order, a register that is used
	// twice listed twice; Dst every register written.
	Src [NumSources]RegID
	Dst [NumDests]RegID
	// Slots has two bits per source, source 0 lowest: its operand slot (see Slot). It follows from
	// the operands, so that recorded programs and fingerprints leave it out.
	Slots uint32 `json:"-"`
	// SrcPreds and DstPreds are bit sets of predicate registers, guard included.
	SrcPreds uint32
	DstPreds uint32
	// SrcUniform and DstUniform are bit sets of uniform registers, UR0 to UR62 of a trace:
	// dependences, and no access to the register file. Uniform predicates are
	// predicates from UniformPreds on.
	SrcUniform uint64 `json:",omitempty"`
	DstUniform uint64 `json:",omitempty"`
	// Guarded: the executed lanes may be fewer than the warp's active lanes.
	Guarded bool
	// Bytes per lane of a memory instruction, all vector elements together; of a
	// texture fetch one word: its address is that of a texel of at most 16 bytes,
	// aligned to its size, which lies in one sector.
	Bytes uint8
	// Consts is how many operands come from the constant bank.
	Consts uint8
	// Dead is a bit per source: no lane needs the value that the register then has
	// after this read; the instruction itself may write another one (filled by
	// liveness analysis, conservative under divergence).
	Dead uint16
	// LongConsumer: reads a result of a long-latency operation first (two-level scheduling).
	LongConsumer bool
	BarID        uint8
	// FarSrc is a bit per source, FarDst one per destination: on no path is the
	// register read after this instruction and before the next LongConsumer.
	FarSrc uint16
	FarDst uint16
}

// OperandSlots is how many operand slots an instruction has, a to d, by which flags of reuse
// name operands (Control.Reuse).
const OperandSlots = 4

// Slot is the operand slot of source i, 0 for a: the place of its operand among those that the
// instruction reads, the base of its address first, then Src in order. Immediates and operands of
// the constant bank take a place; predicates and the guard take none. The registers of a wide
// operand are in one slot, and operands behind the fourth are in d. Where an encoding puts an
// operand into another field than its place in the text says, the slot is that of the text.
func (t *Timing) Slot(i int) int { return int(t.Slots >> (2 * i) & (OperandSlots - 1)) }

// Result reports whether the instruction writes a register or a predicate of any file.
func (t *Timing) Result() bool { return t.NDst > 0 || t.Elsewhere() }

// Elsewhere reports whether the instruction writes predicates or uniform registers.
func (t *Timing) Elsewhere() bool { return t.DstPreds != 0 || t.DstUniform != 0 }
