package gpus_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/sm/occupancy"
)

// again launches a kernel n times on one machine.
func again(t *testing.T, m *gpus.Machine, n int, text string, bytes int) {
	t.Helper()
	mod, buf := machinetest.Module(t, text), m.Memory().Alloc("p", bytes)
	for range n {
		err := m.Launch(&host.Launch{Module: mod, Kernel: "k", Grid: [3]int{1, 1, 1}, Block: [3]int{32, 1, 1},
			Args: []host.Arg{host.U64(buf)}})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestASecondLaunchHitsWhereTheFirstMissed(t *testing.T) {
	const lines = 2 * 16
	for _, c := range []struct {
		op           string
		l1, l2, dram uint64 // hits in L1 and L2, and DRAM reads, of the second launch
	}{{"ld.global.ca.f32", lines, 0, 0}, {"ld.global.cg.f32", 0, lines, 0}} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
		again(t, m, 2, machinetest.Text("", machinetest.Lanes(128)+loads(2, 128, 16*128, c.op, "%rd4")+
			"st.global.f32 [%rd4+65536], %f1;\n"), 1<<17)
		first, second := m.Results()[0].Stats, m.Results()[1].Stats
		if first["mem.dram.reads"] != lines {
			t.Errorf("%s: the first launch reads %d lines from DRAM, want %d", c.op, first["mem.dram.reads"], lines)
		}
		l1, l2, dram := second["mem.l1.hits.global_load"], second["mem.l2.hits.global_load"], second["mem.dram.reads"]
		if l1 != c.l1 || l2 != c.l2 || dram != c.dram {
			t.Errorf("%s: the second launch has %d L1 hits, %d L2 hits, %d DRAM reads; want %d, %d, %d", c.op, l1, l2,
				dram, c.l1, c.l2, c.dram)
		}
	}
}

func TestASequenceOfLaunchesTakesAsLongAsItsLaunchesTogether(t *testing.T) {
	// a launch without memory accesses leaves nothing behind for the next
	text := independent(5)
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=2", "mem.l1.perfect=true")
	again(t, m, 3, text, 4096)
	want := m.Results()[0].Cycles
	for i, r := range m.Results() {
		if r.Cycles != want || r.WarpInstructions != m.Results()[0].WarpInstructions {
			t.Errorf("launch %d: %d cycles, %d instructions; the first: %d, %d", i, r.Cycles, r.WarpInstructions, want,
				m.Results()[0].WarpInstructions)
		}
	}
}

// mark writes a thread's number within the grid to its word: the rank of the
// CTA, x fastest, times the threads of a CTA, and the rank of the thread.
const mark = `
	mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;
	mad.lo.u32 %r7, %r3, %r5, %r2;
	mad.lo.u32 %r7, %r7, %r4, %r1;
	mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ctaid.y; mov.u32 %r10, %ctaid.z; mov.u32 %r11, %nctaid.x; mov.u32 %r12, %nctaid.y;
	mad.lo.u32 %r13, %r10, %r12, %r9;
	mad.lo.u32 %r13, %r13, %r11, %r8;
	mul.lo.u32 %r14, %r4, %r5; mul.lo.u32 %r14, %r14, %r6;
	mad.lo.u32 %r15, %r13, %r14, %r7;
	mul.wide.u32 %rd2, %r15, 4; add.s64 %rd3, %rd1, %rd2;
	add.u32 %r16, %r15, 1;
	st.global.u32 [%rd3], %r16;
`

func TestEveryThreadOfPartialWarpsAndOfThreeDimensionsRunsOnce(t *testing.T) {
	for _, c := range []struct{ grid, block [3]int }{
		{[3]int{3, 1, 1}, [3]int{508, 1, 1}}, // findRangeK of b+tree
		{[3]int{7, 1, 1}, [3]int{25, 1, 1}},  // executeSecondLayer of nn
		{[3]int{40, 1, 1}, [3]int{1, 1, 1}},
		{[3]int{2, 3, 4}, [3]int{5, 7, 3}},
		{[3]int{1, 5, 2}, [3]int{8, 4, 2}},
		{[3]int{1, 1, 6}, [3]int{1, 1, 64}},
	} {
		threads := c.block[0] * c.block[1] * c.block[2]
		ctas := c.grid[0] * c.grid[1] * c.grid[2]
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, "sm.count=2")
		text := machinetest.Text("", mark)
		launch(t, m, text, c.grid, c.block, 4*ctas*threads+4)
		out, err := m.Memory().Bytes(m.Memory().Regions()[0].Addr, 4*ctas*threads+4)
		if err != nil {
			t.Fatal(err)
		}
		for i := range ctas * threads {
			if got := binary.LittleEndian.Uint32(out[4*i:]); got != uint32(i+1) {
				t.Fatalf("grid %v of %v: thread %d wrote %d", c.grid, c.block, i, got)
			}
		}
		if got := binary.LittleEndian.Uint32(out[4*ctas*threads:]); got != 0 {
			t.Errorf("grid %v of %v: a lane beyond the last thread wrote %d", c.grid, c.block, got)
		}
		r := m.Results()[0]
		warps := uint64(ctas * occupancy.Warps(threads))
		if r.WarpInstructions%warps != 0 || r.ThreadInstructions*warps != r.WarpInstructions*uint64(ctas*threads) {
			t.Errorf("grid %v of %v: %d warp and %d thread instructions in %d warps", c.grid, c.block,
				r.WarpInstructions, r.ThreadInstructions, warps)
		}
	}
}

func TestLanesFollowXThenYThenZ(t *testing.T) {
	// The words of a warp of an 8x4x2 block then lie in one line: one transaction per warp.
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	launch(t, m, machinetest.Text("", mark), [3]int{3, 1, 1}, [3]int{8, 4, 2}, 4096)
	if got := m.Results()[0].Stats["mem.coalescer.transactions"]; got != 3*2 {
		t.Errorf("%d transactions of 6 warps, want 6", got)
	}
}

// unequal is a kernel of five CTAs. CTA i runs a loop of rounds[i] rounds.
func unequal(rounds [5]int) string {
	var b strings.Builder
	b.WriteString("mov.u32 %r4, %ctaid.x;\n mov.u32 %r5, 1;\n")
	for i, n := range rounds {
		fmt.Fprintf(&b, "setp.eq.u32 %%p1, %%r4, %d;\n @%%p1 mov.u32 %%r5, %d;\n", i, n)
	}
	b.WriteString("L:\n add.u32 %r5, %r5, -1;\n setp.ne.u32 %p2, %r5, 0;\n @%p2 bra L;\n")
	return machinetest.Text("", b.String())
}

// perSM returns the warp instructions issued by each SM.
func perSM(m *gpus.Machine) []uint64 {
	out := make([]uint64, len(gpus.Chip(m).SMs))
	for name, v := range instances(m, "sm.warp_instructions") {
		for i := range out {
			if strings.HasPrefix(name, fmt.Sprintf("GPU.SM[%d].", i)) {
				out[i] += v
			}
		}
	}
	return out
}

func TestCTAsGoInGridOrderToTheSMsInTurnAndThenToTheOneThatHasRoom(t *testing.T) {
	rounds := [5]int{400, 300, 100, 500, 50}
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=4", "sm.ctas=1")
	launch(t, m, unequal(rounds), [3]int{5, 1, 1}, [3]int{32, 1, 1}, 64)
	got := perSM(m)
	// CTA i goes to SM i, and CTA 4 to SM 2, the first to finish. A CTA takes 3 instructions per round and a
	// constant.
	want := []int{400, 300, 100 + 50, 500}
	fixed := int(got[0]) - 3*400
	for i, n := range want {
		ctas := 1
		if i == 2 {
			ctas = 2
		}
		if int(got[i]) != 3*n+ctas*fixed {
			t.Errorf("SM %d issued %d instructions, want 3 x %d rounds and %d x %d", i, got[i], n, ctas, fixed)
		}
	}
}

func TestWithRoomForMoreCTAsTheSMsTakeTurns(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=4")
	launch(t, m, machinetest.Text("", mark), [3]int{10, 1, 1}, [3]int{32, 1, 1}, 4096)
	for name, v := range instances(m, "sm.residency.ctas_launched") {
		want := uint64(2)
		if strings.HasPrefix(name, "GPU.SM[0]") || strings.HasPrefix(name, "GPU.SM[1]") {
			want = 3
		}
		if v != want {
			t.Errorf("%s: %d CTAs of 10, want %d", name, v, want)
		}
	}
}
