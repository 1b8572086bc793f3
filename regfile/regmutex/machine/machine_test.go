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

// regMutex returns settings with shared sections and CTA switching at test size.
func regMutex(base float64, pool float64, set ...string) []string {
	return append([]string{"cta.switching=virtual-thread", "regfile.kind=regmutex",
		fmt.Sprintf("regfile.regmutex.base=%v", base), fmt.Sprintf("regfile.regmutex.pool=%v", pool)}, set...)
}

// Every application ends with the right operands and the right output, with few sections and with many, with and
// without CTA switching.
func TestEveryApplicationIsRightWithSharedSections(t *testing.T) {
	if testing.Short() {
		t.Skip("every application: not with -short")
	}
	for _, x := range [][]string{
		regMutex(0.5, 0, "sm.registers=12288", "sm.warps=32"),
		regMutex(0.25, 0.4, "sm.registers=12288", "sm.warps=32"),
		regMutex(0.7, 0.1, "sm.registers=16384", "cta.switching=none"),
	} {
		ran, waited, switches := 0, uint64(0), uint64(0)
		for _, app := range benchmarks.List() {
			results, err := machinetest.Try(t, config.Request{GPU: "gtx980", Set: x}, gpus.Options{Check: true},
				app.Name)
			if err != nil {
				if !strings.Contains(err.Error(), "a CTA needs") {
					t.Errorf("%v, %s: %v", x, app.Name, err)
				}
				continue
			}
			ran++
			s := result.Sum(results).Stats
			waited += s["regfile.regmutex.grants"] - s["regfile.regmutex.at_once"]
			switches += s["switch.switches"]
			if s["regfile.regmutex.requests"] != s["regfile.regmutex.grants"] ||
				s["regfile.regmutex.grants"] != s["regfile.regmutex.releases"] {
				t.Errorf("%v, %s: %d requests, %d grants, %d releases", x, app.Name, s["regfile.regmutex.requests"],
					s["regfile.regmutex.grants"], s["regfile.regmutex.releases"])
			}
		}
		t.Logf("%v: %d applications, %d warps waited for a section, %d switches", x, ran, waited, switches)
		if ran < 48 || waited < 100 {
			t.Errorf("%v: %d applications, %d warps waited for a section: too few to show anything", x, ran, waited)
		}
	}
}

// unshared removes the statistics specific to register files with sections, and checks that no section was used.
func unshared(t *testing.T, kernels []result.Kernel) []result.Kernel {
	t.Helper()
	return machinetest.WithoutOwn(t, kernels, func(name string) bool {
		return strings.HasPrefix(name, "regfile.regmutex.") || strings.HasSuffix(name, "srp")
	})
}

func TestWithABaseSetOfAllRegistersRegMutexIsVirtualThread(t *testing.T) {
	for _, name := range machinetest.SwitchedSuite {
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, machinetest.Switched...)
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, regMutex(1, 0, "sm.warps=16")...)
		unshared(t, got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-virtual thread +regmutex):\n%.3000s", name, d)
		}
	}
}

func TestWithoutSwitchingAndABaseSetOfAllRegistersRegMutexIsTheConventionalFile(t *testing.T) {
	for _, name := range machinetest.SwitchedSuite {
		want := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, "sm.registers=8192")
		got := machinetest.OneSM(t, "gtx980", name, gpus.Options{}, "sm.registers=8192", "regfile.kind=regmutex",
			"regfile.regmutex.base=1")
		unshared(t, got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-conventional +regmutex):\n%.3000s", name, d)
		}
	}
}

func TestSectionsGiveTheSameResultInAnyOrderOfTicksAndWithAnyNumberOfWorkers(t *testing.T) {
	s := machinetest.SwitchedInAnyOrder(t, []string{"gemm", "fft", "lbm"}, regMutex(0.5, 0, "sm.registers=12288",
		"sm.warps=16")...)
	if s["regfile.regmutex.grants"] == 0 {
		t.Error("no section was given: nothing is shown")
	}
}

// 2048 warp registers. CTAs have 8 warps with 32 registers each, 16 of them in a warp's base set. With a pool of a
// quarter, 1536 registers are for base sets: 12 CTAs with 96 warps, leaving 32 sections of 16. Without a pool of a
// fixed size, one section for each of four sub-cores is reserved: 15 CTAs.
func TestOccupancySaysHowManyCTAsBaseSetsAllowAndHowManySectionsTheyLeave(t *testing.T) {
	for _, x := range []struct {
		base, pool          float64
		registers           int
		ctas, own, sections int
	}{
		{0.5, 0.25, 32, 12, 16, 32}, {0.5, 0, 32, 15, 16, 8}, {1, 0, 32, 8, 32, 0}, {0.75, 0.25, 32, 8, 32, 0},
		{0.5, 0.25, 4, 64, 4, 0},
	} {
		c := machinetest.Config(t, config.Request{GPU: "gtx980", Set: regMutex(x.base, x.pool)})
		o, err := c.CTAs(occupancy.CTA{Threads: 256, Registers: x.registers})
		if err != nil {
			t.Fatal(err)
		}
		own, _ := o.Figure("base_registers")
		sections, _ := o.Figure("sections")
		if o.CTAs != x.ctas || own != x.own || sections != x.sections {
			t.Errorf("base %v, pool %v, %d registers: %d CTAs, %d registers of their own, %d sections; want %d, %d, %d",
				x.base, x.pool, x.registers, o.CTAs, own, sections, x.ctas, x.own, x.sections)
		}
	}
}
