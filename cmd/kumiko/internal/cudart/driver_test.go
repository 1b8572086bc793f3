package cudart_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

func TestTheDriverAPILoadsAndLaunchesPTX(t *testing.T) {
	out := compiled(t, "testdata/driver.c", "-lcuda")
	c := exec.CommandContext(t.Context(), out)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	want := "0 0, capability 7, 1024 threads, context current: 143, 69 counted in 4 bytes\n" +
		"2048 threads: CUDA_ERROR_INVALID_VALUE; copy of too much: 1\n" +
		"a constant: 801; machine code: 801; a linker: 801\n"
	if err != nil || stdout.String() != want {
		t.Errorf("found %q, %v, want %q\n%s", &stdout, err, want, &stderr)
	}
	for _, name := range []string{"cuModuleGetGlobal of a __constant__ variable", "the vendor's machine code",
		"cuLinkCreate is not supported"} {
		if !strings.Contains(stderr.String(), name) {
			t.Errorf("no %q among the messages\n%s", name, &stderr)
		}
	}
}
