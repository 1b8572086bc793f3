package emu

import (
	"testing"

	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

func TestSetmaxnregLeavesTheRegistersOfPTXAlone(t *testing.T) {
	got := results(t, `add.u32 %r5, %r0, 7; setmaxnreg.dec.sync.aligned.u32 24; bar.sync 0;
	setmaxnreg.inc.sync.aligned.u32 64;`+storeR5, 1, 64, 64)
	wantEach(t, got, func(i int) uint32 { return uint32(i + 7) })
}

func TestSetmaxnregOfAPartOfAWarpStopsTheLaunch(t *testing.T) {
	err := runText(t, `setp.lt.u32 %p1, %r0, 31; @!%p1 bra END; setmaxnreg.dec.sync.aligned.u32 24;
	END: bar.sync 0;`, 1, 32, &mem.Memory{})
	wantError(t, err, "setmaxnreg", "the lanes 0x7fffffff execute it, expected all of the warp, 0xffffffff")
}

func TestSetmaxnregIsExecutedByTheLanesThatHaveNotEnded(t *testing.T) {
	err := runText(t, `setp.ge.u32 %p1, %r0, 16; @%p1 exit; setmaxnreg.dec.sync.aligned.u32 24;`, 1, 32,
		&mem.Memory{})
	if err != nil {
		t.Error(err)
	}
}

// R30 is given up and read afterwards, without a write between: an allocated kernel that does so is wrong.
func TestTheContentsOfRegistersGivenUpAreLost(t *testing.T) {
	u := kernelText(t, 1, storeR5)
	word := func(r ir.Reg) ir.Operand { return ir.R(r, 1) }
	set := ir.Inst{Op: ir.OpSetmaxnreg, Type: ir.U32, Src: []ir.Operand{ir.Imm(24, 1)}}
	grow := set
	grow.Mods.Grow = true
	k := &ir.Kernel{Name: "k", NumRegs: 31, NumPreds: 1, Allocated: true, Launched: 32, Params: u.Kernels[0].Params,
		ParamBytes: u.Kernels[0].ParamBytes, Insts: []ir.Inst{
			{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{word(30)}, Src: []ir.Operand{ir.Imm(1, 1)}},
			{Op: ir.OpMov, Type: ir.U32, Dst: []ir.Operand{word(23)}, Src: []ir.Operand{ir.Imm(2, 1)}},
			{Op: ir.OpMov, Type: ir.B64, Dst: []ir.Operand{ir.R(0, 2)},
				Src: []ir.Operand{{Kind: ir.KindParam, Words: 2}}},
			set, grow,
			{Op: ir.OpSt, Type: ir.U32, Space: ir.Global, Addr: ir.Addr{Base: ir.R(0, 2)}, Src: []ir.Operand{word(30)}},
			{Op: ir.OpSt, Type: ir.U32, Space: ir.Global, Addr: ir.Addr{Base: ir.R(0, 2), Offset: 4},
				Src: []ir.Operand{word(23)}},
			{Op: ir.OpExit}}}
	var m mem.Memory
	a := m.Alloc("out", 8)
	mustRun(t, &Runner{Mem: &m, Compile: func(*host.Launch) (*ir.Kernel, error) { return k, nil }}, textLaunch(u, 1, 32,
		a))
	if got := words(t, &m, a, 2); got[0] != lost || got[1] != 2 {
		t.Errorf("R30 is %#x and R23 %#x, want %#x and 2", got[0], got[1], uint32(lost))
	}
}
