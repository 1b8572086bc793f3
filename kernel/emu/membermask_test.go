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

// All lanes jump, unless the lanes with a true guard are exactly those of the mask.
func TestABranchOfLanesApartTakesThoseWithAFalseGuardToo(t *testing.T) {
	for _, test := range []struct {
		mask  uint64
		guard ir.Operand
		jump  bool
	}{{0xffffffff, ir.Operand{}, false}, {0xffffffff, ir.P(0), true}, {0xffff, ir.P(0), false}, {0xffff, ir.P(1), true},
		{0xffffffff, ir.P(1), true}} {
		k := newKit(0)
		k.lessThan(0, 16)
		k.lessThan(1, 0)
		k.fixups[len(k.insts)] = "a"
		k.add(ir.Inst{Op: ir.OpBra, Guard: test.guard, Flow: ir.FlowApart, Src: []ir.Operand{ir.Imm(test.mask, 1)}})
		from := uint32(len(k.insts))
		k.nop()
		k.label("a")
		k.exit(ir.Operand{})
		want := []stream.Run{{N: from + 2, Mask: 0xffffffff}}
		if test.jump {
			want = []stream.Run{{N: from, Mask: 0xffffffff}, {PC: from + 1, N: 1, Mask: 0xffffffff}}
		}
		wantRuns(t, machineRuns(t, k), want)
	}
}

func TestLanesKnowWhetherTheirValuesDiffer(t *testing.T) {
	for _, test := range []struct {
		source ir.Operand
		want   uint32
	}{{ir.R(0, 1), 7}, {ir.Imm(5, 1), 8}} {
		k := newKit(1)
		k.globalIndex(0)
		k.add(ir.Inst{Op: ir.OpMatch, Type: ir.B32, Mods: ir.Mods{Vote: ir.VoteDiffer}, Src: []ir.Operand{test.source},
			Dst: []ir.Operand{{}, ir.P(2)}})
		k.op(ir.OpSelp, ir.B32, ir.R(8, 1), ir.Imm(7, 1), ir.Imm(8, 1), ir.P(2))
		k.element(2, 0, 0, 4)
		k.st(ir.B32, ir.Global, ir.R(2, 2), 0, ir.R(8, 1))
		k.exit(ir.Operand{})
		m := &mem.Memory{}
		if _, err := Run(prepare(t, k.machine(), m, launch(1, 32, m.Alloc("out", 128)))); err != nil {
			t.Fatal(err)
		}
		for i, v := range words(t, m, m.Regions()[0].Addr, 32) {
			if v != test.want {
				t.Errorf("lane %d of %v: %d, want %d", i, test.source, v, test.want)
			}
		}
	}
}
