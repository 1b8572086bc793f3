package gpus_test

import (
	"runtime"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

// four is gtx980 with four SMs.
func four(t *testing.T, set ...string) *gpus.Machine {
	t.Helper()
	return machinetest.GPU(t, "gtx980", gpus.Options{}, append([]string{"sm.count=4"}, set...)...)
}

func TestASlowerMemoryAllocatesNothingPerCycle(t *testing.T) {
	a, fast := machinetest.Mallocs(t, four(t), machinetest.Rounds(100), 8)
	b, slow := machinetest.Mallocs(t, four(t, "mem.noc.latency=400"), machinetest.Rounds(100), 8)
	if slow < 2*fast {
		t.Fatalf("%d and %d cycles: the test shows nothing", fast, slow)
	}
	if b > a+(slow-fast)/machinetest.CyclesPerMalloc {
		t.Errorf("%d allocations in %d cycles, %d in %d: more than one in %d cycles", a, fast, b, slow,
			machinetest.CyclesPerMalloc)
	}
}

func TestTwiceTheInstructionsAllocateNothingPerInstruction(t *testing.T) {
	machinetest.AllocateNothing(t, func() *gpus.Machine { return four(t) }, machinetest.Rounds, 200, 8, 6)
}

// Streams of a CTA take 24 bytes for each access of its eight warps, and more for their runs and masks. The
// remaining allocations are per CTA and per chunk of cycles.
func TestCTAsReuseTheMemoryOfRetiredCTAs(t *testing.T) {
	if testing.Short() {
		t.Skip("many CTAs")
	}
	const n, warps, bytes = 200, 8, 24
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	mod, buf := machinetest.Module(t, machinetest.Rounds(n)), m.Memory().Alloc("p", 1<<20)
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

// The warps of a two-level scheduler leave and enter the active set, which register files follow.
func TestARegisterFileAllocatesNothingPerInstruction(t *testing.T) {
	kinds := []string{"ltrf", "rfc", "bow", "shrf", "malekeh", "compressed", "scalar", "maxwell", "turing"}
	rounds := 200
	if testing.Short() {
		kinds, rounds = kinds[:1], 60
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			machinetest.AllocateNothing(t, func() *gpus.Machine {
				return four(t, "regfile.kind="+kind, "sched.policy=two-level", "sched.active=8")
			}, machinetest.Rounds, rounds, 8, 6)
		})
	}
}
