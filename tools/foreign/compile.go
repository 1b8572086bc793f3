package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/kernel/cubin/tools"
)

//go:embed prelude
var prelude embed.FS

// A toolchain holds the two compilers of a run and their working folder.
type toolchain struct {
	clang  string
	dir    string
	vendor *tools.Tools // NVIDIA's, if machine code is compared
}

// errNoClang reports a missing compiler.
var errNoClang = errors.New("clang-19 is not installed (or set CLANG)")

// newToolchain finds the compiler, unpacks the prelude, and compiles the runtime.
func newToolchain(dir string) (*toolchain, error) {
	name := os.Getenv("CLANG")
	if name == "" {
		name = "clang-19"
	}
	clang, err := exec.LookPath(name)
	if err != nil {
		return nil, errNoClang
	}
	t := &toolchain{clang: clang, dir: dir}
	files, _ := fs.Glob(prelude, "prelude/*")
	for _, f := range files {
		text, _ := prelude.ReadFile(f)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), text, 0o644); err != nil {
			return nil, err
		}
	}
	return t, t.run("-std=c++17", "-O2", "-frounding-math", "-c", "runtime.cpp", "-o", "runtime.o")
}

// run calls the compiler in its folder.
func (t *toolchain) run(args ...string) error {
	cmd := exec.Command(t.clang, args...)
	cmd.Dir = t.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w\n%s", t.clang, strings.Join(args, " "), err, out)
	}
	return nil
}

// common are options for both sides: integers wrap around, and no multiplication is contracted with an addition.
var common = []string{"-std=c++17", "-w", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-I."}

// A flavour is a set of compiler options for a unit.
type flavour struct {
	arch   int
	device []string
	host   []string
	codes  []int // architectures of machine code to be compared with the PTX; without any the host is compared
}

// archs lists the target GPUs of units, each with its PTX version.
var archs = []struct {
	arch int
	ptx  string
}{{52, "63"}, {61, "63"}, {70, "64"}, {75, "65"}, {80, "78"}, {86, "78"}, {90, "80"}}

// newFlavour draws a GPU, optimisation levels, short or long pointers to shared, local and constant memory, and
// whether to emit line numbers.
func newFlavour(r *rand.Rand) flavour {
	a := pick(r, archs...)
	f := flavour{device: []string{"", "", pick(r, "-O2", "-O2", "-O2", "-O1", "-O3", "-Os", "-O0")}}
	f.target(a.arch, a.ptx)
	if r.IntN(2) == 0 {
		f.device = append(f.device, "-fcuda-short-ptr", "-mllvm", "--nvptx-short-ptr")
	}
	if r.IntN(6) == 0 {
		f.device = append(f.device, "-gline-tables-only")
	}
	f.host = []string{pick(r, "-O1", "-O1", "-O2", "-O0")}
	return f
}

// target sets the GPU and the PTX version of a unit.
func (f *flavour) target(arch int, ptx string) {
	f.arch = arch
	f.device[0], f.device[1] = fmt.Sprintf("--cuda-gpu-arch=sm_%d", arch), "--cuda-feature=+ptx"+ptx
}

// toPTX compiles a unit for the device and returns its PTX.
func (t *toolchain) toPTX(source string, f flavour) ([]byte, error) {
	args := []string{"-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-S", "-o", "unit.ptx"}
	if err := t.run(slices.Concat(args, f.device, common, []string{source})...); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(t.dir, "unit.ptx"))
}

// toHost compiles a unit for this machine and returns the program's name.
func (t *toolchain) toHost(source string, f flavour) (string, error) {
	args := slices.Concat([]string{"-x", "c++", "-o", "unit.host"}, f.host, common,
		[]string{source, "-x", "none", "runtime.o", "-lm"})
	return filepath.Join(t.dir, "unit.host"), t.run(args...)
}

// writeSource writes a unit's source and returns its name in the folder.
func (t *toolchain) writeSource(text string) (string, error) {
	return "unit.cu", os.WriteFile(filepath.Join(t.dir, "unit.cu"), []byte(text), 0o644)
}
