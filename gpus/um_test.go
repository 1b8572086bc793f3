package gpus

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus/config"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/sm/occupancy"
)

// preset runs an application at size test on one SM of gtx980 with a preset.
func preset(t *testing.T, name, design string, opt Options, set ...string) ([]result.Kernel, error) {
	t.Helper()
	c, err := config.Load(config.Request{GPU: "gtx980", Design: design, Set: append([]string{"sm.count=1"}, set...)})
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(c, opt)
	if err != nil {
		t.Fatal(err)
	}
	p, err := benchmarks.Find(name).New(benchmarks.Test)
	if err != nil {
		t.Fatal(err)
	}
	err = p.Run(&host.Device{Mem: m.Memory(), Runner: m})
	return m.Results(), err
}

// Every application runs with the right operands and produces the right output, under settings with contention
// between registers, shared memory and L1, and with CTA switching.
func TestEveryApplicationIsRightInAUnifiedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("every application: not with -short")
	}
	for _, x := range []struct {
		design string
		set    []string
		moved  string // statistic of switched CTAs; empty: none are switched
	}{
		{"um", []string{"onchip.unified.bytes=98304"}, ""},
		{"virtual-thread-um", []string{"onchip.unified.bytes=131072", "sm.warps=32"}, "switch.switches"},
		{"finereg-um", []string{"regfile.finereg.pcrf=64", "sm.registers=18432"}, "regfile.finereg.registers_in"},
		{"finereg-um", []string{"regfile.finereg.pcrf=64", "sm.registers=18432", "regfile.finereg.grows=false"},
			"regfile.finereg.registers_in"},
	} {
		ran, moved := 0, uint64(0)
		for _, app := range benchmarks.List() {
			results, err := preset(t, app.Name, x.design, Options{Check: true}, x.set...)
			if err != nil {
				if !strings.Contains(err.Error(), "the ACRF has 512") &&
					!strings.Contains(err.Error(), "bytes of the pool") {
					t.Errorf("%s, %s: %v", x.design, app.Name, err)
				}
				continue
			}
			ran++
			moved += result.Sum(results).Stats[x.moved]
		}
		t.Logf("%s, %v: %d applications, %s = %d", x.design, x.set, ran, x.moved, moved)
		if ran < 48 || x.moved != "" && moved < 200 {
			t.Errorf("%s, %v: %d applications, %s = %d: too few to show anything", x.design, x.set, ran, x.moved, moved)
		}
	}
}

// hotspot's one kernel uses registers and shared memory. With a pool of the CTAs' use plus 48 KB, the L1 equals the
// L1 of the GPU without a pool.
func TestAUnifiedMemoryThatLeaves48KBIsTheGPUWithout(t *testing.T) {
	for design, plain := range map[string]string{"um": "", "virtual-thread-um": "virtual-thread"} {
		set := []string{"sm.warps=16", "sm.registers=16384", "sm.shared_bytes=98304"}
		want, err := preset(t, "hotspot", plain, Options{}, set...)
		if err != nil {
			t.Fatal(err)
		}
		k := &want[0]
		c, err := config.Load(config.Request{GPU: "gtx980", Design: plain, Set: set})
		if err != nil {
			t.Fatal(err)
		}
		o, err := c.CTAs(occupancy.CTA{Threads: k.Block[0] * k.Block[1], Registers: k.RegistersPerThread,
			SharedBytes: k.SharedBytes})
		if err != nil || k.SharedBytes == 0 {
			t.Fatal(err, k.SharedBytes)
		}
		used := 4*(16384-o.RegistersUnused) + o.CTAs*k.SharedBytes
		got, err := preset(t, "hotspot", design, Options{},
			append(set, fmt.Sprintf("onchip.unified.bytes=%d", used+49152))...)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-without +with a pool):\n%.2000s", design, d)
		}
		small, err := preset(t, "hotspot", design, Options{},
			append(set, fmt.Sprintf("onchip.unified.bytes=%d", used+2048), "onchip.unified.least_l1=1024")...)
		if err != nil || cmp.Equal(want, small) {
			t.Errorf("%s: an L1 of 2 KB changes nothing, error %v", design, err)
		}
	}
}

// A PCRF of constant size, with 48 KB beside it, is equal to FineReg without a pool, for kernels without shared
// memory.
func TestAPCRFInAPoolThatLeaves48KBIsFineReg(t *testing.T) {
	for _, name := range []string{"bfs", "streamcluster", "bicg"} {
		set := []string{"regfile.finereg.pcrf=64", "sm.registers=10240"}
		want, err := preset(t, name, "finereg", Options{}, set...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := preset(t, name, "finereg-um", Options{}, append(set, "regfile.finereg.grows=false",
			"onchip.unified.bytes=57344")...)
		if err != nil {
			t.Fatal(err)
		}
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
		c, err := config.Load(config.Request{GPU: "gtx980", Design: "finereg-um", Set: x.set})
		if err != nil {
			t.Fatal(err)
		}
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
	c, err := config.Load(config.Request{GPU: "gtx980", Design: "finereg-um"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := build(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
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
	if _, err := config.Load(config.Request{GPU: "gtx980", Design: "um",
		Set: []string{"onchip.unified.bytes=16384"}}); err == nil ||
		!strings.Contains(err.Error(), "onchip.unified.least_l1: found 16384, expected less than the pool (16384)") {
		t.Errorf("error %v", err)
	}
}
