package gpus_test

import (
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

func TestASliceOfTheChipTellsDesignsApartAsTheChipDoes(t *testing.T) {
	// With eight CTAs per SM, 1536 CTAs are 12 waves on 16 SMs and 48 on a slice of 4. The kernels read 16 B per
	// thread, and the second has 24 FMAs in addition.
	fmas := strings.Repeat("fma.rn.f32 %f5, %f1, %f2, %f3;\n fma.rn.f32 %f6, %f2, %f3, %f4;\n fma.rn.f32 %f1, %f5, "+
		"%f6, %f1;\n fma.rn.f32 %f2, %f6, %f5, %f2;\n", 6)
	compute := strings.Replace(sweep, "setp.gt", fmas+"add.f32 %f1, %f1, %f2;\n setp.gt", 1)
	const ctas, threads = 1536, 64
	cycles := func(text string, set ...string) float64 {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, append([]string{"sm.ctas=8"}, set...)...)
		buf := m.Memory().Alloc("p", ctas*threads*16)
		err := m.Launch(&host.Launch{Module: machinetest.Module(t, text), Kernel: "k", Grid: [3]int{ctas, 1, 1},
			Block: [3]int{threads, 1, 1}, Args: []host.Arg{host.U64(buf)}})
		if err != nil {
			t.Fatal(err)
		}
		return float64(m.Results()[0].Cycles)
	}
	for _, c := range machinetest.Part(3, []struct{ name, body, change string }{
		{"memory", sweep, "regfile.conventional.read_latency=16"},
		{"compute", compute, "regfile.conventional.collectors=1"},
		{"compute", compute, "regfile.conventional.read_latency=16"},
	}) {
		text := machinetest.Text("", c.body)
		chip := cycles(text) / cycles(text, c.change)
		slice := cycles(text, "slice.sms=4") / cycles(text, "slice.sms=4", c.change)
		if d := slice / chip; d < 0.97 || d > 1.03 {
			t.Errorf("%s with %s: %.3f on the slice, %.3f on the chip; want within 3 %%", c.name, c.change, slice, chip)
		}
		t.Logf("%s with %s: %.3f on the slice, %.3f on the chip", c.name, c.change, slice, chip)
	}
}
