package cudart

import (
	"context"
	"debug/elf"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"kumiko/cmd/kumiko/internal/cuda"
)

// vendorRuntime is the shared library of programs of nvcc 11 -cudart shared. Kumiko's runtime stands for it.
const vendorRuntime = "libcudart.so.11.0"

// marker is a section of the runtime library (runtime/wire.c), and of the programs linked with it.
const marker = ".kumiko"

// libraries returns the folder of shared libraries that a program needs: one with Kumiko's runtime for a program of
// nvcc, none for a program of kumiko nvcc or one that is not in ELF.
func libraries(ctx context.Context, program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", nil // starting it fails, and says more
	}
	f, err := elf.Open(path)
	if err != nil {
		return "", nil // such as a script
	}
	defer f.Close()
	imported, err := f.ImportedLibraries()
	if err != nil {
		return "", nil // linked statically
	}
	i := slices.IndexFunc(imported, func(l string) bool { return strings.HasPrefix(l, "libcudart.so") })
	switch {
	case i < 0 && f.Section(".nv_fatbin") != nil && f.Section(marker) == nil:
		return "", fmt.Errorf("%s has its own CUDA runtime in it: link it with nvcc -cudart shared, or compile it "+
			"with kumiko nvcc", program)
	case i < 0:
		return "", nil
	case imported[i] != vendorRuntime:
		return "", fmt.Errorf("%s needs %s, expected %s, of nvcc 11: compile it with that, or with kumiko nvcc",
			program, imported[i], vendorRuntime)
	}
	clang, err := cuda.Find(ctx)
	if err != nil {
		return "", fmt.Errorf("the CUDA runtime for a program of nvcc is compiled by clang: %w", err)
	}
	lib, err := BuildLibrary(ctx, clang)
	if err != nil {
		return "", err
	}
	return lib.Shared, nil
}
