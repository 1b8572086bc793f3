package emu

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

func TestVectorAdditionAcrossCTAsWithAPartialLastWarp(t *testing.T) {
	k := newKit(3)
	k.globalIndex(0)
	for i := range 3 {
		k.element(ir.Reg(2+2*i), i, 0, 4)
	}
	k.ld(ir.B32, ir.R(8, 1), ir.Global, ir.R(2, 2), 0)
	k.ld(ir.B32, ir.R(9, 1), ir.Global, ir.R(4, 2), 0)
	k.op(ir.OpAdd, ir.U32, ir.R(8, 1), ir.R(8, 1), ir.R(9, 1))
	k.st(ir.B32, ir.Global, ir.R(6, 2), 0, ir.R(8, 1))
	k.exit(ir.Operand{})
	var m mem.Memory
	const n = 5 * 72
	a, b, c := m.Alloc("a", 4*n), m.Alloc("b", 4*n), m.Alloc("c", 4*n)
	ab, _ := m.Bytes(a, 4*n)
	bb, _ := m.Bytes(b, 4*n)
	for i := range n {
		ab[4*i] = byte(i)
		bb[4*i+1] = byte(i)
	}
	ctas := collect(t, prepare(t, k.kernel(), &m, launch(5, 72, a, b, c)))
	for i, v := range words(t, &m, c, n) {
		if want := uint32(byte(i)) * 257; v != want {
			t.Fatalf("element %d is %#x, want %#x", i, v, want)
		}
	}
	if len(ctas) != 5 || len(ctas[0].Warps) != 3 {
		t.Fatalf("%d CTAs of %d warps, want 5 of 3", len(ctas), len(ctas[0].Warps))
	}
	for _, c := range ctas {
		for i, w := range c.Warps {
			lanes := uint64(32)
			if i == 2 {
				lanes = 8
			}
			if w.Insts != 10 || w.Lanes != 10*lanes || len(w.Accesses) != 3 {
				t.Errorf("CTA %d warp %d: %d instructions, %d lanes, %d accesses; want 10, %d, 3",
					c.Index, i, w.Insts, w.Lanes, len(w.Accesses), 10*lanes)
			}
		}
	}
}
