package compiler

import (
	"fmt"
	"strings"
	"testing"
)

func TestSpillingBeyondTheLocalMemoryOfAThreadIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString(".version 6.3\n.target sm_52\n.address_size 64\n.entry k(.param .u64 p) { .local .align 8 .b8 " +
		"l[524280]; .reg .b32 %r<50>; .reg .b64 %d<3>;\n" +
		"ld.param.u64 %d1, [p]; mov.u64 %d2, l; st.local.u64 [%d2], %d1;\n")
	for i := range 40 {
		fmt.Fprintf(&b, "ld.global.u32 %%r%d, [%%d1+%d];\n", i, 4*i)
	}
	for i := range 40 {
		fmt.Fprintf(&b, "st.global.u32 [%%d1+%d], %%r%d;\n", 4*i, 39-i)
	}
	b.WriteString("ret; }")
	m := mustParse(t, "t.ptx", []byte(b.String()))
	if _, err := Compile(m.Kernels[0], Options{}); err != nil {
		t.Errorf("without spilling: %v", err)
	}
	_, err := Compile(m.Kernels[0], Options{Registers: 16})
	if err == nil || !strings.HasPrefix(err.Error(), "t.ptx: kernel k: found 5243") ||
		!strings.HasSuffix(err.Error(), " of them for registers that do not fit, expected at most 524288") {
		t.Errorf("error %v", err)
	}
}
