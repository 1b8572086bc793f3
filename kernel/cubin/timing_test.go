package cubin

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

// An ULDC at a fixed place is a move. With an index its address is known as it executes alone.
func TestAnIndexedUniformLoadHasAnAddressInTheConstantBankAndStaysAUniformMove(t *testing.T) {
	text := strings.Replace(oneKernel, "--:-:-:-:1 EXIT ;", "--:-:-:-:1 ULDC UR4, c[0x0][0x168] ;\n"+
		"--:-:-:-:1 ULDC.64 UR6, c[0x0][UR4+0x168] ;\n--:-:-:-:1 EXIT ;", 1)
	m, err := ReadModule("k.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compile(Request{Arch: 75, Module: m, Kernel: "k"})
	if err != nil || len(c.Insts) != 3 {
		t.Fatalf("%+v, %v", c, err)
	}
	for i, space := range []ir.Space{ir.SpaceNone, ir.Param} {
		x := &c.Insts[i].T
		if x.Class != ir.ClassUniformMove || x.Space != space {
			t.Errorf("instruction %d: class %v, space %v; want a uniform move in space %v", i, x.Class, x.Space, space)
		}
	}
}
