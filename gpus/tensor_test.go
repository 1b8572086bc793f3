package gpus_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// product is a form of mma, as text, with the registers of a lane for A, B and C, and its multiply-adds.
type product struct {
	form    string
	a, b, c int
	words   string // the register name of C
	work    float64
}

var mmaForms = map[string]product{
	"f16_f32": {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 4, 2, 4, "f", 2048},
	"f16_f16": {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "r", 2048},
	"short":   {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 2, 1, 4, "f", 1024},
	"bf16":    {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 4, 2, 4, "f", 2048},
	"tf32":    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, "f", 1024},
	"int8":    {"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 4, 2, 4, "r", 4096},
	"f64":     {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 1, 1, 2, "d", 256},
	"wmma":    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 8, 8, 8, "f", 4096},
}

// accumulators is the number of independent sums of a warp.
const accumulators = 4

// group returns the text of n registers from one on.
func group(name string, from, n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%%%s%d", name, from+i))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

// kernel multiplies n times on each accumulator.
func (p product) kernel(n int) string {
	ab := "m"
	if p.words == "d" {
		ab = "d"
	}
	var body strings.Builder
	for i := range 16 {
		fmt.Fprintf(&body, "mov.b32 %%m%d, %%r1; cvt.rn.f64.u32 %%d%d, %%r1;\n", i, 32+i)
	}
	for i := range accumulators * p.c {
		switch p.words {
		case "f":
			fmt.Fprintf(&body, "cvt.rn.f32.u32 %%f%d, %%r1;\n", i)
		case "r":
			fmt.Fprintf(&body, "mov.b32 %%q%d, %%r1;\n", i)
		default:
			fmt.Fprintf(&body, "cvt.rn.f64.u32 %%d%d, %%r1;\n", i)
		}
	}
	c, first := p.words, 0
	if c == "r" {
		c = "q"
	}
	if ab == "d" {
		first = 32
	}
	for range n {
		for i := range accumulators {
			sum := group(c, i*p.c, p.c)
			fmt.Fprintf(&body, "%s %s, %s, %s, %s;\n", p.form, sum, group(ab, first, p.a),
				group(ab, first+p.a, p.b), sum)
		}
	}
	add := map[string]string{"f": "add.f32", "q": "xor.b32", "d": "add.f64"}[c]
	for i := 1; i < accumulators*p.c; i++ { // one store: more would overlap with the products of other warps
		fmt.Fprintf(&body, "%s %%%s0, %%%s0, %%%s%d;\n", add, c, c, c, i)
	}
	kind := map[string]string{"f": "f32", "q": "b32", "d": "f64"}[c]
	fmt.Fprintf(&body, "mul.wide.u32 %%rd2, %%r1, 8;\n add.s64 %%rd3, %%rd1, %%rd2;\n st.global.%s [%%rd3], %%%s0;\n",
		kind, c)
	return strings.Replace(machinetest.Text(".reg .b32 %m<16>, %q<32>; .reg .f64 %d<64>;", body.String()),
		".target sm_52",
		".target sm_90", 1)
}

// perCycle returns the multiply-adds per cycle of an SM with sixteen warps.
func (p product) perCycle(t *testing.T, gpu string, n int) float64 {
	t.Helper()
	cycles := machinetest.Slope(t, p.kernel, n, 1, 512, gpu, "sm.count=1")
	return 16 * accumulators * p.work / cycles
}

// Multiply-adds per cycle and SM. 0: the chip has no such products.
func TestMatrixProductsGoAtTheRatesOfTheChip(t *testing.T) {
	for _, chip := range machinetest.Part(4, []struct {
		gpu   string
		rates map[string]float64
	}{
		// V100 white paper: eight tensor cores with 64 multiply-adds.
		{"titan-v", map[string]float64{"f16_f32": 512, "f16_f16": 512, "short": 512, "wmma": 512, "bf16": 0, "tf32": 0,
			"int8": 0, "f64": 0}},
		// TU102 white paper: as Volta; GeForce halves sums in f32.
		{"rtx-2070s", map[string]float64{"f16_f32": 256, "f16_f16": 512, "short": 256, "wmma": 256, "bf16": 0,
			"tf32": 0, "int8": 1024, "f64": 0}},
		// GA102 white paper: four tensor cores with 128 multiply-adds, and two lanes of double precision.
		{"rtx-a6000", map[string]float64{"f16_f32": 512, "f16_f16": 512, "short": 512, "wmma": 512, "bf16": 512,
			"tf32": 256, "int8": 1024, "f64": 2}},
		// GA102 white paper, GeForce: sums in f32 at half of the rate.
		{"rtx-3060", map[string]float64{"f16_f32": 256, "f16_f16": 512, "short": 256, "wmma": 256, "bf16": 256,
			"tf32": 128, "int8": 1024, "f64": 2}},
		// Luo et al. 2025: mma reaches 62.9 % of the peak, where wgmma reaches 728.5 of 756.5 TFLOPS.
		{"h100", map[string]float64{"f16_f32": 1338, "f16_f16": 1338, "short": 1338, "wmma": 1338, "bf16": 1338,
			"tf32": 669, "int8": 2676, "f64": 128}},
	}) {
		for name, want := range chip.rates {
			p := mmaForms[name]
			if want == 0 {
				refusedProduct(t, chip.gpu, name, p)
				continue
			}
			n := 16
			if want < 100 {
				n = 2
			}
			if got := p.perCycle(t, chip.gpu, n); math.Abs(got/want-1) > 0.05 {
				t.Errorf("%s, %s: %.0f multiply-adds per cycle and SM, want %.0f", chip.gpu, name, got, want)
			}
		}
	}
}

// refusedProduct reports a product that the GPU executes though the chip does not.
func refusedProduct(t *testing.T, gpu, name string, p product) {
	t.Helper()
	m := machinetest.GPU(t, gpu, gpus.Options{}, "sm.count=1")
	err := machinetest.Launch(t, m, p.kernel(1), 1, 32, 0)
	want := "found mma, expected a product of matrices that the GPU has: its tensor units have no rate for " + name +
		" (sm.units.tensor.products)"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%s, %s: error %v, want ...%s", gpu, name, err, want)
	}
}
