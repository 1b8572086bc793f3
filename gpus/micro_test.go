package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

func chain(n int) string {
	return machinetest.Text("", "cvt.rn.f32.u32 %f1, %r1;\n"+strings.Repeat("fma.rn.f32 %f1, %f1, %f1, %f1;\n",
		n)+machinetest.Finish)
}

func TestDependentIssueLatencyIsTheSumOfTheStagesLessWhatForwardingSaves(t *testing.T) {
	// scheduler -> collector 1, -> arbiter 1, -> bank 1, bank -> crossbar 1, -> collector 1, -> unit 1: the
	// operation reaches the unit 6 cycles after issue. The value reaches the register file L cycles later, and the
	// scheduler is notified one cycle after that. Forwarding sends the notice earlier.
	for _, c := range []struct{ latency, forward int }{{4, 0}, {4, 2}, {8, 1}, {5, 2}} {
		want := float64(6 + c.latency + 1 - c.forward)
		got := machinetest.Slope(t, chain, 100, 1, 32, "gtx980", "sm.count=1", fmt.Sprintf("sm.units.sp.latency=%d",
			c.latency),
			fmt.Sprintf("regfile.conventional.forward=%d", c.forward), "sm.units.sp.class={}")
		if got != want {
			t.Errorf("latency %d, forward %d: %v cycles per dependent instruction, want %v", c.latency, c.forward, got,
				want)
		}
	}
}

// mixedChain is a chain of instructions, each with a further operand not written by any other instruction.
func mixedChain(n int) string {
	return machinetest.Text("", "cvt.rn.f32.u32 %f1, %r1;\nadd.f32 %f2, %f1, %f1;\n"+
		strings.Repeat("fma.rn.f32 %f1, %f1, %f2, %f2;\n", n)+machinetest.Finish)
}

func TestEachGPUIssuesDependentFMAsAsFarApartAsItsSourceSays(t *testing.T) {
	for gpu, want := range map[string]float64{
		"maxwell":         6,  // Jia et al.
		"fermi":           8,  // Gebhart table 4
		"gtx980":          9,  // GPGPU-Sim 4.2.0, latency 4
		"gpgpusim-gtx980": 9,  // GPGPU-Sim 4.2.0, latency 4
		"gpgpusim-gtx480": 11, // GPGPU-Sim 4.2.0, latency 5
	} {
		if got := machinetest.Slope(t, chain, 100, 1, 32, gpu, "sm.count=1",
			"sm.fetch.icache.perfect=true"); got != want {
			t.Errorf("%s: %v cycles per dependent FMA, want %v", gpu, got, want)
		}
		// one more operand through a crossbar of one per cycle; maxwell has a bypass
		file := regfile.SpecOf[conventional.Spec](testConfig(t, gpu).RegFile.Settings())
		if file.Paths.OutputWidth == 1 && gpu != "maxwell" {
			want++
		}
		if got := machinetest.Slope(t, mixedChain, 100, 1, 32, gpu, "sm.count=1",
			"sm.fetch.icache.perfect=true"); got != want {
			t.Errorf("%s: %v cycles per dependent FMA with another operand, want %v", gpu, got, want)
		}
	}
}

func TestABypassLeavesOfADependenceWhatCannotBeAnnouncedAhead(t *testing.T) {
	for _, c := range []struct{ latency, forward int }{{4, 3}, {4, 4}, {4, 5}, {4, 6}, {5, 6}, {7, 6}, {8, 6}, {9, 3},
		{20, 4}, {20, 6}} {
		set := []string{"sm.count=1", fmt.Sprintf("sm.units.sp.latency=%d", c.latency), "sm.units.sp.class={}",
			"regfile.conventional.bypass=true", fmt.Sprintf("regfile.conventional.forward=%d", c.forward)}
		// All operands are captured by the bypass. A value goes from the unit over the result bus to the unit.
		if got, want := machinetest.Slope(t, chain, 100, 1, 32, "gtx980", set...), float64(c.latency+1); got != want {
			t.Errorf("latency %d, forward %d: %v cycles per dependent instruction, want %v", c.latency, c.forward, got,
				want)
		}
		// The other operand comes from a bank: 6 + L + 1 - forward, as without a bypass. But an instruction is
		// announced at the earliest when it leaves its collector, 5 cycles after issue, and the notice arrives one
		// cycle later.
		want := max(float64(6+c.latency+1-c.forward), 6)
		if got := machinetest.Slope(t, mixedChain, 100, 1, 32, "gtx980", set...); got != want {
			t.Errorf("latency %d, forward %d: %v cycles per dependent instruction with another operand, want %v",
				c.latency, c.forward, got, want)
		}
	}
}

func TestEveryDependentOperandOfAChainIsCapturedInsteadOfRead(t *testing.T) {
	m := machinetest.GPU(t, "maxwell", gpus.Options{Check: true}, "sm.count=1", "sm.fetch.icache.perfect=true")
	if err := machinetest.Launch(t, m, chain(100), 1, 32, 0); err != nil {
		t.Fatal(err)
	}
	s := m.Results()[0].Stats
	// Each FMA names one register three times: one operand, the previous result. The first FMA's operand is the
	// result of a much earlier conversion.
	if got, reads := s["regfile.bypass.captures"], s["regfile.bank.reads.operand"]; got < 99 || reads > 10 {
		t.Errorf("%d captures, %d bank reads; want at least 99 and at most 10", got, reads)
	}
}

// independent has n rounds of 24 FMAs. Each FMA reads one register, and no dependence is shorter than 24
// instructions.
func independent(n int) string {
	var b strings.Builder
	b.WriteString("cvt.rn.f32.u32 %f0, %r1;\n")
	for i := 1; i < 25; i++ {
		fmt.Fprintf(&b, "add.f32 %%f%d, %%f0, 0f3F800000;\n", i)
	}
	for range n {
		for i := 1; i < 25; i++ {
			fmt.Fprintf(&b, "fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;\n", i, i, i, i)
		}
	}
	for i := 2; i < 25; i++ {
		fmt.Fprintf(&b, "add.f32 %%f1, %%f1, %%f%d;\n", i)
	}
	return machinetest.Text("", b.String()+machinetest.Finish)
}

func TestIndependentFMAsReachTheIssueLimit(t *testing.T) {
	// 16 warps over 4 schedulers: 4 x 24 FMAs per scheduler and round, one a cycle
	if got := machinetest.Slope(t, independent, 20, 1, 512, "gtx980", "sm.count=1", "sched.policy=lrr",
		`compiler.off=["schedule"]`); got != 96 {
		t.Errorf("%v cycles per round of 24 FMAs in 16 warps, want 96: %.2f of 4 issued per cycle", got, 16*24/got)
	}
}

func sharedAccesses(stride int) func(n int) string {
	return func(n int) string {
		return machinetest.Text(".shared .align 4 .b8 s[16384];",
			fmt.Sprintf("mul.lo.u32 %%r2, %%r1, %d;\n mov.u32 %%r3, s;\n add.u32 %%r2, %%r2, %%r3;\n", 4*stride)+
				strings.Repeat("st.shared.u32 [%r2], %r1;\n", n))
	}
}

func TestAnNWaySharedMemoryConflictTakesNPasses(t *testing.T) {
	for _, ways := range []int{1, 2, 4, 8, 16, 32} {
		// stride s words: lanes i and i+32/s share a bank, s lanes to a bank; each
		// of the four warps, one to a scheduler, stores once per repetition
		got := machinetest.Slope(t, sharedAccesses(ways), 100, 1, 128, "gtx980", "sm.count=1")
		if got != float64(4*ways) {
			t.Errorf("%d-way conflict: %v cycles per four stores, want %d", ways, got, 4*ways)
		}
	}
}

func TestTheNumberOfTransactionsIsTheNumberOfDistinctLines(t *testing.T) {
	for _, c := range []struct{ stride, lines, sectors int }{{0, 1, 1}, {1, 1, 4}, {2, 2, 8}, {3, 3, 12}, {8, 8, 32},
		{40, 32, 32}} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, "sm.count=1")
		buf := m.Memory().Alloc("p", 1<<20)
		text := machinetest.Text("", fmt.Sprintf("mul.wide.u32 %%rd2, %%r1, %d;\n add.s64 %%rd3, %%rd1, %%rd2;\n "+
			"st.global.u32 [%%rd3], %%r1;\n", 4*c.stride))
		err := m.Launch(&host.Launch{Module: machinetest.Module(t, text), Kernel: "k", Grid: [3]int{1, 1, 1},
			Block: [3]int{32, 1, 1}, Args: []host.Arg{host.U64(buf)}})
		if err != nil {
			t.Fatal(err)
		}
		s := m.Results()[0].Stats
		if got := s["mem.coalescer.transactions"]; got != uint64(c.lines) {
			t.Errorf("stride %d words: %d transactions, want %d", c.stride, got, c.lines)
		}
		if got := s["mem.coalescer.sectors"]; got != uint64(c.sectors) {
			t.Errorf("stride %d words: %d sectors, want %d", c.stride, got, c.sectors)
		}
	}
}

func TestEveryBuiltInGPURunsAKernel(t *testing.T) {
	for _, n := range config.Names() {
		if machinetest.Cycles(t, chain(10), 1, 32, n, "sm.count=1") == 0 {
			t.Errorf("%s: no cycles", n)
		}
	}
}
