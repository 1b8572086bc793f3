package emu

import (
	"math/big"
	"testing"

	"kumiko/kernel/ir"
)

// value is an integer of a type.
func value(x uint64, t ir.Type) *big.Int {
	bits := uint(8 * t.Size())
	v := new(big.Int).SetUint64(x)
	v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1)))
	if t.Signed() && v.Bit(int(bits-1)) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), bits))
	}
	return v
}

// pattern is an integer modulo 2^bits.
func pattern(v *big.Int, bits int) uint64 {
	m := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	return new(big.Int).Mod(v, m).Uint64()
}

// clamped is the integer of type t nearest to v.
func clamped(v *big.Int, t ir.Type) *big.Int {
	bits := uint(8 * t.Size())
	lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), bits)
	if t.Signed() {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	hi.Sub(hi, big.NewInt(1))
	switch {
	case v.Cmp(lo) < 0:
		return lo
	case v.Cmp(hi) > 0:
		return hi
	}
	return v
}

// low16 ignores the bits above the result of a 16-bit operation.
func low16(t ir.Type) func(got, want uint64) bool {
	if t.Size() != 2 {
		return nil
	}
	return func(got, want uint64) bool { return uint16(got) == uint16(want) }
}

// integer is a trial of an operation with sources and result of one integer type, with the exact result as the
// reference.
func integer(name string, op ir.Op, t ir.Type, m ir.Mods, n int, f func(v []*big.Int) *big.Int) trial {
	src := make([]ir.Type, n)
	for i := range src {
		src[i] = t
	}
	return trial{name: name + "." + t.String(), in: plain(op, t, m), src: src, dst: t, same: low16(t),
		want: func(a []uint64) uint64 {
			v := make([]*big.Int, n)
			for i := range v {
				v[i] = value(a[i], t)
			}
			return pattern(f(v), 8*t.Size())
		}}
}

func newInt() *big.Int { return new(big.Int) }

var integerTypes = []ir.Type{ir.U16, ir.S16, ir.U32, ir.S32, ir.U64, ir.S64}

func TestIntegerArithmeticIsExactModuloTheWidth(t *testing.T) {
	var all []trial
	for _, ty := range integerTypes {
		half := uint(8 * ty.Size())
		all = append(all,
			integer("add", ir.OpAdd, ty, ir.Mods{}, 2, func(v []*big.Int) *big.Int { return newInt().Add(v[0], v[1]) }),
			integer("sub", ir.OpSub, ty, ir.Mods{}, 2, func(v []*big.Int) *big.Int { return newInt().Sub(v[0], v[1]) }),
			integer("mul.lo", ir.OpMul, ty, ir.Mods{Part: ir.Lo}, 2,
				func(v []*big.Int) *big.Int { return newInt().Mul(v[0], v[1]) }),
			integer("mul.hi", ir.OpMul, ty, ir.Mods{Part: ir.Hi}, 2, func(v []*big.Int) *big.Int {
				return newInt().Rsh(newInt().Mul(v[0], v[1]), half)
			}),
			integer("mad.lo", ir.OpMad, ty, ir.Mods{Part: ir.Lo}, 3, func(v []*big.Int) *big.Int {
				return newInt().Add(newInt().Mul(v[0], v[1]), v[2])
			}),
			integer("mad.hi", ir.OpMad, ty, ir.Mods{Part: ir.Hi}, 3, func(v []*big.Int) *big.Int {
				return newInt().Add(newInt().Rsh(newInt().Mul(v[0], v[1]), half), v[2])
			}),
			integer("sad", ir.OpSad, ty, ir.Mods{}, 3, func(v []*big.Int) *big.Int {
				return newInt().Add(newInt().Abs(newInt().Sub(v[0], v[1])), v[2])
			}),
			integer("min", ir.OpMin, ty, ir.Mods{}, 2, func(v []*big.Int) *big.Int { return smaller(v[0], v[1]) }),
			integer("max", ir.OpMax, ty, ir.Mods{}, 2, func(v []*big.Int) *big.Int {
				return newInt().Neg(smaller(newInt().Neg(v[0]), newInt().Neg(v[1])))
			}),
		)
		if ty.Signed() {
			all = append(all,
				integer("abs", ir.OpAbs, ty, ir.Mods{}, 1, func(v []*big.Int) *big.Int { return newInt().Abs(v[0]) }),
				integer("neg", ir.OpNeg, ty, ir.Mods{}, 1, func(v []*big.Int) *big.Int { return newInt().Neg(v[0]) }),
			)
		}
	}
	checkAll(t, all)
}

func smaller(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

func TestDivisionTruncatesAndDivisionByZeroIsAllOnes(t *testing.T) {
	var all []trial
	for _, ty := range integerTypes {
		all = append(all,
			integer("div", ir.OpDiv, ty, ir.Mods{}, 2, func(v []*big.Int) *big.Int {
				if v[1].Sign() == 0 {
					return big.NewInt(-1)
				}
				return newInt().Quo(v[0], v[1])
			}),
			integer("rem", ir.OpRem, ty, ir.Mods{}, 2, func(v []*big.Int) *big.Int {
				if v[1].Sign() == 0 {
					return v[0]
				}
				return newInt().Rem(v[0], v[1])
			}),
		)
	}
	checkAll(t, all)
}

func TestWideProductsKeepEveryBit(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U16, ir.S16, ir.U32, ir.S32} {
		w := widened(ty)
		mul := integer("mul.wide", ir.OpMul, ty, ir.Mods{Part: ir.Wide}, 2, nil)
		mul.dst, mul.same = w, nil
		mul.want = func(a []uint64) uint64 {
			return pattern(newInt().Mul(value(a[0], ty), value(a[1], ty)), 8*w.Size())
		}
		mad := integer("mad.wide", ir.OpMad, ty, ir.Mods{Part: ir.Wide}, 3, nil)
		mad.dst, mad.src[2], mad.same = w, w, nil
		mad.want = func(a []uint64) uint64 {
			return pattern(newInt().Add(newInt().Mul(value(a[0], ty), value(a[1], ty)), value(a[2], w)), 8*w.Size())
		}
		all = append(all, mul, mad)
	}
	checkAll(t, all)
}

func TestSaturatingIntegerOperationsClampToS32(t *testing.T) {
	sat := func(name string, op ir.Op, part ir.Part, n int, f func(v []*big.Int) *big.Int) trial {
		return integer(name, op, ir.S32, ir.Mods{Sat: true, Part: part}, n, func(v []*big.Int) *big.Int {
			return clamped(f(v), ir.S32)
		})
	}
	checkAll(t, []trial{
		sat("add.sat", ir.OpAdd, 0, 2, func(v []*big.Int) *big.Int { return newInt().Add(v[0], v[1]) }),
		sat("sub.sat", ir.OpSub, 0, 2, func(v []*big.Int) *big.Int { return newInt().Sub(v[0], v[1]) }),
		sat("mad.hi.sat", ir.OpMad, ir.Hi, 3, func(v []*big.Int) *big.Int {
			return newInt().Add(newInt().Rsh(newInt().Mul(v[0], v[1]), 32), v[2])
		}),
	})
}

func TestTwentyFourBitProducts(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U32, ir.S32} {
		low := func(v *big.Int) *big.Int {
			u := pattern(v, 24)
			if ty.Signed() && u>>23 != 0 {
				return big.NewInt(int64(u) - 1<<24)
			}
			return newInt().SetUint64(u)
		}
		for _, part := range []ir.Part{ir.Lo, ir.Hi} {
			shift := uint(0)
			name := ".lo"
			if part == ir.Hi {
				shift, name = 16, ".hi"
			}
			product := func(v []*big.Int) *big.Int { return newInt().Rsh(newInt().Mul(low(v[0]), low(v[1])), shift) }
			all = append(all,
				integer("mul24"+name, ir.OpMul24, ty, ir.Mods{Part: part}, 2, product),
				integer("mad24"+name, ir.OpMad24, ty, ir.Mods{Part: part}, 3, func(v []*big.Int) *big.Int {
					return newInt().Add(product(v), v[2])
				}))
		}
	}
	checkAll(t, all)
}

// carryTrial is an operation with a carry in. Its result is the sum or, with out set, the carry out of it.
func carryTrial(name string, op ir.Op, ty ir.Type, n int, part ir.Part, out bool,
	f func(v []*big.Int, c int64) *big.Int) trial {
	bits := 8 * ty.Size()
	m := ir.Mods{CarryIn: true, CarryOut: out, Part: part}
	tr := trial{name: name + "." + ty.String(), in: plain(op, ty, m), src: append([]ir.Type{ty, ty, ty}[:n:n],
		ir.PredType), dst: ty}
	exact := func(a []uint64) *big.Int {
		v := make([]*big.Int, n)
		for i := range v {
			v[i] = newInt().SetUint64(a[i])
		}
		return f(v, int64(a[n]))
	}
	tr.want = func(a []uint64) uint64 { return pattern(exact(a), bits) }
	if !out {
		return tr
	}
	tr.name += ".cc"
	tr.dst = ir.PredType
	tr.body = func(k *kit, src []ir.Operand, dst ir.Operand) {
		k.add(ir.Inst{Op: op, Type: ty, SrcType: ty, Mods: m, Dst: []ir.Operand{ir.R(40, ty.Words()), dst}, Src: src})
	}
	tr.want = func(a []uint64) uint64 { return uint64(newInt().Rsh(exact(a), uint(bits)).Bit(0)) }
	return tr
}

func TestCarries(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U32, ir.U64} {
		bits := uint(8 * ty.Size())
		for _, out := range []bool{false, true} {
			all = append(all,
				carryTrial("addc", ir.OpAdd, ty, 2, 0, out, func(v []*big.Int, c int64) *big.Int {
					return newInt().Add(newInt().Add(v[0], v[1]), big.NewInt(c))
				}),
				carryTrial("subc", ir.OpSub, ty, 2, 0, out, func(v []*big.Int, c int64) *big.Int {
					complement := newInt().Sub(newInt().SetUint64(^uint64(0)>>(64-bits)), v[1])
					return newInt().Add(newInt().Add(v[0], complement), big.NewInt(c))
				}),
				carryTrial("madc.lo", ir.OpMad, ty, 3, ir.Lo, out, func(v []*big.Int, c int64) *big.Int {
					low := pattern(newInt().Mul(v[0], v[1]), int(bits))
					return newInt().Add(newInt().Add(newInt().SetUint64(low), v[2]), big.NewInt(c))
				}),
				carryTrial("madc.hi", ir.OpMad, ty, 3, ir.Hi, out, func(v []*big.Int, c int64) *big.Int {
					high := newInt().Rsh(newInt().Mul(v[0], v[1]), bits)
					return newInt().Add(newInt().Add(high, v[2]), big.NewInt(c))
				}))
		}
	}
	checkAll(t, all)
}
