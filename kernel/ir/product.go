package ir

// Product is a kind of matrix multiply-add: the types of its elements decide the rate of tensor units.
type Product uint8

// Products. The elements of A and B come first, then those of C and D where the rate depends on them. The last five
// are of warpgroups, four warps that multiply together (wgmma, HGMMA).
const (
	ProductNone Product = iota
	ProductF16          // f16, sums in f16
	ProductF16F32
	ProductBF16
	ProductTF32
	ProductFP8
	ProductInt8
	ProductInt4
	ProductB1
	ProductF64
	GroupF16 // f16 and bf16
	GroupTF32
	GroupFP8
	GroupInt8
	GroupB1
	NumProducts
)

var productNames = [NumProducts]string{"", "f16_f16", "f16_f32", "bf16", "tf32", "fp8", "int8", "int4", "b1", "f64",
	"group_f16", "group_tf32", "group_fp8", "group_int8", "group_b1"}

// String returns the name of the product in configurations.
func (p Product) String() string { return productNames[p] }

// Integer reports whether the elements are integers or bits.
func (p Product) Integer() bool {
	switch p {
	case ProductInt8, ProductInt4, ProductB1, GroupInt8, GroupB1:
		return true
	}
	return false
}

// Group reports whether a warpgroup executes the product.
func (p Product) Group() bool { return p >= GroupF16 }

// ProductByName returns the product of a name, and whether there is one.
func ProductByName(name string) (Product, bool) {
	for p := ProductNone + 1; p < NumProducts; p++ {
		if productNames[p] == name {
			return p, true
		}
	}
	return 0, false
}

// warpgroup is the number of warps that share a product of a warpgroup: each computes a quarter of the rows.
const warpgroup = 4

// mostWork bounds a product of a program read from a file: 64x256x256, the largest in use.
const mostWork = 1 << 22

// SetProduct sets what product an instruction makes in T, from the operation: whether one of integers has an upper
// word, and the kind and the size of a matrix product.
func SetProduct(in *Inst) {
	t, m := &in.T, &in.Mods
	t.Product, t.Work = ProductNone, 0
	t.Upper = t.Wide() || t.Class == ClassIntMul && m.Part == Hi
	if in.Op != OpMma {
		return
	}
	t.Product = m.Product
	if t.Product == ProductNone {
		t.Product = productOf(in.SrcType, in.Type)
	}
	n := uint32(8)
	if m.MatrixN != 0 {
		n = uint32(m.MatrixN)
	}
	t.Work = uint32(min(uint64(m.MatrixM)*uint64(n)*uint64(m.MatrixK), mostWork))
	if t.Product.Group() {
		t.Work /= warpgroup
	}
}

// productOf returns the product of elements of type ab with sums of type cd.
func productOf(ab, cd Type) Product {
	switch ab {
	case F16:
		if cd == F16 {
			return ProductF16
		}
		return ProductF16F32
	case BF16:
		return ProductBF16
	case TF32:
		return ProductTF32
	case S8, U8:
		return ProductInt8
	case F64:
		return ProductF64
	}
	return ProductNone
}
