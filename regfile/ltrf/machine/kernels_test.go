package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/kernel/ptx"
)

// stage is a part of a random kernel, with diverging lanes and warps waiting for each other.
type stage struct {
	registers int // that are live through it
	turns     int // of a loop, and by so many more as the warp's number modulo three
	lanes     int // mask of thread numbers by which lanes take different ways
	load      bool
	barrier   bool
}

// kernelOf is a kernel of stages. Every thread has a place of its own in memory.
func kernelOf(stages []stage) string {
	var b strings.Builder
	b.WriteString(`.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<80>; .reg .b64 %rd<8>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, %ntid.x;
	mad.lo.u32 %r4, %r2, %r3, %r1;
	mul.wide.u32 %rd2, %r4, 4;
	add.u64 %rd3, %rd1, %rd2;
	shr.u32 %r5, %r1, 5;
	rem.u32 %r5, %r5, 3;
	mov.u32 %r6, %r1;
`)
	for i, s := range stages {
		for r := range s.registers {
			fmt.Fprintf(&b, "	mad.lo.u32 %%r%d, %%r6, %d, %%r1;\n", 20+r, r+3)
		}
		fmt.Fprintf(&b, "	add.u32 %%r7, %%r5, %d;\n"+
			"L%d:\n	and.b32 %%r8, %%r1, %d;\n	setp.eq.u32 %%p1, %%r8, 0;\n"+
			"	@%%p1 bra E%d;\n", s.turns, i, s.lanes, i)
		for r := range s.registers {
			fmt.Fprintf(&b, "	add.u32 %%r6, %%r6, %%r%d;\n", 20+r)
		}
		if s.load {
			b.WriteString("	ld.global.cg.u32 %r9, [%rd3];\n	add.u32 %r6, %r6, %r9;\n")
		}
		fmt.Fprintf(&b, "	bra M%d;\nE%d:\n", i, i)
		for r := range s.registers {
			fmt.Fprintf(&b, "	xor.b32 %%r6, %%r6, %%r%d;\n", 20+s.registers-1-r)
		}
		fmt.Fprintf(&b, "M%d:\n", i)
		if s.load {
			b.WriteString("	st.global.u32 [%rd3], %r6;\n" +
				"	ld.global.cg.u32 %r10, [%rd3];\n	add.u32 %r6, %r6, %r10;\n")
		}
		fmt.Fprintf(&b, "	add.u32 %%r7, %%r7, -1;\n	setp.ne.u32 %%p2, %%r7, 0;\n	@%%p2 bra L%d;\n", i)
		if s.barrier {
			b.WriteString("	bar.sync 0;\n")
		}
	}
	b.WriteString("	st.global.u32 [%rd3], %r6;\n	ret;\n}\n")
	return b.String()
}

// anyStage draws a stage.
func anyStage(t *rapid.T) stage {
	return stage{
		registers: rapid.IntRange(1, 24).Draw(t, "registers"), turns: rapid.IntRange(1, 3).Draw(t, "turns"),
		lanes: rapid.SampledFrom([]int{0, 1, 7, 16, 32, 33}).Draw(t, "lanes"), load: rapid.Bool().Draw(t, "load"),
		barrier: rapid.Bool().Draw(t, "barrier"),
	}
}

// Random kernels with diverged lanes across intervals, and with warps waiting for each other, come to their end,
// with every operand right, under every design.
func TestRandomKernelsComeToTheirEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("whole kernels")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := kernelOf(rapid.SliceOfN(rapid.Custom(anyStage), 1, 3).Draw(t, "stages"))
		design := rapid.SampledFrom([]string{"ltrf", "ltrf-plus", "ltrf-strand", "shrf"}).Draw(t, "design")
		set := []string{"sm.count=1", fmt.Sprintf("sched.active=%d", rapid.SampledFrom([]int{4, 8}).Draw(t, "active"))}
		if design != "shrf" {
			n := rapid.SampledFrom([]int{8, 16}).Draw(t, "interval")
			live := rapid.SampledFrom([]string{"none", "dynamic", "vector"}).Draw(t, "liveness")
			back := "set"
			if live != "none" {
				back = rapid.SampledFrom([]string{"set", "live"}).Draw(t, "write back")
			}
			set = append(set, fmt.Sprintf("regfile.ltrf.interval=%d", n), fmt.Sprintf("regfile.ltrf.banks=%d", n),
				"regfile.ltrf.liveness="+live, "regfile.ltrf.interval_write_back="+back)
		}
		m := machinetest.New(t, config.Request{GPU: "maxwell", Design: design, Set: set}, gpus.Options{Check: true})
		mod, err := ptx.Parse("random.ptx", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		block := rapid.SampledFrom([]int{40, 256}).Draw(t, "block")
		if err := m.Launch(&host.Launch{Module: mod, Kernel: "k", Grid: [3]int{3, 1, 1}, Block: [3]int{block, 1, 1},
			Args: []host.Arg{host.U64(m.Memory().Alloc("p", 1<<16))}}); err != nil {
			t.Fatalf("%s, %v: %v\n%s", design, set, err, text)
		}
	})
}
