package ir

// The operations of machine code in terms of integers of 32 bits, as NVIDIA's disassembler prints them for Volta and
// later. ~x is the complement, and Neg is -x = ~x + 1, whose carry counts, except with Mods.CarryIn: there it is ~x.
//
//   - OpAdd3: d = Src[0] + Src[1] + Src[2]. Mods.CarryOut: Dst[1] is whether the sum is 2^32 or more, Dst[2] whether
//     it is 2^33 or more. Mods.CarryIn: plus the predicates Src[3] and Src[4].
//   - OpLea: with s = Src[3], d = (Src[0] << s) + Src[1] for Part Lo, with the carry in Dst[1] for Mods.CarryOut. For
//     Part Hi it is the upper word of (Src[2]:Src[0] << s) + Src[1], plus the predicate Src[4] for Mods.CarryIn; a
//     missing Src[2] has the sign of Src[0]. Neg of Src[0] applies to the shifted value.
//   - OpImad: for Part Lo, d = Src[0] * Src[1] + Src[2], plus the predicate Src[3] for Mods.CarryIn. For Part Wide, d
//     and Src[2] have 64 bits, and for Part Hi d is the upper word of that; Dst[1] is the carry out of the 64 bits for
//     Mods.CarryOut. The signs are those of Type.
//   - OpFunnel: a word of Src[2]:Src[0] shifted by Src[1]: the upper one for Part Hi. Mods.Left, Mods.Wrap. Type is
//     that of the shifted value: with 32 bits the amount ends at 32, with 64 at 64; S types shift the sign in.
//   - OpSetpHigh: OpSetp of the upper words of two numbers; Src[3] is the result for their lower words.
//   - OpPlop3: Dst[0] and Dst[1] are the functions of the predicates Src[0] to Src[2] with the tables Src[3] and
//     Src[4], in the order of lop3.
//   - OpPackPreds: d = Src[0] with the bits of the mask Src[1] replaced by the predicates Src[2] and following.
//   - OpUnpackPreds: the predicates Dst are the bits of Src[0] from bit Src[1] on; a Dst without a kind is kept.
//   - OpDivCheck: Dst[0] is whether the single-precision quotient Src[0] / Src[1] needs more than the steps of Newton's
//     method behind it, since an operand is special or an intermediate result might be (DivideSlowly).
//   - OpRcpHigh, OpRsqrtHigh: the upper word of the reciprocal, or that of the square root, of the double-precision
//     number with the upper word Src[0] and zeros below. Subnormal numbers are zeros.
//   - OpFirst: d, in all lanes, is Src[0] of the first executing lane.

// DivideSlowly reports the result of OpDivCheck. NVIDIA does not document the exact bounds. These are where each step
// of q = a * rcp(b), r = a - b * q, q + r * rcp(b) keeps its whole precision: the reciprocal and the quotient are
// normal numbers, and the last bit of the remainder, which is 2^-47 of a's first, is no less than 2^-149. Inside them
// both ways give the same result.
func DivideSlowly(a, b uint32) bool {
	x, y := int(a>>23&0xff), int(b>>23&0xff)
	return x == 0xff || y == 0xff || x < 26 || y < 2 || y > 251 || x-y > 125 || y-x > 124
}
