package gpus

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"kumiko/kernel/host"
)

// mallocs counts the allocations of a repeated launch, after all growing tables have grown. It returns the least of
// four counts, since the lead of execution over simulation, and thus the number of CTAs with state, is random.
func mallocs(t *testing.T, text string, ctas int, set ...string) (n, cycles uint64) {
	t.Helper()
	return mallocsOf(t, testMachine(t, "gtx980", Options{}, append([]string{"sm.count=4"}, set...)...), text, ctas)
}

func mallocsOf(t *testing.T, m *machine, text string, ctas int) (n, cycles uint64) {
	t.Helper()
	mod, buf := parse(t, text), m.Memory().Alloc("p", 1<<20)
	l := &host.Launch{Module: mod, Kernel: "k", Grid: [3]int{ctas, 1, 1}, Block: [3]int{256, 1, 1},
		Args: []host.Arg{host.U64(buf)}}
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

// rounds is a loop of n rounds of loads, additions and a barrier.
func rounds(n int) string {
	return kernelText("", lanes(128)+fmt.Sprintf("mov.u32 %%r5, %d;\n mov.f32 %%f1, 0f00000000;\nL:\n", n)+
		"ld.global.cg.f32 %f2, [%rd4];\n add.f32 %f1, %f1, %f2;\n bar.sync 0;\n add.u32 %r5, %r5, -1;\n setp.ne.u32 "+
		"%p2, %r5, 0;\n @%p2 bra L;\n"+finish)
}

// The remaining allocations are per chunk of 2048 cycles between two checks of the limits, and per block of a
// warp's record: none per cycle and none per instruction.
const (
	cyclesPerMalloc = 256
	instsPerMalloc  = 256
)

func TestASlowerMemoryAllocatesNothingPerCycle(t *testing.T) {
	a, fast := mallocs(t, rounds(100), 8)
	b, slow := mallocs(t, rounds(100), 8, "mem.noc.latency=400")
	if slow < 2*fast {
		t.Fatalf("%d and %d cycles: the test shows nothing", fast, slow)
	}
	if b > a+(slow-fast)/cyclesPerMalloc {
		t.Errorf("%d allocations in %d cycles, %d in %d: more than one in %d cycles", a, fast, b, slow, cyclesPerMalloc)
	}
}

func TestTwiceTheInstructionsAllocateNothingPerInstruction(t *testing.T) {
	const n, ctas, warps, perRound = 200, 8, 8, 6
	a, _ := mallocs(t, rounds(n), ctas)
	b, _ := mallocs(t, rounds(2*n), ctas)
	if more := uint64(n * ctas * warps * perRound); b > a+more/instsPerMalloc {
		t.Errorf("%d allocations, and %d with %d instructions more: more than one in %d", a, b, more, instsPerMalloc)
	}
}

// Streams of a CTA take 24 bytes for each access of its eight warps, and more for their runs and masks. The
// remaining allocations are per CTA and per chunk of cycles.
func TestCTAsReuseTheMemoryOfRetiredCTAs(t *testing.T) {
	const n, warps, bytes = 200, 8, 24
	m := testMachine(t, "gtx980", Options{}, "sm.count=1")
	mod, buf := parse(t, rounds(n)), m.Memory().Alloc("p", 1<<20)
	allocated := func(ctas int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		l := &host.Launch{Module: mod, Kernel: "k", Grid: [3]int{ctas, 1, 1}, Block: [3]int{256, 1, 1},
			Args: []host.Arg{host.U64(buf)}}
		if err := m.Launch(l); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(16) // afterwards all growing tables have grown
	few, many := allocated(16), allocated(80)
	if all := uint64(64 * n * warps * bytes); many > few+all/4 {
		t.Errorf("%d bytes for 16 CTAs, %d for 80: the accesses of 64 CTAs are %d bytes", few, many, all)
	}
}

// These register files follow the warps of a two-level scheduler.
func TestFilesThatMoveRegistersAllocateNothingPerInstruction(t *testing.T) {
	const n, ctas, warps, perRound = 200, 8, 8, 6
	kinds := []string{"ltrf", "bow", "shrf", "malekeh", "compressed", "scalar"}
	if testing.Short() {
		kinds = kinds[:1]
	}
	for _, kind := range kinds {
		set := []string{"regfile.kind=" + kind, "sched.policy=two-level", "sched.active=8"}
		a, _ := mallocs(t, rounds(n), ctas, set...)
		b, _ := mallocs(t, rounds(2*n), ctas, set...)
		if more := uint64(n * ctas * warps * perRound); b > a+more/instsPerMalloc {
			t.Errorf("%s: %d allocations, and %d with %d instructions more: more than one in %d", kind, a, b, more,
				instsPerMalloc)
		}
	}
}

// crowded is a loop of n rounds. In each round a CTA loads and stores lines one set apart, so that registers and
// lines evict each other in a small memory.
func crowded(n int) string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, "ld.global.f32 %%f2, [%%rd4+%d];\n add.f32 %%f1, %%f1, %%f2;\n", 32768*i)
	}
	return kernelText("", lanes(1<<15)+fmt.Sprintf("mov.u32 %%r5, %d;\n mov.f32 %%f1, 0f00000000;\nL:\n", n)+b.String()+
		"st.global.f32 [%rd4+262144], %f1;\n add.u32 %r5, %r5, -1;\n setp.ne.u32 %p2, %r5, 0;\n @%p2 bra L;\n"+finish)
}

// Registers and lines in one memory evict each other.
func TestAnEmulatedFileAllocatesNothingPerInstruction(t *testing.T) {
	const n, ctas, warps, perRound = 30, 8, 8, 20
	for policy, gone := range map[string]string{"lru-fair": "regfile.cerf.spills",
		"lru-prioritized": "regfile.cerf.died"} {
		run := func(n int) (uint64, *machine) {
			m := testMachine(t, "fermi-gto", Options{}, "sm.count=4", "regfile.kind=cerf", "onchip.memory=cerf",
				"regfile.conventional.bank_index=linear",
				"regfile.cerf.ways=1", "regfile.cerf.policy="+policy)
			a, _ := mallocsOf(t, m, crowded(n), ctas)
			return a, m
		}
		a, _ := run(n)
		b, m := run(2 * n)
		if more := uint64(n * ctas * warps * perRound); b > a+more/instsPerMalloc {
			t.Errorf("%s: %d allocations, and %d with %d instructions more: more than one in %d", policy, a, b, more,
				instsPerMalloc)
		}
		s := m.Results()[1].Stats
		for _, name := range []string{gone, "regfile.cerf.write_backs", "regfile.cerf.replaced.line_by_line",
			"regfile.cerf.replaced.line_by_register"} {
			if s[name] == 0 {
				t.Errorf("%s: no %s: the run shows little", policy, name)
			}
		}
	}
}
