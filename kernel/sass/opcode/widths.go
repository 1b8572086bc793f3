package opcode

import (
	"strconv"

	"kumiko/kernel/ir"
)

// spans returns the number of registers of the result, and a function for the number of registers of source i of n.
// It is not for memory instructions.
func (c *Code) spans(n int, imms []int64) (dst int, src func(i int) int) {
	one := func(int) int { return 1 }
	two := func(int) int { return 2 }
	switch c.width {
	case double:
		return 2, two
	case compare:
		return 1, two
	case wide:
		return c.wideSpans(n, imms)
	case convert:
		to, from := c.convertSpans()
		return to, func(int) int { return from }
	case clock:
		if c.has("32") {
			return 1, one
		}
		return 2, one
	case matrix:
		d, s := c.matrixSpans()
		return d, func(i int) int { return s[min(i, 2)] }
	}
	if c.has("64") {
		return 2, two // MOV.64, IADD.64, SEL.64 of the newest GPUs
	}
	return 1, one
}

// wideSpans is spans for IMAD.WIDE: the result is a pair and so is the addend. A trace lists only registers. With
// two of them, either the addend is a constant, or a factor is an immediate, listed in the trace.
func (c *Code) wideSpans(n int, imms []int64) (int, func(int) int) {
	if !c.has("WIDE") {
		return 1, func(int) int { return 1 }
	}
	pair := 2
	if n == 2 && len(imms) > 0 && imms[len(imms)-1] != 0 {
		pair = 1
	}
	return 2, func(i int) int {
		if i == pair {
			return 2
		}
		return 1
	}
}

// convertSpans uses the types in the name: F2F.F32.F64 is to F32 from F64. F2I and I2F name a type only if it is
// not 32 bits wide, the integer type as S or U, the other as F.
func (c *Code) convertSpans() (to, from int) {
	to, from = 1, 1
	base := c.Name[:3]
	seen := 0
	for _, m := range c.mods {
		float := m == "F16" || m == "F32" || m == "F64"
		long := m == "F64" || m == "S64" || m == "U64"
		if base == "F2F" || base == "I2I" {
			if float || long || m == "S32" || m == "U32" || m == "S16" || m == "U16" || m == "S8" || m == "U8" {
				if long && seen == 0 {
					to = 2
				} else if long {
					from = 2
				}
				seen++
			}
			continue
		}
		if !long {
			continue
		}
		if float == (base == "I2F") {
			to = 2
		} else {
			from = 2
		}
	}
	return to, from
}

// matrixSpans returns the numbers of registers of the result and of A, B and C of a tensor operation of shape
// MxNxK. One warp's fragments have M*K, K*N and M*N elements over 32 lanes (PTX ISA, matrix fragments of mma). With
// an unknown shape, and for a warpgroup, it is one register each.
func (c *Code) matrixSpans() (int, [3]int) {
	m, n, k, ok := c.shape()
	if !ok || c.class == ir.ClassMatrixGroup {
		return 1, [3]int{1, 1, 1}
	}
	in, acc := c.elementBits()
	words := func(elements, bits int) int { return max(elements*bits/(32*32), 1) }
	d := words(m*n, acc)
	return d, [3]int{words(m*k, in), words(k*n, in), d}
}

func (c *Code) shape() (m, n, k int, ok bool) {
	for _, s := range c.mods {
		if m, n, k, ok = groupShape(s); ok {
			return m, n, k, true
		}
		if v, err := strconv.Atoi(s); err == nil {
			switch v {
			case 884:
				return 8, 8, 4, true
			case 8816:
				return 8, 8, 16, true
			case 8832:
				return 8, 8, 32, true
			case 88128:
				return 8, 8, 128, true
			case 1684:
				return 16, 8, 4, true
			case 1688:
				return 16, 8, 8, true
			case 16816:
				return 16, 8, 16, true
			case 16832:
				return 16, 8, 32, true
			case 16864:
				return 16, 8, 64, true
			case 168128:
				return 16, 8, 128, true
			case 168256:
				return 16, 8, 256, true
			}
		}
	}
	return 0, 0, 0, false
}

// elementBits returns the width of the elements of A and B, and of C and D.
func (c *Code) elementBits() (in, acc int) {
	switch c.Name[0] {
	case 'D':
		return 64, 64
	case 'B':
		return 1, 32
	case 'I':
		if c.has("S4") || c.has("U4") {
			return 4, 32
		}
		return 8, 32
	case 'Q':
		return 8, 32
	}
	in, acc = 16, 16
	if c.has("TF32") {
		in = 32
	}
	if c.has("F32") || c.has("TF32") {
		acc = 32
	}
	return in, acc
}
