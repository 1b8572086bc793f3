package compiler

import (
	"bytes"
	"strings"
	"testing"

	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/maxnreg"
	"kumiko/kernel/ir"
)

// changing returns the kernel with a change of its registers, and a barrier, at the start and wherever all lanes meet
// again outside loops: down to 24, up to 40, and so on.
func changing(k *ir.Kernel) *ir.Kernel {
	k = code.CloneKernel(k)
	g := cfg.Build(k.Insts)
	meets, depth, next := map[int]bool{0: true}, g.Depth(), g.IPDom()
	for b := next[0]; b >= 0 && b < len(g.Blocks); b = next[b] {
		if depth[b] == 0 {
			meets[g.Blocks[b].Start] = true
		}
	}
	grow := false
	code.Rewrite(k, func(e *code.Editor, pc int, in ir.Inst) {
		if meets[pc] {
			n := uint64(24)
			if grow {
				n = 40
			}
			set := ir.Inst{Op: ir.OpSetmaxnreg, Type: ir.U32, Src: []ir.Operand{ir.Imm(n, 1)}, Line: 1}
			set.Mods.Grow, grow = grow, !grow
			e.Emit(ir.Inst{Op: ir.OpBar, Src: []ir.Operand{ir.Imm(0, 1)}})
			e.Emit(set)
		}
		e.Emit(in)
	})
	k.MaxRegs = 32
	return k
}

// fits checks that no instruction names a register that a warp does not have for certain.
func fits(t *testing.T, seed uint64, k *ir.Kernel) {
	t.Helper()
	g := cfg.Build(k.Insts)
	l := maxnreg.Of(k, g)
	for b := range g.Blocks {
		l.Each(b, func(pc, before, after int) {
			in := &k.Insts[pc]
			for _, r := range in.T.Src[:in.T.NSrc] {
				if int(r) >= before {
					t.Fatalf("seed %d: instruction %d, %s, reads R%d of %d registers", seed, pc, in, r, before)
				}
			}
			for _, r := range in.T.Dst[:in.T.NDst] {
				if int(r) >= after {
					t.Fatalf("seed %d: instruction %d, %s, writes R%d of %d registers", seed, pc, in, r, after)
				}
			}
		})
	}
}

// Random programs. The emulator spoils the registers given up, so a value in one of them would be seen in memory.
func TestAKernelThatChangesItsRegistersLeavesTheSameMemory(t *testing.T) {
	changes, spilled, n := 0, 0, 40
	if testing.Short() {
		n = 10
	}
	for seed := range uint64(n) {
		m := parseFuzz(t, seed)
		want, err := execute(m, source(m), seed)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want = bytes.Clone(want)
		m.Kernels[0] = changing(m.Kernels[0])
		for _, opt := range []Options{{}, {Ahead: true, Threads: fuzzThreads, SM: fermi}, {Off: Schedule | Coalesce},
			{Control: "sm_86"}, {Fixed: true}} {
			k, r, err := CompileReport(m.Kernels[0], opt)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if opt.Fixed != (k.Launched == 0) || !opt.Fixed && k.Launched != 32 {
				t.Fatalf("seed %d: launched with %d registers, want 32, or 0 where setmaxnreg has no effect", seed,
					k.Launched)
			}
			if k.Launched > 0 {
				fits(t, seed, k)
				spilled += r.Spilled
			}
			same(t, m, want, opt, seed)
		}
		for pc := range m.Kernels[0].Insts {
			if m.Kernels[0].Insts[pc].Op == ir.OpSetmaxnreg {
				changes++
			}
		}
	}
	if changes < 5*n/2 || spilled == 0 {
		t.Errorf("%d changes, %d bytes spilled: little is shown", changes, spilled)
	}
}

func parse(t *testing.T, directive, text string) *ir.Kernel {
	t.Helper()
	m := mustParse(t, "k.ptx", []byte(".version 8.0\n.target sm_90a\n.address_size 64\n.entry k(.param .u32 n) "+
		directive+"\n{\n.reg .b32 %r<9>; .reg .pred %p<3>; mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 5;\n"+text+
		"\nret;\n}\n"))
	return m.Kernels[0]
}

func TestABranchAroundSetmaxnregStaysABranch(t *testing.T) {
	k := mustCompile(t, parse(t, ".maxnreg 32", "@%p1 bra OVER; setmaxnreg.dec.sync.aligned.u32 24;\nOVER:"), Options{})
	if got := text(k); !strings.Contains(got, "bra") || strings.Contains(got, "@P0 setmaxnreg") {
		t.Errorf("%s\nwant a branch", got)
	}
}

func TestTheLaunchBoundsTheRegistersBeforeTheFirstChange(t *testing.T) {
	const dec = "setmaxnreg.dec.sync.aligned.u32 40;"
	for directive, want := range map[string]int{"": 0, ".maxnreg 64": 64, ".maxnreg 8": -1} {
		k, err := Compile(parse(t, directive, dec), Options{})
		switch {
		case want < 0 && (err == nil || !strings.Contains(err.Error(),
			"k.ptx:7:1: kernel k: found setmaxnreg.dec to 40 registers where a warp has 16")):
			t.Errorf("%s: error %v", directive, err)
		case want >= 0 && (err != nil || k.Launched != want):
			t.Errorf("%s: %+v, %v, want %d", directive, k, err, want)
		}
	}
	k, err := Compile(parse(t, ".maxnreg 64", dec), Options{Registers: 48})
	if err != nil || k.Launched != 48 || k.Footprint != 48 {
		t.Errorf("%+v, %v, want 48 registers at the launch, as asked for", k, err)
	}
}
