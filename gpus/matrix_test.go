package gpus_test

import (
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// products is a kernel of n dependent matrix multiply-adds.
func products(n int) string {
	return machinetest.Text("", `mov.b32 %r2, 0; cvt.rn.f32.u32 %f1, %r1; mov.f32 %f2, %f1; mov.f32 %f3, %f1;
	`+strings.Repeat(`mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
		{%f1, %f2, %f3, %f4}, {%r2, %r1}, {%r2}, {%f1, %f2, %f3, %f1};
	`, n)+machinetest.Finish)
}

const tensor = `sm.units.tensor.classes=["matrix","matrix_wide"]`

func TestAMatrixProductWithoutAUnitForItIsRefused(t *testing.T) {
	m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=1")
	err := machinetest.Launch(t, m, products(1), 1, 32, 0)
	want := "test.ptx:11:2: found mma, of the class matrix, expected a unit of the SM that executes it " +
		"(sm.units.NAME.classes)"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Ten cycles more of latency are ten cycles more for each product of a chain.
func TestMatrixProductsTakeTheTimesOfTheirUnit(t *testing.T) {
	per := func(latency string) float64 {
		return machinetest.Slope(t, products, 16, 1, 32, "gtx980", "sm.count=1", "sm.units.tensor.count=4", tensor,
			"sm.units.tensor.initiation=4", "sm.units.tensor.latency="+latency)
	}
	if a, b := per("14"), per("24"); b-a != 10 || a < 14 {
		t.Errorf("%g cycles for a product of latency 14, %g of latency 24; want 10 more", a, b)
	}
}
