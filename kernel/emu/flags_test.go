package emu

import (
	"testing"

	"kumiko/kernel/ir"
)

// difference adds an instruction d = a - b with its flags: the carry in P4, the second carry in P5, whether the result
// is zero in P6, and its sign in P7. With x it subtracts the upper words of longer numbers: it takes the flags that the
// instruction for the lower words has left in P4 to P6.
func (k *kit) difference(x bool, d, a, b ir.Operand) {
	in := plain(ir.OpAdd3, ir.U32, ir.Mods{CarryOut: true, CarryIn: x})
	b.Neg = true
	in.Dst = []ir.Operand{d, ir.P(4), ir.P(5), ir.P(6), ir.P(7)}
	in.Src = []ir.Operand{a, b, ir.Imm(0, 1)}
	if x {
		in.Src = append(in.Src, ir.P(4), ir.P(5), ir.P(6))
	}
	k.add(in)
}

func TestTheFlagsOfADifferenceCompareLongNumbers(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U32, ir.S32} {
		for c := ir.EQ; c <= ir.GE; c++ {
			wide := map[ir.Type]ir.Type{ir.U32: ir.U64, ir.S32: ir.S64}[ty]
			want := func(a []uint64) uint64 {
				order := sign(a[0] < a[1], a[0] > a[1])
				if ty == ir.S32 {
					order = sign(int64(a[0]) < int64(a[1]), int64(a[0]) > int64(a[1]))
				}
				return uint64(b2u(holds(c, order)))
			}
			body := func(op ir.Op) func(k *kit, src []ir.Operand, dst ir.Operand) {
				return func(k *kit, src []ir.Operand, dst ir.Operand) {
					al, ah := wordsOf(src[0])
					bl, bh := wordsOf(src[1])
					k.difference(false, ir.Operand{}, al, bl)
					in := ir.Inst{Op: op, Type: ty, Mods: ir.Mods{Cmp: c, CarryIn: true}, Dst: []ir.Operand{dst},
						Src: []ir.Operand{ah, bh, {}, ir.P(4), ir.P(6)}}
					if op == ir.OpSet {
						in.Type, in.SrcType, in.Dst = ir.B32, ty, []ir.Operand{ir.R(40, 1)}
					}
					k.add(in)
					if op == ir.OpSet { // all ones, or zero
						k.op(ir.OpAnd, ir.B32, dst, ir.R(40, 1), ir.Imm(1, 1))
					}
				}
			}
			all = append(all,
				trial{name: "setp.high", src: []ir.Type{wide, wide}, dst: ir.PredType, body: body(ir.OpSetpHigh),
					want: want},
				trial{name: "set", src: []ir.Type{wide, wide}, dst: ir.U32, body: body(ir.OpSet), want: want})
		}
	}
	checkAll(t, all)
}

func TestALongDifferenceIsZeroOnlyInAllWordsAndHasTheSignOfTheLast(t *testing.T) {
	var all []trial
	for flag, want := range map[ir.Pred]func(v uint64) uint64{
		6: func(v uint64) uint64 { return uint64(b2u(v == 0)) }, 7: func(v uint64) uint64 { return v >> 63 },
	} {
		all = append(all, trial{name: "flags", src: []ir.Type{ir.U64, ir.U64}, dst: ir.PredType,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				al, ah := wordsOf(src[0])
				bl, bh := wordsOf(src[1])
				k.difference(false, ir.Operand{}, al, bl)
				k.difference(true, ir.Operand{}, ah, bh)
				k.add(ir.Inst{Op: ir.OpMov, Type: ir.PredType, Dst: []ir.Operand{dst}, Src: []ir.Operand{ir.P(flag)}})
			},
			want: func(a []uint64) uint64 { return want(a[0] - a[1]) }})
	}
	checkAll(t, all)
}

func TestAShiftedSumHas33BitsBeforeItsShift(t *testing.T) {
	var all []trial
	for part, want := range map[ir.Part]func(a []uint64) uint64{
		ir.Hi: func(a []uint64) uint64 { return ((a[0]+a[1])>>16 + a[2]) & 0xffffffff },
		ir.Lo: func(a []uint64) uint64 { return ((a[0]+a[1])<<16 + a[2]) & 0xffffffff },
	} {
		all = append(all, trial{name: "add3", in: plain(ir.OpAdd3, ir.U32, ir.Mods{Part: part}),
			src: []ir.Type{ir.U32, ir.U32, ir.U32}, dst: ir.U32, want: want})
	}
	checkAll(t, all)
}

func TestALogicOperationHasItsFlags(t *testing.T) {
	var all []trial
	for at, want := range map[int]func(v uint64) uint64{
		1: func(v uint64) uint64 { return uint64(b2u(v != 0)) },
		2: func(v uint64) uint64 { return uint64(b2u(v == 0)) },
		3: func(v uint64) uint64 { return v >> 31 },
	} {
		all = append(all, trial{name: "lop3", src: []ir.Type{ir.B32, ir.B32}, dst: ir.PredType,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				in := plain(ir.OpLop3, ir.B32, ir.Mods{})
				in.Dst = make([]ir.Operand, 4)
				in.Dst[at] = dst
				in.Src = append(src, ir.Imm(0, 1), ir.Imm(0x3c, 1), ir.Imm(0, 1))
				k.add(in)
			},
			want: func(a []uint64) uint64 { return want(a[0] ^ a[1]) }})
	}
	checkAll(t, all)
}

func TestAChoiceMayCompareWithZeroInAnyWay(t *testing.T) {
	var all []trial
	for c := ir.EQ; c <= ir.GE; c++ {
		in := ir.Inst{Op: ir.OpSlct, Type: ir.B32, SrcType: ir.S32, Mods: ir.Mods{Cmp: c}}
		all = append(all, trial{name: "slct", in: in, src: []ir.Type{ir.B32, ir.B32, ir.S32}, dst: ir.B32,
			want: func(a []uint64) uint64 {
				x := int32(a[2])
				if holds(c, sign(x < 0, x > 0)) {
					return a[0]
				}
				return a[1]
			}})
	}
	nan := ir.Inst{Op: ir.OpSlct, Type: ir.B32, SrcType: ir.F32, Mods: ir.Mods{Cmp: ir.LTU}}
	all = append(all, trial{name: "slct", in: nan, src: []ir.Type{ir.B32, ir.B32, ir.F32}, dst: ir.B32,
		want: func(a []uint64) uint64 {
			if x := f32(uint32(a[2])); !(x >= 0) {
				return a[0]
			}
			return a[1]
		}})
	checkAll(t, all)
}

func TestAFieldMayHaveItsPositionAndLengthInOneWord(t *testing.T) {
	fields := []uint64{0, 0x817, 0x2000, 0x102, 0x20ff, 0xffff0810, 0x1f01}
	extractField := func(a []uint64) uint64 {
		return uint64(uint32(a[0]&0xffffffff>>min(a[1]&0xff, 63)) & (1<<min(a[1]>>8&0xff, 32) - 1))
	}
	checkAll(t, []trial{
		{name: "bfe", in: plain(ir.OpBfe, ir.U32, ir.Mods{}), src: []ir.Type{ir.U32, ir.U32}, dst: ir.U32,
			values: [][]uint64{nil, fields}, want: extractField},
		{name: "bfi", in: plain(ir.OpBfi, ir.B32, ir.Mods{}), src: []ir.Type{ir.B32, ir.B32, ir.U32}, dst: ir.B32,
			values: [][]uint64{nil, nil, fields},
			want: func(a []uint64) uint64 {
				pos, n := a[2]&0xff, a[2]>>8&0xff
				field := uint64(1<<min(n, 32)-1) << min(pos, 63) & 0xffffffff
				return a[0]<<min(pos, 63)&field | a[1]&^field
			}},
	})
}

func TestPlop3MakesARegisterOfOnes(t *testing.T) {
	checkAll(t, []trial{{name: "plop3", src: []ir.Type{ir.PredType, ir.PredType}, dst: ir.U32,
		body: func(k *kit, src []ir.Operand, dst ir.Operand) {
			k.op(ir.OpPlop3, ir.B32, dst, src[0], src[1], ir.Imm(1, 1), ir.Imm(0xc0, 1), ir.Imm(0, 1))
		},
		want: func(a []uint64) uint64 { return -(a[0] & a[1]) & 0xffffffff }}})
}

func TestTheUpperWordOfAnAddressSaysWhetherItIsGlobal(t *testing.T) {
	addresses := []uint64{ir.SharedWindow, ir.SharedWindow - 1, ir.SharedWindow + ir.SharedWindowSize - 1,
		ir.SharedWindow + ir.SharedWindowSize, ir.LocalWindow + 5, ir.GlobalBase, 1<<32 | ir.LocalWindow}
	checkAll(t, []trial{{name: "lea", src: []ir.Type{ir.U64}, dst: ir.PredType, values: [][]uint64{addresses},
		body: func(k *kit, src []ir.Operand, dst ir.Operand) {
			l, h := wordsOf(src[0])
			in := plain(ir.OpLea, ir.U32, ir.Mods{Part: ir.Hi, CarryOut: true})
			in.Dst = []ir.Operand{ir.R(40, 1), {}, dst}
			in.Src = []ir.Operand{l, ir.Imm(0, 1), h, ir.Imm(0, 1), {}, {}, l}
			k.add(in)
		},
		want: func(a []uint64) uint64 {
			window := a[0] >> 24
			return uint64(b2u(window != ir.SharedWindow>>24 && window != ir.LocalWindow>>24))
		}}})
}
