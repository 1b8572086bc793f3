package cudart_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cudart"
)

// vendorCompiled compiles with NVIDIA's nvcc. KUMIKO_NVCC has the command where it is not nvcc, such as
// "nvcc -ccbin g++-11".
func vendorCompiled(t *testing.T, flags ...string) string {
	t.Helper()
	app(t) // skips without clang, which compiles the runtime library
	command := strings.Fields(os.Getenv("KUMIKO_NVCC"))
	if len(command) == 0 {
		command = []string{"nvcc"}
	}
	about, err := exec.CommandContext(t.Context(), command[0], append(command[1:], "--version")...).Output()
	if err != nil || !bytes.Contains(about, []byte("NVIDIA")) || !bytes.Contains(about, []byte("release 11.")) {
		t.Skip("no nvcc 11 of NVIDIA is installed, or named by KUMIKO_NVCC")
	}
	out := filepath.Join(t.TempDir(), "app")
	args := append(append(command[1:], "-w", "-o", out), flags...)
	if text, err := exec.CommandContext(t.Context(), command[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", command[0], args, err, text)
	}
	return out
}

// executed runs a program as kumiko exec does, on an emulated GPU.
func executed(t *testing.T, program string) (out, errs string, end cudart.Ended, err error) {
	t.Helper()
	g := cudart.Emulated(configuration(t))
	var stdout, stderr bytes.Buffer
	a := cudart.Application{Args: []string{program}, Stdout: &stdout, Stderr: &stderr, Cancel: func() {}}
	end, err = a.Run(t.Context(), g, t.TempDir())
	return stdout.String(), stderr.String(), end, err
}

func TestProgramsOfTheVendorsCompilerRun(t *testing.T) {
	random, err := os.ReadFile("testdata/random.txt")
	if err != nil {
		t.Fatal(err)
	}
	managed := "5 4 0\n11, 2 14 108, 6, 7\n41 41, 100 0, no error\n"
	linked := "166.5, 32 hits, no error\n"
	for name, c := range map[string]struct {
		want  string
		flags []string
	}{
		"managed variables": {managed, []string{"-arch=sm_70", "testdata/managed.cu"}},
		"plain PTX":         {managed, []string{"-arch=sm_70", "-Xfatbin", "-compress=false", "testdata/managed.cu"}},
		"several files":     {linked, []string{"-arch=sm_70", "-rdc=true", "testdata/whole.cu", "testdata/part.cu"}},
		"surfaces": {"31 3, 41 4\n0: 5.5 26.5 34.5\n0: 6 32, 4 x 2 x 2, 1\n", []string{"-arch=sm_60",
			"testdata/surface.cu"}},
		"its own cuRAND": {string(random), []string{"-arch=sm_70", "testdata/random.cu"}},
	} {
		out := vendorCompiled(t, append([]string{"-cudart", "shared"}, c.flags...)...)
		if found, errs, _, err := executed(t, out); err != nil || found != c.want {
			t.Errorf("%s: found %q, %q, %v, want %q", name, found, errs, err, c.want)
		}
		if _, err := replayed(t, recordedProgram(t, out), itself); err != nil {
			t.Errorf("%s: the recording: %v", name, err)
		}
	}
}

func TestProgramsOfTheVendorsCompilerThatCannotRunAreRefused(t *testing.T) {
	for want, flags := range map[string][]string{
		"link it with nvcc -cudart shared": {"-arch=sm_70", "-cudart", "static"},
		"machine code for sm_70, expected PTX": {"-gencode", "arch=compute_70,code=sm_70", "-cudart",
			"shared"},
	} {
		_, _, _, err := executed(t, vendorCompiled(t, append(flags, "testdata/volume.cu")...))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: found %v, want %q", flags, err, want)
		}
	}
}
