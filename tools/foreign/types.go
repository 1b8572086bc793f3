package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
)

// A typ is the name, in common.h, of a C++ type of the random kernels.
type typ string

const (
	tI8  typ = "i8"
	tU8  typ = "u8"
	tI16 typ = "i16"
	tU16 typ = "u16"
	tI32 typ = "i32"
	tU32 typ = "u32"
	tI64 typ = "i64"
	tU64 typ = "u64"
	tF32 typ = "f32"
	tF64 typ = "f64"
	tF16 typ = "f16"
)

// bits returns the size of a type in bits.
func (t typ) bits() int {
	n, _ := strconv.Atoi(string(t[1:]))
	return n
}

func (t typ) isFloat() bool  { return t[0] == 'f' }
func (t typ) isSigned() bool { return t[0] == 'i' }

// allTypes has each type as many times as its frequency requires.
var allTypes = []typ{tI32, tI32, tI32, tU32, tU32, tF32, tF32, tF32, tI64, tU64, tF64, tF64, tI8, tU8, tI16, tU16, tF16}

// floats32 and floats64 are numbers often mishandled by compilers and emulators: both zeros, the ends of the range
// and of the normal numbers, and numbers halfway between integers.
var floats32 = []string{"0.0f", "-0.0f", "1.0f", "-1.0f", "0.5f", "-2.5f", "3.0f", "0x1.fffffep+127f", "0x1p-126f",
	"0x1p-149f", "-0x1.8p-140f", "1e10f", "-1e-10f", "0x1p23f", "0x1.000002p+0f", "2147483648.0f", "0.1f",
	"__builtin_inff()", "16777217.0f"}

var floats64 = []string{"0.0", "-0.0", "1.0", "-1.0", "0.5", "-2.5", "3.0", "0x1.fffffffffffffp+1023", "0x1p-1022",
	"0x1p-1074", "-0x1.8p-1060", "1e10", "-1e-10", "0x1p52", "0x1.0000000000001p+0", "4294967296.0", "0.1",
	"-__builtin_inf()", "1e300"}

// constant returns a literal of a type: small, near the ends of the range, or arbitrary.
func constant(r *rand.Rand, t typ) string {
	switch {
	case t == tF16:
		return "(f16)" + []string{"0.0f", "1.0f", "-1.5f", "0.1f", "65504.0f", "0x1p-24f", "3.0f"}[r.IntN(7)]
	case t == tF32 && r.IntN(2) == 0:
		return floats32[r.IntN(len(floats32))]
	case t == tF64 && r.IntN(2) == 0:
		return floats64[r.IntN(len(floats64))]
	case t == tF32:
		return strconv.FormatFloat(float64(float32(r.NormFloat64()*100)), 'x', -1, 32) + "f"
	case t == tF64:
		return strconv.FormatFloat(r.NormFloat64()*1000, 'x', -1, 64)
	}
	n := t.bits()
	var v uint64
	switch r.IntN(4) {
	case 0:
		v = uint64(r.IntN(10))
	case 1:
		v = 1<<r.IntN(n) - uint64(r.IntN(3))
	case 2:
		v = r.Uint64() >> r.IntN(64)
	default:
		v = -uint64(r.IntN(20))
	}
	v &= ^uint64(0) >> (64 - n)
	if n == 64 {
		return fmt.Sprintf("(%s)0x%xull", t, v)
	}
	return fmt.Sprintf("(%s)0x%xu", t, v)
}

// pick returns a random element of a list. weigh returns a random index, by weights.
func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func weigh(r *rand.Rand, weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	n := r.IntN(sum)
	return slices.IndexFunc(weights, func(w int) bool { n -= w; return n < 0 })
}
