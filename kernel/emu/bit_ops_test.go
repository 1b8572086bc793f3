package emu

import (
	"math/big"
	"testing"

	"kumiko/kernel/ir"
)

// The trials of bit operations have a bit by bit reference, after the definitions in the PTX ISA.

// bit is bit i of x.
func bit(x uint64, i int) uint64 { return x >> i & 1 }

// byBits builds a value of n bits from a function of the position.
func byBits(n int, f func(i int) uint64) (v uint64) {
	for i := range n {
		v |= f(i) & 1 << i
	}
	return v
}

func TestLogicWorksOnEveryBit(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.B16, ir.B32, ir.B64} {
		n := 8 * ty.Size()
		two := func(name string, op ir.Op, f func(x, y uint64) uint64) {
			all = append(all, trial{name: name + "." + ty.String(), in: plain(op, ty, ir.Mods{}),
				src: []ir.Type{ty, ty}, dst: ty,
				want: func(a []uint64) uint64 {
					return byBits(n,
						func(i int) uint64 { return f(bit(a[0], i), bit(a[1], i)) })
				}})
		}
		two("and", ir.OpAnd, func(x, y uint64) uint64 { return x * y })
		two("or", ir.OpOr, func(x, y uint64) uint64 { return x + y - x*y })
		two("xor", ir.OpXor, func(x, y uint64) uint64 { return x + y })
		all = append(all,
			trial{name: "not." + ty.String(), in: plain(ir.OpNot, ty, ir.Mods{}), src: []ir.Type{ty}, dst: ty,
				want: func(a []uint64) uint64 { return byBits(n, func(i int) uint64 { return 1 - bit(a[0], i) }) }},
			trial{name: "cnot." + ty.String(), in: plain(ir.OpCnot, ty, ir.Mods{}), src: []ir.Type{ty}, dst: ty,
				want: func(a []uint64) uint64 {
					if a[0] == 0 {
						return 1
					}
					return 0
				}})
	}
	checkAll(t, all)
}

func TestLop3IsAnyFunctionOfThreeBits(t *testing.T) {
	var all []trial
	for _, table := range []uint64{0, 1, 0x80, 0xfe, 0x96, 0xf8, 0xca, 0xe8, 0x5a, 0x3c, 0x7f, 0xff, 0x1b} {
		in := plain(ir.OpLop3, ir.B32, ir.Mods{})
		in.Src = []ir.Operand{ir.Imm(table, 1)}
		all = append(all, trial{name: "lop3", in: in, src: []ir.Type{ir.B32, ir.B32, ir.B32}, dst: ir.B32,
			want: func(a []uint64) uint64 {
				return byBits(32, func(i int) uint64 {
					return bit(table,
						int(4*bit(a[0], i)+2*bit(a[1], i)+bit(a[2], i)))
				})
			}})
	}
	checkAll(t, all)
}

func TestShiftAmountsAreClampedToTheWidth(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.B16, ir.B32, ir.B64} {
		n := 8 * ty.Size()
		all = append(all, trial{name: "shl." + ty.String(), in: plain(ir.OpShl, ty, ir.Mods{}),
			src: []ir.Type{ty, ir.U32}, dst: ty,
			want: func(a []uint64) uint64 {
				return byBits(n, func(i int) uint64 {
					if uint64(i) < a[1] {
						return 0
					}
					return bit(a[0], i-int(a[1]))
				})
			}})
	}
	for _, ty := range []ir.Type{ir.U16, ir.S16, ir.U32, ir.S32, ir.U64, ir.S64, ir.B32} {
		n := 8 * ty.Size()
		all = append(all, trial{name: "shr." + ty.String(), in: plain(ir.OpShr, ty, ir.Mods{}),
			src: []ir.Type{ty, ir.U32}, dst: ty,
			same: low16(ty),
			want: func(a []uint64) uint64 {
				s := min(a[1], 200)
				return pattern(newInt().Rsh(value(a[0], ty), uint(s)), n)
			}})
	}
	checkAll(t, all)
}

func TestFunnelShifts(t *testing.T) {
	var all []trial
	for _, left := range []bool{false, true} {
		for _, wrap := range []bool{false, true} {
			all = append(all, trial{name: "shf", in: plain(ir.OpShf, ir.B32, ir.Mods{Left: left, Wrap: wrap}),
				src: []ir.Type{ir.B32, ir.B32, ir.U32}, dst: ir.B32,
				want: func(a []uint64) uint64 {
					n := min(a[2], 32)
					if wrap {
						n = a[2] % 32
					}
					v := newInt().SetUint64(a[1]<<32 | a[0])
					if left {
						return pattern(newInt().Rsh(newInt().SetUint64(pattern(newInt().Lsh(v, uint(n)), 64)), 32), 32)
					}
					return pattern(newInt().Rsh(v, uint(n)), 32)
				}})
		}
	}
	checkAll(t, all)
}

func TestBitFields(t *testing.T) {
	var all []trial
	positions := []uint64{0, 1, 5, 31, 32, 33, 63, 64, 65, 255, 256, 300}
	for _, ty := range []ir.Type{ir.U32, ir.S32, ir.U64, ir.S64} {
		msb := 8*ty.Size() - 1
		all = append(all, trial{name: "bfe." + ty.String(), in: plain(ir.OpBfe, ty, ir.Mods{}),
			src: []ir.Type{ty, ir.U32, ir.U32}, dst: ty, values: [][]uint64{nil, positions, positions},
			want: func(a []uint64) uint64 {
				pos, n := int(a[1]&0xff), int(a[2]&0xff)
				s := uint64(0)
				if ty.Signed() && n != 0 {
					s = bit(a[0], min(pos+n-1, msb))
				}
				return byBits(msb+1, func(i int) uint64 {
					if i < n && pos+i <= msb {
						return bit(a[0], pos+i)
					}
					return s
				})
			}})
	}
	for _, ty := range []ir.Type{ir.B32, ir.B64} {
		msb := 8*ty.Size() - 1
		all = append(all, trial{name: "bfi." + ty.String(), in: plain(ir.OpBfi, ty, ir.Mods{}),
			src: []ir.Type{ty, ty, ir.U32, ir.U32}, dst: ty, values: [][]uint64{nil, nil, positions, positions},
			want: func(a []uint64) uint64 {
				pos, n := int(a[2]&0xff), int(a[3]&0xff)
				return byBits(msb+1, func(i int) uint64 {
					if i >= pos && i < pos+n {
						return bit(a[0], i-pos)
					}
					return bit(a[1], i)
				})
			}})
	}
	checkAll(t, all)
}

func TestCountsAndSearches(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.B32, ir.B64} {
		n := 8 * ty.Size()
		one := func(name string, op ir.Op, dst ir.Type, f func(x uint64) uint64) {
			all = append(all, trial{name: name + "." + ty.String(), in: plain(op, ty, ir.Mods{}), src: []ir.Type{ty},
				dst:  dst,
				want: func(a []uint64) uint64 { return f(a[0]) }})
		}
		one("popc", ir.OpPopc, ir.U32, func(x uint64) (c uint64) {
			for i := range n {
				c += bit(x, i)
			}
			return c
		})
		one("clz", ir.OpClz, ir.U32, func(x uint64) (c uint64) {
			for i := n - 1; i >= 0 && bit(x, i) == 0; i-- {
				c++
			}
			return c
		})
		one("brev", ir.OpBrev, ty, func(x uint64) uint64 {
			return byBits(n,
				func(i int) uint64 { return bit(x, n-1-i) })
		})
	}
	for _, ty := range []ir.Type{ir.U32, ir.S32, ir.U64, ir.S64} {
		for _, amount := range []bool{false, true} {
			msb := 8*ty.Size() - 1
			all = append(all, trial{name: "bfind." + ty.String(), in: plain(ir.OpBfind, ty, ir.Mods{ShiftAmt: amount}),
				src: []ir.Type{ty}, dst: ir.U32,
				want: func(a []uint64) uint64 {
					sign := uint64(0)
					if ty.Signed() {
						sign = bit(a[0], msb)
					}
					for i := msb; i >= 0; i-- {
						if bit(a[0], i) != sign {
							if amount {
								return uint64(msb - i)
							}
							return uint64(i)
						}
					}
					return 0xffffffff
				}})
		}
	}
	checkAll(t, all)
}

func TestFnsFindsTheNthSetBitFromABase(t *testing.T) {
	tr := trial{name: "fns", in: plain(ir.OpFns, ir.B32, ir.Mods{}), src: []ir.Type{ir.B32, ir.B32, ir.S32},
		dst: ir.B32,
		values: [][]uint64{{0, 1, 0xaaaaaaaa, 0x80000001, 0xffffffff, 0x00f00f00}, {0, 2, 3, 17, 31},
			{0, 1, 2, 5, 32, 0xffffffff, 0xfffffffe, 0xfffffffb}},
		want: func(a []uint64) uint64 {
			off := int(int32(a[2]))
			var set []int // positions from the base outwards
			for i := 0; i < 32; i++ {
				p := int(a[1]) + i
				if off < 0 {
					p = int(a[1]) - i
				}
				if p >= 0 && p < 32 && bit(a[0], p) != 0 {
					set = append(set, p)
				}
			}
			switch {
			case off == 0 && bit(a[0], int(a[1])) != 0:
				return a[1]
			case off > 0 && off <= len(set):
				return uint64(set[off-1])
			case off < 0 && -off <= len(set):
				return uint64(set[-off-1])
			}
			return 0xffffffff
		}}
	args := tr.combinations(0)
	for i, got := range evaluate(t, &tr, args) {
		if want := tr.want(args[i]); got != want {
			t.Errorf("fns of %#x is %#x, want %#x", args[i], got, want)
		}
	}
}

func TestMasksAndExtensions(t *testing.T) {
	amounts := []uint64{0, 1, 5, 31, 32, 33, 64, 255, 0xffffffff}
	var all []trial
	for _, wrap := range []bool{false, true} {
		m := ir.Mods{Wrap: wrap}
		all = append(all, trial{name: "bmsk", in: plain(ir.OpBmsk, ir.B32, m), src: []ir.Type{ir.B32, ir.B32},
			dst:    ir.B32,
			values: [][]uint64{amounts, amounts},
			want: func(a []uint64) uint64 {
				pos, n := a[0], a[1]
				if wrap {
					pos, n = pos%32, n%32
				}
				return byBits(32, func(i int) uint64 {
					if uint64(i) >= pos && uint64(i)-pos < n {
						return 1
					}
					return 0
				})
			}})
		for _, ty := range []ir.Type{ir.U32, ir.S32} {
			all = append(all, trial{name: "szext." + ty.String(), in: plain(ir.OpSzext, ty, m),
				src: []ir.Type{ty, ir.U32}, dst: ty,
				values: [][]uint64{nil, amounts},
				want: func(a []uint64) uint64 {
					n := a[1]
					if wrap {
						n %= 32
					}
					switch {
					case n >= 32:
						return a[0]
					case n == 0:
						return 0
					}
					sign := uint64(0)
					if ty.Signed() {
						sign = bit(a[0], int(n-1))
					}
					return byBits(32, func(i int) uint64 {
						if uint64(i) < n {
							return bit(a[0], i)
						}
						return sign
					})
				}})
		}
	}
	checkAll(t, all)
}

// The byte selections of prmt's modes, PTX ISA section 9.7.9.7, table by table:
// for each value of the control's low bits the source bytes of result bytes 3
// to 0.
var prmtTables = map[ir.Prmt][4]string{
	ir.PrmtF4E:  {"3210", "4321", "5432", "6543"},
	ir.PrmtB4E:  {"5670", "6701", "7012", "0123"},
	ir.PrmtRC8:  {"0000", "1111", "2222", "3333"},
	ir.PrmtECL:  {"3210", "3211", "3222", "3333"},
	ir.PrmtECR:  {"0000", "1110", "2210", "3210"},
	ir.PrmtRC16: {"1010", "3232", "1010", "3232"},
}

func TestPrmtModesFollowTheirTables(t *testing.T) {
	source := func(a []uint64, i int) uint64 { return (a[1]<<32 | a[0]) >> (8 * i) & 0xff }
	var all []trial
	for mode, table := range prmtTables {
		all = append(all, trial{name: "prmt", in: plain(ir.OpPrmt, ir.B32, ir.Mods{Prmt: mode}),
			src: []ir.Type{ir.B32, ir.B32, ir.B32}, dst: ir.B32,
			want: func(a []uint64) (v uint64) {
				for _, c := range table[a[2]&3] {
					v = v<<8 | source(a, int(c-'0'))
				}
				return v
			}})
	}
	all = append(all, trial{name: "prmt.index", in: plain(ir.OpPrmt, ir.B32, ir.Mods{}),
		src: []ir.Type{ir.B32, ir.B32, ir.B32}, dst: ir.B32,
		want: func(a []uint64) (v uint64) {
			for i := 3; i >= 0; i-- {
				sel := a[2] >> (4 * i) & 0xf
				b := source(a, int(sel&7))
				if sel&8 != 0 {
					b = bit(b, 7) * 0xff
				}
				v = v<<8 | b
			}
			return v
		}})
	checkAll(t, all)
}

func TestDotProductsOfBytes(t *testing.T) {
	part := func(x uint64, i, n int, signed bool) *big.Int {
		v := int64(x >> (i * n) & (1<<n - 1))
		if signed && v>>(n-1) != 0 {
			v -= 1 << n
		}
		return big.NewInt(v)
	}
	var all []trial
	for _, ta := range []ir.Type{ir.U32, ir.S32} {
		for _, tb := range []ir.Type{ir.U32, ir.S32} {
			in := ir.Inst{Op: ir.OpDp4a, Type: ta, SrcType: tb}
			src := []ir.Type{ir.U32, ir.U32, ir.U32}
			all = append(all, trial{name: "dp4a", in: in, src: src, dst: ir.U32, want: func(a []uint64) uint64 {
				s := newInt().SetUint64(a[2])
				for i := range 4 {
					s.Add(s, newInt().Mul(part(a[0], i, 8, ta.Signed()), part(a[1], i, 8, tb.Signed())))
				}
				return pattern(s, 32)
			}})
			for _, p := range []ir.Part{ir.Lo, ir.Hi} {
				in := ir.Inst{Op: ir.OpDp2a, Type: ta, SrcType: tb, Mods: ir.Mods{Part: p}}
				all = append(all, trial{name: "dp2a", in: in, src: src, dst: ir.U32, want: func(a []uint64) uint64 {
					s := newInt().SetUint64(a[2])
					for i := range 2 {
						j := i
						if p == ir.Hi {
							j += 2
						}
						s.Add(s, newInt().Mul(part(a[0], i, 16, ta.Signed()), part(a[1], j, 8, tb.Signed())))
					}
					return pattern(s, 32)
				}})
			}
		}
	}
	checkAll(t, all)
}
