package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/host"
)

// relay is a kernel of two warps. The first adds n times and arrives at an mbarrier. The second waits at the
// mbarrier and then adds m times.
func relay(n, m int) string {
	adds := func(n int) string { return strings.Repeat("add.f32 %f1, %f1, %f1;\n", n) }
	return machinetest.Text(".shared .align 8 .b8 bar[8]; .reg .pred %q;", fmt.Sprintf(`
	mov.u32 %%r2, bar; cvt.rn.f32.u32 %%f1, %%r1;
	setp.ne.u32 %%p1, %%r1, 0;
	@!%%p1 mbarrier.init.shared.b64 [%%r2], 32;
	bar.sync 0;
	setp.ge.u32 %%p1, %%r1, 32;
	@%%p1 bra WAIT;
	%smbarrier.arrive.shared.b64 _, [%%r2];
	bra END;
WAIT:
	mbarrier.try_wait.parity.shared.b64 %%q, [%%r2], 0;
	@!%%q bra WAIT;
	%s
END:
	%s`, adds(n), adds(m), machinetest.Finish))
}

// The additions of one warp precede those of the other, so each costs its latency in either warp. Side by side, the
// additions of the second warp would be hidden behind those of the first.
func TestAWarpWaitsAtAnMbarrierForTheOthersArrival(t *testing.T) {
	cycles := func(n, m int) int { return int(machinetest.Cycles(t, relay(n, m), 1, 64, "gtx980", "sm.count=1")) }
	base := cycles(256, 128)
	first, second := cycles(384, 128)-base, cycles(256, 256)-base
	if first <= 0 || first != second {
		t.Errorf("128 more additions of the first warp take %d cycles, of the second %d; want the same", first, second)
	}
}

// One SM of the machine holds 4 CTAs of 512 threads.
func TestACooperativeLaunchThatTheSMsDoNotHoldIsRefused(t *testing.T) {
	for _, k := range []struct {
		ctas int
		want string
	}{{8, ""}, {9, "kernel k: a cooperative launch of 9 CTAs, expected at most 8, 4 on each of 2 SMs"}} {
		m := machinetest.GPU(t, "gtx980", gpus.Options{}, "sm.count=2")
		buf := m.Memory().Alloc("p", 4096)
		err := m.Launch(&host.Launch{Module: machinetest.Module(t, machinetest.Text("", "")), Kernel: "k",
			Grid:  [3]int{k.ctas, 1, 1},
			Block: [3]int{512, 1, 1}, Args: []host.Arg{host.U64(buf)}, Cooperative: true})
		if got := fmt.Sprint(err); k.want == "" && err != nil || k.want != "" && got != k.want {
			t.Errorf("%d CTAs: error %v, want %q", k.ctas, err, k.want)
		}
	}
}
