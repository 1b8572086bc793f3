package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
)

func TestWithoutClangAFileOfCUDAIsBadInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k.cu")
	put(t, file, "__global__ void k() {}\n")
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CLANG", "")
	for _, args := range [][]string{{"compile", file}, {"inspect", file}, {"occupancy", file, "--block", "32"},
		{"run", file, "--launch", "k.toml"}} {
		status, out, errs := inProcess(args...)
		want := "found no clang, which compiles .cu files, expected clang 19 or newer: "
		if status != app.BadInput || !strings.HasPrefix(errs, want) || strings.Count(errs, "\n") != 1 || out != "" {
			t.Errorf("%s: status %d, %q and %q", args[0], status, errs, out)
		}
	}
}
