package machine_test

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/benchmarks/benchtest"
	"kumiko/components/stats"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
)

// machine is a Tesla C2050 of two SMs with the given settings on top.
func machine(t machinetest.T, design string, o gpus.Options, set ...string) *gpus.Machine {
	t.Helper()
	return machinetest.New(t, config.Request{GPU: "tesla-c2050", Design: design,
		Set: append([]string{"sm.count=2"}, set...)}, o)
}

// run runs an application, at size test, with every operand checked or not.
func run(t testing.TB, a *benchmarks.App, check bool, design string, set ...string) []result.Kernel {
	t.Helper()
	m := machine(t, design, gpus.Options{Check: check}, set...)
	benchtest.On(t, m, a.Name)
	return m.Results()
}

// plain returns a result without the parts specific to register sharing, of which none may have happened.
func plain(t *testing.T, list []result.Kernel) []result.Kernel {
	t.Helper()
	for i := range list {
		maps.DeleteFunc(list[i].Distributions, func(name string, b []stats.Bucket) bool {
			return strings.HasPrefix(name, "regfile.sharing.") && len(b) == 0
		})
	}
	return machinetest.WithoutOwn(t, machinetest.OneFull(list), func(name string) bool {
		return strings.HasPrefix(name, "regfile.sharing.") || strings.HasSuffix(name, "lock") ||
			strings.HasSuffix(name, "dynamic")
	})
}

func shared(list []result.Kernel) (ctas uint64) {
	for _, k := range list {
		ctas += k.Stats["regfile.sharing.ctas_shared"]
	}
	return ctas
}

func each(t *testing.T, f func(t *testing.T, i int, a *benchmarks.App)) {
	for i, a := range benchmarks.List() {
		t.Run(a.Name, func(t *testing.T) { f(t, i, a) })
	}
}

// baselines are the results of applications without sharing, kept for all tests.
var baselines = map[string][]result.Kernel{}

func baseline(t *testing.T, a *benchmarks.App) []result.Kernel {
	if baselines[a.Name] == nil {
		baselines[a.Name] = machinetest.OneFull(run(t, a, false, ""))
	}
	return baselines[a.Name]
}

func TestAtThreshold1EveryApplicationTakesTheBaselinesCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	each(t, func(t *testing.T, _ int, a *benchmarks.App) {
		want := baseline(t, a)
		if d := cmp.Diff(want, plain(t, run(t, a, false, "sharing", "regfile.threshold=1"))); d != "" {
			t.Errorf("(-baseline +sharing):\n%.2000s", d)
		}
	})
}

// Where the paper's equations leave nothing to share, loose round robin takes
// the baseline's cycles at any threshold, with owners first and all optimisations
// on as well (figure 15). The GPU's own registers are enough for most applications.
func TestWhatRegistersDoNotLimitTakesTheBaselinesCycles(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	some, none := 0, 0
	each(t, func(t *testing.T, _ int, a *benchmarks.App) {
		got := run(t, a, false, "sharing-unroll-dyn", "regfile.threshold=0.1", "regfile.sharing.owner_first=true")
		if shared(got) > 0 {
			some++
			return
		}
		none++
		if d := cmp.Diff(baseline(t, a), plain(t, got)); d != "" {
			t.Errorf("(-baseline +sharing):\n%.2000s", d)
		}
	})
	if none < 10 {
		t.Errorf("%d applications share and %d do not: the test shows little", some, none)
	}
}

// tight returns a setting of sm.registers with space for one CTA of an application's largest kernel and 0.7 of
// another: at thresholds of 0.7 and less CTAs share.
func tight(base []result.Kernel) string {
	most := 0
	for _, k := range base {
		warps := (k.Block[0]*k.Block[1]*k.Block[2] + 31) / 32
		most = max(most, warps*32*((k.RegistersPerThread+3)/4*4))
	}
	return fmt.Sprintf("sm.registers=%d", (most*17/10+31)/32*32)
}

// everyVariant makes the next test try each variant on each application, half a
// minute in all.
const everyVariant = "KUMIKO_EVERY_VARIANT"

// Applications with few registers, at several thresholds and in every variant:
// they end, and every operand is right. Where no more CTAs become resident than
// at threshold 1, the run is the same to the cycle. Each application takes its
// turn with two of the variants.
func TestApplicationsAreRightAtEveryThreshold(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	variants := []struct{ design, t string }{
		{"sharing", "0"}, {"sharing", "0.3"}, {"sharing", "0.7"}, {"sharing", "0.9"},
		{"sharing-unroll", "0.1"}, {"sharing-unroll-dyn", "0.5"}, {"sharing-owf", "0.1"}, {"sharing-gto", "0.2"},
	}
	shares := map[string]uint64{}
	each(t, func(t *testing.T, i int, a *benchmarks.App) {
		few := tight(baseline(t, a))
		for k, v := range variants {
			if n := len(variants); k != i%n && k != (3*i+4)%n && os.Getenv(everyVariant) == "" {
				continue
			}
			got := run(t, a, true, v.design, few, "regfile.threshold="+v.t)
			shares[v.design+" "+v.t] += shared(got)
			if shared(got) == 0 {
				if d := cmp.Diff(plain(t, run(t, a, true, v.design, few, "regfile.threshold=1")), plain(t,
					got)); d != "" {
					t.Errorf("%s at %s shares nothing, but differs from threshold 1 (-1 +%s):\n%.2000s", v.design, v.t,
						v.t, d)
				}
			}
		}
	})
	for _, v := range variants {
		if n := shares[v.design+" "+v.t]; v.t != "0.9" && n < 20 {
			t.Errorf("%s at %s: %d CTAs shared: the test shows little", v.design, v.t, n)
		}
	}
}

// table5 are the kernels of Register Sharing table 2 with table 5: CTAs at 0, 10,
// 30, 50, 70 and 90 % sharing.
var table5 = []struct {
	name             string
	block, registers int
	ctas             [6]int
}{
	{"backprop", 256, 24, [6]int{5, 5, 5, 5, 6, 6}},
	{"b+tree", 508, 24, [6]int{2, 2, 2, 3, 3, 3}},
	{"hotspot", 256, 36, [6]int{3, 3, 3, 4, 4, 6}},
	{"LIB", 192, 36, [6]int{4, 4, 5, 5, 6, 8}},
	{"MUM", 256, 28, [6]int{4, 4, 4, 5, 5, 6}},
	{"mri-q", 256, 24, [6]int{5, 5, 5, 5, 6, 6}},
	{"sgemm", 128, 48, [6]int{5, 5, 5, 5, 6, 8}},
	{"stencil", 512, 28, [6]int{2, 2, 2, 2, 2, 3}},
}

var thresholds = [6]string{"1", "0.9", "0.7", "0.5", "0.3", "0.1"}

// A kernel with little work, in enough CTAs to fill an SM, with the paper's footprint: the most CTAs held by an SM
// at once agree with the table.
func TestTheMachineHoldsTheCTAsOfTable5(t *testing.T) {
	if testing.Short() {
		t.Skip("whole applications")
	}
	for _, k := range table5 {
		for i, th := range thresholds {
			m := machine(t, "sharing", gpus.Options{Check: true}, "sm.count=1", "regfile.threshold="+th)
			if err := machinetest.Launch(t, m, waits, 12, k.block, k.registers); err != nil {
				t.Fatal(err)
			}
			if got := m.Results()[0].CTAsResidentMax; got != k.ctas[i] {
				t.Errorf("%s at threshold %s: %d CTAs, the paper has %d", k.name, th, got, k.ctas[i])
			}
		}
	}
}

// Section 6: 1 + T ceil(log2(T+1)) + 2W + floor(W/2) ceil(log2 W) = 1 + 32 + 96 + 144 = 273 bits for T = 8 CTAs and
// W = 48 warps, the storage added by the blocks to the banks.
func TestTheBlocksRememberThePapersBits(t *testing.T) {
	bits := func(design string, set ...string) (n int) {
		for _, s := range machine(t, design, gpus.Options{}, set...).Storage() {
			n += s.Bits
		}
		return n
	}
	if got := bits("sharing") - bits(""); got != 273 {
		t.Errorf("sharing adds %d bits, the paper has 273", got)
	}
	// T = 16 and W = 64: 1 + 16*5 + 128 + 32*6.
	larger := []string{"sm.ctas=16", "sm.warps=64", "sm.threads=2048"}
	if got := bits("sharing", larger...) - bits("", larger...); got != 401 {
		t.Errorf("with 16 CTAs and 64 warps sharing adds %d bits, want 401", got)
	}
}
