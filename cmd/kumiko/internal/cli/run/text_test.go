package run

import (
	"bytes"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

func TestTheTextSaysWhoseCodeRanAndWhatOfThePTXWasChanged(t *testing.T) {
	var out bytes.Buffer
	a := app.App{Stdout: &out}
	codeText(&a, []result.Code{{Kernel: "k", Code: "sm_75", Assembler: "ptxas V11.8.89", Registers: 9, Instructions: 30,
		SpilledBytes: 8, Hash: "0123456789abcdef", Notes: []string{"PTX for sm_80 is assembled for sm_75"}}})
	want := "machine code for sm_75 by ptxas V11.8.89 (listing 0123456789ab)\n" +
		"  PTX for sm_80 is assembled for sm_75\n  k: 30 instructions, 9 registers, 8 bytes spilled\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
