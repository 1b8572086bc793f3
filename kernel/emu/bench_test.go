package emu

import (
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// benchLaunch runs a launch through a Source again and again and reports warp
// instructions per second.
func benchLaunch(b *testing.B, k *ir.Kernel, m *mem.Memory, l *host.Launch) {
	e := prepare(b, k, m, l)
	insts := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		s := NewSource(e, 2)
		for c := s.Next(); c != nil; c = s.Next() {
			for i := range c.Warps {
				insts += c.Warps[i].Insts
			}
		}
		if err := s.Err(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(insts)/b.Elapsed().Seconds(), "warp-insts/s")
}

// loop adds a loop of n rounds around body, on register c and predicate 0.
func (k *kit) loop(c ir.Reg, n uint64, body func()) {
	k.op(ir.OpMov, ir.U32, ir.R(c, 1), ir.Imm(0, 1))
	k.label("loop")
	body()
	k.op(ir.OpAdd, ir.U32, ir.R(c, 1), ir.R(c, 1), ir.Imm(1, 1))
	k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.LT},
		Dst: []ir.Operand{ir.P(0)}, Src: []ir.Operand{ir.R(c, 1), ir.Imm(n, 1)}})
	k.bra(ir.P(0), "loop")
}

func BenchmarkFMAHeavy(b *testing.B) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
	k.add(ir.Inst{Op: ir.OpCvt, Type: ir.F32, SrcType: ir.U32, Dst: []ir.Operand{ir.R(0, 1)},
		Src: []ir.Operand{ir.R(0, 1)}})
	for i := range 16 {
		k.op(ir.OpMov, ir.F32, ir.R(ir.Reg(2+i), 1), ir.R(0, 1))
	}
	k.loop(1, 64, func() {
		for i := range 16 {
			r := ir.R(ir.Reg(2+i), 1)
			k.op(ir.OpFma, ir.F32, r, r, ir.Imm(0x3f7f3b64, 1), ir.R(0, 1))
		}
	})
	k.exit(ir.Operand{})
	var m mem.Memory
	benchLaunch(b, k.kernel(), &m, launch(16, 128))
}

// BenchmarkSgemmLike has the inner loop of a register-blocked matrix product: a load from global memory, sixteen
// multiply-adds with operands from shared memory, four at a time, the address arithmetic and the loop.
func BenchmarkSgemmLike(b *testing.B) {
	k := newKit(1)
	k.shared = 4096
	k.globalIndex(0)
	k.element(2, 0, 0, 4)
	k.op(ir.OpMov, ir.U32, ir.R(4, 1), ir.Imm(0, 1))
	k.loop(1, 64, func() {
		k.ld(ir.F32, ir.R(5, 1), ir.Global, ir.R(2, 2), 0)
		for i := range 4 {
			in := k.ld(ir.F32, ir.R(8, 1), ir.Shared, ir.R(4, 1), int64(16*i))
			in.Dst = []ir.Operand{ir.R(8, 1), ir.R(9, 1), ir.R(10, 1), ir.R(11, 1)}
			for j := range 4 {
				r := ir.R(ir.Reg(16+4*i+j), 1)
				k.op(ir.OpFma, ir.F32, r, ir.R(5, 1), ir.R(ir.Reg(8+j), 1), r)
			}
		}
		k.op(ir.OpAdd, ir.U64, ir.R(2, 2), ir.R(2, 2), ir.Imm(4, 2))
		k.op(ir.OpAdd, ir.U32, ir.R(4, 1), ir.R(4, 1), ir.Imm(16, 1))
	})
	k.exit(ir.Operand{})
	var m mem.Memory
	a := m.Alloc("a", 1<<16)
	data, _ := m.Bytes(a, 1<<16)
	for i := range data {
		if i%4 == 3 {
			data[i] = 0x3f
		} else {
			data[i] = byte(i * 7)
		}
	}
	benchLaunch(b, k.kernel(), &m, launch(16, 128, a))
}

func BenchmarkMemoryStreaming(b *testing.B) {
	k := newKit(2)
	k.globalIndex(0)
	k.element(2, 0, 0, 4)
	k.element(4, 1, 0, 4)
	k.loop(1, 32, func() {
		for i := range 4 {
			k.ld(ir.B32, ir.R(ir.Reg(8+i), 1), ir.Global, ir.R(2, 2), int64(i)*1<<14)
		}
		for i := range 4 {
			k.st(ir.B32, ir.Global, ir.R(4, 2), int64(i)*1<<14, ir.R(ir.Reg(8+i), 1))
		}
		k.op(ir.OpAdd, ir.U64, ir.R(2, 2), ir.R(2, 2), ir.Imm(512, 2))
		k.op(ir.OpAdd, ir.U64, ir.R(4, 2), ir.R(4, 2), ir.Imm(512, 2))
	})
	k.exit(ir.Operand{})
	var m mem.Memory
	benchLaunch(b, k.kernel(), &m, launch(16, 128, m.Alloc("a", 1<<17), m.Alloc("b", 1<<17)))
}

func BenchmarkScatteredLoads(b *testing.B) {
	k := newKit(1)
	k.globalIndex(0)
	k.loop(1, 64, func() {
		k.op(ir.OpMul, ir.U32, ir.R(0, 1), ir.R(0, 1), ir.Imm(1664525, 1))
		k.op(ir.OpAdd, ir.U32, ir.R(0, 1), ir.R(0, 1), ir.Imm(1013904223, 1))
		k.op(ir.OpAnd, ir.B32, ir.R(6, 1), ir.R(0, 1), ir.Imm(0xffff, 1))
		k.element(2, 0, 6, 4)
		k.ld(ir.B32, ir.R(8, 1), ir.Global, ir.R(2, 2), 0)
	})
	k.exit(ir.Operand{})
	var m mem.Memory
	benchLaunch(b, k.kernel(), &m, launch(16, 128, m.Alloc("a", 1<<18)))
}

func BenchmarkDivergent(b *testing.B) {
	k := newKit(0)
	k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
	k.loop(1, 64, func() {
		k.op(ir.OpAdd, ir.U32, ir.R(2, 1), ir.R(0, 1), ir.R(1, 1))
		k.op(ir.OpAnd, ir.B32, ir.R(2, 1), ir.R(2, 1), ir.Imm(1, 1))
		k.add(ir.Inst{Op: ir.OpSetp, Type: ir.U32, SrcType: ir.U32, Mods: ir.Mods{Cmp: ir.EQ},
			Dst: []ir.Operand{ir.P(1)}, Src: []ir.Operand{ir.R(2, 1), ir.Imm(0, 1)}})
		k.bra(ir.P(1), "else")
		k.op(ir.OpAdd, ir.U32, ir.R(3, 1), ir.R(3, 1), ir.Imm(1, 1))
		k.bra(ir.Operand{}, "join")
		k.label("else")
		k.op(ir.OpAdd, ir.U32, ir.R(3, 1), ir.R(3, 1), ir.Imm(3, 1))
		k.label("join")
		k.op(ir.OpXor, ir.B32, ir.R(3, 1), ir.R(3, 1), ir.R(1, 1))
	})
	k.exit(ir.Operand{})
	var m mem.Memory
	benchLaunch(b, k.kernel(), &m, launch(16, 128))
}

// BenchmarkAcrossLanes has shuffles, votes, matches and reductions of whole warps, the membermask an immediate and
// in a register.
func BenchmarkAcrossLanes(b *testing.B) {
	all := map[string]ir.Operand{"immediate": ir.Imm(0xffffffff, 1), "register": ir.R(4, 1)}
	for _, name := range []string{"immediate", "register"} {
		mask := all[name]
		for _, one := range []ir.Inst{
			{Op: ir.OpShfl, Type: ir.B32, Mods: ir.Mods{Shfl: ir.ShflBfly, Sync: true}, Dst: []ir.Operand{ir.R(5, 1)},
				Src: []ir.Operand{ir.R(0, 1), ir.Imm(1, 1), ir.Imm(31, 1), mask}},
			{Op: ir.OpVote, Type: ir.B32, Mods: ir.Mods{Vote: ir.VoteBallot, Sync: true}, Dst: []ir.Operand{ir.R(5, 1)},
				Src: []ir.Operand{ir.P(0), mask}},
			{Op: ir.OpVote, Type: ir.PredType, Mods: ir.Mods{Vote: ir.VoteAny, Sync: true}, Dst: []ir.Operand{ir.P(1)},
				Src: []ir.Operand{ir.P(0), mask}},
			{Op: ir.OpRedux, Type: ir.U32, Mods: ir.Mods{Atomic: ir.AtomAdd, Sync: true}, Dst: []ir.Operand{ir.R(5, 1)},
				Src: []ir.Operand{ir.R(0, 1), mask}},
			{Op: ir.OpMatch, Type: ir.B32, Mods: ir.Mods{Vote: ir.VoteAny, Sync: true}, Dst: []ir.Operand{ir.R(5, 1)},
				Src: []ir.Operand{ir.R(0, 1), mask}},
		} {
			b.Run(one.Op.String()+"."+one.Type.String()+"/"+name, func(b *testing.B) {
				k := newKit(0)
				k.op(ir.OpMov, ir.U32, ir.R(0, 1), special(ir.TidX))
				k.op(ir.OpMov, ir.U32, ir.R(4, 1), ir.Imm(0xffffffff, 1))
				k.loop(1, 64, func() {
					for range 8 {
						k.add(one)
					}
				})
				k.exit(ir.Operand{})
				var m mem.Memory
				benchLaunch(b, k.kernel(), &m, launch(16, 128))
			})
		}
	}
}
