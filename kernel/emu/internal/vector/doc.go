// Package vector executes sequences of simple operations on the registers of a warp with the vector instructions of
// the host: one operation computes all 32 lanes at once.
//
// A register is a Row, a value per lane. A sequence is a slice of Op, terminated by End. Each Op has the byte
// offsets of its rows and predicates. It is executed by a routine of its own, and this routine jumps to the routine
// of the next Op. Nothing is checked: the caller keeps all offsets within the warp.
//
// Its other functions are for memory accesses: they find out whether addresses are equidistant, and load and store,
// in one pass over the lanes.
//
// On a machine without AVX-512, and in programs built with the tag purego, Available is false and nothing else may
// be called.
package vector

// Row is one 32-bit register of a warp.
type Row = [32]uint32

// Op is one operation. Make sets its routine.
type Op struct {
	routine uintptr
	// D, A, B and C are byte offsets of rows: the destination and the sources. In operations on predicates they are
	// byte offsets of predicates. In operations on a row and a predicate, C is the predicate.
	D, A, B, C int32
	X, Y       uint32
}

// Code names an operation.
type Code uint8

// The operations. d, a, b and c are the rows, d1 and so on the rows behind them, x and y the numbers of an Op.
// Predicates are bits per lane: p[D] is one. The order is the order of the routines.
const (
	End Code = iota // ends a sequence

	// Moves and bits.
	Mov     // d = a
	AbsS    // d = |a|
	Bits    // d = a & x ^ y
	Extend  // d = int(a << x) >> x
	Neg     // d = -a
	Sign    // d = all ones where a is negative, 0 otherwise
	Select  // d = p[C]^x ? a : b
	And     // d = a & b
	Or      // d = a | b
	Xor     // d = a ^ b
	Shl     // d = a << b, 0 for an amount above 31
	ShrU    // d = a >> b, likewise
	ShrS    // of a signed number: its sign for an amount above 31
	FunnelL // d = (b:a << c) >> 32, 32 for a larger c
	FunnelR // d = b:a >> c, 32 for a larger c

	// Integers: U for unsigned, S for signed ones.
	Add  // d = a + b
	Sub  // d = a - b
	Mul  // d = a * b
	MinU // d = min(a, b)
	MinS
	MaxU // d = max(a, b)
	MaxS
	MulHiU    // d = a * b >> 32
	MulHiS    // of signed numbers
	MulWideU  // d1:d = a * b
	MulWideS  // of signed numbers
	Mad       // d = a * b + c
	MadWideU  // d1:d = a * b + c1:c
	MadWideS  // of signed numbers
	AddOut    // d = a + b, the carry to p[Y]
	AddCarry  // d = a + b + p[C]^x, the carry to p[Y]
	AddWith   // d = a + b + p[C]^x
	SubOut    // d = a - b, the complement of the borrow to p[Y]
	SubBorrow // d = a - b - p[C]^x, the complement of the borrow to p[Y]
	SubWith   // d = a - b - p[C]^x

	// Comparisons of a and b; the next operation uses the result t.
	Equal
	NotEqual
	LessS
	LessEqualS
	LessU
	LessEqualU
	FEqual // ordered: false for a NaN
	FNotEqual
	FLess
	FLessEqual
	FEqualU // true for a NaN
	FNotEqualU
	FLessU
	FLessEqualU
	FOrdered   // neither is a NaN
	FUnordered // one is a NaN

	// Predicates. The next operation uses the result t.
	PMov // t = p[A]^x
	PAnd // t = p[A]^x & p[B]^y
	POr  // t = p[A]^x | p[B]^y
	PXor // t = p[A]^x ^ p[B]^y

	// Uses of t: p[A] and p[B] receive t and its complement, both combined with p[C]^x first, except in Put.
	Put
	PutAnd
	PutOr
	PutXor

	// Single precision, rounded to nearest even; a NaN result is 0x7fffffff.
	FAdd   // d = a + b
	FSub   // d = a - b
	FMul   // d = a * b
	FDiv   // d = a / b
	FMin   // d = min(a, b): -0 < +0, of a NaN and a number the number
	FMax   // d = max(a, b), likewise
	FFma   // d = a*b + c, rounded once
	FSqrt  // d = square root of a
	FRcp   // d = 1 / a
	FFlush // d = a, subnormals as zeros of their sign
	FSat   // d = a within [0, 1], +0 for a NaN

	// Double precision in two rows, low word first; a NaN result is 0x7ff8000000000000.
	DAdd  // d1:d = a1:a + b1:b
	DSub  // d1:d = a1:a - b1:b
	DMul  // d1:d = a1:a * b1:b
	DDiv  // d1:d = a1:a / b1:b
	DFma  // d1:d = a1:a * b1:b + c1:c, rounded once
	DSqrt // d1:d = square root of a1:a

	// Conversions. To integers they truncate and saturate; a NaN becomes 0.
	S32ToF32
	U32ToF32
	F32ToS32
	F32ToU32

	NumCodes = iota
)
