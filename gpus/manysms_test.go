package gpus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
)

// manySMs runs, for each SM of a chip, a CTA of one warp that loads and stores a line of its own.
func manySMs(t *testing.T, sms, workers int, set ...string) result.Kernel {
	t.Helper()
	m := machinetest.GPU(t, "gtx980", gpus.Options{Workers: workers}, set...)
	buf := m.Memory().Alloc("p", 128*sms)
	text := machinetest.Text("",
		"mov.u32 %r2, %ctaid.x;\n mad.lo.u32 %r3, %r2, 32, %r1;\n mul.wide.u32 %rd2, %r3, 4;\n "+
			"add.s64 %rd3, %rd1, %rd2;\n"+
			"ld.global.u32 %r4, [%rd3];\n add.u32 %r4, %r4, %r3;\n st.global.u32 [%rd3], %r4;\n")
	if err := m.Launch(&host.Launch{Module: machinetest.Module(t, text), Kernel: "k", Grid: [3]int{sms, 1, 1},
		Block: [3]int{32, 1, 1}, Args: []host.Arg{host.U64(buf)}}); err != nil {
		t.Fatal(err)
	}
	return m.Results()[0]
}

// 64 SMs are one word of the interconnect's sets, 65 and 128 are two, and 1024, the maximum, sixteen.
func TestChipsOfManySMsReachMemoryFromEverySM(t *testing.T) {
	for count, set := range map[int]string{64: "sm.count=64", 65: "sm.count=65", 128: "sm.count=128",
		1024: "sm.count=1024"} {
		if testing.Short() && count != 65 {
			continue
		}
		r := manySMs(t, count, 2, set)
		if len(r.SMs) != count {
			t.Fatalf("%d SMs in the result, want %d", len(r.SMs), count)
		}
		for i := range r.SMs {
			if r.SMs[i].WarpInstructions != r.SMs[0].WarpInstructions {
				t.Errorf("%d SMs: SM %d issued %d instructions, SM 0 %d", count, i, r.SMs[i].WarpInstructions,
					r.SMs[0].WarpInstructions)
			}
		}
		// A request for each load and one for each store, and as many answers.
		for _, network := range []string{"request", "reply"} {
			if n := r.Stats["mem.noc."+network+".packets"]; n != uint64(2*count) {
				t.Errorf("%d SMs: %d packets on the %s network, want %d", count, n, network, 2*count)
			}
		}
	}
}

func TestTheNumberOfWorkersChangesNothingOn128SMs(t *testing.T) {
	want := manySMs(t, 128, 1, "sm.count=128")
	for _, n := range []int{2, 3} {
		if d := cmp.Diff(want, manySMs(t, 128, n, "sm.count=128")); d != "" {
			t.Errorf("%d workers (-one +more):\n%s", n, d)
		}
	}
}
