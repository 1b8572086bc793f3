package nvcc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cuda"
	"kumiko/cmd/kumiko/internal/cudart"
)

// libclc is where the functions of double precision are, on Debian and Ubuntu. The first that is there is used.
var libclc = []string{"/usr/lib/clc/nvptx64--.bc", "/usr/share/clc/nvptx64--.bc", "/usr/lib/clc/nvptx64--nvidiacl.bc"}

// compiler compiles one command line.
type compiler struct {
	*Options
	clang  *cuda.Clang
	lib    *cudart.Library
	dir    string    // for intermediate files
	stderr io.Writer // messages of clang
	stdout io.Writer
	// bitcode is the file of libclc, with functions of double precision for the device; empty: it is not installed.
	bitcode string
}

// Run compiles and links. dir is an empty folder for intermediate files; the caller removes it. Messages of clang go to
// stderr.
func Run(ctx context.Context, o *Options, dir string, stdout, stderr io.Writer) error {
	clang, lib, err := find(ctx)
	if err != nil {
		return err
	}
	c := &compiler{Options: o, clang: clang, lib: lib, dir: dir, stderr: stderr, stdout: stdout}
	for _, f := range libclc {
		if _, err := os.Stat(f); err == nil {
			c.bitcode = f
			break
		}
	}
	if o.stage == deviceLink {
		return c.deviceLink(ctx)
	}
	var linked []string
	for i, in := range o.Inputs {
		if !o.isCUDA(in) && !isSource(in) {
			linked = append(linked, in)
			continue
		}
		if _, err := os.Stat(in); err != nil {
			return err
		}
		out := filepath.Join(dir, fmt.Sprintf("%d.o", i))
		if o.stage != link {
			out = c.output(in)
		}
		if err := c.compile(ctx, in, out, i); err != nil {
			return err
		}
		linked = append(linked, out)
	}
	if o.stage != link {
		return nil
	}
	return c.link(ctx, linked)
}

// Library returns the runtime library and the folder that stands for a toolkit.
func Library(ctx context.Context) (*cudart.Library, error) {
	_, lib, err := find(ctx)
	return lib, err
}

func find(ctx context.Context) (*cuda.Clang, *cudart.Library, error) {
	clang, err := cuda.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	lib, err := cudart.BuildLibrary(ctx, clang)
	return clang, lib, err
}

// output returns the name of the output for one input.
func (c *compiler) output(in string) string {
	if c.Output != "" {
		return c.Output
	}
	ext := map[stage]string{object: ".o", ptx: ".ptx", preprocess: ".ii"}[c.stage]
	base := filepath.Base(in)
	return strings.TrimSuffix(base, filepath.Ext(base)) + ext
}

// compile compiles a file to an object, or to what the stage asks for.
func (c *compiler) compile(ctx context.Context, in, out string, number int) error {
	if c.stage == preprocess && c.Output == "" {
		out = "-"
	}
	if !c.isCUDA(in) {
		args := append([]string{"-isystem", c.lib.Include, "-fPIC"}, lenient...)
		args = append(args, c.both...)
		args = append(args, c.host...)
		return c.run(ctx, append(args, c.mode(), "-o", out, in))
	}
	code := filepath.Join(c.dir, fmt.Sprintf("%d.ptx", number))
	if c.stage == ptx {
		code = out
	}
	if c.stage == object || c.stage == link || c.stage == ptx {
		if err := c.device1(ctx, in, code); err != nil || c.stage == ptx {
			return err
		}
	}
	args := c.common(in)
	args = append(args, "--cuda-host-only", "-fPIC")
	if c.stage != preprocess {
		args = append(args, "-Xclang", "-fcuda-include-gpubinary", "-Xclang", code)
	}
	args = append(args, c.both...)
	args = append(args, c.host...)
	if c.relocatable && c.stage != preprocess {
		return c.relocatableHost(ctx, append(args, in), out)
	}
	return c.run(ctx, append(args, c.mode(), "-o", out, in))
}

// lenient has clang take what nvcc and its usual host compilers take: narrowing in braces is a warning there, a
// function without its return statement returns, and a call of a template (CUB 1 has some) needs no list behind it.
var lenient = []string{"-Wno-c++11-narrowing", "-fno-strict-return", "-Wno-unknown-warning-option",
	"-Wno-missing-template-arg-list-after-template-kw"}

func (c *compiler) mode() string {
	if c.stage == preprocess {
		return "-E"
	}
	return "-c"
}

// device1 compiles the device part of a file to PTX. A zero byte ends the PTX, because the program passes on the
// address of the text without its length.
func (c *compiler) device1(ctx context.Context, in, out string) error {
	version, err := cuda.PTXVersion(c.Arch())
	if err != nil {
		return err
	}
	args := append(c.common(in), "--cuda-device-only", "--cuda-feature=+ptx"+version, "-O2", "-fcuda-short-ptr",
		"-mllvm", "--nvptx-short-ptr", "-Wno-pass-failed", "-Wno-linker-warnings")
	if c.bitcode != "" {
		args = append(args, "-Xclang", "-mlink-builtin-bitcode", "-Xclang", c.bitcode)
	}
	args = append(args, c.both...)
	args = append(args, c.device...)
	if err := c.run(ctx, append(args, "-S", "-o", out, in)); err != nil {
		return err
	}
	code, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if c.relocatable {
		code = settle(code)
	}
	if c.stage != ptx {
		code = append(code, 0)
	}
	return os.WriteFile(out, code, 0o666)
}

// common returns the arguments for both parts of a file. The version of the toolkit makes clang call the functions of
// launches that CUDA has since version 9.2.
func (c *compiler) common(in string) []string {
	std := c.std
	if std == "" {
		std = "c++17"
	}
	args := []string{"-x", "cuda", "-std=" + std, "--cuda-gpu-arch=" + c.Arch(), "-nocudainc", "-nocudalib", "-Xclang",
		"-target-sdk-version=11.8", "-isystem", c.lib.Include, "-idirafter",
		filepath.Join(c.lib.Include, "after"), "-include", "cuda_runtime.h", "-I", filepath.Dir(in),
		"-Wno-unused-command-line-argument", "-Wno-deprecated-declarations", "-Wno-undefined-internal"}
	args = append(args, lenient...)
	args = append(args, c.relocatableFlags(in)...)
	if c.bitcode != "" {
		args = append(args, "-D__KUMIKO_LIBCLC")
	}
	return args
}

// link links objects and libraries to a program.
func (c *compiler) link(ctx context.Context, files []string) error {
	out := c.Output
	if out == "" {
		out = "a.out"
	}
	args := append([]string{"--driver-mode=g++", "-pthread", "-o", out}, c.linking...)
	for _, f := range files {
		if f == "-lm" || !strings.HasPrefix(f, "-l") {
			args = append(args, f)
		}
	}
	args = append(args, c.lib.Object)
	if err := c.openMP(ctx); err != nil {
		return err
	}
	for _, f := range files {
		if strings.HasPrefix(f, "-l") {
			args = append(args, f)
		}
	}
	return c.run(ctx, args)
}

// openMP returns an error if OpenMP is wanted and clang has no library of it. Without this check clang's linker would
// only name a missing file.
func (c *compiler) openMP(ctx context.Context) error {
	if !slices.Contains(c.linking, "-fopenmp") {
		return nil
	}
	name, err := exec.CommandContext(ctx, c.clang.Path(), "-print-file-name=libomp.so").Output()
	if err != nil || filepath.IsAbs(strings.TrimSpace(string(name))) {
		return err
	}
	return fmt.Errorf("-fopenmp: found no OpenMP library of clang, expected libomp (on Debian and Ubuntu: " +
		"apt install libomp-19-dev)")
}

// run runs clang.
func (c *compiler) run(ctx context.Context, args []string) error {
	cmd := exec.CommandContext(ctx, c.clang.Path(), args...)
	cmd.Stdout, cmd.Stderr = c.stdout, c.stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return fmt.Errorf("clang %s has found errors (its %w)", c.clang.Version, exit)
	}
	return err
}
