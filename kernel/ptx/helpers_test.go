package ptx

import (
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

const header = ".version 6.3\n.target sm_52\n.address_size 64\n"

// registers declares registers of each kind used by the tables below.
const registers = `.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .f32 %f<8>; .reg .b64 %d<16>; .reg .f64 %g<8>;
`

// parsed parses a whole source.
func parsed(t *testing.T, src string) *ir.Module {
	t.Helper()
	m, err := Parse("t.ptx", []byte(src))
	if err != nil {
		t.Fatalf("refused:\n%v", err)
	}
	return m
}

// kernel parses the body of a kernel k with parameters a (u64) and b (f32),
// registers declared.
func kernel(t *testing.T, body string) *ir.Kernel {
	t.Helper()
	return parsed(t, header+".visible .entry k(.param .u64 a, .param .f32 b)\n{\n"+registers+body+"\n}\n").Kernels[0]
}

// text is a kernel's instructions, one per line, without its final exit.
func text(k *ir.Kernel) string {
	var lines []string
	for i := range k.Insts {
		lines = append(lines, k.Insts[i].String())
	}
	if n := len(lines); n > 0 && lines[n-1] == "exit" {
		lines = lines[:n-1]
	}
	return strings.Join(lines, "\n")
}

// refusal returns the error of a kernel body, with its first line as line 1.
func refusal(t *testing.T, body string) string {
	t.Helper()
	return refused(t, header+".visible .entry k(.param .u64 a, .param .f32 b)\n{\n"+registers+body+"\n}\n")
}

// refused returns the error of a source, or of its kernel if another module might define what the kernel wants.
func refused(t *testing.T, src string) string {
	t.Helper()
	m, err := Parse("t.ptx", []byte(src))
	if err == nil && len(m.Kernels) == 0 && len(m.Refused) == 1 {
		err = m.Refused[0].Err
	}
	if err == nil {
		t.Fatalf("accepted:\n%s", src)
	}
	return err.Error()
}
