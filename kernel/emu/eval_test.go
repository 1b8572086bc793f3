package emu

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// trial is one instruction under test: it is given the sources and must yield
// the reference's result, for every combination of values and random ones.
type trial struct {
	name string
	in   ir.Inst
	// src are the types of the sources; a PredType source is a predicate, given
	// as 0 or 1.
	src []ir.Type
	dst ir.Type // PredType: a predicate, reported as 0 or 1
	// values of the sources to be tried in all combinations, by source; nil: edges of the type.
	values [][]uint64
	want   func(a []uint64) uint64
	// same compares a result with the reference; nil: equality.
	same func(got, want uint64) bool
	// body, if set, adds instructions in place of in. Registers from 40 on are free, and predicates from 4 on.
	body func(k *kit, src []ir.Operand, dst ir.Operand)
}

// evalBlock is the CTA size of evaluations.
const evalBlock = 64

// evaluate runs the instruction on every row of args, a value per source.
func evaluate(t testing.TB, tr *trial, args [][]uint64) []uint64 {
	t.Helper()
	k := newKit(len(tr.src) + 1)
	k.globalIndex(0)
	in := tr.in
	in.Src = nil
	reg, pred := ir.Reg(8), ir.Pred(0)
	for i, ty := range tr.src {
		k.element(2, i, 0, 8)
		if ty == ir.PredType {
			k.ld(ir.B32, ir.R(4, 1), ir.Global, ir.R(2, 2), 0)
			k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.NE},
				Dst: []ir.Operand{ir.P(pred)}, Src: []ir.Operand{ir.R(4, 1), ir.Imm(0, 1)}})
			in.Src = append(in.Src, ir.P(pred))
			pred++
			continue
		}
		w := max(ty.Words(), 1)
		k.ld([]ir.Type{1: ir.B32, 2: ir.B64}[w], ir.R(reg, w), ir.Global, ir.R(2, 2), 0)
		in.Src = append(in.Src, ir.R(reg, w))
		reg += 2
	}
	in.Src = append(in.Src, tr.in.Src...)
	out := ir.R(4, max(tr.dst.Words(), 1))
	if tr.dst == ir.PredType {
		in.Dst = append([]ir.Operand{ir.P(pred)}, tr.in.Dst...)
	} else {
		in.Dst = append([]ir.Operand{out}, tr.in.Dst...)
	}
	if tr.body != nil {
		tr.body(k, in.Src, in.Dst[0])
	} else {
		k.add(in)
	}
	if tr.dst == ir.PredType {
		k.op(ir.OpSelp, ir.B32, out, ir.Imm(1, 1), ir.Imm(0, 1), ir.P(pred))
	}
	k.element(2, len(tr.src), 0, 8)
	k.st([]ir.Type{1: ir.B32, 2: ir.B64}[out.Words], ir.Global, ir.R(2, 2), 0, out)
	k.exit(ir.Operand{})
	return evaluated(t, k.kernel(), len(tr.src), args)
}

// evaluated launches the kernel of an evaluation.
func evaluated(t testing.TB, k *ir.Kernel, sources int, args [][]uint64) []uint64 {
	t.Helper()
	n := len(args)
	var m mem.Memory
	grid := (n + evalBlock - 1) / evalBlock
	var addrs []uint64
	for i := range sources {
		a := m.Alloc("src", 8*grid*evalBlock)
		b, _ := m.Bytes(a, 8*n)
		for j := range args {
			binary.LittleEndian.PutUint64(b[8*j:], args[j][i])
		}
		addrs = append(addrs, a)
	}
	addrs = append(addrs, m.Alloc("dst", 8*grid*evalBlock))
	if _, err := Run(prepare(t, k, &m, launch(grid, evalBlock, addrs...))); err != nil {
		t.Fatal(err)
	}
	b, _ := m.Bytes(addrs[len(addrs)-1], 8*n)
	res := make([]uint64, n)
	for j := range res {
		res[j] = binary.LittleEndian.Uint64(b[8*j:])
	}
	return res
}

// combinations is the product of the values, then random rows: of bits, and of
// values mixed with bits.
func (tr *trial) combinations(random int) [][]uint64 {
	values := make([][]uint64, len(tr.src))
	for i, ty := range tr.src {
		values[i] = edges(ty)
		if i < len(tr.values) && tr.values[i] != nil {
			values[i] = tr.values[i]
		}
	}
	rows := [][]uint64{nil}
	for _, vs := range values {
		var next [][]uint64
		for _, r := range rows {
			for _, v := range vs {
				next = append(next, append(r[:len(r):len(r)], v))
			}
		}
		rows = next
	}
	rng := rand.New(rand.NewPCG(1, 2))
	if most := tr.most(); len(rows) > most {
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		rows = rows[:most]
	}
	for range random {
		row := make([]uint64, len(tr.src))
		for i, ty := range tr.src {
			row[i] = rng.Uint64() >> (rng.IntN(64) & rng.IntN(64))
			if rng.IntN(4) == 0 {
				row[i] = values[i][rng.IntN(len(values[i]))]
			}
			if s := ty.Size(); s > 0 && s < 8 {
				row[i] &= 1<<(8*s) - 1
			}
			if ty == ir.PredType {
				row[i] &= 1
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// most returns the number of combinations to try: fewer for doubles, because of their slow reference.
func (tr *trial) most() int {
	if slices.Contains(append(tr.src, tr.dst), ir.F64) {
		return 500
	}
	return 2000
}

// edges returns the values of a type around which operations behave differently.
func edges(t ir.Type) []uint64 {
	switch t {
	case ir.PredType:
		return []uint64{0, 1}
	case ir.F32:
		return []uint64{0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f800001,
			0x3f7fffff, 0x40490fdb, 0x4b800001, 0x4f000000, 0xcf000001, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
			0x7fc00000, 0x7f800001}
	case ir.F64:
		return []uint64{0, 1 << 63, 1, 1<<52 - 1, 1 << 52, 0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001,
			0x400921fb54442d18, 0x41e0000000000000, 0xc1e0000000200000, 0x43f0000000000000, 0x7fefffffffffffff,
			0xffefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001}
	case ir.F16:
		return []uint64{0, 0x8000, 1, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00,
			0x7c01}
	case ir.BF16:
		return []uint64{0, 0x8000, 1, 0x7f, 0x80, 0x3f80, 0xbf80, 0x3f81, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
			0x7f81}
	}
	bits := 8 * t.Size()
	mask := ^uint64(0) >> (64 - bits)
	top := uint64(1) << (bits - 1)
	return []uint64{0, 1, 2, 3, 7, top - 1, top, top + 1, mask, mask - 1, 0x55555555_55555555 & mask,
		uint64(bits) & mask,
		uint64(bits-1) & mask, uint64(bits+1) & mask}
}

// check runs a trial.
func (tr *trial) check(t *testing.T) {
	t.Helper()
	args := tr.combinations(tr.most() / 5)
	got := evaluate(t, tr, args)
	bad := 0
	for i, a := range args {
		want := tr.want(a)
		ok := got[i] == want
		if tr.same != nil {
			ok = tr.same(got[i], want)
		}
		if !ok {
			s := ""
			for _, v := range a {
				s += fmt.Sprintf(" %#x", v)
			}
			t.Errorf("%s of%s is %#x, want %#x", tr.name, s, got[i], want)
			if bad++; bad == 5 {
				return
			}
		}
	}
}

// checkAll runs trials as subtests.
func checkAll(t *testing.T, trials []trial) {
	for i := range trials {
		t.Run(trials[i].name, func(t *testing.T) { trials[i].check(t) })
	}
}

// plain is an instruction with one type.
func plain(op ir.Op, t ir.Type, m ir.Mods) ir.Inst {
	return ir.Inst{Op: op, Type: t, SrcType: t, Mods: m}
}
