package ptx

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

func TestTheLimitOfAKernelsInstructionsCanBeSetAndIsNamed(t *testing.T) {
	src := []byte(".version 7.0\n.target sm_70\n.address_size 64\n.entry k() {\n.reg .b32 %r<4>;\n" +
		strings.Repeat("add.u32 %r1, %r1, 1;\n", 10) + "ret; }\n")
	_, err := ParseWithin("t.ptx", src, ir.GlobalBase, Limits{Instructions: 5})
	want := "t.ptx:11:1: found more than 5 instructions in k after inlining, expected fewer " +
		"(--max-kernel-instructions 5)"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	for _, n := range []int{0, 11} {
		if m, err := ParseWithin("t.ptx", src, ir.GlobalBase, Limits{Instructions: n}); err != nil ||
			len(m.Kernels) != 1 {
			t.Errorf("limit %d: %v", n, err)
		}
	}
}
