package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/sm/occupancy"
)

// fineReg returns settings under which registers move to a PCRF with the given number of entries at test size,
// beside an ACRF of 8192 registers of threads.
func fineReg(entries int) []string {
	return []string{"cta.switching=finereg", "regfile.kind=finereg",
		"sm.max_registers_per_thread=64", fmt.Sprintf("regfile.finereg.pcrf=%d", entries),
		fmt.Sprintf("sm.registers=%d", 8192+32*entries)}
}

// Every application ends with the right operands and with the instructions of the conventional machine. Registers
// moved to the PCRF come back, unless their CTA ends first.
func TestMovingLiveRegistersLosesNothing(t *testing.T) {
	moved := uint64(0)
	for _, name := range machinetest.Part(3, machinetest.SwitchedSuite) {
		for _, entries := range []int{16, 64, 256} {
			s := machinetest.SameWork(t, name, []string{"sm.registers=8192"}, fineReg(entries)).Stats
			out, in := s["regfile.finereg.registers_out"], s["regfile.finereg.registers_in"]
			moved += in
			if out < in || s["regfile.bank.reads.switch"] != out || s["regfile.bank.writes.switch"] != in ||
				s["regfile.finereg.pcrf_writes"] != out || s["regfile.finereg.pcrf_reads"] != in {
				t.Errorf("%s, %d entries: %d registers went and %d came", name, entries, out, in)
			}
		}
	}
	if moved < 200 {
		t.Errorf("%d registers came back over the suite: too few to show anything", moved)
	}
}

// Every application fitting into an ACRF of 512 warp registers runs with the right operands, both with a mostly
// full PCRF and with a rarely full one.
func TestEveryApplicationIsRightHoweverSmallThePCRFIs(t *testing.T) {
	if testing.Short() {
		t.Skip("every application: not with -short")
	}
	ran, moved, refused := 0, uint64(0), uint64(0)
	for _, app := range benchmarks.List() {
		for _, entries := range []int{16, 64, 512} {
			results, err := machinetest.Try(t, config.Request{GPU: "gtx980", Set: append(fineReg(entries),
				fmt.Sprintf("sm.registers=%d", 32*(512+entries)))}, gpus.Options{Check: true}, app.Name)
			if err != nil {
				if !strings.Contains(err.Error(), "the ACRF has 512") {
					t.Errorf("%s, %d entries: %v", app.Name, entries, err)
				}
				continue
			}
			s := result.Sum(results).Stats
			ran++
			moved += s["regfile.finereg.registers_in"]
			refused += s["regfile.finereg.refused"]
		}
	}
	t.Logf("%d runs, %d registers came back, %d CTAs were refused", ran, moved, refused)
	if ran < 150 || moved < 500 || refused < 20 {
		t.Errorf("%d runs, %d registers came back, %d CTAs were refused: too few to show anything", ran, moved, refused)
	}
}

func TestWithoutAPCRFFineRegIsVirtualThread(t *testing.T) {
	for _, name := range machinetest.SwitchedSuite {
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, machinetest.Switched...)
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, "sm.warps=16", "cta.switching=finereg",
			"regfile.kind=finereg",
			"sm.max_registers_per_thread=64",
			"regfile.finereg.pcrf=0")
		machinetest.WithoutMoves(t, got, "finereg")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-virtual thread +finereg):\n%.3000s", name, d)
		}
	}
}

// sides is a divergent kernel. The odd lanes add values loaded before the branch while the even lanes wait for
// memory on the other side, and vice versa.
func sides() string {
	return machinetest.Text("", `mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd2, %r2, 4096; add.u64 %rd3, %rd1, %rd2;
	mul.wide.u32 %rd4, %r1, 4; add.u64 %rd3, %rd3, %rd4;
	ld.global.u32 %r3, [%rd3+2048]; ld.global.u32 %r4, [%rd3+65536];
	and.b32 %r5, %r1, 1; setp.ne.u32 %p1, %r5, 0;
	mov.u32 %r7, 0; mov.u32 %r8, 0;
	@%p1 bra ODD;
EVEN:
	ld.global.u32 %r6, [%rd3+131072]; add.u32 %r7, %r6, %r7; mad.lo.u32 %r7, %r7, %r3, %r1;
	add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 6; @%p2 bra EVEN;
	bra JOIN;
ODD:
	ld.global.u32 %r6, [%rd3+196608]; add.u32 %r7, %r6, %r7; mad.lo.u32 %r7, %r7, %r4, %r2;
	add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, 6; @%p2 bra ODD;
JOIN:
	st.global.u32 [%rd3], %r7;`)
}

// By the rule of figure 9, registers read only by the lanes of the other side are not live while one side executes.
func TestRegistersOfLanesThatWaitElsewhereAreLostByThePrintedRule(t *testing.T) {
	for live, right := range map[string]bool{"warp": true, "paper": false} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, append(fineReg(256), "sm.count=1",
			"sm.registers=12288",
			"regfile.finereg.live="+live)...)
		err := machinetest.Launch(t, m, sides(), 60, 64, 0)
		if (err == nil) != right {
			t.Errorf("live=%s: error %v", live, err)
		}
		if right && result.Sum(m.Results()).Stats["regfile.finereg.registers_in"] == 0 {
			t.Error("no register has come back: nothing is shown")
		}
	}
}

func TestFineRegGivesTheSameResultInAnyOrderOfTicksAndWithAnyNumberOfWorkers(t *testing.T) {
	if s := machinetest.SwitchedInAnyOrder(t, []string{"gemm", "transpose", "dct8x8"},
		fineReg(64)...); s["regfile.finereg.registers_in"] == 0 {
		t.Error("no register has come back: nothing is shown")
	}
}

// The ACRF of 128 KB holds 1024 warp registers: 4 CTAs of 8 warps with 32 each.
func TestOccupancySaysWhatTheACRFHolds(t *testing.T) {
	c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "finereg"})
	o, err := c.CTAs(occupancy.CTA{Threads: 256, Registers: 32})
	if err != nil {
		t.Fatal(err)
	}
	acrf, _ := o.Figure("ctas_in_acrf")
	active, _ := o.Figure("active_ctas_per_sm")
	if acrf != 4 || active != 4 || o.CTAs != 64 || o.Limit != "warps" && o.Limit != "threads" {
		t.Errorf("%+v: %d in the ACRF, %d active; want 4 and 4, and at most the 64 that 512 warps make", o, acrf,
			active)
	}
	if _, err := c.CTAs(occupancy.CTA{Threads: 1024, Registers: 64}); err == nil ||
		!strings.Contains(err.Error(), "the ACRF has 1024") {
		t.Errorf("a CTA of 2048 warp registers: error %v", err)
	}
}

// The sizes in bits are from the paper's section V.F, with 128 CTAs. A tag has the sum of its fields.
func TestFineRegsStorageIsThatOfItsBlocks(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "cta.switching=finereg", "regfile.kind=finereg",
		"sm.max_registers_per_thread=64")
	got := map[string]int{}
	for _, s := range m.Storage() {
		got[s.Block+" "+s.What] = s.Bits
	}
	want := map[string]int{"Bank registers": 1048576, "PCRF registers": 1048576, "PCRF tags": 23 * 1024,
		"RMU pointer table":       2048,
		"RMU live register cache": 3072, "RMU transfer buffer": 1024, "RMU free space monitor": 1024}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: %d bits, want %d", k, got[k], n)
		}
	}
}

// Searching a result along its chain finds the same entry as a table lookup. Limiting the CTAs in the ACRF to those
// with scheduler slots loses nothing either.
func TestTheReadingsOfReturnsAndOfPendingCTAsInTheACRFLoseNothing(t *testing.T) {
	walked, back := uint64(0), uint64(0)
	for _, name := range machinetest.SwitchedSuite {
		for _, set := range []string{"regfile.finereg.returns=walk", "regfile.finereg.acrf_parks=false"} {
			got := machinetest.SameWork(t, name, []string{"sm.registers=8192"}, append(fineReg(64), "sm.warps=32", set))
			walked += got.Stats["regfile.finereg.pcrf_walked"]
			if set != "regfile.finereg.returns=walk" {
				back += got.Stats["switch.in.moved"]
			}
		}
	}
	if walked < 100 || back < 20 {
		t.Errorf("%d entries looked at, %d CTAs moved back: too few to show anything", walked, back)
	}
}

// Of the four CTAs in the ACRF, two get scheduler slots.
func TestWithoutPendingCTAsTheACRFHoldsWhatFindsSlots(t *testing.T) {
	for keeps, want := range map[bool]int{true: 4, false: 2} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "finereg",
			Set: []string{"sm.warps=16", fmt.Sprintf("regfile.finereg.acrf_parks=%v", keeps)}})
		o, err := c.CTAs(occupancy.CTA{Threads: 256, Registers: 32})
		if err != nil {
			t.Fatal(err)
		}
		acrf, _ := o.Figure("ctas_in_acrf")
		if active, _ := o.Figure("active_ctas_per_sm"); acrf != want || active != 2 {
			t.Errorf("acrf_parks=%v: %d CTAs in the ACRF, %d active; want %d and 2", keeps, acrf, active, want)
		}
	}
}

// A PCRF of constant size, with 48 KB beside it, is equal to FineReg without a pool, for kernels without shared
// memory.
func TestAPCRFInAPoolThatLeaves48KBIsFineReg(t *testing.T) {
	for _, name := range []string{"bfs", "streamcluster", "bicg"} {
		set := []string{"regfile.finereg.pcrf=64", "sm.registers=10240"}
		run := func(design string, set ...string) []result.Kernel {
			return machinetest.Run(t, config.Request{GPU: "gtx980", Design: design, Set: append(set, "sm.count=1")},
				gpus.Options{}, name)
		}
		want := run("finereg", set...)
		got := run("finereg-um", append(set, "regfile.finereg.grows=false", "onchip.unified.bytes=57344")...)
		if result.Sum(want).Stats["switch.resident_ctas"] == 0 {
			t.Errorf("%s: no CTA was resident", name)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-finereg +finereg-um):\n%.2000s", name, d)
		}
	}
}

// Of the pool of 272 KB, the PCRF and shared memory have 256 KB: 2048 warp registers, beside the 1024 warp
// registers of the ACRF. The PCRF can use at most the registers of the CTAs beyond the ACRF.
func TestThePCRFTakesOfAPoolWhatItCouldUse(t *testing.T) {
	for _, x := range []struct {
		cta         occupancy.CTA
		set         []string
		ctas        int
		pcrf, bytes int
	}{
		// 64 CTAs, 60 of them outside the ACRF
		{occupancy.CTA{Threads: 256, Registers: 32}, nil, 64, 2048, 16384},
		// 14 CTAs outside the ACRF could use 14 x 512, more than the pool has
		{occupancy.CTA{Threads: 1024, Registers: 16}, nil, 16, 2048, 16384},
		// all in the ACRF
		{occupancy.CTA{Threads: 512, Registers: 8}, []string{"sm.contexts=128"}, 8, 0, 278528},
		// 6 CTAs outside the ACRF can use 6 x 256
		{occupancy.CTA{Threads: 512, Registers: 16}, []string{"sm.contexts=160"}, 10, 1536, 278528 - 196608},
		// as without a pool
		{occupancy.CTA{Threads: 256, Registers: 32}, []string{"regfile.finereg.grows=false"}, 64, 1024, 147456},
		// 128 KB of shared memory leave 128 KB
		{occupancy.CTA{Threads: 256, Registers: 32, SharedBytes: 8192}, nil, 16, 1024, 16384},
		// 28 CTAs outside the ACRF could use 28 x 256, but 128 KB are left
		{occupancy.CTA{Threads: 256, Registers: 32, SharedBytes: 4096}, nil, 32, 1024, 16384},
	} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: "finereg-um", Set: x.set})
		o, err := c.CTAs(x.cta)
		if err != nil {
			t.Fatal(err)
		}
		pcrf, _ := o.Figure("pcrf_registers")
		if n, _ := o.Figure("l1_bytes"); o.CTAs != x.ctas || n != x.bytes || pcrf != x.pcrf {
			t.Errorf("%+v, %v: %d CTAs, a PCRF of %d and an L1 of %d bytes, want %d, %d and %d", x.cta, x.set, o.CTAs,
				pcrf, n, x.ctas, x.pcrf, x.bytes)
		}
	}
}

// Pointers of 11 bits name 2048 entries.
func TestPointersAndTagsGrowWithThePCRF(t *testing.T) {
	m := machinetest.New(t, config.Request{GPU: "gtx980", Design: "finereg-um"}, gpus.Options{})
	got := map[string]int{}
	for _, s := range m.Storage() {
		got[s.Block+" "+s.What] = s.Bits
	}
	for k, n := range map[string]int{"Bank registers": 1024 * 1024, "PCRF registers": 2048 * 1024,
		"PCRF tags": 24 * 2048, "RMU pointer table": 128 * 17, "RMU free space monitor": 2048} {
		if got[k] != n {
			t.Errorf("%s: %d bits, want %d", k, got[k], n)
		}
	}
}

func TestAGrowingPCRFWithoutAPoolIsRefused(t *testing.T) {
	if _, err := config.Load(config.Request{GPU: "gtx980", Design: "finereg",
		Set: []string{"regfile.finereg.grows=true"}}); err == nil || !strings.Contains(err.Error(),
		"has no effect: expected onchip.memory = unified") {
		t.Errorf("error %v", err)
	}
}
