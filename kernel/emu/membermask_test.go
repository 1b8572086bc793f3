package emu

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
)

func TestAWaitForAMembermaskOfLanesThatWaitForAnotherIsAnError(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "a")
	k.barrier(ir.OpConverge, ir.Operand{}, 0xffffffff)
	k.exit(ir.Operand{})
	k.label("a")
	k.barrier(ir.OpConverge, ir.Operand{}, 0x1ff)
	k.exit(ir.Operand{})
	var m mem.Memory
	_, err := Run(prepare(t, k.machine(), &m, launch(1, 32)))
	if err == nil || !strings.Contains(err.Error(), "wait for lanes") {
		t.Errorf("%v, want lanes that wait for lanes", err)
	}
}

func TestAWaitForAMembermaskJoinsPaths(t *testing.T) {
	k := newKit(0)
	k.below(8)
	k.bra(ir.P(0), "a")
	k.nop()
	k.label("a")
	k.barrier(ir.OpConverge, ir.Operand{}, 0xffffffff) // 3
	k.nop()
	k.exit(ir.Operand{})
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last != (stream.Run{PC: 4, N: 2, Mask: 0xffffffff}) {
		t.Errorf("the last run is %+v, want all lanes from 4 on", last)
	}
}

func TestAWaitForAMembermaskIsNotMetByLanesThatWaitForAnother(t *testing.T) {
	k := newKit(0)
	k.below(8)
	others := ir.P(0)
	others.Neg = true
	k.bra(others, "b")
	k.label("a")
	k.barrier(ir.OpConverge, ir.Operand{}, 0xffffffff)
	together := len(k.insts)
	k.nop()
	k.exit(ir.Operand{})
	k.label("b")
	k.below(16)
	k.bra(ir.P(0), "c")
	k.nop()
	k.label("c")
	k.barrier(ir.OpConverge, ir.Operand{}, 0xffffff00)
	k.bra(ir.Operand{}, "a")
	runs := machineRuns(t, k)
	if last := runs[len(runs)-1]; last != (stream.Run{PC: uint32(together), N: 2, Mask: 0xffffffff}) {
		t.Errorf("the last run is %+v, want all lanes from %d on", last, together)
	}
}

func TestABranchMayBeTakenByAllLanesOfAMaskOnly(t *testing.T) {
	for mask, want := range map[uint64][]stream.Run{
		0xffff0000: {{PC: 0, N: 4, Mask: 0xffff0000}, {PC: 5, N: 1, Mask: 0xffff0000}}, // the others have exited
		0xff000000: {{PC: 0, N: 6, Mask: 0xffff0000}},
		0xffffffff: {{PC: 0, N: 4, Mask: 0xffff0000}, {PC: 5, N: 1, Mask: 0xffff0000}},
	} {
		k := newKit(0)
		k.below(16)                  // 0
		k.exit(ir.P(0))              // 1
		k.nop()                      // 2
		k.fixups[len(k.insts)] = "a" // 3
		k.add(ir.Inst{Op: ir.OpBra, Flow: ir.FlowConverged, Src: []ir.Operand{ir.Imm(mask, 1)}})
		k.nop() // 4
		k.label("a")
		k.exit(ir.Operand{}) // 5
		runs := machineRuns(t, k)
		want = append([]stream.Run{{PC: 0, N: 2, Mask: 0xffffffff}}, want...)
		want[1].PC, want[1].N = 2, want[1].N-2
		wantRuns(t, runs, want)
	}
}
