package cudart_test

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

func TestRandomNumbersAreThoseOfCURAND(t *testing.T) {
	if testing.Short() {
		t.Skip("an application of its own is compiled")
	}
	found, err := exec.CommandContext(t.Context(), compiled(t, "testdata/random.cu")).Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/random.txt") // made with NVIDIA's curand_kernel.h of CUDA 11.8
	if err != nil {
		t.Fatal(err)
	}
	if string(found) != string(want) {
		t.Errorf("found\n%s\nwant\n%s", found, want)
	}
}

// prints compiles an application, compares what it prints, and replays its recording.
func prints(t *testing.T, want string, flags ...string) {
	t.Helper()
	out := compiled(t, flags...)
	found, err := exec.CommandContext(t.Context(), out).Output()
	if err != nil || string(found) != want {
		t.Fatalf("found %q, %v, want %q", found, err, want)
	}
	if _, err := replayed(t, recordedProgram(t, out), itself); err != nil {
		t.Errorf("the recording: %v", err)
	}
}

func TestManagedVariablesAreTheSameOnBothSides(t *testing.T) {
	// 4 threads have 2 * list; thread 0 adds 100 to the last one. The increments of the counter are one store.
	want := "5 4 0\n11, 2 14 108, 6, 7\n41 41, 100 0, no error\n"
	prints(t, want, "testdata/managed.cu")
	prints(t, want, "-rdc=true", "testdata/managed.cu")
}

func TestSurfacesWriteArraysOfAllShapes(t *testing.T) {
	if testing.Short() {
		t.Skip("an application of its own is compiled")
	}
	// (0, 0) gets (3, 0) = (30, 3) with 1 added; 1 + 9 / 2 with the next slice; 5 + 1 of two rows of a layer.
	prints(t, "31 3, 41 4\n0: 5.5 26.5 34.5\n0: 6 32, 4 x 2 x 2, 1\n", "testdata/surface.cu")
}

func TestMatrixFunctionsOfAWarpMultiply(t *testing.T) {
	found, err := exec.CommandContext(t.Context(), compiled(t, "testdata/matrix.cu")).Output()
	if want := "float 1111, half 11, 32x8 11, 8x32 11\n"; err != nil || string(found) != want {
		t.Errorf("found %q, %v, want %q", found, err, want)
	}
}

func TestAnArrayThatIsNotThereIsRefusedByName(t *testing.T) {
	c := exec.CommandContext(t.Context(), compiled(t, "testdata/surface.cu"), "cubemap")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	found, err := c.Output()
	if err != nil || !bytes.HasSuffix(found, []byte("cubemap: 801\n")) {
		t.Errorf("found %q, %v, want cudaErrorNotSupported", found, err)
	}
	if want := "kumiko: cudaMalloc3DArray of a cubemap or a sparse array is not supported\n"; stderr.String() != want {
		t.Errorf("standard error is %q, want %q", &stderr, want)
	}
}
