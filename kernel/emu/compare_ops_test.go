package emu

import (
	"math/big"
	"slices"
	"testing"

	"kumiko/kernel/ir"
)

// order returns -1, 0, 1, or 2 with a NaN.
func order(t ir.Type, m ir.Mods, x, y uint64) int {
	if !t.Float() {
		return value(x, t).Cmp(value(y, t))
	}
	f := formatRef(t)
	if m.Ftz {
		x, y = flushed(f, x), flushed(f, y)
	}
	if f.IsNaN(x) || f.IsNaN(y) {
		return 2
	}
	return f.Value(x).Cmp(f.Value(y))
}

// comparisons has, for each comparison, the orders satisfying it.
var comparisons = map[ir.Cmp][]int{
	ir.EQ: {0}, ir.NE: {-1, 1}, ir.LT: {-1}, ir.LE: {-1, 0}, ir.GT: {1}, ir.GE: {0, 1},
	ir.EQU: {0, 2}, ir.NEU: {-1, 1, 2}, ir.LTU: {-1, 2}, ir.LEU: {-1, 0, 2}, ir.GTU: {1, 2}, ir.GEU: {0, 1, 2},
	ir.NUM: {-1, 0, 1}, ir.NAN: {2},
}

var comparable = []ir.Type{ir.B16, ir.U16, ir.S16, ir.B32, ir.U32, ir.S32, ir.B64, ir.U64, ir.S64, ir.F16, ir.F32,
	ir.F64}

func TestComparisons(t *testing.T) {
	var all []trial
	for _, ty := range comparable {
		for c := range comparisons {
			if c > ir.GE && !ty.Float() {
				continue
			}
			for _, ftz := range []bool{false, true} {
				if ftz && ty != ir.F32 && ty != ir.F16 {
					continue
				}
				m := ir.Mods{Cmp: c, Ftz: ftz}
				holds := func(a []uint64) bool { return slices.Contains(comparisons[c], order(ty, m, a[0], a[1])) }
				all = append(all, trial{name: "setp." + ty.String(), in: plain(ir.OpSetp, ty, m),
					src: []ir.Type{ty, ty}, dst: ir.PredType,
					want: func(a []uint64) uint64 { return uint64(b2u(holds(a))) }})
			}
		}
	}
	checkAll(t, all)
}

// setp writes p = (a cmp b) op c and q = !(a cmp b) op c.
func TestSetpCombinesBothResultsWithAPredicate(t *testing.T) {
	ops := map[ir.Bool]func(x, y bool) bool{
		ir.BoolAnd: func(x, y bool) bool { return x && y },
		ir.BoolOr:  func(x, y bool) bool { return x || y },
		ir.BoolXor: func(x, y bool) bool { return x != y },
	}
	var all []trial
	for b, f := range ops {
		for _, neg := range []bool{false, true} {
			for _, second := range []bool{false, true} {
				tr := trial{name: "setp", src: []ir.Type{ir.S32, ir.S32, ir.PredType}, dst: ir.PredType}
				tr.body = func(k *kit, src []ir.Operand, dst ir.Operand) {
					dsts := []ir.Operand{dst, {}}
					if second {
						dsts = []ir.Operand{{}, dst}
					}
					c := src[2]
					c.Neg = neg
					k.add(ir.Inst{Op: ir.OpSetp, Type: ir.S32, SrcType: ir.S32, Mods: ir.Mods{Cmp: ir.LT, Bool: b},
						Dst: dsts,
						Src: []ir.Operand{src[0], src[1], c}})
				}
				tr.want = func(a []uint64) uint64 {
					return uint64(b2u(f((int32(a[0]) < int32(a[1])) != second, (a[2] != 0) != neg)))
				}
				all = append(all, tr)
			}
		}
	}
	checkAll(t, all)
}

func TestSetWritesAllOnesOrOne(t *testing.T) {
	var all []trial
	for d, yes := range map[ir.Type]uint64{ir.U32: 0xffffffff, ir.S32: 0xffffffff, ir.F32: 0x3f800000} {
		for _, s := range []ir.Type{ir.S32, ir.U64, ir.F32, ir.F64} {
			m := ir.Mods{Cmp: ir.GE, Bool: ir.BoolAnd}
			all = append(all, trial{name: "set." + d.String() + "." + s.String(),
				in:  ir.Inst{Op: ir.OpSet, Type: d, SrcType: s, Mods: m},
				src: []ir.Type{s, s, ir.PredType}, dst: d,
				want: func(a []uint64) uint64 {
					if o := order(s, m, a[0], a[1]); o != 2 && o >= 0 && a[2] != 0 {
						return yes
					}
					return 0
				}})
		}
	}
	checkAll(t, all)
}

func TestSelections(t *testing.T) {
	var all []trial
	for _, ty := range []ir.Type{ir.B16, ir.B32, ir.F32, ir.B64, ir.F64} {
		all = append(all,
			trial{name: "selp." + ty.String(), in: plain(ir.OpSelp, ty, ir.Mods{}), src: []ir.Type{ty, ty, ir.PredType},
				dst:  ty,
				want: func(a []uint64) uint64 { return a[1-a[2]] }},
			trial{name: "slct.s32." + ty.String(), in: ir.Inst{Op: ir.OpSlct, Type: ty, SrcType: ir.S32},
				src: []ir.Type{ty, ty, ir.S32}, dst: ty,
				want: func(a []uint64) uint64 { return a[a[2]>>31] }},
			trial{name: "slct.f32." + ty.String(), in: ir.Inst{Op: ir.OpSlct, Type: ty, SrcType: ir.F32},
				src: []ir.Type{ty, ty, ir.F32}, dst: ty,
				want: func(a []uint64) uint64 {
					if o := order(ir.F32, ir.Mods{}, a[2], 0); o == 0 || o == 1 {
						return a[0]
					}
					return a[1]
				}})
	}
	checkAll(t, all)
}

func TestPredicateLogic(t *testing.T) {
	p := ir.PredType
	two := func(name string, op ir.Op, f func(x, y uint64) uint64) trial {
		return trial{name: name, in: plain(op, p, ir.Mods{}), src: []ir.Type{p, p}, dst: p,
			want: func(a []uint64) uint64 { return f(a[0], a[1]) & 1 }}
	}
	one := func(name string, op ir.Op, f func(x uint64) uint64) trial {
		return trial{name: name, in: plain(op, p, ir.Mods{}), src: []ir.Type{p}, dst: p,
			want: func(a []uint64) uint64 { return f(a[0]) & 1 }}
	}
	checkAll(t, []trial{
		two("and", ir.OpAnd, func(x, y uint64) uint64 { return x * y }),
		two("or", ir.OpOr, func(x, y uint64) uint64 { return x + y - x*y }),
		two("xor", ir.OpXor, func(x, y uint64) uint64 { return x + y }),
		one("not", ir.OpNot, func(x uint64) uint64 { return 1 - x }),
		one("mov", ir.OpMov, func(x uint64) uint64 { return x }),
	})
}

func TestPacksAndUnpacks(t *testing.T) {
	pack := func(part, whole ir.Type, n int) trial {
		src := make([]ir.Type, n)
		for i := range src {
			src[i] = part
			if part.Size() < 4 {
				src[i] = ir.B32 // bits above the part must not matter
			}
		}
		return trial{name: "pack", in: ir.Inst{Op: ir.OpPack, Type: whole, SrcType: part}, src: src, dst: whole,
			want: func(a []uint64) uint64 {
				v := new(big.Int)
				for i := n - 1; i >= 0; i-- {
					v.Lsh(v, uint(8*part.Size()))
					v.Or(v, newInt().SetUint64(pattern(newInt().SetUint64(a[i]), 8*part.Size())))
				}
				return v.Uint64()
			}}
	}
	unpack := func(part, whole ir.Type, n, which int) trial {
		return trial{name: "unpack", src: []ir.Type{whole}, dst: ir.B32,
			body: func(k *kit, src []ir.Operand, dst ir.Operand) {
				dsts := make([]ir.Operand, n)
				for i := range dsts {
					dsts[i] = ir.R(ir.Reg(40+i), 1)
				}
				dsts[which] = dst
				k.add(ir.Inst{Op: ir.OpUnpack, Type: part, SrcType: whole, Dst: dsts, Src: src})
			},
			want: func(a []uint64) uint64 {
				return pattern(newInt().Rsh(newInt().SetUint64(a[0]), uint(8*part.Size()*which)), 8*part.Size())
			}}
	}
	checkAll(t, []trial{
		pack(ir.B32, ir.B64, 2), pack(ir.B16, ir.B32, 2), pack(ir.B16, ir.B64, 4), pack(ir.B8, ir.B32, 4),
		unpack(ir.B32, ir.B64, 2, 0), unpack(ir.B32, ir.B64, 2, 1), unpack(ir.B16, ir.B32, 2, 0),
		unpack(ir.B16, ir.B32, 2, 1),
		unpack(ir.B16, ir.B64, 4, 2),
	})
}
