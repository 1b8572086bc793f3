package ir

// Type is the type of an operation's operands.
type Type uint8

// Operand types of PTX ISA section 5.2. B types are untyped bits; F16x2 and BF16x2 are packed pairs in 32 bits.
const (
	TypeNone Type = iota
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	B8
	B16
	B32
	B64
	B128
	F16
	F16x2
	BF16
	BF16x2
	F32
	F64
	PredType
	// Types of conversions only; registers have untyped words of the same size.
	TF32
	E4M3x2
	E5M2x2
)

var typeInfo = [...]struct {
	name string
	size uint8
}{
	TypeNone: {"", 0}, U8: {"u8", 1}, U16: {"u16", 2}, U32: {"u32", 4}, U64: {"u64", 8},
	S8: {"s8", 1}, S16: {"s16", 2}, S32: {"s32", 4}, S64: {"s64", 8},
	B8: {"b8", 1}, B16: {"b16", 2}, B32: {"b32", 4}, B64: {"b64", 8}, B128: {"b128", 16},
	F16: {"f16", 2}, F16x2: {"f16x2", 4}, BF16: {"bf16", 2}, BF16x2: {"bf16x2", 4},
	F32: {"f32", 4}, F64: {"f64", 8}, PredType: {"pred", 0},
	TF32: {"tf32", 4}, E4M3x2: {"e4m3x2", 2}, E5M2x2: {"e5m2x2", 2},
}

// String returns the type's PTX name without the dot.
func (t Type) String() string { return typeInfo[t].name }

// Size in bytes; 0 for predicates.
func (t Type) Size() int { return int(typeInfo[t].size) }

// Words returns the number of warp registers of a value of the type: 0 for predicates, 1 up to 32 bits, 2 for 64
// bits, 4 for 128.
func (t Type) Words() int { return (int(typeInfo[t].size) + 3) / 4 }

// Signed reports whether the type is a signed integer.
func (t Type) Signed() bool { return t >= S8 && t <= S64 }

// Float reports whether the type is a floating-point type, packed ones included.
func (t Type) Float() bool { return t >= F16 && t <= F64 || t > PredType }

// Space is a state space of PTX ISA section 5.1.
type Space uint8

// State spaces. A generic address belongs to one of the others, by value.
const (
	SpaceNone Space = iota
	Generic
	Global
	Shared
	Local
	Const
	Param
	Texture
	// Barriers is not a memory space. It marks barriers with data known only at execution: the number of a CTA
	// barrier, and the number of warps to release it (0: all); or the address of an mbarrier in shared memory, and
	// the number of operations on it at which the awaited phase completes.
	Barriers
)

var spaceNames = [...]string{"", "generic", "global", "shared", "local", "const", "param", "tex", "barriers"}

// String returns the space's PTX name without the dot.
func (s Space) String() string { return spaceNames[s] }

// Windows of the generic address space: a generic address inside a window is an address of its space, relative to
// the window's base. All other addresses are global memory. The module's globals and constants and the launch's
// buffers are above GlobalBase.
const (
	SharedWindow     = 0x0100_0000
	SharedWindowSize = 0x0100_0000
	LocalWindow      = 0x0300_0000
	LocalWindowSize  = 0x0100_0000
	ConstWindow      = 0x0500_0000 // constant variables, as offsets into the constant bank
	ConstWindowSize  = 0x0001_0000
	ParamWindow      = 0x0600_0000 // the kernel's parameter block
	ParamWindowSize  = 0x0001_0000
	TextureBase      = 0x0700_0000 // handles, not addresses: a module's texture references
	TextureObjects   = 0x0710_0000 // and texture objects
	GlobalBase       = 0x1000_0000
)

// MaxLocalBytes is the largest local memory of a thread, in bytes (CUDA C++ Programming Guide, technical
// specifications per compute capability).
const MaxLocalBytes = 512 << 10

// Special is a special register of PTX ISA section 10, or a launch constant.
type Special uint8

// Special registers. X, Y and Z components of one register are consecutive.
const (
	SpecialNone Special = iota
	TidX
	TidY
	TidZ
	NtidX
	NtidY
	NtidZ
	CtaidX
	CtaidY
	CtaidZ
	NctaidX
	NctaidY
	NctaidZ
	LaneID
	WarpID
	NwarpID
	SMID
	NSMID
	GridID
	LanemaskEq
	LanemaskLe
	LanemaskLt
	LanemaskGe
	LanemaskGt
	Clock
	ClockHi
	Clock64
	GlobalTimer
	GlobalTimerLo
	GlobalTimerHi
	DynamicSharedSize
	TotalSharedSize
	StackBase // the address in local memory of the start of the call stack
	// The upper and the lower word of the address of the workspace of a cooperative launch: %envreg1 and %envreg2.
	EnvReg1
	EnvReg2
	// Of clusters. Positions come with the CTA, sizes with the launch.
	ClusterIDX
	ClusterIDY
	ClusterIDZ
	ClusterCtaidX
	ClusterCtaidY
	ClusterCtaidZ
	ClusterCtarank
	NclusterIDX
	NclusterIDY
	NclusterIDZ
	ClusterNctaidX
	ClusterNctaidY
	ClusterNctaidZ
	ClusterNctarank
	ExplicitCluster
	NumSpecial
)

var specialNames = [NumSpecial]string{
	TidX: "%tid.x", TidY: "%tid.y", TidZ: "%tid.z",
	NtidX: "%ntid.x", NtidY: "%ntid.y", NtidZ: "%ntid.z",
	CtaidX: "%ctaid.x", CtaidY: "%ctaid.y", CtaidZ: "%ctaid.z",
	NctaidX: "%nctaid.x", NctaidY: "%nctaid.y", NctaidZ: "%nctaid.z",
	LaneID: "%laneid", WarpID: "%warpid", NwarpID: "%nwarpid", SMID: "%smid", NSMID: "%nsmid", GridID: "%gridid",
	LanemaskEq: "%lanemask_eq", LanemaskLe: "%lanemask_le", LanemaskLt: "%lanemask_lt",
	LanemaskGe: "%lanemask_ge", LanemaskGt: "%lanemask_gt",
	Clock: "%clock", ClockHi: "%clock_hi", Clock64: "%clock64",
	GlobalTimer: "%globaltimer", GlobalTimerLo: "%globaltimer_lo", GlobalTimerHi: "%globaltimer_hi",
	DynamicSharedSize: "%dynamic_smem_size", TotalSharedSize: "%total_smem_size",
	StackBase: "%stack_base", EnvReg1: "%envreg1", EnvReg2: "%envreg2",
	ClusterIDX: "%clusterid.x", ClusterIDY: "%clusterid.y", ClusterIDZ: "%clusterid.z",
	ClusterCtaidX: "%cluster_ctaid.x", ClusterCtaidY: "%cluster_ctaid.y", ClusterCtaidZ: "%cluster_ctaid.z",
	ClusterCtarank: "%cluster_ctarank",
	NclusterIDX:    "%nclusterid.x", NclusterIDY: "%nclusterid.y", NclusterIDZ: "%nclusterid.z",
	ClusterNctaidX: "%cluster_nctaid.x", ClusterNctaidY: "%cluster_nctaid.y", ClusterNctaidZ: "%cluster_nctaid.z",
	ClusterNctarank: "%cluster_nctarank", ExplicitCluster: "%is_explicit_cluster",
}

// String returns the register's PTX name.
func (s Special) String() string { return specialNames[s] }

// Slow reports whether the register is read by an instruction of variable latency (S2R): it is neither in the
// constant bank nor a clock of the SM, read by CS2R.
func (s Special) Slow() bool { return !s.LaunchConstant() && (s < Clock || s > Clock64) }

// LaunchConstant reports whether the register has one value for the whole launch, kept by hardware in the constant
// bank.
func (s Special) LaunchConstant() bool {
	return s >= NtidX && s <= NtidZ || s >= NctaidX && s <= NctaidZ || s >= DynamicSharedSize && s <= EnvReg2 ||
		s >= NclusterIDX && s <= ExplicitCluster
}

// Coordinate reports whether the register is the x component of a register with components x, y and z.
func (s Special) Coordinate() bool {
	switch s {
	case TidX, NtidX, CtaidX, NctaidX, ClusterIDX, NclusterIDX, ClusterCtaidX, ClusterNctaidX:
		return true
	}
	return false
}

// OfCTA reports whether the register depends on the CTA's position in the grid.
func (s Special) OfCTA() bool {
	return s >= CtaidX && s <= CtaidZ || s >= ClusterIDX && s <= ClusterCtarank
}
