package ir

// Reg numbers a 32-bit warp register, or the first of consecutive ones.
type Reg int32

// Pred numbers a predicate register.
type Pred int32

// Kind is the kind of an operand.
type Kind uint8

// Operand kinds.
const (
	KindNone    Kind = iota
	KindReg          // Reg, Words registers
	KindPred         // Pred
	KindImm          // Imm, the bit pattern
	KindSpecial      // Special
	KindParam        // the kernel parameter bytes at offset Imm, through the constant bank
	KindConst        // the constant-space bytes at address Imm, through the constant bank
	KindUniform      // Reg, a uniform register of machine code: one value for the warp, in a file of its own
)

// UniformRegs is the number of uniform registers of a warp: UR0 to UR62, and one behind them, where a reduction at a
// barrier leaves its result for B2R.
const UniformRegs = 64

// Operand is a source or a destination of an instruction.
type Operand struct {
	Kind    Kind
	Words   uint8 // registers of the operand: 1, 2 or 4
	Neg     bool  // source: arithmetic negation, or complement of a predicate
	Abs     bool  // source: absolute value, applied before Neg
	Form    Form  `json:",omitempty"`
	Special Special
	Reg     Reg    // KindReg, and the number of a KindPred or a KindUniform
	Imm     uint64 // KindImm, KindParam, KindConst
}

// Form says how a source of machine code is made of its register, before Abs and Neg.
type Form uint8

// Forms.
const (
	FormWhole Form = iota
	FormLow        // both halves are the lower half of the register
	FormHigh       // both halves are the upper half
	FormNot        // the complement
	FormByte1      // shifted to the right by a byte, two and three
	FormByte2
	FormByte3
	FormUpperZero // the lower half, and zeros above
	FormSingle    // both halves are the register's single, rounded
	NumForms
)

// U returns a uniform register of the given number of words.
func U(r Reg, words int) Operand { return Operand{Kind: KindUniform, Reg: r, Words: uint8(words)} }

// R returns a register operand of the given number of words.
func R(r Reg, words int) Operand { return Operand{Kind: KindReg, Reg: r, Words: uint8(words)} }

// P returns a predicate operand.
func P(p Pred) Operand { return Operand{Kind: KindPred, Reg: Reg(p)} }

// Imm returns an immediate operand holding a bit pattern.
func Imm(bits uint64, words int) Operand {
	return Operand{Kind: KindImm, Imm: bits, Words: uint8(words)}
}

// Pred returns the predicate of a KindPred operand.
func (o Operand) Pred() Pred { return Pred(o.Reg) }

// Mods are the modifiers of an instruction. The comments in op.go name the modifiers of each operation; all others
// are zero. Fingerprints of programs include all modifiers except zero ones tagged omitempty.
type Mods struct {
	Round  Round
	Cmp    Cmp
	Bool   Bool
	Part   Part
	Atomic Atomic
	Shfl   Shfl
	Vote   Vote
	Bar    Bar
	Cache  Cache
	Prmt   Prmt
	Test   Test
	Tex    Tex
	Query  Query `json:",omitempty"`
	Gather uint8 `json:",omitempty"` // tld4: the channel, from 1 on
	Trans  bool  `json:",omitempty"` // .trans of matrices
	// Matrix multiply-add: rows of A, columns of B (0: 8), columns of A, and the type of B's elements. Product is set
	// where the types do not give it: in instructions from traces.
	MatrixM  uint8   `json:",omitempty"`
	MatrixN  uint16  `json:",omitempty"`
	MatrixK  uint16  `json:",omitempty"`
	MatrixB  Type    `json:",omitempty"`
	Product  Product `json:",omitempty"`
	Video    uint8   // front end and emulator agree on its values
	Ftz      bool
	Sat      bool
	Approx   bool // .approx, and .full on div
	Full     bool // .full on div, beside Approx
	Left     bool // shf.l
	Wrap     bool // shf.wrap; otherwise clamp
	ShiftAmt bool // bfind.shiftamt
	Volatile bool
	Ordered  bool `json:",omitempty"` // .relaxed, .acquire and .release of loads and stores
	Sync     bool // .sync form of shfl, vote, match
	CarryIn  bool
	CarryOut bool
	Relu     bool
	NaN      bool // min/max.NaN
	// Scope of a fence.
	Scope Scope `json:",omitempty"`
	Grow  bool  `json:",omitempty"` // setmaxnreg.inc
	Turns bool  `json:",omitempty"` // sin and cos of an angle in turns
	// Exclusive is of OpConverge.
	Exclusive bool `json:",omitempty"`
}

// Addr is the address of a memory instruction: a base register plus a constant offset, as in PTX. Only machine code
// has an index and a scale.
type Addr struct {
	Base   Operand // KindReg (1 or 2 words), KindParam, KindConst, KindImm, or KindNone for an absolute Offset
	Offset int64
	// Index, a register of 1 or 2 words, is added to the base, after the base is multiplied by Scale (0: 1).
	Index Operand `json:",omitzero"`
	Scale uint8   `json:",omitempty"`
}

// Flow distinguishes exits and branches with different reconvergence.
type Flow uint8

// FlowQuit is an OpExit not at the end of the program, for lanes with nothing left to do: PTX's exit, in contrast
// to ret. FlowCall is an unguarded OpBra to a recursive function; its lanes meet at Targets[0] when they have
// returned. FlowReturn is the OpBrx to return from such a function. FlowAddress is an OpBrx of machine code: Src[0] +
// Addr.Offset is CodeBytes times the PC of the target, one of Targets. FlowEnter is an OpBra with an OpMeeting of
// MeetReturn at Targets[0], behind it. FlowConverged is an OpBra taken if the executing lanes are those of the mask
// Src[0] that have not exited. FlowApart is one that all lanes of the path take unless those with a true guard are the
// lanes of that mask.
const (
	FlowNone Flow = iota
	FlowQuit
	FlowCall
	FlowReturn
	FlowAddress
	FlowEnter
	FlowConverged
	FlowApart
)

// CodeBytes is the size of an instruction in the addresses of FlowAddress, that of Volta and later (but see Bundled).
const CodeBytes = 16

// Inst is one static instruction.
type Inst struct {
	Op      Op
	Type    Type
	SrcType Type
	Mods    Mods
	// Guard: executed by lanes with a true predicate (false when Neg). KindNone: by all.
	Guard Operand
	Dst   []Operand // a vector load has one per element
	Src   []Operand // a vector store has one per element
	Space Space     // memory instructions
	Addr  Addr
	// Target is the PC of a branch; Targets are the PCs of brx, and for a call the return PC.
	Target  int
	Targets []int
	Flow    Flow `json:",omitempty"`
	// Uniform: executed once for the warp. Its sources are the same in all lanes, and its results go to all of them.
	Uniform bool `json:",omitempty"`
	// Reconv is the PC where the diverged paths of a branch meet (its immediate post-dominator); len(Insts) if they
	// meet only at the exit.
	Reconv int
	Sym    string // texture name
	Line   int32  // source position, 1-based; 0: made by a pass
	Col    int32
	T      Timing
	// Control is the control word, if the program has control words.
	Control Control `json:",omitzero"`
}

// Membermask returns the operand with the lanes an instruction across lanes waits for, or nil if it waits for none.
func (in *Inst) Membermask() *Operand {
	at := 1
	switch in.Op {
	case OpShfl:
		at = 3
		fallthrough
	case OpVote:
		if !in.Mods.Sync {
			return nil
		}
	case OpMatch, OpRedux:
	case OpBarWarp:
		at = 0
	default:
		return nil
	}
	if at >= len(in.Src) {
		return nil
	}
	return &in.Src[at]
}

// Kernel is a program with all information needed to launch it.
type Kernel struct {
	Name  string
	File  string // where it came from, for messages
	Insts []Inst
	// NumRegs and NumPreds are the sizes of the register files used by the instructions: virtual numbers before
	// allocation, footprints after.
	NumRegs  int
	NumPreds int
	Params   []ParamDecl
	// ConstBytes (of the module's constant bank), ParamBytes, SharedBytes (static) and LocalBytes (per thread,
	// including spills) are sizes in bytes.
	ConstBytes  int
	ParamBytes  int
	SharedBytes int
	LocalBytes  int
	// Stack: a launch gives each thread a stack behind its LocalBytes. It begins at
	// StackBase.
	Stack bool
	// GlobalAlign is the smallest declared alignment, in bytes, of the variables of global space named by the code;
	// 0: it names none.
	GlobalAlign int
	// Named has the module's variables of global and constant space that the code names, with whether it does so
	// otherwise than as the address of a load.
	Named      map[string]bool `json:"-"`
	MaxThreads [3]int          // .maxntid; zero where absent
	ReqThreads [3]int          // .reqntid
	// Cluster is .reqnctapercluster, MaxCluster .maxclusterrank and Clustered .explicitcluster: a launch has to give
	// the size of its clusters. All of them concern launches, not the code.
	Cluster    [3]int `json:"-"`
	MaxCluster int    `json:"-"`
	Clustered  bool   `json:"-"`
	MaxRegs    int    // .maxnreg
	MinCTAs    int    // .minnctapersm
	Allocated  bool   // registers are physical
	// Varying has, for each branch in program order, whether lanes of a warp may
	// disagree on it; nil: on any of them.
	Varying   []bool
	Footprint int // warp registers per warp charged to residency, once allocated
	// Launched is the number of registers of a thread at its launch, if the kernel changes the number
	// (OpSetmaxnreg); 0: the number stays.
	Launched   int
	SpillBytes int // part of LocalBytes
	// FirstUse: the compiler was asked to number the registers by their first use.
	FirstUse bool
	Textures []string
	// Converges: lanes meet where the code says so (OpBarrierSet), and nowhere else. Reconv of branches is unused.
	Converges bool
	// Bundled: the addresses of FlowAddress are those of code before Volta (BundledAddress).
	Bundled bool `json:",omitempty"`
	// SystemShared is the size of the system's shared memory, in bytes, in front of a CTA's own. It is no part of
	// SharedBytes.
	SystemShared int `json:",omitempty"`
	// Bank is the layout of the constant bank if it is not the module's, as in machine code.
	Bank []BankPart
	// Places has, in ascending order, the number of each instruction in the whole code, if Insts may be only the
	// part of it in a trace. nil: Insts is the whole code.
	Places []uint32
}

// BankPart is a part of a kernel's constant bank, at byte Offset: Size bytes of the module's bank from byte From on, or
// Data if there is any.
type BankPart struct {
	Offset, From, Size int
	Data               []byte
}

// ParamDecl is a kernel parameter.
type ParamDecl struct {
	Name   string
	Type   Type // element type
	Count  int  // elements; 1 for a scalar
	Array  bool
	Offset int // bytes from the start of the parameter block
	Size   int // bytes
	Align  int
	// Pointee is the declared alignment of a pointer's target, in bytes; 0: none.
	Pointee int `json:",omitempty"`
}

// Module is one translation unit: its kernels and its module-level variables.
type Module struct {
	File    string
	Version string // ".version" of the source
	Target  string
	Kernels []*Kernel
	// Refused are the kernels with an error or an unsupported instruction, in themselves or in a function called by
	// them. The others run.
	Refused []Refusal
	// Globals and constants in module order, with the addresses given to them.
	Vars []Var
	// Textures are the names of the texture references, in module order.
	Textures []string
	// Wants are the names of functions and variables that other modules are to define.
	Wants []string `json:"-"`
	// Source is the text that the module was read from, so that it can be built again when it is linked with others.
	// nil: it cannot be built again.
	Source *Source `json:"-"`
	// Linked are the modules of a linked program, this one included, in their order. They share constants and
	// textures. nil: the module is by itself.
	Linked []*Module `json:"-"`
}

// Source is the PTX text of a module.
type Source struct {
	File string
	Text []byte
	// Arch is the architecture of machine code, 75 for sm_75, whose listing Text is. The kernels of the module have no
	// instructions then. 0: Text is PTX.
	Arch int
	// Place gives the instructions of a module from this text their places in another file; nil: they are in File.
	Place func(*Module)
}

// TextureHandle returns the handle of the module's i-th texture reference: the value of a mov of its name, and the
// Addr of an OpTex naming it.
func TextureHandle(i int) uint64 { return TextureBase + uint64(i) }

// Var is a module-level variable of global or constant space. Its Address is from GlobalBase on for global space,
// and an offset into the constant bank for constant space.
type Var struct {
	Name    string
	Space   Space
	Size    int
	Align   int
	Address uint64
	Init    []byte // zero-filled beyond its end; pointers to other variables are resolved
}

// Refusal is a kernel that cannot run, and the reason.
type Refusal struct {
	Kernel string
	Err    error
}

// Refusal returns the reason why the kernel of the given name is refused; nil: it is not.
func (m *Module) Refusal(name string) error {
	for _, r := range m.Refused {
		if r.Kernel == name {
			return r.Err
		}
	}
	return nil
}

// Kernel returns the kernel of the given name, or nil.
func (m *Module) Kernel(name string) *Kernel {
	for _, k := range m.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// Values of Mods.Video, PTX ISA section 9.7.18 (SIMD video instructions): one of the operations, together with its
// flags. Inst.Type is the destination's type (U32 or S32), Inst.SrcType the type of a's parts; Src are a, b, c.
// Mods.Sat saturates each part of the result, Mods.Cmp is vset's comparison. Lane masks and part selectors other
// than the defaults are not represented.
const (
	VideoAdd     uint8 = 0
	VideoSub     uint8 = 1
	VideoAvrg    uint8 = 2
	VideoAbsDiff uint8 = 3
	VideoMin     uint8 = 4
	VideoMax     uint8 = 5
	VideoSet     uint8 = 6
	// VideoOpMask extracts the operation.
	VideoOpMask uint8 = 0x07
	// VideoQuad: four 8-bit parts (vadd4 ...); otherwise two of 16 bits.
	VideoQuad uint8 = 0x08
	// VideoAccumulate is .add: the parts are summed into c, giving one 32-bit result.
	VideoAccumulate uint8 = 0x10
	// VideoMixedSigns: b's parts have the other signedness than a's.
	VideoMixedSigns uint8 = 0x20
)
