package cudart

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"kumiko/cmd/kumiko/internal/cuda"
)

//go:embed include runtime
var sources embed.FS

// Library is the runtime library, compiled on this machine, and the headers.
type Library struct {
	// Root is a folder that stands for the folder of a CUDA toolkit, in Makefiles: it has include, lib64 and bin/nvcc.
	Root    string
	Include string // folder for -isystem
	Object  string // file to link with
	Shared  string // folder with the library for programs of nvcc -cudart shared
}

// BuildLibrary returns the runtime library. It is compiled at the first use, into a folder of the user's cache, named
// by the sources, the compiler and this program.
func BuildLibrary(ctx context.Context, c *cuda.Clang) (*Library, error) {
	self := executable()
	hash, err := fingerprint(c, self)
	if err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	root := filepath.Join(cache, "kumiko")
	dir := filepath.Join(root, "cudart-"+hash)
	lib := &Library{dir, filepath.Join(dir, "include"), filepath.Join(dir, "runtime.o"), filepath.Join(dir, "shared")}
	if _, err := os.Stat(lib.Object); err == nil {
		return lib, nil
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, fmt.Errorf("the folder of the runtime library: %w", err)
	}
	tmp, err := os.MkdirTemp(root, "new-")
	if err != nil {
		return nil, fmt.Errorf("the folder of the runtime library: %w", err)
	}
	defer os.RemoveAll(tmp)
	if err := errors.Join(compileLibrary(ctx, c, tmp, self), standIns(tmp, lib, self)); err != nil {
		return nil, err
	}
	if err := os.Rename(tmp, dir); err != nil { // another process may have been the first
		if _, there := os.Stat(lib.Object); there != nil {
			return nil, err
		}
	}
	return lib, nil
}

// layout is the number of the arrangement of the library's folder. It grows with each change of the files beside the
// sources.
const layout = 3

func fingerprint(c *cuda.Clang, self string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%s\n%s\n%s\n", layout, c.Path(), c.Version, self)
	err := fs.WalkDir(sources, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := sources.ReadFile(name)
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
		return err
	})
	if err != nil {
		return "", err
	}
	device, err := cuda.DeviceText()
	h.Write(device)
	return hex.EncodeToString(h.Sum(nil))[:16], err
}

// compileLibrary writes the headers into dir and compiles the library there.
func compileLibrary(ctx context.Context, c *cuda.Clang, dir, self string) error {
	if err := os.CopyFS(dir, sources); err != nil {
		return err
	}
	if err := cuda.WriteDevice(filepath.Join(dir, "include")); err != nil {
		return err
	}
	files, err := filepath.Glob(filepath.Join(dir, "runtime", "*.c"))
	if err != nil {
		return err
	}
	args := []string{"-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-pthread", "-I../include",
		"-DKUMIKO_PROGRAM=" + strconv.Quote(self)}
	if err := runIn(ctx, filepath.Join(dir, "runtime"), c.Path(), append(append(args, "-c"), files...)); err != nil {
		return err
	}
	args = []string{"-r", "-nostdlib", "-o", filepath.Join(dir, "runtime.o")}
	for _, f := range files {
		args = append(args, f[:len(f)-1]+"o")
	}
	if err := runIn(ctx, filepath.Join(dir, "runtime"), c.Path(), args); err != nil {
		return err
	}
	return linkShared(ctx, c, dir)
}

// linkShared makes the shared library for programs of nvcc. Such programs look its functions up under a symbol version
// with the library's name.
func linkShared(ctx context.Context, c *cuda.Clang, dir string) error {
	shared := filepath.Join(dir, "shared")
	if err := os.Mkdir(shared, 0o755); err != nil {
		return err
	}
	versions := filepath.Join(dir, "runtime", "versions")
	if err := os.WriteFile(versions, []byte(vendorRuntime+" { *; };\n"), 0o644); err != nil {
		return err
	}
	return runIn(ctx, dir, c.Path(), []string{"-shared", "-pthread", "-o", filepath.Join(shared, vendorRuntime),
		"-Wl,-soname," + vendorRuntime, "-Wl,--version-script=" + versions, filepath.Join(dir, "runtime.o")})
}

// runIn runs the compiler for the library. It needs the headers of the C library and a linker.
func runIn(ctx context.Context, dir, clang string, args []string) error {
	cmd := exec.CommandContext(ctx, clang, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("cannot compile Kumiko's CUDA runtime: %w: %s\nexpected the headers of C and C++ and a "+
			"linker (on Debian and Ubuntu: apt install g++)", err, out)
	}
	return nil
}

// standIns writes the other files of a toolkit, for Makefiles that name its folder: nvcc, and libraries. A library is a
// script for the linker. Those of the driver and of the device's runtime have nothing, so names from them are missing.
func standIns(dir string, lib *Library, self string) error {
	self = strings.ReplaceAll(self, "'", `'\''`)
	files := map[string]string{"bin/nvcc": fmt.Sprintf("#!/bin/sh\nexec '%s' nvcc \"$@\"\n", self)}
	for _, folder := range []string{"lib64", "lib"} {
		for name, inputs := range map[string]string{"cudart": strconv.Quote(lib.Object),
			"cudart_static": strconv.Quote(lib.Object), "cuda": "-lc", "cudadevrt": "-lc"} {
			files[folder+"/lib"+name+".so"] = "INPUT(" + inputs + ")\n"
		}
	}
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			return err
		}
	}
	return nil
}
