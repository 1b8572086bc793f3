package machinetest

import (
	"fmt"
	"runtime"
	"testing"

	"kumiko/gpus"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/ptx"
)

// Text wraps declarations and a body in a kernel k of one pointer parameter, held in %rd1, with the thread number in
// %r1.
func Text(decl, body string) string {
	return `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<64>; .reg .f32 %f<64>; .reg .b64 %rd<16>; .reg .pred %p<8>;
` + decl + `
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
` + body + `
	ret;
}`
}

// Finish stores %f1, which keeps the values of a body alive.
const Finish = "mul.wide.u32 %rd2, %r1, 4;\n add.s64 %rd3, %rd1, %rd2;\n st.global.f32 [%rd3], %f1;\n"

// Lanes puts the address of each lane's word of the first bytes into %rd4. With one sector, the lanes share eight
// words.
func Lanes(bytes int) string {
	return fmt.Sprintf("shl.b32 %%r2, %%r1, 2;\n and.b32 %%r2, %%r2, %d;\n cvt.u64.u32 %%rd4, %%r2;\n add.s64 %%rd4, "+
		"%%rd1, %%rd4;\n", bytes-4)
}

// Module parses PTX.
func Module(t T, text string) *ir.Module {
	t.Helper()
	m, err := ptx.Parse("test.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// LaunchOf returns a launch of the kernel k, with a buffer of its own.
func LaunchOf(t T, m *gpus.Machine, text string, ctas, block int) *host.Launch {
	t.Helper()
	return &host.Launch{Module: Module(t, text), Kernel: "k", Grid: [3]int{ctas, 1, 1}, Block: [3]int{block, 1, 1},
		Args: []host.Arg{host.U64(m.Memory().Alloc("p", 1<<20))}}
}

// Launch runs a kernel k in CTAs of block threads with the given registers each; 0: as many as it uses.
func Launch(t T, m *gpus.Machine, text string, ctas, block, registers int) error {
	t.Helper()
	l := LaunchOf(t, m, text, ctas, block)
	l.Registers = registers
	return m.Launch(l)
}

// Cycles runs a kernel on a fresh machine, with every operand checked, and returns the cycles taken.
func Cycles(t testing.TB, text string, ctas, threads int, gpu string, set ...string) uint64 {
	t.Helper()
	m := GPU(t, gpu, gpus.Options{Check: true}, set...)
	if err := Launch(t, m, text, ctas, threads, 0); err != nil {
		t.Fatal(err)
	}
	return m.Results()[0].Cycles
}

// Slope returns the change of the cycles from n to 2n repetitions of a body, per repetition. The cost outside the
// body cancels.
func Slope(t testing.TB, kernel func(n int) string, n, ctas, threads int, gpu string, set ...string) float64 {
	t.Helper()
	a := Cycles(t, kernel(n), ctas, threads, gpu, set...)
	b := Cycles(t, kernel(2*n), ctas, threads, gpu, set...)
	return float64(b-a) / float64(n)
}

// The allocations left once all growing tables have grown are per chunk of 2048 cycles between two checks of the
// limits, and per block of a warp's record: none per cycle and none per instruction.
const (
	CyclesPerMalloc = 256
	instsPerMalloc  = 256
)

// Mallocs counts the allocations of a repeated launch of CTAs of 256 threads, after all growing tables have grown. It
// returns the least of four counts, since the lead of execution over simulation, and thus the number of CTAs with
// state, is random.
func Mallocs(t testing.TB, m *gpus.Machine, text string, ctas int) (n, cycles uint64) {
	t.Helper()
	l := LaunchOf(t, m, text, ctas, 256)
	var before, after runtime.MemStats
	for i := range 5 {
		runtime.ReadMemStats(&before)
		if err := m.Launch(l); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if more := after.Mallocs - before.Mallocs; i == 1 || i > 1 && more < n {
			n = more
		}
	}
	return n, m.Results()[1].Cycles
}

// AllocateNothing runs n and 2n rounds of a kernel of CTAs of eight warps on two machines, and expects no allocation
// per cycle or instruction. perRound is the number of instructions of a round, or less. It returns the second machine.
func AllocateNothing(t testing.TB, machine func() *gpus.Machine, kernel func(n int) string, n, ctas,
	perRound int) *gpus.Machine {
	t.Helper()
	a, short := Mallocs(t, machine(), kernel(n), ctas)
	m := machine()
	b, long := Mallocs(t, m, kernel(2*n), ctas)
	if most := a + (long-short)/CyclesPerMalloc + uint64(n*ctas*8*perRound)/instsPerMalloc; b > most {
		t.Errorf("%d allocations in %d cycles, %d in %d, want at most %d", a, short, b, long, most)
	}
	return m
}

// Rounds returns a kernel that loads, adds and waits at a barrier n times.
func Rounds(n int) string {
	return Text("", Lanes(128)+fmt.Sprintf("mov.u32 %%r5, %d;\n mov.f32 %%f1, 0f00000000;\nL:\n", n)+
		"ld.global.cg.f32 %f2, [%rd4];\n add.f32 %f1, %f1, %f2;\n bar.sync 0;\n add.u32 %r5, %r5, -1;\n setp.ne.u32 "+
		"%p2, %r5, 0;\n @%p2 bra L;\n"+Finish)
}
