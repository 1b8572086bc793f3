package gpus_test

import (
	"fmt"
	"testing"

	"kumiko/gpus/machinetest"
)

// Each lane reads a line of its own: 32 transactions of a sector. The L1 has two banks interleaved by sectors, and
// the coalescer sends two transactions per cycle. The loads take 16 cycles if neighbouring lanes read sectors in
// different banks. They take 32 if all lanes read the same sector of their lines, if there is one bank, or if the
// coalescer sends one transaction.
func TestLoadsOfManyLinesAreServedByAllBanksTheyLieIn(t *testing.T) {
	for _, c := range []struct {
		name   string
		odd    int // byte offset of odd lanes within their line
		set    []string
		cycles float64
	}{
		{"two banks, spread", 32, nil, 16},
		{"two banks, all in one", 64, nil, 32},
		{"one bank", 32, []string{"mem.l1.banks=1"}, 32},
		{"one transaction per cycle", 32, []string{"mem.coalescer.transactions_per_cycle=1"}, 32},
		{"four banks, in two of them", 32, []string{"mem.l1.banks=4", "mem.l1.port_bytes=128",
			"mem.coalescer.transactions_per_cycle=4"}, 16},
	} {
		kernel := func(n int) string {
			body := fmt.Sprintf("and.b32 %%r2, %%r1, 31;\n and.b32 %%r3, %%r1, 1;\n mul.lo.u32 %%r2, %%r2, 128;\n "+
				"mul.lo.u32 %%r3, %%r3, %d;\n add.u32 %%r2, %%r2, %%r3;\n"+
				" cvt.u64.u32 %%rd4, %%r2;\n add.s64 %%rd4, %%rd1, %%rd4;\n", c.odd)
			return machinetest.Text("",
				body+"ld.volatile.global.f32 %f20, [%rd4];\n add.f32 %f21, %f20, %f20;\n bar.sync "+
					"0;\n"+loads(n, 0, 0, "ld.global.ca.f32", "%rd4")+machinetest.Finish)
		}
		if got := perInstruction(t, kernel, 2, 8, c.set...); !near(got, c.cycles) {
			t.Errorf("%s: %v cycles per load of 32 lines, want %v", c.name, got, c.cycles)
		}
	}
}
