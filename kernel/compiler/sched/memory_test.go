package sched

import (
	"testing"

	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// access32 is a load or a store of 4 bytes in global memory at an offset from a base.
func access32(op ir.Op, base ir.Reg, offset int64) ir.Inst {
	in := ir.Inst{Op: op, Type: ir.U32, Space: ir.Global, Addr: ir.Addr{Base: ir.R(base, 2), Offset: offset}}
	if op == ir.OpSt {
		in.Src = []ir.Operand{ir.R(20, 1)}
	} else {
		in.Dst = []ir.Operand{ir.R(21, 1)}
	}
	return in
}

// waits reports whether the last of some instructions waits for the first.
func waits(insts ...ir.Inst) bool {
	each := func(o *ir.Operand, f func(int)) {
		if o.Kind == ir.KindReg {
			for i := range code.Words(o) {
				f(int(o.Reg) + i)
			}
		}
	}
	d := newDAG(insts, each, 32, delays, &tables{})
	for _, s := range d.succs[0] {
		if s.to == len(insts)-1 {
			return true
		}
	}
	return false
}

func TestALoadPassesAStoreAtAnotherOffsetFromItsBase(t *testing.T) {
	if waits(access32(ir.OpSt, 0, 0), access32(ir.OpLd, 0, 4)) {
		t.Error("the load waits")
	}
	if waits(access32(ir.OpSt, 0, 4), access32(ir.OpLd, 0, 0)) {
		t.Error("the load at the lower offset waits")
	}
}

func TestALoadWaitsForAStoreOfItsBytes(t *testing.T) {
	if !waits(access32(ir.OpSt, 0, 4), access32(ir.OpLd, 0, 4)) {
		t.Error("the load does not wait for a store at its offset")
	}
	wide := access32(ir.OpSt, 0, 0)
	wide.Type = ir.U64
	if !waits(wide, access32(ir.OpLd, 0, 4)) {
		t.Error("the load does not wait for a store of 8 bytes")
	}
	vector := access32(ir.OpSt, 0, 0)
	vector.Src = []ir.Operand{ir.R(16, 1), ir.R(17, 1), ir.R(18, 1), ir.R(19, 1)}
	if !waits(vector, access32(ir.OpLd, 0, 12)) || waits(vector, access32(ir.OpLd, 0, 16)) {
		t.Error("a vector of four words is not 16 bytes")
	}
}

func TestALoadWaitsForAStoreToAnotherBase(t *testing.T) {
	if !waits(access32(ir.OpSt, 0, 0), access32(ir.OpLd, 2, 4)) {
		t.Error("the load does not wait")
	}
}

func TestALoadWaitsForAStoreWhoseBaseHadAnotherValue(t *testing.T) {
	for _, half := range []ir.Reg{0, 1} {
		step := ir.Inst{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{ir.R(half, 1)}, Src: []ir.Operand{ir.R(9, 1)}}
		if !waits(access32(ir.OpSt, 0, 0), step, access32(ir.OpLd, 0, 4)) {
			t.Errorf("the load does not wait after R%d has changed", half)
		}
	}
}

func TestAStorePassesALoadAtAnotherOffsetFromItsBase(t *testing.T) {
	if waits(access32(ir.OpLd, 0, 0), access32(ir.OpSt, 0, 4)) {
		t.Error("the store waits")
	}
	if !waits(access32(ir.OpLd, 0, 0), access32(ir.OpSt, 0, 2)) {
		t.Error("the store does not wait for a load of its bytes")
	}
}

func TestVolatileAndAtomicAccessesKeepTheirOrderAtAnyOffset(t *testing.T) {
	volatile := access32(ir.OpSt, 0, 0)
	volatile.Mods.Volatile = true
	atomic := access32(ir.OpAtom, 0, 0)
	for _, first := range []ir.Inst{volatile, atomic} {
		if !waits(first, access32(ir.OpLd, 0, 64)) {
			t.Errorf("a load does not wait for %v", first.Op)
		}
	}
}

func TestOffsetsSoFarApartThatAnAddressMayWrapAreInOrder(t *testing.T) {
	if !waits(access32(ir.OpSt, 0, 0), access32(ir.OpLd, 0, 1<<32)) {
		t.Error("the load does not wait")
	}
}
