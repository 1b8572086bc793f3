package opcode

import (
	"strconv"
	"strings"

	"kumiko/kernel/ir"
)

// product makes an instruction the matrix product that its suffixes name: the types, the shape and the timing class.
// Without a known shape it has no size, and takes the time of its class.
func (c *Code) product(in *ir.Inst) {
	m, n, k, _ := c.shape()
	if c.has("SP") {
		k /= 2 // of four elements of a row of A two are zero, and not multiplied
	}
	in.Op, in.Mods.Product = ir.OpMma, c.productKind()
	in.Mods.MatrixM, in.Mods.MatrixN, in.Mods.MatrixK = uint8(m), uint16(n), uint16(k)
	if c.quadPairs() {
		in.Mods.MatrixN *= 2
	}
	bits, sum := c.elementBits()
	in.Type = ir.F32
	switch {
	case in.Mods.Product.Integer():
		in.Type = ir.S32
	case sum == 64:
		in.Type = ir.F64
	case sum == 16:
		in.Type = ir.F16
	}
	in.SrcType = map[int]ir.Type{64: ir.F64, 32: ir.TF32, 16: ir.F16}[bits]
	if c.has("BF16") {
		in.SrcType = ir.BF16
	}
	switch {
	case in.Mods.Product.Group():
		in.T.Class = ir.ClassMatrixGroup
	case k*bits > 128:
		in.T.Class = ir.ClassMatrixWide
	default:
		in.T.Class = ir.ClassMatrix
	}
	ir.SetProduct(in)
}

// quadPairs reports whether the instruction is a step of Volta's HMMA.884 with sums in f16. Of these two make the four
// products 8x8x4 of a warp, and with sums in f32 four (Jia et al., Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking, 2018, section 4.3).
func (c *Code) quadPairs() bool {
	_, acc := c.elementBits()
	return acc == 16 && strings.HasPrefix(c.Name, "HMMA.884.") && strings.Contains(c.Name, ".STEP")
}

// productKind returns the kind of product of an opcode.
func (c *Code) productKind() ir.Product {
	base, _, _ := strings.Cut(c.Name, ".")
	switch base {
	case "DMMA":
		return ir.ProductF64
	case "BMMA":
		return ir.ProductB1
	case "QMMA":
		return ir.ProductFP8
	case "BGMMA":
		return ir.GroupB1
	case "QGMMA":
		return ir.GroupFP8
	case "IGMMA":
		return ir.GroupInt8
	case "IMMA":
		if c.has("S4") || c.has("U4") {
			return ir.ProductInt4
		}
		return ir.ProductInt8
	case "HGMMA":
		if c.has("TF32") {
			return ir.GroupTF32
		}
		return ir.GroupF16
	}
	switch {
	case c.has("TF32"):
		return ir.ProductTF32
	case c.has("BF16"):
		return ir.ProductBF16
	case c.has("F32"):
		return ir.ProductF16F32
	}
	return ir.ProductF16
}

// groupShape returns the shape of a warpgroup's product, as in 64x256x16.
func groupShape(s string) (m, n, k int, ok bool) {
	parts := strings.Split(s, "x")
	if len(parts) != 3 {
		return 0, 0, 0, false
	}
	var v [3]int
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 || n > 256 {
			return 0, 0, 0, false
		}
		v[i] = n
	}
	return v[0], v[1], v[2], true
}
