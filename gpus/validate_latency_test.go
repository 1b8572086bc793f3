package gpus_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// In the chases below one thread runs a chain of dependent loads, so the cycles per load are the load-to-use
// latency. The memory blocks' latencies cover the time between the access unit and the load/store unit. pipeline is
// the additional latency of the SM:
//
//	issue -> collector 1 -> arbiter 1 -> bank 1 -> crossbar 1 -> collector 1 ->
//	arbiter of the shared unit 1 -> load/store unit 1 -> access unit 1     = 8
//	load/store unit -> writeback 1 -> register file 1 -> scheduler 1       = 3
const pipeline = 8 + 3

// wide is the additional cycle of a 64-bit address: it has two registers, and the crossbar delivers one per cycle
// to a collector (crossbar_output).
const wide = 1

// miss is the latency of a load's way to the L2 and back without the networks and the slice: access unit,
// coalescer, L1 and port on the way there, and port, L1 and access unit on the way back, less the first, already
// counted in the link to the access unit.
const miss = 6

// chase is a kernel of n dependent loads, beginning at the address in the first word of the buffer.
func chase(op string) func(n int) string {
	return func(n int) string {
		return machinetest.Text("", "ld.global.u64 %rd2, [%rd1];\n"+strings.Repeat(op+" %rd2, [%rd2];\n", n)+
			"st.global.u64 [%rd1], %rd2;\n")
	}
}

// chased runs a chase over a buffer on a fresh machine and returns its launch. place gives the offset of the i-th
// step. The steps end at their beginning.
func chased(t *testing.T, text string, steps int, place func(i int) uint64, gpu string, set ...string) (cycles uint64,
	stats map[string]uint64) {
	t.Helper()
	m := machinetest.GPU(t, gpu, gpus.Options{Check: true}, set...)
	// 8 MB from a round address, the base of every step's offset
	raw := m.Memory().Alloc("p", 24<<20)
	base := (raw + 8<<20 - 1) &^ (8<<20 - 1)
	put := func(at, v uint64) {
		b, err := m.Memory().Bytes(at, 8)
		if err != nil {
			t.Fatal(err)
		}
		binary.LittleEndian.PutUint64(b, v)
	}
	for i := range steps {
		put(base+place(i), base+place((i+1)%steps))
	}
	head := base + 12<<20 // far above the steps
	put(head, base+place(0))
	err := m.Launch(&host.Launch{Module: machinetest.Module(t, text), Kernel: "k", Grid: [3]int{1, 1, 1},
		Block: [3]int{1, 1, 1},
		Args:  []host.Arg{host.U64(head)}})
	if err != nil {
		t.Fatal(err)
	}
	return m.Results()[0].Cycles, m.Results()[0].Stats
}

// stepLatency returns the cycles of each of the steps from n to 2n.
func stepLatency(t *testing.T, op string, n, steps int, place func(i int) uint64, gpu string,
	set ...string) (perStep float64, short, long map[string]uint64) {
	t.Helper()
	set = append([]string{"sm.count=1", "sm.fetch.icache.perfect=true"}, set...)
	a, short := chased(t, chase(op)(n), steps, place, gpu, set...)
	b, long := chased(t, chase(op)(2*n), steps, place, gpu, set...)
	return float64(b-a) / float64(n), short, long
}

func still(int) uint64 { return 0 }

// twoRegisters returns the cost of the second register of an address: 0 if a collector receives two registers in a
// cycle.
func twoRegisters(t *testing.T, gpu string) int {
	if regfile.SpecOf[conventional.Spec](testConfig(t, gpu).RegFile.Settings()).Paths.OutputWidth > 1 {
		return 0
	}
	return wide
}

func TestADependentHitTakesTheL1OrBothNetworksAndTheSliceAndThePipeline(t *testing.T) {
	for _, gpu := range []string{"gtx980", "gpgpusim-gtx980"} {
		m := testConfig(t, gpu).Mem
		least := pipeline + twoRegisters(t, gpu)
		for op, want := range map[string]int{
			"ld.global.u64":    least + m.L1.Latency,                          // gtx980: 12 + 82 = 94
			"ld.global.cg.u64": least + miss + 2*m.NoC.Latency + m.L2.Latency, // gtx980: 12 + 6 + 80 + 120 = 218
		} {
			if got, _, _ := stepLatency(t, op, 20, 1, still, gpu); got != float64(want) {
				t.Errorf("%s, %s: %v cycles, want %d", gpu, op, got, want)
			}
		}
	}
}

// Addresses are mapped plainly here, so that every step's bank is known: blocks of 128 B rotate over the 16
// channels and, within a channel, over the 16 banks, and 16 of them fill a bank's row.
var plainDRAM = []string{"mem.map.interleave=linear", "mem.dram.bank_hash=false"}

const (
	nextBank   = 128 * 16
	nextColumn = 128 * 16 * 16
	nextRow    = 128 * 16 * 16 * 16
)

// The command clock is the core's, twice it, or half of it. At twice the core clock, a DRAM access may end in the
// middle of a core cycle, and always begins with one. At half, a request waits for the next command cycle. Each
// request follows from the previous reply, so all wait equally: a step takes whole command cycles.
func TestADependentDRAMAccessTakesItsRowsStateIntoAccount(t *testing.T) {
	const n = 7
	m := testConfig(t, "gtx980").Mem
	d := &m.DRAM
	// the path to the L2 and back, and the link to the channel, in core cycles
	core := pipeline + wide + miss + 2*m.NoC.Latency + m.L2.Latency + d.Latency
	for _, c := range []struct {
		name   string
		stride uint64
		dram   int
		stat   string
	}{
		{"row hit", nextColumn, d.CL, "mem.dram.row_hits"},
		{"row miss", nextBank, d.RCD + d.CL, "mem.dram.row_misses"},
		{"row conflict", nextRow, d.RP + d.RCD + d.CL, "mem.dram.row_conflicts"},
	} {
		// a burst of 8 transfers at 4 per cycle, and the link back
		command := c.dram + d.Burst/d.Rate + d.Back
		for _, clock := range []struct{ mhz, want int }{
			{1126, core + command}, // gtx980: 318 + 17, 30 or 43
			{2252, core + (command+1)/2},
			{563, (core+1)/2*2 + 2*command},
		} {
			place := func(i int) uint64 { return uint64(i) * c.stride }
			set := append([]string{fmt.Sprintf("mem.dram.clock_mhz=%d", clock.mhz)}, plainDRAM...)
			got, short, long := stepLatency(t, "ld.global.cg.u64", n, 2*n+1, place, "gtx980", set...)
			if got != float64(clock.want) {
				t.Errorf("%s at %d MHz: %v cycles, want %d", c.name, clock.mhz, got, clock.want)
			}
			if more := long[c.stat] - short[c.stat]; more != n {
				t.Errorf("%s at %d MHz: %d more for %d more steps", c.name, clock.mhz, more, n)
			}
		}
	}
}

func TestWithAClockOfItsOwnTheDRAMIsWaitedForTwice(t *testing.T) {
	m := testConfig(t, "gtx980").Mem
	d := &m.DRAM
	core := pipeline + wide + miss + 2*m.NoC.Latency + m.L2.Latency + d.Latency
	command := d.RP + d.RCD + d.CL + d.Burst/d.Rate + d.Back
	ratio := 1126 / float64(d.Clock)
	least := float64(core) + float64(command)*ratio
	place := func(i int) uint64 { return uint64(i) * nextRow }
	got, _, _ := stepLatency(t, "ld.global.cg.u64", 7, 15, place, "gtx980", plainDRAM...)
	// the request waits for the next command cycle, and the data waits for the next core cycle
	if got < least || got >= least+ratio+1 {
		t.Errorf("%v cycles, want %.2f to %.2f", got, least, least+ratio+1)
	}
	if testing.Verbose() {
		t.Logf("%v cycles; %.2f to %.2f", got, least, least+ratio+1)
	}
}

func TestADependentLoadOfFixedMemoryTakesItsLatency(t *testing.T) {
	// With one scheduler the load/store unit needs no arbiter, and a collector
	// gets both registers of the address at once: 10 + 394 + 6.
	const pipeline = pipeline - 1
	want := float64(pipeline + testConfig(t, "fermi").Mem.Fixed.Latency + miss)
	if got, _, _ := stepLatency(t, "ld.global.u64", 20, 1, still, "fermi",
		"mem.coalescer.segment_bytes=32"); got != want {
		t.Errorf("%v cycles, want %v", got, want)
	}
}

func TestADependentSharedLoadTakesSharedMemoryAndThePipeline(t *testing.T) {
	own := "mov.u32 %r2, s;\n st.shared.u32 [%r2], %r2;\n"
	kernel := func(n int) string {
		return machinetest.Text(".shared .align 4 .b8 s[64];", own+strings.Repeat("ld.shared.u32 %r2, [%r2];\n", n)+
			"st.global.u32 [%rd1], %r2;\n")
	}
	for _, gpu := range []string{"gtx980", "gpgpusim-gtx980", "gpgpusim-gtx480"} {
		want := float64(pipeline + testConfig(t, gpu).Mem.Shared.Latency) // gtx980: 11 + 24 = 35
		if gpu == "gpgpusim-gtx480" {
			want-- // one sub-core: no arbiter before the load/store unit
		}
		if got := machinetest.Slope(t, kernel, 20, 1, 1, gpu, "sm.count=1",
			"sm.fetch.icache.perfect=true"); got != want {
			t.Errorf("%s: %v cycles, want %v", gpu, got, want)
		}
	}
}

// Each stage of the address path adds a cycle to every memory instruction. A latency of 2 is a path without stages.
func TestTheAddressPathAddsItsStagesToALoad(t *testing.T) {
	want := float64(pipeline + testConfig(t, "gtx980").Mem.Shared.Latency + 5 - 2) // 35 + 3
	kernel := func(n int) string {
		return machinetest.Text(".shared .align 4 .b8 s[64];", "mov.u32 %r2, s;\n st.shared.u32 [%r2], %r2;\n"+
			strings.Repeat("ld.shared.u32 %r2, [%r2];\n", n)+"st.global.u32 [%rd1], %r2;\n")
	}
	if got := machinetest.Slope(t, kernel, 20, 1, 1, "gtx980", "sm.count=1", "sm.units.lsu.latency=5"); got != want {
		t.Errorf("%v cycles, want %v", got, want)
	}
}

func TestADependentConstantLoadTakesTheConstantCacheAndThePipeline(t *testing.T) {
	kernel := func(n int) string {
		return strings.Replace(machinetest.Text("", "mov.u32 %r2, c;\n"+strings.Repeat("ld.const.u32 %r2, [%r2];\n", n)+
			"st.global.u32 [%rd1], %r2;\n"),
			".visible", ".const .align 4 .b8 c[64];\n.visible", 1)
	}
	want := float64(pipeline + testConfig(t, "gtx980").Mem.Constant.Latency) // 11 + 24
	if got := machinetest.Slope(t, kernel, 20, 1, 1, "gtx980", "sm.count=1"); got != want {
		t.Errorf("%v cycles, want %v", got, want)
	}
}

func TestADependentAtomicIsPerformedInTheL2(t *testing.T) {
	// atom.exch returns the previously stored address, equal to its own. One lane, one turn.
	m := testConfig(t, "gtx980").Mem
	want := float64(pipeline + wide + miss + 2*m.NoC.Latency + m.L2.Latency + 1 + m.L2.AtomicLatency) // 218 + 5
	kernel := func(n int) string {
		return machinetest.Text("", "ld.global.u64 %rd2, [%rd1];\n"+
			strings.Repeat("atom.global.exch.b64 %rd2, [%rd2], %rd2;\n", n)+"st.global.u64 [%rd1], %rd2;\n")
	}
	a, _ := chased(t, kernel(10), 1, still, "gtx980", "sm.count=1")
	b, _ := chased(t, kernel(20), 1, still, "gtx980", "sm.count=1")
	if got := float64(b-a) / 10; got != want {
		t.Errorf("%v cycles, want %v", got, want)
	}
}
