package gpus_test

import (
	"strings"
	"testing"

	"kumiko/gpus/machinetest"
)

// sharedChase is n dependent loads from shared memory.
func sharedChase(n int) string {
	return machinetest.Text(".shared .align 8 .b8 s[64];", "mov.u32 %r2, s;\nst.shared.u32 [%r2], %r2;\n"+
		strings.Repeat("ld.shared.u32 %r2, [%r2];\n", n)+"st.global.u32 [%rd1], %r2;\n")
}

// xmads is n dependent multiplications.
func xmads(n int) string {
	return machinetest.Text("", strings.Repeat("mul.lo.u32 %r1, %r1, %r1;\n", n)+"st.global.u32 [%rd1], %r1;\n")
}

// maxas gives 6 cycles for an FFMA and an XMAD. Chips and Cheese measured 34 for shared memory and 95 for the
// texture and L1 cache of a GTX 980 Ti.
func TestDependentInstructionsOfTheMeasuredGTX980AreAsFarApartAsMeasured(t *testing.T) {
	const gpu = "gtx980-sm52"
	for name, c := range map[string]struct {
		kernel func(n int) string
		want   float64
	}{"fma": {chain, 6}, "multiplication of three XMADs": {xmads, 13}, "shared memory": {sharedChase, 34}} {
		if got := machinetest.Slope(t, c.kernel, 50, 1, 32, gpu, "sm.count=1"); got != c.want {
			t.Errorf("%s: %v cycles, want %v", name, got, c.want)
		}
	}
	if got, _, _ := stepLatency(t, "ld.global.u64", 20, 1, still, gpu); got != 95 {
		t.Errorf("L1: %v cycles, want 95", got)
	}
}

// The latency of Turing's L2 is 236 cycles (sjfeng1999, gpu-arch-microbenchmark). The other GPU has 25 cycles more,
// the difference of the two in the simulator of Huerta et al. The loads here have 64 bits, and the second register
// arrives a cycle later.
func TestAnL2HitOfTuringAndAmpereTakesWhatWasMeasured(t *testing.T) {
	for gpu, want := range map[string]float64{"rtx-2070s": 236 + 1, "rtx-a6000": 261 + 1} {
		if got, _, _ := stepLatency(t, "ld.global.cg.u64", 20, 1, still, gpu); got != want {
			t.Errorf("%s: %v cycles, want %v", gpu, got, want)
		}
		if got, _, _ := stepLatency(t, "ld.global.u64", 20, 1, still, gpu); got != 32+1 {
			t.Errorf("%s: L1: %v cycles, want 33", gpu, got)
		}
	}
}
