package emu

import (
	"math/big"
	"testing"

	"kumiko/kernel/ir"
)

// The trials of machine code have references in integers of any size, or bit by bit, after ir/machine.go.

// negated returns the sources of an instruction with the signs set that are named by the bits of neg.
func negated(in *ir.Inst, neg int) func(k *kit, src []ir.Operand, dst ir.Operand) {
	return func(k *kit, src []ir.Operand, dst ir.Operand) {
		out := *in
		for i := range src {
			src[i].Neg = src[i].Neg || neg>>i&1 != 0
		}
		out.Src = append(src, in.Src...)
		out.Dst = append([]ir.Operand{dst}, in.Dst...)
		if dst.Kind == ir.KindPred { // the first destination is the register
			out.Dst = append([]ir.Operand{ir.R(40, 1), dst}, in.Dst...)
		}
		k.add(out)
	}
}

// sum adds numbers without bound; those named by the bits of neg are negated as ~x + 1, whose carry counts, or, with a
// carry, complemented.
func sum(a []uint64, neg int, carry bool) *big.Int {
	s := new(big.Int)
	for i, x := range a {
		v := uint64(uint32(x))
		if neg>>i&1 != 0 {
			v = uint64(^uint32(x))
			if !carry {
				v++
			}
		}
		s.Add(s, new(big.Int).SetUint64(v))
	}
	return s
}

func low32(s *big.Int) uint64 { return new(big.Int).And(s, big.NewInt(0xffffffff)).Uint64() }

func TestASumOfThreeHasTheCarriesOfItsWholeValue(t *testing.T) {
	var all []trial
	three := []ir.Type{ir.U32, ir.U32, ir.U32}
	for neg := range 8 {
		in := plain(ir.OpAdd3, ir.U32, ir.Mods{})
		all = append(all, trial{name: "add3", in: in, src: three, dst: ir.U32, body: negated(&in, neg),
			want: func(a []uint64) uint64 { return low32(sum(a, neg, false)) }})
		for place := range 2 {
			out := plain(ir.OpAdd3, ir.U32, ir.Mods{CarryOut: true})
			all = append(all, trial{name: "add3 carry", in: out, src: three, dst: ir.PredType,
				body: func(k *kit, src []ir.Operand, dst ir.Operand) {
					with := out
					if place == 1 {
						with.Dst = []ir.Operand{dst}
						dst = ir.P(6)
						negated(&with, neg)(k, src, dst)
						return
					}
					negated(&with, neg)(k, src, dst)
				},
				want: func(a []uint64) uint64 {
					return uint64(b2u(new(big.Int).Rsh(sum(a, neg, false), 32).Uint64() > uint64(place)))
				}})
		}
		x := plain(ir.OpAdd3, ir.U32, ir.Mods{CarryIn: true})
		all = append(all, trial{name: "add3.x", in: x, src: append(three, ir.PredType, ir.PredType), dst: ir.U32,
			body: negated(&x, neg),
			want: func(a []uint64) uint64 {
				return low32(new(big.Int).Add(sum(a[:3], neg, true), new(big.Int).SetUint64(a[3]+a[4])))
			}})
	}
	checkAll(t, all)
}

func TestLeaAddsAShiftedNumber(t *testing.T) {
	var all []trial
	for _, s := range []uint64{0, 1, 2, 5, 31} {
		for neg := range 4 {
			in := plain(ir.OpLea, ir.U32, ir.Mods{Part: ir.Lo})
			in.Src = []ir.Operand{{}, ir.Imm(s, 1)}
			shifted := func(a []uint64) []uint64 { return []uint64{a[0] << s & 0xffffffff, a[1]} }
			all = append(all, trial{name: "lea", in: in, src: []ir.Type{ir.U32, ir.U32}, dst: ir.U32,
				body: negated(&in, neg),
				want: func(a []uint64) uint64 { return low32(sum(shifted(a), neg, false)) }})
			out := in
			out.Mods.CarryOut = true
			all = append(all, trial{name: "lea carry", in: out, src: []ir.Type{ir.U32, ir.U32}, dst: ir.PredType,
				body: negated(&out, neg),
				want: func(a []uint64) uint64 {
					return new(big.Int).Rsh(sum(shifted(a), neg, false), 32).Uint64() & 1
				}})
		}
		hi := plain(ir.OpLea, ir.U32, ir.Mods{Part: ir.Hi})
		hi.Src = []ir.Operand{ir.Imm(s, 1)}
		all = append(all, trial{name: "lea.hi", in: hi, src: []ir.Type{ir.U32, ir.U32, ir.U32}, dst: ir.U32,
			want: func(a []uint64) uint64 { return ((a[2]<<32|a[0])<<s>>32 + a[1]) & 0xffffffff }})
		sx := plain(ir.OpLea, ir.U32, ir.Mods{Part: ir.Hi, CarryIn: true})
		all = append(all, trial{name: "lea.hi.x.sx32", in: sx, src: []ir.Type{ir.U32, ir.U32, ir.PredType}, dst: ir.U32,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				in := sx
				in.Dst, in.Src = []ir.Operand{dst}, []ir.Operand{src[0], src[1], {}, ir.Imm(s, 1), src[2]}
				k.add(in)
			},
			want: func(a []uint64) uint64 {
				return (uint64(int64(int32(a[0])))<<s>>32 + a[1] + a[2]) & 0xffffffff
			}})
	}
	checkAll(t, all)
}

func TestTheUpperWordOfAMultiplyAddHasTheCarryOfItsLowerOne(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U32, ir.S32} {
		all = append(all, trial{name: "imad.hi", in: plain(ir.OpImad, ty, ir.Mods{Part: ir.Hi}),
			src: []ir.Type{ty, ty, ir.U64}, dst: ir.U32,
			want: func(a []uint64) uint64 {
				x, y := big.NewInt(int64(uint32(a[0]))), big.NewInt(int64(uint32(a[1])))
				if ty == ir.S32 {
					x, y = big.NewInt(int64(int32(a[0]))), big.NewInt(int64(int32(a[1])))
				}
				s := x.Mul(x, y).Add(x, new(big.Int).SetUint64(a[2]))
				return low32(s.Rsh(s, 32))
			}})
	}
	for neg := range 2 {
		x := plain(ir.OpImad, ir.S32, ir.Mods{Part: ir.Lo, CarryIn: true})
		all = append(all, trial{name: "imad.x", in: x, src: []ir.Type{ir.U32, ir.U32, ir.U32, ir.PredType}, dst: ir.U32,
			body: negated(&x, neg<<2),
			want: func(a []uint64) uint64 {
				return (a[0]*a[1] + sum(a[2:3], neg, true).Uint64() + a[3]) & 0xffffffff
			}})
	}
	checkAll(t, all)
}

func TestAMultiplyAddOf64BitsHasACarry(t *testing.T) {
	var all []trial
	four := []ir.Type{ir.U32, ir.U32, ir.U64, ir.PredType}
	value := func(a []uint64, signed bool) *big.Int {
		x, y := big.NewInt(int64(uint32(a[0]))), big.NewInt(int64(uint32(a[1])))
		if signed {
			x, y = big.NewInt(int64(int32(a[0]))), big.NewInt(int64(int32(a[1])))
		}
		x.Mul(x, y).And(x, new(big.Int).SetUint64(^uint64(0))) // as an unsigned number of 64 bits
		return x.Add(x, new(big.Int).SetUint64(a[2])).Add(x, new(big.Int).SetUint64(a[3]))
	}
	for _, ty := range []ir.Type{ir.U32, ir.S32} {
		wide := plain(ir.OpImad, ty, ir.Mods{Part: ir.Wide, CarryIn: true})
		all = append(all, trial{name: "imad.wide.x", in: wide, src: four, dst: ir.U64,
			want: func(a []uint64) uint64 {
				v := value(a, ty.Signed())
				return v.And(v, new(big.Int).SetUint64(^uint64(0))).Uint64()
			}})
		out := plain(ir.OpImad, ty, ir.Mods{Part: ir.Hi, CarryIn: true, CarryOut: true})
		all = append(all, trial{name: "imad.hi.x carry", in: out, src: four, dst: ir.PredType, body: negated(&out, 0),
			want: func(a []uint64) uint64 { return new(big.Int).Rsh(value(a, ty.Signed()), 64).Uint64() }})
	}
	checkAll(t, all)
}

func TestTheReciprocalOfAnUpperWordIsAnUpperWord(t *testing.T) {
	for _, c := range []struct {
		op   ir.Op
		x, y uint64
	}{
		{ir.OpRcpHigh, 0x40000000, 0x3fe00000}, {ir.OpRcpHigh, 0x40080000, 0x3fd55555}, {ir.OpRcpHigh, 0, 0x7ff00000},
		{ir.OpRcpHigh, 0x000fffff, 0x7ff00000}, {ir.OpRcpHigh, 0x7ff00000, 0}, {ir.OpRcpHigh, 0x7fe00000, 0},
		{ir.OpRsqrtHigh, 0x40100000, 0x3fe00000}, {ir.OpRsqrtHigh, 0x80000000, 0xfff00000},
	} {
		in := plain(c.op, ir.U32, ir.Mods{})
		got := evaluate(t, &trial{in: in, src: []ir.Type{ir.U32}, dst: ir.U32}, [][]uint64{{c.x}})
		if got[0] != c.y {
			t.Errorf("%s of %#x is %#x, want %#x", c.op, c.x, got[0], c.y)
		}
	}
}

func TestAFunnelShiftMovesEveryBit(t *testing.T) {
	var all []trial
	amounts := []uint64{0, 1, 7, 31, 32, 33, 63, 64, 65, 0xffffffff}
	for _, ty := range []ir.Type{ir.U32, ir.S32, ir.U64, ir.S64} {
		for form := range 8 {
			m := ir.Mods{Left: form&1 != 0, Wrap: form&2 != 0, Part: []ir.Part{ir.PartNone, ir.Hi}[form>>2]}
			width := uint64(8 * ty.Size())
			all = append(all, trial{name: "funnel", in: plain(ir.OpFunnel, ty, m),
				src: []ir.Type{ir.U32, ir.U32, ir.U32}, dst: ir.U32, values: [][]uint64{nil, amounts, nil},
				want: func(a []uint64) uint64 {
					n := min(a[1], width)
					if m.Wrap {
						n = a[1] % width
					}
					v := byBits(64, func(i int) uint64 {
						from := i + int(n)
						if m.Left {
							from = i - int(n)
						}
						if from < 0 || from > 63 && !ty.Signed() {
							return 0
						}
						return bit(a[2]<<32|a[0], min(from, 63))
					})
					if m.Part == ir.Hi {
						v >>= 32
					}
					return v & 0xffffffff
				}})
		}
	}
	checkAll(t, all)
}

func TestAComparisonOfUpperWordsEndsThatOfTheNumbers(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.U32, ir.S32} {
		for c := ir.EQ; c <= ir.GE; c++ {
			lower := plain(ir.OpSetp, ir.U32, ir.Mods{Cmp: c})
			upper := plain(ir.OpSetpHigh, ty, ir.Mods{Cmp: c, Bool: ir.BoolAnd})
			wide := map[ir.Type]ir.Type{ir.U32: ir.U64, ir.S32: ir.S64}[ty]
			all = append(all, trial{name: "setp.high", in: upper, src: []ir.Type{wide, wide}, dst: ir.PredType,
				body: func(k *kit, src []ir.Operand, dst ir.Operand) {
					half := func(o ir.Operand, i int) ir.Operand { return ir.R(o.Reg+ir.Reg(i), 1) }
					l, u := lower, upper
					l.Dst, l.Src = []ir.Operand{ir.P(5)}, []ir.Operand{half(src[0], 0), half(src[1], 0)}
					u.Dst = []ir.Operand{dst}
					u.Src = []ir.Operand{half(src[0], 1), half(src[1], 1), ir.Imm(1, 1), ir.P(5)}
					k.add(l)
					k.add(u)
				},
				want: func(a []uint64) uint64 {
					order := sign(a[0] < a[1], a[0] > a[1])
					if ty == ir.S32 {
						order = sign(int64(a[0]) < int64(a[1]), int64(a[0]) > int64(a[1]))
					}
					return uint64(b2u(holds(c, order)))
				}})
		}
	}
	checkAll(t, all)
}

func TestPlop3IsTwoFunctionsOfThreePredicates(t *testing.T) {
	var all []trial
	for table := range uint64(256) {
		for which := range 2 {
			in := plain(ir.OpPlop3, ir.PredType, ir.Mods{})
			tables := []ir.Operand{ir.Imm(table, 1), ir.Imm(^table&0xff, 1)}
			dst := func(d ir.Operand) []ir.Operand { return []ir.Operand{d, ir.P(6)} }
			if which == 1 {
				tables[0], tables[1] = tables[1], tables[0]
				dst = func(d ir.Operand) []ir.Operand { return []ir.Operand{ir.P(6), d} }
			}
			all = append(all, trial{name: "plop3", in: in, src: []ir.Type{ir.PredType, ir.PredType, ir.PredType},
				dst: ir.PredType,
				body: func(k *kit, src []ir.Operand, d ir.Operand) {
					out := in
					out.Dst, out.Src = dst(d), append(src, tables...)
					k.add(out)
				},
				want: func(a []uint64) uint64 { return bit(table, int(4*a[0]+2*a[1]+a[2])) }})
		}
	}
	checkAll(t, all)
}

func TestLop3WithAPredicateTestsItsResult(t *testing.T) {
	in := plain(ir.OpLop3, ir.B32, ir.Mods{})
	checkAll(t, []trial{{name: "lop3", in: in, src: []ir.Type{ir.B32, ir.B32, ir.PredType}, dst: ir.PredType,
		body: func(k *kit, src []ir.Operand, dst ir.Operand) {
			out := in
			out.Dst = []ir.Operand{{}, dst}
			out.Src = []ir.Operand{src[0], src[1], ir.Imm(0, 1), ir.Imm(0xc0, 1), src[2]}
			k.add(out)
		},
		want: func(a []uint64) uint64 { return uint64(b2u(a[0]&a[1] != 0 || a[2] != 0)) }}})
}

func TestPredicatesGoIntoARegisterAndBack(t *testing.T) {
	checkAll(t, []trial{
		{name: "pack", in: plain(ir.OpPackPreds, ir.B32, ir.Mods{}), src: []ir.Type{ir.B32, ir.PredType, ir.PredType},
			dst: ir.B32,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				k.op(ir.OpPackPreds, ir.B32, dst, src[0], ir.Imm(2, 1), src[1], src[2])
			},
			want: func(a []uint64) uint64 { return a[0]&^2 | a[2]<<1 }},
		{name: "unpack", in: plain(ir.OpUnpackPreds, ir.B32, ir.Mods{}), src: []ir.Type{ir.B32}, dst: ir.PredType,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				k.add(ir.Inst{Op: ir.OpUnpackPreds, Dst: []ir.Operand{{}, dst},
					Src: []ir.Operand{src[0], ir.Imm(16, 1)}})
			},
			want: func(a []uint64) uint64 { return bit(a[0], 17) }},
	})
}

func TestAnAngleInTurnsIsTwoPiTimesOneInRadians(t *testing.T) {
	in := plain(ir.OpSin, ir.F32, ir.Mods{Approx: true, Ftz: true, Turns: true})
	got := evaluate(t, &trial{in: in, src: []ir.Type{ir.F32}, dst: ir.F32},
		[][]uint64{{0x3e800000}, {0x3f400000}, {0x40a80000}, {0xbe800000}}) // 1/4, 3/4, 5 1/4, -1/4
	for i, want := range []float32{1, -1, 1, -1} {
		if v := f32(uint32(got[i])); v != want {
			t.Errorf("sine %d is %g, want %g", i, v, want)
		}
	}
}
