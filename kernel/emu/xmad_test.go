package emu

import (
	"math/bits"
	"testing"

	"kumiko/kernel/ir"
)

// lowerHalf and upperHalf are the halves of a word as numbers, with or without a sign.
func lowerHalf(x uint64, signed bool) int64 {
	if signed {
		return int64(int16(x))
	}
	return int64(uint16(x))
}

func upperHalf(x uint64, signed bool) int64 { return lowerHalf(x>>16, signed) }

func TestAProductOfHalvesHasItsHalvesItsSignsAndItsThirdSource(t *testing.T) {
	var all []trial
	for mode := range uint64(ir.XmadEnd) {
		has := func(m uint64) bool { return mode&m != 0 }
		if bits.OnesCount64(mode&(ir.XmadLowC|ir.XmadHighC|ir.XmadAddsB|ir.XmadSignsC)) > 1 || has(ir.XmadSignsC) {
			continue
		}
		in := plain(ir.OpXmad, ir.U32, ir.Mods{})
		all = append(all, trial{name: "xmad", in: in, src: []ir.Type{ir.U32, ir.U32, ir.U32}, dst: ir.U32,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				k.op(ir.OpXmad, ir.U32, dst, append(src, ir.Imm(mode, 1))...)
			},
			want: func(a []uint64) uint64 {
				of := [2]func(uint64, bool) int64{lowerHalf, upperHalf}
				d := of[b2u(has(ir.XmadHighA))](a[0], has(ir.XmadSignedA)) * of[b2u(has(ir.XmadHighB))](a[1],
					has(ir.XmadSignedB))
				if has(ir.XmadShifts) {
					d <<= 16
				}
				switch {
				case has(ir.XmadLowC):
					d += lowerHalf(a[2], false)
				case has(ir.XmadHighC):
					d += upperHalf(a[2], false)
				case has(ir.XmadAddsB):
					d += int64(a[2]) + int64(a[1])<<16
				default:
					d += int64(a[2])
				}
				if has(ir.XmadMerges) {
					return uint64(d)&0xffff | a[1]<<16&0xffff0000
				}
				return uint64(d) & 0xffffffff
			}})
	}
	checkAll(t, all)
}

// XMAD multiplies halves of words. ptxas computes a product of 32 bits by three such products, and the upper word of a
// product of 64 bits by four and a shifted sum.
func TestProductsOfHalvesMakeThoseOfWords(t *testing.T) {
	xmad := func(k *kit, mode uint64, d ir.Reg, a, b, c ir.Operand) ir.Operand {
		k.op(ir.OpXmad, ir.U32, ir.R(d, 1), a, b, c, ir.Imm(mode, 1))
		return ir.R(d, 1)
	}
	zero := ir.Imm(0, 1)
	low := trial{name: "low", src: []ir.Type{ir.U32, ir.U32}, dst: ir.U32,
		body: func(k *kit, s []ir.Operand, dst ir.Operand) {
			p := xmad(k, 0, 40, s[0], s[1], zero)
			q := xmad(k, ir.XmadMerges|ir.XmadHighB, 41, s[0], s[1], zero)
			r := xmad(k, ir.XmadShifts|ir.XmadAddsB|ir.XmadHighA|ir.XmadHighB, 42, s[0], q, p)
			k.op(ir.OpMov, ir.U32, dst, r)
		},
		want: func(a []uint64) uint64 { return a[0] * a[1] & 0xffffffff }}
	high := func(name string, a, b, all uint64, want func(x, y uint64) uint64) trial {
		return trial{name: name, src: []ir.Type{ir.U32, ir.U32}, dst: ir.U32,
			body: func(k *kit, s []ir.Operand, dst ir.Operand) {
				p := xmad(k, 0, 40, s[0], s[1], zero)
				q := xmad(k, ir.XmadHighB|b, 41, s[0], s[1], zero)
				r := xmad(k, ir.XmadHighA|ir.XmadHighB|all, 42, s[0], s[1], zero)
				u := xmad(k, ir.XmadHighA|ir.XmadHighC|a, 43, s[0], s[1], p)
				sum := plain(ir.OpAdd3, ir.U32, ir.Mods{Part: ir.Hi})
				sum.Dst, sum.Src = []ir.Operand{dst}, []ir.Operand{u, q, r}
				k.add(sum)
			},
			want: func(a []uint64) uint64 { return want(a[0], a[1]) }}
	}
	checkAll(t, []trial{low,
		high("unsigned", 0, 0, 0, func(x, y uint64) uint64 { return x * y >> 32 }),
		high("signed", ir.XmadSignedA, ir.XmadSignedB, ir.XmadSignedA|ir.XmadSignedB|ir.XmadSignsC,
			func(x, y uint64) uint64 { return uint64(uint32(int64(int32(x)) * int64(int32(y)) >> 32)) })})
}

func TestOfThreeNumbersOneIsChosenInTwoSteps(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U32, ir.S32} {
		for kind := range uint64(4) {
			value := func(x uint64) int64 {
				if ty == ir.S32 {
					return int64(int32(x))
				}
				return int64(x)
			}
			pick := func(largest bool, x, y int64) int64 {
				if largest {
					return max(x, y)
				}
				return min(x, y)
			}
			all = append(all, trial{name: "extremes", src: []ir.Type{ty, ty, ty}, dst: ty,
				body: func(k *kit, src []ir.Operand, dst ir.Operand) {
					k.op(ir.OpExtremes, ty, dst, append(src, ir.Imm(kind, 1))...)
				},
				want: func(a []uint64) uint64 {
					return uint64(uint32(pick(kind&2 != 0, pick(kind&1 != 0, value(a[0]), value(a[1])), value(a[2]))))
				}})
		}
	}
	checkAll(t, all)
}

// wordsOf returns the words of a register of two.
func wordsOf(o ir.Operand) (low, high ir.Operand) { return ir.R(o.Reg, 1), ir.R(o.Reg+1, 1) }

func TestTheExtremeOfLongNumbersIsThatOfTheirWordsInTurn(t *testing.T) {
	var all []trial
	for _, op := range []ir.Op{ir.OpMin, ir.OpMax} {
		for _, ty := range []ir.Type{ir.U32, ir.S32} {
			for word := range 2 {
				wide := map[ir.Type]ir.Type{ir.U32: ir.U64, ir.S32: ir.S64}[ty]
				all = append(all, trial{name: op.String(), src: []ir.Type{wide, wide}, dst: ir.U32,
					body: func(k *kit, src []ir.Operand, dst ir.Operand) {
						al, ah := wordsOf(src[0])
						bl, bh := wordsOf(src[1])
						upper := plain(op, ty, ir.Mods{CarryOut: true})
						upper.Dst, upper.Src = []ir.Operand{ir.R(40, 1), ir.P(5), ir.P(6)}, []ir.Operand{ah, bh}
						k.add(upper)
						lower := plain(op, ir.U32, ir.Mods{CarryIn: true})
						lower.Dst, lower.Src = []ir.Operand{ir.R(41, 1)}, []ir.Operand{al, bl, ir.P(5), ir.P(6)}
						k.add(lower)
						k.op(ir.OpMov, ir.U32, dst, ir.R(ir.Reg(41-word), 1))
					},
					want: func(a []uint64) uint64 {
						less := a[0] < a[1]
						if ty == ir.S32 {
							less = int64(a[0]) < int64(a[1])
						}
						v := a[1]
						if less == (op == ir.OpMin) {
							v = a[0]
						}
						return v >> (32 * word) & 0xffffffff
					}})
			}
		}
	}
	checkAll(t, all)
}

func TestTheChoiceOfADoubleTakesANaNOnlyOfTwo(t *testing.T) {
	nan, other := uint64(0x7ff8000000000000), uint64(0xfff0000000000001)
	one, two, zero, minus := uint64(0x3ff0000000000000), uint64(0x4000000000000000), uint64(0), uint64(1)<<63
	for _, c := range []struct {
		a, b        uint64
		least, most uint64
		neither     uint64
	}{
		{one, two, 1, 0, 0}, {two, one, 0, 1, 0}, {minus, zero, 1, 0, 0}, {zero, minus, 0, 1, 0}, {nan, one, 0, 0, 0},
		{one, nan, 1, 1, 0}, {nan, other, 0, 0, 1}, {one, one, 0, 0, 0}, {minus, one, 1, 0, 0},
	} {
		for kind, want := range []uint64{c.least, c.most} {
			for at, want := range []uint64{want, c.neither} {
				tr := trial{src: []ir.Type{ir.U64, ir.U64}, dst: ir.PredType,
					body: func(k *kit, src []ir.Operand, dst ir.Operand) {
						in := ir.Inst{Op: ir.OpSetpExtreme, Type: ir.F64, Dst: make([]ir.Operand, 2),
							Src: append(src, ir.Imm(uint64(kind), 1))}
						in.Dst[at] = dst
						k.add(in)
					}}
				if got := evaluate(t, &tr, [][]uint64{{c.a, c.b}})[0]; got != want {
					t.Errorf("kind %d of %#x and %#x: predicate %d is %d, want %d", kind, c.a, c.b, at, got, want)
				}
			}
		}
	}
}
