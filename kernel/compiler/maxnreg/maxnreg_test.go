package maxnreg

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/ir"
)

func set(n int, grow bool) ir.Inst {
	in := ir.Inst{Op: ir.OpSetmaxnreg, Src: []ir.Operand{ir.Imm(uint64(n), 1)}, Line: int32(n), Col: 2}
	in.Mods.Grow = grow
	return in
}

var (
	nop  = ir.Inst{Op: ir.OpNop}
	bar  = ir.Inst{Op: ir.OpBar}
	exit = ir.Inst{Op: ir.OpExit}
)

func bra(target int) ir.Inst { return ir.Inst{Op: ir.OpBra, Target: target, Guard: ir.P(0)} }

func kernel(launched int, insts ...ir.Inst) *ir.Kernel {
	return &ir.Kernel{Name: "k", File: "k.ptx", Launched: launched, Insts: insts}
}

// limits lists the registers before each instruction.
func limits(k *ir.Kernel) []int {
	g := cfg.Build(k.Insts)
	l, out := Of(k, g), make([]int, len(k.Insts))
	for b := range g.Blocks {
		l.Each(b, func(pc, before, _ int) { out[pc] = before })
	}
	return out
}

func TestAKernelThatDoesNotChangeItsRegistersHasNoLimits(t *testing.T) {
	k := kernel(0, nop, exit)
	if Changes(k) || Of(k, cfg.Build(k.Insts)) != nil {
		t.Error("it has limits")
	}
	if k = kernel(32, set(24, false), exit); !Changes(k) {
		t.Error("a kernel with setmaxnreg does not change its registers")
	}
}

// One side of the branch has 24 registers and the other 40. Where they meet, a warp has 24 for certain.
func TestWherePathsMeetAWarpHasTheLeastForCertain(t *testing.T) {
	k := kernel(32, bra(4), set(24, false), nop, bra(5), set(40, true), nop, exit)
	k.Insts[3].Guard = ir.Operand{}
	if d := cmp.Diff([]int{32, 32, 24, 24, 32, 24, 24}, limits(k)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// In the second round of the loop the warp has what the first has left.
func TestALoopBringsItsChangesBack(t *testing.T) {
	k := kernel(32, nop, bar, set(64, true), bar, set(24, false), bra(0), exit)
	if d := cmp.Diff([]int{24, 24, 24, 64, 64, 24, 24}, limits(k)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestCodeThatNoPathReachesHasAllRegisters(t *testing.T) {
	jump := ir.Inst{Op: ir.OpBra, Target: 2}
	if d := cmp.Diff([]int{32, all, 32}, limits(kernel(32, jump, nop, exit))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestTheLeastOfABlockIsThatOfAllItsInstructions(t *testing.T) {
	k := kernel(32, nop, set(24, false), bar, set(64, true), exit)
	if n := Of(k, cfg.Build(k.Insts)).Least(0); n != 24 {
		t.Errorf("%d registers, want 24", n)
	}
}

func TestChangesThatPTXLeavesUndefinedAreRefused(t *testing.T) {
	stay := bar
	stay.Mods.Bar = ir.BarArrive
	wait := ir.Inst{Op: ir.OpMbarWait}
	for name, x := range map[string]struct {
		k    *ir.Kernel
		want string
	}{
		"down":     {kernel(32, set(24, false), exit), ""},
		"the same": {kernel(24, set(24, false), exit), ""},
		"up":       {kernel(32, set(64, true), exit), ""},
		"down, but up": {kernel(32, set(40, false), exit), "k.ptx:40:2: kernel k: found setmaxnreg.dec to 40 " +
			"registers where a warp has 32 ("},
		"up, but down": {kernel(32, set(24, true), exit), "k.ptx:24:2: kernel k: found setmaxnreg.inc to 24 " +
			"registers where a warp has 32 ("},
		"twice": {kernel(32, set(24, false), nop, set(64, true), exit), "k.ptx:64:2: kernel k: found a second " +
			"setmaxnreg"},
		"a barrier":        {kernel(32, set(24, false), bar, set(64, true), exit), ""},
		"an mbarrier":      {kernel(32, set(24, false), wait, set(64, true), exit), ""},
		"an arrival alone": {kernel(32, set(24, false), stay, set(64, true), exit), "found a second setmaxnreg"},
		"on one of two paths": {kernel(32, bra(2), set(24, false), nop, set(32, true), exit),
			"k.ptx:32:2: kernel k: found a second setmaxnreg"},
		"perhaps down": {kernel(32, bra(3), set(24, false), bar, set(32, false), exit), ""},
		"unreachable":  {kernel(32, ir.Inst{Op: ir.OpBra, Target: 2}, set(64, false), exit), ""},
	} {
		switch err := Of(x.k, cfg.Build(x.k.Insts)).Check(); {
		case x.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)):
			t.Errorf("%s: error %v, want %s", name, err, x.want)
		}
	}
}
