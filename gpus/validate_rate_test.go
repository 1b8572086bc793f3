package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

// launch runs one kernel of a pointer to a zeroed buffer.
func launch(t testing.TB, m *gpus.Machine, text string, grid, block [3]int, bytes int) {
	t.Helper()
	buf := m.Memory().Alloc("p", bytes)
	err := m.Launch(&host.Launch{Module: machinetest.Module(t, text), Kernel: "k", Grid: grid, Block: block,
		Args: []host.Arg{host.U64(buf)}})
	if err != nil {
		t.Fatal(err)
	}
}

// loads is n rounds of 16 loads, step bytes apart from the address in base, each round beginning round bytes after
// the previous one. The values are added to separate sums when the next round needs their registers, so that no
// load is dead and none waits for its neighbour.
func loads(n, step, round int, op, base string) string {
	var b strings.Builder
	for j := range 16 {
		fmt.Fprintf(&b, "mov.b32 %%f%d, %%r1;\n mov.b32 %%f%d, %%r1;\n", 1+j, 20+j)
	}
	for i := range n {
		for j := range 16 {
			fmt.Fprintf(&b, "add.f32 %%f%d, %%f%d, %%f%d;\n %s %%f%d, [%s+%d];\n", 20+j, 20+j, 1+j, op, 1+j, base,
				i*round+j*step)
		}
	}
	for j := range 16 {
		fmt.Fprintf(&b, "add.f32 %%f1, %%f1, %%f%d;\n add.f32 %%f1, %%f1, %%f%d;\n", 1+j, 20+j)
	}
	return b.String()
}

// perInstruction returns the cycles of each instruction between n and 2n rounds of 16, over all warps of a CTA.
func perInstruction(t *testing.T, kernel func(n int) string, n, warps int, set ...string) float64 {
	t.Helper()
	return machinetest.Slope(t, kernel, n, 1, 32*warps, "gtx980",
		append([]string{"sm.count=1", `compiler.off=["schedule"]`, "sched.policy=lrr"}, set...)...) / float64(16*warps)
}

func TestTheChipIssuesOneInstructionPerSchedulerAndCycle(t *testing.T) {
	// 16 SMs x 4 schedulers, each with 4 warps of 24 FMAs: 96 cycles a round
	if got := machinetest.Slope(t, independent, 10, 16, 512, "gtx980", "sched.policy=lrr", `compiler.off=["schedule"]`,
		"sm.ctas=1"); got != 96 {
		t.Errorf("%v cycles per round, want 96: %.2f of 64 issued per cycle", got, 16*16*24/got)
	}
}

// near reports whether a rate is as expected. If two runs end in different phases of a round, some of several
// thousand cycles differ.
func near(got, want float64) bool { return got > 0.995*want && got < 1.005*want }

func TestSharedMemoryGives128BytesPerCycle(t *testing.T) {
	kernel := func(n int) string {
		return machinetest.Text(".shared .align 4 .b8 s[4096];",
			"shl.b32 %r2, %r1, 2;\n mov.u32 %r3, s;\n add.u32 %r2, %r2, %r3;\n"+loads(n, 0, 0, "ld.shared.f32", "%r2")+
				machinetest.Finish)
	}
	if got := perInstruction(t, kernel, 8, 32); !near(got, 1) {
		t.Errorf("%v cycles per warp load of 32 x 4 B, want 1", got)
	}
	// An address path with an instruction every third cycle limits the rate.
	if got := perInstruction(t, kernel, 8, 32, "sm.units.lsu.initiation=3"); !near(got, 3) {
		t.Errorf("%v cycles per warp load through a path of initiation interval 3", got)
	}
}

func TestTheL1GivesItsPortsWidthPerCycle(t *testing.T) {
	for _, c := range []struct {
		name   string
		shift  int // of the thread number, to the byte
		port   int
		cycles float64
	}{
		{"one sector, 64 B port", 0, 64, 1}, // 32 lanes of one byte apart: a sector
		{"a line, 64 B port", 2, 64, 2},
		{"a line, 32 B port", 2, 32, 4},
		{"a line, 128 B port", 2, 128, 1},
	} {
		kernel := func(n int) string {
			body := fmt.Sprintf("and.b32 %%r2, %%r1, 31;\n shl.b32 %%r2, %%r2, %d;\n and.b32 %%r2, %%r2, 124;\n "+
				"cvt.u64.u32 %%rd4, %%r2;\n add.s64 %%rd4, %%rd1, %%rd4;\n", c.shift)
			return machinetest.Text("",
				body+"ld.volatile.global.f32 %f20, [%rd4];\n add.f32 %f21, %f20, %f20;\n bar.sync "+
					"0;\n"+loads(n, 0, 0, "ld.global.ca.f32", "%rd4")+machinetest.Finish)
		}
		got := perInstruction(t, kernel, 8, 32, fmt.Sprintf("mem.l1.port_bytes=%d", c.port))
		if !near(got, c.cycles) {
			t.Errorf("%s: %v cycles per transaction, want %v", c.name, got, c.cycles)
		}
	}
}

// l2Loads reads 16 lines, step bytes apart, repeatedly, bypassing the L1.
func l2Loads(bytes, step int) func(n int) string {
	return func(n int) string {
		return machinetest.Text("", machinetest.Lanes(bytes)+loads(n, step, 0, "ld.global.cg.f32",
			"%rd4")+machinetest.Finish)
	}
}

const (
	manySlices = 128      // bytes from one slice to the next, interleaved plainly
	oneSlice   = 128 * 16 // to the next line of the same slice
)

func TestTheReplyNetworkGivesAnSMAFlitPerCycle(t *testing.T) {
	// a line and the header are 136 bytes
	for _, c := range []struct{ flit, cycles int }{{34, 4}, {40, 4}, {68, 2}} {
		got := perInstruction(t, l2Loads(128, manySlices), 4, 32, "mem.map.interleave=linear", "mem.l2.port_bytes=128",
			fmt.Sprintf("mem.noc.flit_bytes=%d", c.flit))
		if !near(got, float64(c.cycles)) {
			t.Errorf("flits of %d bytes: %v cycles per line, want %d", c.flit, got, c.cycles)
		}
	}
}

func TestAnL2SliceGivesItsPortsWidthPerCycle(t *testing.T) {
	for _, c := range []struct{ bytes, port, cycles int }{{128, 32, 4}, {128, 64, 2}, {32, 32, 1}} {
		got := perInstruction(t, l2Loads(c.bytes, oneSlice), 4, 32, "mem.map.interleave=linear",
			"mem.noc.flit_bytes=136", fmt.Sprintf("mem.l2.port_bytes=%d", c.port))
		if !near(got, float64(c.cycles)) {
			t.Errorf("%d bytes through a port of %d: %v cycles, want %d", c.bytes, c.port, got, c.cycles)
		}
	}
}

func TestTheRequestNetworkTakesAFlitOfAStorePerCycle(t *testing.T) {
	for _, c := range []struct{ flit, cycles int }{{40, 4}, {68, 2}} {
		kernel := func(n int) string {
			var b strings.Builder
			for i := range 16 * n {
				fmt.Fprintf(&b, "st.global.u32 [%%rd4+%d], %%r1;\n", i%16*manySlices)
			}
			return machinetest.Text("", machinetest.Lanes(128)+b.String())
		}
		got := perInstruction(t, kernel, 4, 32, "mem.map.interleave=linear", "mem.l2.port_bytes=128",
			fmt.Sprintf("mem.noc.flit_bytes=%d", c.flit))
		if !near(got, float64(c.cycles)) {
			t.Errorf("flits of %d bytes: %v cycles per store of a line, want %d", c.flit, got, c.cycles)
		}
	}
}
