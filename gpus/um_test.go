package gpus_test

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
			results, err := machinetest.Try(t, config.Request{GPU: "gtx980", Design: x.design, Set: x.set},
				gpus.Options{Check: true}, app.Name)
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
		run := func(design string, set ...string) []result.Kernel {
			return machinetest.Run(t, config.Request{GPU: "gtx980", Design: design, Set: append(set, "sm.count=1")},
				gpus.Options{}, "hotspot")
		}
		set := []string{"sm.warps=16", "sm.registers=16384", "sm.shared_bytes=98304"}
		want := run(plain, set...)
		k := &want[0]
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Design: plain, Set: set})
		o, err := c.CTAs(occupancy.CTA{Threads: k.Block[0] * k.Block[1], Registers: k.RegistersPerThread,
			SharedBytes: k.SharedBytes})
		if err != nil || k.SharedBytes == 0 {
			t.Fatal(err, k.SharedBytes)
		}
		used := 4*(16384-o.RegistersUnused) + o.CTAs*k.SharedBytes
		got := run(design, append(set, fmt.Sprintf("onchip.unified.bytes=%d", used+49152))...)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-without +with a pool):\n%.2000s", design, d)
		}
		small := run(design,
			append(set, fmt.Sprintf("onchip.unified.bytes=%d", used+2048), "onchip.unified.least_l1=1024")...)
		if cmp.Equal(want, small) {
			t.Errorf("%s: an L1 of 2 KB changes nothing", design)
		}
	}
}

func TestAPoolSmallerThanItsLeastL1IsRefused(t *testing.T) {
	if _, err := config.Load(config.Request{GPU: "gtx980", Design: "um",
		Set: []string{"onchip.unified.bytes=16384"}}); err == nil ||
		!strings.Contains(err.Error(), "onchip.unified.least_l1: found 16384, expected less than the pool (16384)") {
		t.Errorf("error %v", err)
	}
}
