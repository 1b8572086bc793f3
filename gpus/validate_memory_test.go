package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// instances returns a statistic's values by block.
func instances(m *gpus.Machine, name string) map[string]uint64 {
	out := map[string]uint64{}
	for _, s := range m.Stats() {
		if s.Name == name {
			s.Instances(func(instance string, v uint64) { out[instance] = v })
		}
	}
	return out
}

// streaming reads n x 16 chunks of chunk bytes one after the other, a word per
// thread of the grid.
func streaming(n, ctas, threads int) string {
	chunk := 4 * ctas * threads
	body := "mov.u32 %r4, %ctaid.x;\n mov.u32 %r5, %ntid.x;\n mad.lo.u32 %r6, %r4, %r5, %r1;\n mul.wide.u32 %rd4, " +
		"%r6, 4;\n add.s64 %rd4, %rd1, %rd4;\n"
	store := "st.global.f32 [%rd4], %f1;\n"
	return machinetest.Text("", body+loads(n, chunk, 16*chunk, "ld.global.f32", "%rd4")+store)
}

// sweep reads 16 bytes per thread of the grid, once.
const sweep = "mov.u32 %r4, %ctaid.x;\n mov.u32 %r5, %ntid.x;\n mad.lo.u32 %r6, %r4, %r5, %r1;\n mul.wide.u32 %rd4, " +
	"%r6, 16;\n add.s64 %rd4, %rd1, %rd4;\n" +
	"ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];\n add.f32 %f1, %f1, %f2;\n add.f32 %f3, %f3, %f4;\n add.f32 %f1, " +
	"%f1, %f3;\n" +
	"setp.gt.f32 %p1, %f1, 0f3F800000;\n @%p1 st.global.f32 [%rd4], %f1;\n"

// Over the whole launch, its first and last accesses included.
func TestEveryDRAMChannelOfTheChipStreamsAtNineTenthsOfItsPins(t *testing.T) {
	const ctas, threads = 2048, 256
	const bytes = ctas * threads * 16
	m := machinetest.GPU(t, "gtx980", gpus.Options{})
	launch(t, m, machinetest.Text("", sweep), [3]int{ctas, 1, 1}, [3]int{threads, 1, 1}, bytes)
	busy, cycles := instances(m, "mem.dram.bus_busy"), m.Results()[0].Cycles
	d := testConfig(t, "gtx980").Mem.DRAM
	command := float64(cycles) * float64(d.Clock) / 1126
	if len(busy) != d.Channels {
		t.Fatalf("%d channels, want %d", len(busy), d.Channels)
	}
	for name, n := range busy {
		// the bus is busy for two command cycles per burst of 32 bytes: 16 B a cycle
		if got := float64(n) / command; got < 0.9 || got > 1 {
			t.Errorf("%s: its bus is busy in %.3f of the cycles, want 0.9 to 1", name, got)
		}
	}
	if testing.Verbose() {
		t.Logf("%.1f of %.1f bytes per core cycle", bytes/float64(cycles), float64(d.Channels)*d.Peak()/1126e6)
	}
}

func TestLoadsInFlightAreThroughputTimesLatency(t *testing.T) {
	// Little's law between two independent counters: outstanding loads summed over cycles, and latencies summed
	// over loads
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=4")
	const ctas, threads = 8, 512
	text := strings.Replace(streaming(2, ctas, threads), "st.global.f32 [%rd4], %f1;",
		"setp.eq.f32 %p1, %f1, 0f7149F2CA;\n @%p1 st.global.f32 [%rd4], %f1;", 1)
	launch(t, m, text, [3]int{ctas, 1, 1}, [3]int{threads, 1, 1}, 4<<20)
	s := m.Results()[0].Stats
	loads := uint64(2 * 16 * ctas * threads / 32)
	if s["mem.access.loads"] != loads {
		t.Errorf("%d loads, want %d", s["mem.access.loads"], loads)
	}
	if s["mem.access.occupancy"] != s["mem.access.load_latency"] {
		t.Errorf("occupancy %d, latency %d: want the same sum", s["mem.access.occupancy"], s["mem.access.load_latency"])
	}
	if s["mem.l1.mshr_occupancy"] == 0 || s["mem.l1.mshr_occupancy"] > s["mem.access.occupancy"] {
		t.Errorf("registers are in use for %d cycles, loads for %d", s["mem.l1.mshr_occupancy"],
			s["mem.access.occupancy"])
	}
}

// missing is a kernel with a first pass that brings its lines into the L2 but not into the L1, followed by n rounds
// in which every load misses the L1.
func missing(n, most int) string {
	step := 128
	return machinetest.Text("", machinetest.Lanes(32)+loads(most, step, 16*step, "ld.global.cg.f32",
		"%rd4")+"mov.f32 %f40, %f1;\n"+
		loads(n, step, 16*step, "ld.global.ca.f32", "%rd4")+"add.f32 %f1, %f1, %f40;\n"+machinetest.Finish)
}

func TestMissesFlowAsFastAsTheirRegistersComeBack(t *testing.T) {
	// An MSHR is held from the L1's lookup to the reply: L1 -> port 1, the networks 2 x 40, the slice 120, port ->
	// L1 1: 202 cycles. E MSHRs then give E misses in 202 cycles.
	const n = 8
	mem := testConfig(t, "gtx980").Mem
	held := 1 + 2*mem.NoC.Latency + mem.L2.Latency + 1
	for _, entries := range []int{1, 2, 4, 8} {
		set := []string{"sm.count=1", "mem.map.interleave=linear", `compiler.off=["schedule"]`,
			fmt.Sprintf("mem.l1.mshr.entries=%d", entries)}
		run := func(n int) (cycles, occupied, waited uint64) {
			m := machinetest.GPU(t, "gtx980", gpus.Options{}, set...)
			launch(t, m, missing(n, 2*8), [3]int{1, 1, 1}, [3]int{32, 1, 1}, 1<<20)
			r := m.Results()[0]
			return r.Cycles, r.Stats["mem.l1.mshr_occupancy"], r.Stats["mem.l1.stall_cycles.no_mshr_entry"]
		}
		c1, o1, w1 := run(n)
		c2, o2, w2 := run(2 * n)
		lines := uint64(16 * n)
		if got, want := float64(c2-c1)/float64(lines), float64(held)/float64(entries); got != want {
			t.Errorf("%d registers: %v cycles per miss, want %d / %d", entries, got, held, entries)
		}
		if o2-o1 != lines*uint64(held) {
			t.Errorf("%d registers: in use for %d cycles, want %d misses x %d", entries, o2-o1, lines, held)
		}
		if w2 == w1 {
			t.Errorf("%d registers: the L1 never waited for one", entries)
		}
	}
}

func TestABarrierCostsItsTwoLinksAndTheIssueOfAllWarps(t *testing.T) {
	// scheduler -> barrier unit 1, -> scheduler 1, and a scheduler's warps arrive
	// one per cycle
	kernel := func(n int) string { return machinetest.Text("", strings.Repeat("bar.sync 0;\n", n)) }
	for _, warps := range []int{1, 4, 5, 8, 16, 32} {
		want := float64(2 + (warps+3)/4 - 1)
		if got := machinetest.Slope(t, kernel, 50, 1, 32*warps, "gtx980", "sm.count=1"); got != want {
			t.Errorf("%d warps: %v cycles per barrier, want %v", warps, got, want)
		}
	}
}
