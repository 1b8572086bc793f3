package emu

import (
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// saved is a kernel whose lanes below 8 wait at a barrier for the others. These execute what function adds between a
// save of the register, which is cleared, and its return. It begins at 4; the lanes below 16 have P1.
func saved(function func(k *kit)) *kit {
	k := newKit(0)
	k.below(8)                                  // 0
	k.lessThan(1, 16)                           // 1
	k.barrier(ir.OpBarrierSet, ir.Operand{}, 0) // 2
	outside := ir.P(0)
	outside.Neg = true
	k.bra(outside, "function") // 3
	k.label("join")
	k.barrier(ir.OpBarrierWait, ir.Operand{}, 0) // 4
	k.exit(ir.Operand{})                         // 5
	k.label("function")
	k.add(ir.Inst{Op: ir.OpBarrierSave, Dst: []ir.Operand{ir.R(0, 1)}, Src: []ir.Operand{ir.Imm(0, 1), ir.Imm(1, 1)}})
	function(k) // from 7
	k.add(ir.Inst{Op: ir.OpBarrierRestore, Src: []ir.Operand{ir.Imm(0, 1), ir.R(0, 1)}})
	k.bra(ir.Operand{}, "join")
	return k
}

// wantTogether wants all lanes to go on at 5 together.
func wantTogether(t *testing.T, k *kit) {
	t.Helper()
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last != (stream.Run{PC: 5, N: 1, Mask: 0xffffffff}) {
		t.Errorf("the last run is %+v, want PC 5 of all lanes", last)
	}
}

// The function takes its lanes out of the register before it uses it: BMOV.32.CLEAR R0, B6 and BMOV.32.CLEAR RZ, B6.
func TestALaneThatClearsABarrierItHasSavedIsStillWaitedFor(t *testing.T) {
	wantTogether(t, saved(func(k *kit) { k.barrier(ir.OpBarrierLeave, ir.Operand{}, 0) }))
}

// The lanes from 16 on wait in the function for those below, at the register at which the lanes below 8 wait outside.
func TestALaneThatWaitsInAFunctionHasNotComeToTheBarrierOutside(t *testing.T) {
	wantTogether(t, saved(func(k *kit) {
		k.barrier(ir.OpBarrierSet, ir.Operand{}, 0) // 7
		k.bra(ir.P(1), "some")
		k.nop()
		k.label("some")
		k.barrier(ir.OpBarrierWait, ir.Operand{}, 0) // 10
	}))
}
