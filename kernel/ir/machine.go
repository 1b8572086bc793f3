package ir

// The operations of machine code in terms of integers of 32 bits, as NVIDIA's disassembler prints them. ~x is the
// complement, and Neg is -x = ~x + 1, whose carry counts, except with Mods.CarryIn: there it is ~x.
//
//   - OpAdd3: d = Src[0] + Src[1] + Src[2]. Mods.CarryOut: Dst[1] is whether the sum is 2^32 or more, Dst[2] whether
//     it is 2^33 or more, and Dst[3] and Dst[4], there only before Volta, are whether d is zero, and with Mods.CarryIn
//     also Src[5] is true, and the sign of d. Mods.CarryIn: plus the predicates Src[3] and Src[4]. Part Hi: the sum of
//     Src[0] and Src[1], of 33 bits, is shifted by 16 to the right before Src[2] is added, and Part Lo: to the left.
//   - OpLea: with s = Src[3], d = (Src[0] << s) + Src[1] for Part Lo, with the carry in Dst[1] for Mods.CarryOut. For
//     Part Hi it is the upper word of (Src[2]:Src[0] << s) + Src[1], plus the predicate Src[4] for Mods.CarryIn; a
//     missing Src[2] has the sign of Src[0]. Neg of Src[0] applies to the shifted value. With Src[6], the lower word
//     of a generic address whose upper one is d, Dst[2] is whether it is outside shared and local memory.
//   - OpImad: for Part Lo, d = Src[0] * Src[1] + Src[2], plus the predicate Src[3] for Mods.CarryIn. For Part Wide, d
//     and Src[2] have 64 bits, and for Part Hi d is the upper word of that; Dst[1] is the carry out of the 64 bits for
//     Mods.CarryOut. The signs are those of Type.
//   - OpFunnel: a word of Src[2]:Src[0] shifted by Src[1]: the upper one for Part Hi. Mods.Left, Mods.Wrap. Type is
//     that of the shifted value: with 32 bits the amount ends at 32, with 64 at 64; S types shift the sign in.
//   - OpSetpHigh: OpSetp of the upper words of two numbers; Src[3] is the result for their lower words. With
//     Mods.CarryIn Src[3] and Src[4] are instead the carry of the lower words' difference, and whether it is zero.
//   - OpPlop3: Dst[0] and Dst[1] are the functions of the predicates Src[0] to Src[2] with the tables Src[3] and
//     Src[4], in the order of lop3. If Dst[0] is a register, it gets all ones for true.
//   - OpPackPreds: d = Src[0] with the bits of the mask Src[1] replaced by the predicates Src[2] and following.
//   - OpUnpackPreds: the predicates Dst are the bits of Src[0] from bit Src[1] on; a Dst without a kind is kept.
//   - OpDivCheck: Dst[0] is whether the single-precision quotient Src[0] / Src[1] needs more than the steps of Newton's
//     method behind it, since an operand is special or an intermediate result might be (DivideSlowly).
//   - OpRcpHigh, OpRsqrtHigh: the upper word of the reciprocal, or that of the square root, of the double-precision
//     number with the upper word Src[0] and zeros below. Subnormal numbers are zeros.
//   - OpSet: with Mods.CarryIn as OpSetpHigh with it.
//   - OpLop3: beside Dst[1], Dst[2] is whether the result is zero, and Dst[3] its sign.
//   - OpMin, OpMax: Mods.CarryOut: Dst[1] is whether Src[0] is chosen and not equal to Src[1], and Dst[2] whether
//     they are equal. With Mods.CarryIn d is a lower word: Src[2] and Src[3] are these predicates of the upper words.
//   - OpXmad: d is the product of a half of Src[0] and a half of Src[1], plus Src[2]. Src[3] has the bits Xmad* with
//     what differs from the product of lower halves without signs.
//   - OpExtremes: d is the minimum, or with the bit 1 of Src[3] the maximum, of Src[2] and the minimum, or with the bit
//     0 the maximum, of Src[0] and Src[1].
//   - OpSlct: Mods.Cmp, if set, compares Src[2] with zero for a.
//   - OpSetpExtreme: Dst[0] is whether the minimum or, if Src[2] is 1, the maximum of the floating-point numbers Src[0]
//     and Src[1] is Src[0]: a NaN is chosen only of two, and then it is Src[1], and -0 is less than 0. Dst[1] is
//     whether both are NaN.
//   - OpBfe, OpBfi: without the source of the length, the one of the position has the position in its lowest byte and
//     the length in the next.
//   - OpFirst: d, in all lanes, is Src[0] of the first executing lane.
//   - OpAtom: with Dst[1], whose Space is Generic, Dst[1] is whether the address is outside shared and local memory.
//     If it is not, the operation is not done.
//   - OpAdd, OpMul, OpFma of type F32 with SrcType F16: the result for the lower halves, rounded as one
//     of them, as a single.
//   - OpPlop3: a source that is a register stands for its sign.
//   - OpConverge with Mods.Exclusive: lanes of different membermasks go on apart from each other.
//   - OpCollective: when the lanes of a membermask have arrived, each at some OpCollective, or exited, they execute
//     together what is behind one of these, up to OpCollectiveEnd. Targets are all instructions behind an OpCollective.

// What differs in an OpXmad. With XmadSignsC (before Volta CSFU) the product is the upper one of four that make up a
// product of 32 bits with signs: subtracted from it are 2^16 for a negative half of each factor, unless the other
// factor's lower half is zero. Then the product of the two, which ptxas adds without regard for its sign, is not
// negative. So the upper word of the whole product is right for all factors.
const (
	XmadHighA   = 1 << iota // the upper half of Src[0]
	XmadHighB               // the upper half of Src[1]
	XmadSignedA             // the half of Src[0] has a sign
	XmadSignedB
	XmadShifts // the product is shifted by 16 to the left
	XmadMerges // the upper half of d is the lower one of Src[1]
	XmadLowC   // Src[2] is its lower half
	XmadHighC  // Src[2] is its upper half
	XmadAddsB  // plus Src[1], shifted by 16 to the left
	XmadSignsC // see above
	XmadEnd
)

// Meeting is the kind of a place where lanes meet: the names of the instructions that wait there are SYNC, BRK, CONT
// and RET.
type Meeting uint8

// Kinds of meetings.
const (
	MeetSync Meeting = 1 + iota
	MeetBreak
	MeetContinue
	MeetReturn
)

// DivideSlowly reports the result of OpDivCheck. NVIDIA does not document the exact bounds. These are where each step
// of q = a * rcp(b), r = a - b * q, q + r * rcp(b) keeps its whole precision: the reciprocal and the quotient are
// normal numbers, and the last bit of the remainder, which is 2^-47 of a's first, is no less than 2^-149. Inside them
// both ways give the same result.
func DivideSlowly(a, b uint32) bool {
	x, y := int(a>>23&0xff), int(b>>23&0xff)
	return x == 0xff || y == 0xff || x < 26 || y < 2 || y > 251 || x-y > 125 || y-x > 124
}

// BundledAddress returns the address of the n-th instruction of code before Volta: 8 bytes each, with 8 bytes of
// control words in front of every three.
func BundledAddress(n int) int { return 8 * (n + n/3 + 1) }

// Place returns the number of the instruction at an address of the kernel's machine code, and whether there is one. The
// address of control words stands for the instruction behind them.
func (k *Kernel) Place(address uint32) (n int, ok bool) {
	if !k.Bundled {
		n = int(address / CodeBytes)
		return n, address%CodeBytes == 0 && n < len(k.Insts)
	}
	n = int(address/32)*3 + max(int(address%32)/8-1, 0)
	return n, address%8 == 0 && n < len(k.Insts)
}
