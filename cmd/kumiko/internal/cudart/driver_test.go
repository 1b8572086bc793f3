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

func TestBlocksOfThreeDimensionsAreCopiedInParts(t *testing.T) {
	out := compiled(t, "testdata/volume.cu")
	found, err := exec.CommandContext(t.Context(), out).Output()
	// The sum is 20 * (0 + 1000 + 2000) + 15 * (0 + 100 + 200 + 300) + 12 * (0 + 1 + 2 + 3 + 4), and 7 for each of the
	// 30 elements copied.
	want := "0: sum 69330, first 1000, last 2311\n0: 2110 2111 2210 2211, 2309 2310, too wide: 1\n"
	if err != nil || string(found) != want {
		t.Errorf("found %q, %v, want %q", found, err, want)
	}
	if _, err := replayed(t, recordedProgram(t, out), itself); err != nil {
		t.Errorf("the recording: %v", err)
	}
}

func TestBfloat16IsRoundedToTheNearest(t *testing.T) {
	for _, arch := range []string{"sm_70", "sm_80"} {
		out := compiled(t, "-arch="+arch, "testdata/bf16.cu")
		found, err := exec.CommandContext(t.Context(), out).Output()
		// 3/7 = 0.42857 is nearest to 0.427734375, and the root of 3 to 1.734375: bfloat16 has 8 binary digits.
		want := "10 21 0.427734 21.5 7 1.5 516 1.73438 0xc000 256 260\n"
		if err != nil || string(found) != want {
			t.Errorf("%s: found %q, %v, want %q", arch, found, err, want)
		}
	}
}
