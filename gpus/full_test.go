package gpus_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/machinetest"
)

// Each of eight warps has 32 independent instructions, 8 times over, and all of them need one block. That block holds
// the warps up, whatever queues fill before it.
func TestALostSlotIsPutDownToTheBlockAtTheEndOfTheFullQueues(t *testing.T) {
	addresses := machinetest.Lanes(128) + "mov.u32 %r6, t;\n"
	const apart = "shl.b32 %r4, %r1, 7;\n and.b32 %r4, %r4, 4095;\n"
	for _, c := range []struct {
		want, setup, inst string
		set               []string
	}{
		{"unit_full", "mov.f32 %f1, 0f3f000000;\n", "ex2.approx.f32 %%f%d, %%f1;\n", nil},
		{"regfile_full", "mov.f32 %f1, 0f3f000000;\nmov.f32 %f2, %f1;\n mov.f32 %f3, %f1;\n",
			"fma.rn.f32 %%f%d, %%f1, %%f2, %%f3;\n", []string{"regfile.conventional.banks=4"}},
		{"lsu_full", "shl.b32 %r4, %r1, 2;\n add.u32 %r6, %r6, %r4;\n", "st.shared.u32 [%%r6], %%r1; // %d\n",
			[]string{"sm.units.lsu.initiation=8"}},
		{"shared_full", apart + "add.u32 %r6, %r6, %r4;\n", "ld.shared.f32 %%f%d, [%%r6];\n", nil},
		{"cache_full", apart + "cvt.u64.u32 %rd5, %r4;\n add.s64 %rd4, %rd1, %rd5;\n",
			"ld.global.ca.f32 %%f%d, [%%rd4];\n", nil},
		{"memory_full", "shl.b32 %r4, %r1, 7;\n cvt.u64.u32 %rd5, %r4;\n add.s64 %rd4, %rd1, %rd5;\n",
			"ld.global.ca.f32 %%f%[1]d, [%%rd4 + %[1]d0000];\n", []string{"mem.l1.mshr.entries=2"}},
	} {
		var body strings.Builder
		body.WriteString(addresses + c.setup + "mov.u32 %r5, 8;\nL:\n")
		for i := range 32 {
			fmt.Fprintf(&body, c.inst, i+20)
		}
		body.WriteString("add.u32 %r5, %r5, -1;\n setp.ne.u32 %p2, %r5, 0;\n @%p2 bra L;\n")
		for i := range 32 {
			fmt.Fprintf(&body, "add.f32 %%f1, %%f1, %%f%d;\n", i+20)
		}
		body.WriteString(machinetest.Finish)
		m := machinetest.GPU(t, "gtx980", gpus.Options{Check: true}, append(c.set, "slice.sms=1")...)
		if err := machinetest.Launch(t, m, machinetest.Text(".shared .align 4 .b8 t[4096];", body.String()), 1, 256,
			0); err != nil {
			t.Fatal(err)
		}
		k := m.Results()[0]
		var all, sum uint64
		for reason, n := range k.IssueSlots {
			sum += n
			if strings.HasSuffix(reason, "_full") {
				all += n
			}
		}
		if k.IssueSlots[c.want]*2 < all || all*4 < sum || sum%k.Cycles != 0 {
			t.Errorf("%s: %v of %d slots, want most of them", c.want, k.IssueSlots, sum)
		}
	}
}
