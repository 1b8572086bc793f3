package cuda

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// needClang skips a test where no clang of the right age is installed.
func needClang(t *testing.T) {
	t.Helper()
	if _, err := Find(t.Context()); err != nil {
		if !errors.Is(err, exec.ErrNotFound) {
			t.Log(err)
		}
		t.Skip("no clang is installed; the test compiles CUDA C++")
	}
}

// compile compiles the text of a file, which is written to a folder of its own.
func compile(t *testing.T, text string, o *Options) (*Output, error) {
	t.Helper()
	return Compile(t.Context(), t.TempDir(), saved(t, text), o)
}

func saved(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "file.cu")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// compiled compiles a file without warnings, and reads the PTX, whose instructions have their places in the file.
func compiled(t *testing.T, file string, o *Options) *ir.Module {
	t.Helper()
	needClang(t)
	out, err := Compile(t.Context(), t.TempDir(), file, o)
	if err != nil {
		t.Fatal(err)
	}
	if out.Warnings != "" {
		t.Errorf("warnings: %s", out.Warnings)
	}
	m, err := ptx.Parse("file.ptx", out.PTX)
	if err != nil {
		t.Fatal(err)
	}
	out.Place(m, file)
	return m
}

// kernels is the module of a file, on an emulated device.
type kernels struct {
	t      *testing.T
	module *ir.Module
	host.Device
}

// load compiles a file and reads the PTX.
func load(t *testing.T, text string, o *Options) *kernels {
	t.Helper()
	m := compiled(t, saved(t, text), o)
	for _, r := range m.Refused {
		t.Fatalf("%s: %v", r.Kernel, r.Err)
	}
	memory := &mem.Memory{}
	if err := memory.LoadModule(m); err != nil {
		t.Fatal(err)
	}
	return &kernels{t, m, host.Device{Mem: memory, Runner: &emu.Runner{Mem: memory}}}
}

// launch runs a kernel in CTAs of 128 threads.
func (k *kernels) launch(name string, ctas int, args ...host.Arg) {
	k.t.Helper()
	err := k.Launch(&host.Launch{Module: k.module, Kernel: name, Grid: [3]int{ctas, 1, 1}, Block: [3]int{128, 1, 1},
		Args: args})
	if err != nil {
		k.t.Fatal(err)
	}
}
