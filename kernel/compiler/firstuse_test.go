package compiler

import (
	"testing"

	"kumiko/kernel/compiler/internal/randptx"
)

// The order of first use needs more registers than any order, because of the gaps before pairs. Within a limit that is
// no multiple of four, the numbers stay below the limit itself: a thread is charged for no more.
func TestRegistersNumberedByFirstUseStayWithinTheLimit(t *testing.T) {
	moved := 0
	for seed := range uint64(12) {
		m := mustParse(t, "fuzz.ptx", []byte(randptx.Program(seed, randptx.Options{Vars: 6, Stmts: 60, Depth: 3})))
		_, report, err := CompileReport(m.Kernels[0], Options{})
		if err != nil {
			t.Fatal(err)
		}
		for limit := report.Used; limit < report.Used+4; limit++ {
			if limit%4 == 0 {
				continue
			}
			k, r, err := CompileReport(m.Kernels[0], Options{Registers: limit, FirstUse: true})
			if err != nil {
				t.Fatal(err)
			}
			if k.NumRegs > limit || r.Used > limit || k.Footprint != limit {
				t.Errorf("seed %d: %d registers named, %d reported and %d charged within %d", seed, k.NumRegs, r.Used,
					k.Footprint, limit)
			}
			if k.NumRegs > report.Used {
				moved++
			}
		}
	}
	if moved == 0 {
		t.Error("the order of first use needed no register more in any kernel")
	}
}
